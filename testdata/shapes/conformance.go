package shapes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A Source is a reader under test.
type Source interface {
	Staged(ctx context.Context) (*snapshot.Change, error)
	CommitChange(ctx context.Context, rev string) (*snapshot.Change, error)
	RangeChange(ctx context.Context, spec string) (*snapshot.Change, error)
	Tree(ctx context.Context, rev string) (snapshot.Tree, error)
	Close() error
}

// Conformance runs the suite: each story is opened with open and everything that can be read of it is compared with the
// story itself.
func Conformance(t *testing.T, open func(t testing.TB, s Story) Source) {
	for _, s := range Stories() {
		t.Run(s.Name, func(t *testing.T) {
			source := open(t, s)
			defer func() {
				if err := source.Close(); err != nil {
					t.Error(err)
				}
			}()
			Check(t, s, source)
		})
	}
}

// A TB is what Check reports to: a *testing.T, or the one of a property test.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Check compares everything that source says with s.
func Check(t TB, s Story, source Source) {
	t.Helper()
	ctx := context.Background()
	change, err := source.Staged(ctx)
	if err != nil {
		t.Fatalf("Staged: %v", err)
	}
	head := []Files{{}}
	if n := len(s.Commits); n > 0 {
		head[0] = s.Commits[n-1].Files
	}
	if change.After.ID() != "index" {
		t.Errorf("the after tree of a staged change is %q", change.After.ID())
	}
	checkChange(t, "staged", change, head, s.Staged)
	for i, c := range s.Commits {
		name := fmt.Sprintf("c%d", i)
		change, err := source.CommitChange(ctx, name)
		if err != nil {
			t.Fatalf("CommitChange(%s): %v", name, err)
		}
		checkChange(t, name, change, s.parentFiles(i), c.Files)
	}
	for from := range s.Commits {
		to := len(s.Commits) - 1
		spec := fmt.Sprintf("c%d..c%d", from, to)
		change, err := source.RangeChange(ctx, spec)
		if err != nil {
			t.Fatalf("RangeChange(%s): %v", spec, err)
		}
		checkChange(t, spec, change, []Files{s.Commits[from].Files}, s.Commits[to].Files)
		s.checkSteps(t, spec, change, from, to)
	}
	if n := len(s.Commits); n > 0 {
		name := fmt.Sprintf("c%d", n-1)
		tree, err := source.Tree(ctx, name)
		if err != nil {
			t.Fatalf("Tree(%s): %v", name, err)
		}
		checkTree(t, "tree "+name, tree, s.Commits[n-1].Files)
		if _, err := source.Tree(ctx, "no-such-name"); !errors.Is(err, snapshot.ErrNoObject) {
			t.Errorf("Tree of a name that is not there gives %v", err)
		}
	}
}

// parentFiles returns the files of the parents of commit i, the empty snapshot for a root.
func (s Story) parentFiles(i int) []Files {
	if len(s.Commits[i].Parents) == 0 {
		return []Files{{}}
	}
	var out []Files
	for _, p := range s.Commits[i].Parents {
		out = append(out, s.Commits[p].Files)
	}
	return out
}

// checkSteps compares the commits of a range.
func (s Story) checkSteps(t TB, where string, change *snapshot.Change, from, to int) {
	t.Helper()
	steps, err := change.Commits(context.Background())
	if err != nil {
		t.Fatalf("%s: Commits: %v", where, err)
	}
	excluded, wanted := s.ancestors(from), s.ancestors(to)
	maps.DeleteFunc(wanted, func(i int, _ bool) bool { return excluded[i] })
	seen := map[int]bool{}
	for _, step := range steps {
		i := slices.IndexFunc(s.Commits, func(c Commit) bool { return c.Message == string(step.Message) })
		if i < 0 || !wanted[i] || seen[i] {
			t.Errorf("%s: unexpected commit %q", where, step.Message)
			continue
		}
		for _, p := range s.Commits[i].Parents {
			if wanted[p] && !seen[p] {
				t.Errorf("%s: commit %d comes before its parent %d", where, i, p)
			}
		}
		seen[i] = true
		checkChange(t, fmt.Sprintf("%s, commit %d", where, i), step.Change, s.parentFiles(i), s.Commits[i].Files)
	}
	if len(seen) != len(wanted) {
		t.Errorf("%s: %d commits, want %d", where, len(seen), len(wanted))
	}
}

