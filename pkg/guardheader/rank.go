package guardheader

import (
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/glob"
)

// A pattern is one glob of a row with its rank.
type pattern struct {
	glob *glob.Pattern
	rank [5]int
}

// rank says how specific a glob is; ranks compare number by number, the larger wins: a last segment without wildcards (a
// file name beats a folder), segments without wildcards, segments other than `**`, bytes that are no wildcards, and a
// last segment that holds any such bytes.
func rank(p string) (r [5]int) {
	segments := strings.Split(p, "/")
	for i, s := range segments {
		plain := literal(s)
		if s != "**" {
			r[2]++
		}
		if plain == len(s) {
			r[1]++
			if i == len(segments)-1 {
				r[0] = 1
			}
		}
		r[3] += plain
		if i == len(segments)-1 && plain > 0 {
			r[4] = 1
		}
	}
	return r
}

// literal counts the bytes of a segment that stand for themselves.
func literal(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*', '?', '\\':
		case '[':
			i += max(strings.IndexByte(s[i:], ']'), 0)
		case '{':
			i += max(strings.IndexByte(s[i:], '}'), 0)
		default:
			n++
		}
	}
	return n
}

// best returns the rank of the most specific pattern of row i that matches path.
func (rs *Rows) best(i int, path string) (rank [5]int, ok bool) {
	for _, p := range rs.patterns[i] {
		if (!ok || less(rank, p.rank)) && p.glob.Match(path) {
			rank, ok = p.rank, true
		}
	}
	return rank, ok
}

func less(a, b [5]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// Covers reports whether path lies under the paths of r, which is one of the rows.
func (rs *Rows) Covers(r *Row, path string) bool {
	for i, row := range rs.list {
		if row == r {
			_, ok := rs.best(i, path)
			return ok
		}
	}
	return false
}

// For returns the row that guards path, or nil: of the rows under whose paths it lies and that use accepts (nil accepts
// all), the one with the most specific pattern, of equals the later one. Where a row of kind KERNEL is among them, those
// of kind TASK are not.
func (rs *Rows) For(path string, use func(*Row) bool) *Row {
	var found *Row
	var top [5]int
	kernel := false
	consider := func(skipTasks bool) {
		found, top = nil, [5]int{}
		for i, r := range rs.list {
			rank, ok := rs.best(i, path)
			if !ok || skipTasks && r.Kind == kindTask || use != nil && !use(r) {
				continue
			}
			kernel = kernel || r.Kind == kindKernel
			if found == nil || !less(rank, top) {
				found, top = r, rank
			}
		}
	}
	if consider(false); kernel {
		consider(true)
	}
	return found
}

// Folders returns, for row r, the folders below which all of its files lie: "" stands for the whole tree. A folder
// inside another of them is left out.
func (rs *Rows) Folders(r *Row) []string {
	var all []string
	for i, row := range rs.list {
		if row == r {
			for _, p := range rs.patterns[i] {
				all = append(all, p.glob.Folder())
			}
		}
	}
	slices.Sort(all)
	var out []string
	for _, f := range all {
		if !slices.ContainsFunc(out, func(g string) bool { return g == "" || f == g || strings.HasPrefix(f, g+"/") }) {
			out = append(out, f)
		}
	}
	return out
}
