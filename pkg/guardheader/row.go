// Package guardheader recognises the comments that say what may be done to the file they stand in, tells where they
// belong, and puts them there (chapters 4.1 to 4.3 of the specification). It works on bytes and opens nothing.
package guardheader

import (
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/glob"
)

// A Row is one kind of guard: its header and the files that should carry it.
type Row struct {
	Key    string   // unique name
	Kind   string   // TASK, KERNEL, GOVERNED, WORKSPACE or a word of the configuration
	Header string   // the whole HTML comment
	Older  []string // whole comments that earlier versions wrote, still recognised and no longer written
	Policy string   // what may be done to the files (chapter 4.4)
	Paths  []string // globs
	Via    []string // workflows that may change the files where the policy forbids it
}

// The kinds between which precedence is fixed.
const (
	kindTask   = "TASK"
	kindKernel = "KERNEL"
)

// Defaults returns the rows of chapter 4.1.
func Defaults() []Row {
	return []Row{
		{
			Key: "done", Kind: kindTask, Policy: "append-only",
			Header: "<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->",
			Older:  []string{"<!-- ⚠️ APPEND-ONLY: Write via /end or /backlog clean only (C2) -->"},
			Paths:  []string{"**/artifacts/tasks/done.md"}, Via: []string{"/end", "/backlog"},
		},
		{
			Key: "hot-lane", Kind: kindTask, Policy: "hot-lane",
			Header: "<!-- ⚠️ HOT LANE ONLY — No backlog tasks here (C1) -->",
			Older:  []string{"<!-- ⚠️ HOT LANE ONLY: No strategic tasks from backlog (C1) -->"},
			Paths:  []string{"**/artifacts/tasks/sprint-current.md"},
		},
		{
			Key: "backlog", Kind: kindTask, Policy: "authority",
			Header: "<!-- ⚠️ OPERATIONAL AUTHORITY — Mutations via /backlog only (C3) -->",
			Paths:  []string{"**/artifacts/tasks/backlog.md"}, Via: []string{"/backlog"},
		},
		{
			Key: "kernel", Kind: kindKernel, Policy: "read-only",
			Header: "<!-- ⚠️ READ-ONLY SNAPSHOT — Do NOT modify (I9) -->",
			Paths:  []string{"kernel/**/*.md", "Resources/ai-agents/kernel/**/*.md"},
		},
		{
			Key: "governed", Kind: "GOVERNED", Policy: "governed",
			Header: "<!-- ⚠️ GOVERNED — /para-rule only. Overwritten by para update -->",
			Paths:  []string{".agent/rules/*.md", ".agents/rules/*.md"}, Via: []string{"/para-rule"},
		},
		{
			Key: "workspace", Kind: "WORKSPACE", Policy: "append-only",
			Header: "<!-- ⚠️ APPEND-ONLY — via /end only -->",
			Paths:  []string{"Areas/Workspace/**/*.md"}, Via: []string{"/end"},
		},
	}
}

// Text returns the header of r without the signs of the comment.
func (r *Row) Text() string { return inner(r.Header) }

func inner(comment string) string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->"))
}

// AppendOnly reports whether the header of r says APPEND-ONLY, which makes a record of every file that carries it
// (chapter 5.1).
func (r *Row) AppendOnly() bool {
	return r.Policy == "append-only" && strings.Contains(fold(r.Header), fold("append-only"))
}

// Rows are guard rows, checked and prepared for look-ups. They are immutable and safe for concurrent use.
type Rows struct {
	list     []*Row
	patterns [][]pattern       // of each row
	known    map[string]*Row   // by folded header or older wording; of two rows with one header the later
	folded   map[string]string // headers and older wordings as written, with what they fold to
	signed   bool              // every header holds the warning sign
}

// Compile checks rows and prepares them. A later row stands above an earlier one where they are equally specific.
func Compile(rows []Row) (*Rows, error) {
	rs := &Rows{known: map[string]*Row{}, folded: map[string]string{}, signed: true}
	keys := map[string]bool{}
	for _, row := range rows {
		r := row
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("could not use the guard row %q: %w", r.Key, err)
		}
		if keys[r.Key] {
			return nil, fmt.Errorf("could not use the guard row %q: the key stands twice", r.Key)
		}
		keys[r.Key] = true
		var ps []pattern
		for _, p := range r.Paths {
			g, err := glob.Compile(p)
			if err != nil {
				return nil, fmt.Errorf("could not use the guard row %q: %w", r.Key, err)
			}
			ps = append(ps, pattern{g, rank(p)})
		}
		rs.list = append(rs.list, &r)
		rs.patterns = append(rs.patterns, ps)
		for _, h := range append([]string{r.Header}, r.Older...) {
			rs.folded[h] = fold(h)
			rs.known[rs.folded[h]] = &r
			rs.signed = rs.signed && strings.Contains(h, sign)
		}
	}
	return rs, nil
}

func (r *Row) check() error {
	body := strings.TrimSuffix(strings.TrimPrefix(r.Header, "<!--"), "-->")
	switch {
	case r.Key == "":
		return fmt.Errorf("it has no key")
	case len(r.Header)-len(body) != len("<!---->") || strings.TrimSpace(body) == "":
		return fmt.Errorf("%q is not one whole HTML comment", r.Header)
	case strings.Contains(body, "-->") || strings.HasPrefix(body, ">") || strings.HasPrefix(body, "->"):
		return fmt.Errorf("%q is more than one comment", r.Header)
	case strings.ContainsAny(body, "\r\n"):
		return fmt.Errorf("%q has more than one line", r.Header)
	case len(r.Paths) == 0:
		return fmt.Errorf("it has no paths")
	}
	return nil
}

// List returns the rows in their order.
func (rs *Rows) List() []*Row { return rs.list }

// Key returns the row with this key, or nil.
func (rs *Rows) Key(key string) *Row {
	for _, r := range rs.list {
		if r.Key == key {
			return r
		}
	}
	return nil
}

// Known returns the row whose header or older wording line is when it is read leniently, or nil. Line is a whole HTML
// comment.
func (rs *Rows) Known(line string) *Row { return rs.known[rs.fold(line)] }

// fold is the function fold, faster for what is written exactly as in a row.
func (rs *Rows) fold(s string) string {
	if f, ok := rs.folded[s]; ok {
		return f
	}
	return fold(s)
}
