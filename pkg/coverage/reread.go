package coverage

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/guardtable"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A Reread is what the guard tables ask for before an edit.
type Reread struct {
	Snapshot string
	Paths    []string // as asked
	Answers  []guardtable.Answer
	Free     []string // paths for which no table asks for anything
	Unread   []File   // files that may hold tables and could not be read
}

// ComputeReread answers what must be re-read before editing paths, which need not exist, from the guard tables of a
// snapshot (chapter 4.6). Paths are relative to the root, with slashes.
func ComputeReread(ctx context.Context, in Input, paths []string) (*Reread, error) {
	tables, unread, err := guardtable.Load(ctx, in.Tree, guardtable.Globs(in.Config), in.Config.Limits.File)
	if err != nil {
		return nil, err
	}
	out := &Reread{Snapshot: in.Tree.ID(), Paths: paths}
	for _, u := range unread {
		out.Unread = append(out.Unread, File{Path: u.Path, Reason: u.Reason})
	}
	if out.Answers, err = guardtable.Reread(ctx, in.Tree, tables, paths); err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	for _, a := range out.Answers {
		for _, p := range a.For {
			asked[p] = true
		}
	}
	for _, p := range paths {
		if !asked[p] {
			out.Free = append(out.Free, p)
		}
	}
	return out, nil
}

// WriteText writes one line for each rule file, in one write: its path, what asks for it, and the reason.
func (r *Reread) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, a := range r.Answers {
		b.WriteString(text.Escape(a.Rule))
		if a.Missing {
			b.WriteString(" (not in this snapshot)")
		}
		fmt.Fprintf(&b, ": before editing %s, says %s:%d", list(a.For), text.Escape(a.Table), a.Line)
		if a.Reason != "" {
			fmt.Fprintf(&b, " (%s)", text.Escape(a.Reason))
		}
		b.WriteByte('\n')
	}
	for _, p := range r.Free {
		fmt.Fprintf(&b, "nothing for %s: no guard table names it\n", text.Escape(p))
	}
	for _, u := range r.Unread {
		fmt.Fprintf(&b, "%s could not be read and may ask for more: %s\n", text.Escape(u.Path), text.Escape(u.Reason))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func list(paths []string) string {
	var out []string
	for _, p := range paths {
		out = append(out, text.Escape(p))
	}
	return strings.Join(out, ", ")
}

type jsonReread struct {
	Schema   string       `json:"schema"`
	Snapshot string       `json:"snapshot"`
	Reread   []jsonAnswer `json:"reread"`
	Nothing  []jsonPath   `json:"nothing"`
	Unread   []jsonFile   `json:"unread"`
}

type jsonAnswer struct {
	jsonPath
	Exists  bool       `json:"exists"`
	Prose   bool       `json:"prose"`
	For     []jsonPath `json:"for"`
	Table   jsonPath   `json:"table"`
	Line    int        `json:"line"`
	Pattern string     `json:"pattern"`
	Reason  string     `json:"reason"`
}

// WriteJSON writes the answer as data, in one write.
func (r *Reread) WriteJSON(w io.Writer) error {
	out := jsonReread{
		Schema: RereadSchemaName, Snapshot: r.Snapshot, Reread: []jsonAnswer{}, Nothing: jsonPaths(r.Free), Unread: jsonFiles(r.Unread),
	}
	for _, a := range r.Answers {
		out.Reread = append(out.Reread, jsonAnswer{
			jsonPath: pathOf(a.Rule), Exists: !a.Missing && !a.Prose, Prose: a.Prose, For: jsonPaths(a.For),
			Table: pathOf(a.Table), Line: a.Line, Pattern: a.Pattern, Reason: a.Reason,
		})
	}
	return writeJSON(w, out)
}
