package shapes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// Files are the files of one snapshot by path.
type Files map[string]memory.File

// Text returns a regular file, Script an executable one, Link a symbolic link, Module a submodule.
func Text(data string) memory.File   { return memory.File{Mode: snapshot.Regular, Data: data} }
func Script(data string) memory.File { return memory.File{Mode: snapshot.Executable, Data: data} }
func Link(target string) memory.File { return memory.File{Mode: snapshot.Symlink, Data: target} }
func Module(oid string) memory.File  { return memory.File{Mode: snapshot.Gitlink, Data: oid} }

// Plus returns f with the entries of g on top; a file without mode takes the path away.
func (f Files) Plus(g Files) Files {
	out := maps.Clone(f)
	if out == nil {
		out = Files{}
	}
	for path, file := range g {
		if file.Mode == snapshot.None {
			delete(out, path)
		} else {
			out[path] = file
		}
	}
	return out
}

// Gone takes a path away in Plus.
var Gone = memory.File{}

// A Story is a history and an index. The commits are named c0, c1, …; HEAD is the last one, unborn when there is none.
type Story struct {
	Name    string
	Commits []Commit
	Staged  Files
}

// A Commit is one commit of a story. Parents are places in the list, all smaller than its own.
type Commit struct {
	Parents []int
	Files   Files
	Message string
}

// Line returns commits of which each has the one before as its parent.
func Line(snapshots ...Files) []Commit {
	out := make([]Commit, len(snapshots))
	for i, f := range snapshots {
		out[i] = Commit{Files: f, Message: fmt.Sprintf("commit %d\n", i)}
		if i > 0 {
			out[i].Parents = []int{i - 1}
		}
	}
	return out
}

// Build makes the repository of a story with git.
func Build(t testing.TB, s Story, initArgs ...string) *Repo {
	t.Helper()
	r := New(t, initArgs...)
	var in strings.Builder
	for i, c := range s.Commits {
		fmt.Fprintf(&in, "commit refs/tags/c%d\nmark :%d\ncommitter Test <test@example.com> %d +0000\ndata %d\n%s", i, i+1, 1_700_000_000+i, len(c.Message), c.Message)
		for k, p := range c.Parents {
			verb := "merge"
			if k == 0 {
				verb = "from"
			}
			fmt.Fprintf(&in, "%s :%d\n", verb, p+1)
		}
		in.WriteString("deleteall\n")
		for _, path := range slices.Sorted(maps.Keys(c.Files)) {
			f := c.Files[path]
			if f.Mode == snapshot.Gitlink {
				fmt.Fprintf(&in, "M 160000 %s %s\n", f.Data, quote(path))
			} else {
				fmt.Fprintf(&in, "M %o inline %s\ndata %d\n%s\n", f.Mode, quote(path), len(f.Data), f.Data)
			}
		}
	}
	if len(s.Commits) > 0 {
		r.Feed(in.String(), "-c", "core.ignorecase=false", "fast-import", "--quiet", "--force")
		r.Git("update-ref", "refs/heads/main", fmt.Sprintf("c%d", len(s.Commits)-1))
	}
	r.Index(s.Staged)
	return r
}

// Index makes files the whole content of the index.
func (r *Repo) Index(files Files) {
	r.T.Helper()
	paths := slices.Sorted(maps.Keys(files))
	var in strings.Builder
	for i, path := range paths {
		if f := files[path]; f.Mode != snapshot.Gitlink {
			fmt.Fprintf(&in, "blob\nmark :%d\ndata %d\n%s\n", i+1, len(f.Data), f.Data)
		}
	}
	in.WriteString("done\n")
	marks := r.Path(".git/marks")
	if bare := r.Git("rev-parse", "--is-bare-repository"); bare == "true" {
		marks = r.Path("marks")
	}
	r.Feed(in.String(), "fast-import", "--quiet", "--done", "--export-marks="+marks)
	oids := readMarks(r, marks)
	in.Reset()
	for i, path := range paths {
		f := files[path]
		oid := oids[i+1]
		if f.Mode == snapshot.Gitlink {
			oid = f.Data
		}
		fmt.Fprintf(&in, "%o %s\t%s\x00", f.Mode, oid, path)
	}
	r.Git("read-tree", "--empty")
	r.Feed(in.String(), "update-index", "-z", "--index-info")
}

// quote writes a path the way fast-import reads it.
func quote(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}