func (s Story) ancestors(i int) map[int]bool {
	out := map[int]bool{i: true}
	for todo := []int{i}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		for _, p := range s.Commits[at].Parents {
			if !out[p] {
				out[p] = true
				todo = append(todo, p)
			}
		}
	}
	return out
}

// checkChange compares one change with the snapshots it was made of.
func checkChange(t TB, where string, change *snapshot.Change, before []Files, after Files) {
	t.Helper()
	if len(change.Before) != len(before) || change.Missing != "" {
		t.Fatalf("%s: %d trees before, missing %q; want %d", where, len(change.Before), change.Missing, len(before))
	}
	for i, files := range before {
		checkTree(t, fmt.Sprintf("%s, before %d", where, i), change.Before[i], files)
	}
	checkTree(t, where+", after", change.After, after)
	all := map[string]bool{}
	for _, files := range append([]Files{after}, before...) {
		for path := range files {
			all[path] = true
		}
	}
	var want, got []string
	for _, path := range slices.Sorted(maps.Keys(all)) {
		for _, files := range before {
			if files[path] != after[path] {
				want = append(want, describe(path, entry(path, after[path]), entriesOf(path, before)))
				break
			}
		}
	}
	for i := range change.Files {
		f := &change.Files[i]
		got = append(got, describe(f.Path, f.After, f.Before))
		if found, ok := change.File(f.Path); !ok || found != f {
			t.Errorf("%s: File(%q) does not find it", where, f.Path)
		}
		checkRename(t, where, change, f)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: files (-want +got):\n%s", where, diff)
	}
}

// checkRename makes sure that both ends of a rename name each other and hold the same content.
func checkRename(t TB, where string, change *snapshot.Change, f *snapshot.File) {
	t.Helper()
	if f.From != "" {
		from, ok := change.File(f.From)
		if !ok || from.To != f.Path || !from.Removed() || from.Before[0].OID != f.After.OID || f.Before[0].Exists() {
			t.Errorf("%s: %q does not come from %q", where, f.Path, f.From)
		}
	}
	if f.To != "" {
		to, ok := change.File(f.To)
		if !ok || !f.Removed() || !slices.ContainsFunc(f.Before, func(e snapshot.Entry) bool { return e.OID == to.After.OID }) {
			t.Errorf("%s: %q did not go to %q", where, f.Path, f.To)
		}
	}
	lost := f.Removed() && f.Before[0].Exists() && f.To == ""
	if !lost {
		return
	}
	for _, o := range change.Files {
		kind := f.Before[0].Mode == o.After.Mode || f.Before[0].Mode.IsFile() && o.After.Mode.IsFile()
		if kind && o.After.OID == f.Before[0].OID && !o.Before[0].Exists() && o.From == "" {
			t.Errorf("%s: %q could have gone to %q", where, f.Path, o.Path)
		}
	}
}

func entry(path string, f memory.File) snapshot.Entry {
	if f.Mode == snapshot.None {
		return snapshot.Entry{}
	}
	entries, err := memory.TreeOf(Files{path: f}).Under(context.Background(), "")
	if err != nil {
		panic(err)
	}
	return entries[0]
}

func entriesOf(path string, list []Files) []snapshot.Entry {
	out := make([]snapshot.Entry, len(list))
	for i, files := range list {
		out[i] = entry(path, files[path])
	}
	return out
}

func describe(path string, after snapshot.Entry, before []snapshot.Entry) string {
	return fmt.Sprintf("%q %v <- %v", path, after, before)
}

// checkTree reads all of a tree in every way there is.
func checkTree(t TB, where string, tree snapshot.Tree, files Files) {
	t.Helper()
	ctx := context.Background()
	want, err := memory.TreeOf(files).Under(ctx, "")
	if err != nil {
		t.Fatalf("%v", err)
	}
	got, err := tree.Under(ctx, "")
	if err != nil {
		t.Fatalf("%s: Under: %v", where, err)
	}
	if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
		t.Fatalf("%s: entries (-want +got):\n%s", where, diff)
	}
	folders := map[string]int{}
	tree.Prefetch(ctx, want, 64)
	for _, e := range want {
		checkEntry(t, where, tree, e, files[e.Path].Data)
		for dir := e.Path; strings.Contains(dir, "/"); {
			dir = dir[:strings.LastIndexByte(dir, '/')]
			folders[dir]++
		}
	}
	for dir, n := range folders {
		below, err := tree.Under(ctx, dir)
		if err != nil || len(below) != n {
			t.Errorf("%s: Under(%q) has %d entries, want %d: %v", where, dir, len(below), n, err)
		}
		checkAbsent(t, where, tree, dir)
	}
	for _, path := range []string{"", "absent", "absent/below", "a//b", "../a", "/a"} {
		if _, ok := files[path]; !ok {
			checkAbsent(t, where, tree, path)
		}
	}
	if below, err := tree.Under(ctx, "absent"); err != nil || len(below) != 0 {
		t.Errorf("%s: Under an absent folder gives %v, %v", where, below, err)
	}
}

func checkAbsent(t TB, where string, tree snapshot.Tree, path string) {
	t.Helper()
	if e, err := tree.Lookup(context.Background(), path); err != nil || e != (snapshot.Entry{}) {
		t.Errorf("%s: Lookup(%q) = %v, %v, want nothing", where, path, e, err)
	}
}

func checkEntry(t TB, where string, tree snapshot.Tree, e snapshot.Entry, data string) {
	t.Helper()
	ctx := context.Background()
	if found, err := tree.Lookup(ctx, e.Path); err != nil || found != e {
		t.Errorf("%s: Lookup(%q) = %v, %v, want %v", where, e.Path, found, err, e)
	}
	if e.Mode == snapshot.Gitlink {
		if _, err := tree.Read(ctx, e, 0); !errors.Is(err, snapshot.ErrNoContent) {
			t.Errorf("%s: reading submodule %q gives %v", where, e.Path, err)
		}
		if _, _, err := tree.Open(ctx, e); !errors.Is(err, snapshot.ErrNoContent) {
			t.Errorf("%s: opening submodule %q gives %v", where, e.Path, err)
		}
		return
	}
	if got, err := tree.Read(ctx, e, 0); err != nil || string(got) != data {
		t.Errorf("%s: Read(%q) = %.80q, %v, want %.80q", where, e.Path, got, err, data)
	}
	if n := int64(len(data)); n > 1 {
		var large *snapshot.TooLarge
		if _, err := tree.Read(ctx, e, n-1); !errors.As(err, &large) || large.Size != n || large.Limit != n-1 || large.Path != e.Path {
			t.Errorf("%s: Read(%q) over the limit gives %v", where, e.Path, err)
		}
		if got, err := tree.Read(ctx, e, n); err != nil || string(got) != data {
			t.Errorf("%s: Read(%q) at the limit gives %.80q, %v", where, e.Path, got, err)
		}
	}
	rc, size, err := tree.Open(ctx, e)
	if err != nil {
		t.Errorf("%s: Open(%q): %v", where, e.Path, err)
		return
	}
	var streamed bytes.Buffer
	_, err = io.Copy(&streamed, rc)
	if closeErr := rc.Close(); err != nil || closeErr != nil || size != int64(len(data)) || streamed.String() != data {
		t.Errorf("%s: Open(%q) gives %d bytes %.80q, %v, %v", where, e.Path, size, streamed.String(), err, closeErr)
	}
}
