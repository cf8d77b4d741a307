package guard

import (
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
)

// A headerFile is one guarded regular file that is being judged.
type headerFile struct {
	*headerRun
	path  string
	row   *guardheader.Row
	scan  *guardheader.Scan
	right []*guardheader.Guard
	other []*guardheader.Guard
}

// judge reports what is wrong with the header of the file at path, which is bound by row.
func (r *headerRun) judge(path string, row *guardheader.Row, how guardrules.How, scan *guardheader.Scan, past past) {
	h := &headerFile{r, path, row, scan, scan.Right(row), scan.Other(row)}
	if how == guardrules.ByHeaderGone {
		h.removed(past)
		return
	}
	h.readable()
	h.absent(past)
	if len(h.right) == 0 {
		h.unknown()
	} else if scan.Unreadable == "" {
		h.cosmetics()
	}
}

// report starts a finding at the bytes from start to end.
func (h *headerFile) report(slug string, start, end int, format string, args ...any) *finding.Finding {
	f := h.Reportf(slug, h.path, format, args...)
	f.Span = h.scan.Lines().Span(start, end)
	f.Anchor = string(h.text(start, end))
	return f
}

func (h *headerFile) text(start, end int) []byte { return h.scan.Source()[start:end] }

// readable reports what keeps a file, or a part of it, from being read.
func (h *headerFile) readable() {
	s := h.scan
	if s.Unreadable != "" {
		f := h.Reportf("unreadable", h.path, "%q is guarded (%s) and cannot be read: %s", h.path, h.row.Key, s.Unreadable)
		f.Anchor = s.Unreadable
		if s.UnreadableAt > 0 {
			f.Span = s.Lines().Span(s.UnreadableAt, s.UnreadableAt+1)
		}
	}
	if at := s.UnclosedComment; at >= 0 {
		h.report("unclosed-comment", at, at+len("<!--"), "the comment that opens here never closes and hides the rest of %q", h.path)
	}
	if a := s.Above; a != nil {
		f := h.report("above-frontmatter", a.Start, a.End, "%s above the frontmatter of %q, which is no frontmatter any more", above(a, s.Fence), h.path)
		if edits := s.Lower(h.row); edits != nil {
			f.Fix = &finding.Fix{Message: "move the header behind the frontmatter", Edits: edits}
		}
	}
}

// above words what stands above a frontmatter whose opening line begins at offset fence.
func above(a *guardheader.Place, fence int) string {
	switch {
	case strings.TrimSpace(a.Text) != "" && a.End <= fence:
		return fmt.Sprintf("%q stands", a.Text)
	case a.Start < fence:
		return "a blank line stands"
	}
	return "white space or an invisible character stands"
}

// absent reports the first that holds of a header that is gone, one of another row, and none.
func (h *headerFile) absent(past past) {
	switch {
	case len(h.right) == 0 && past.had(h.row):
		h.removed(past)
	case len(h.other) > 0 && len(h.right) > 0:
		g := h.other[0]
		f := h.report("wrong", g.Start, g.End, "%q carries two guards, %s and %s; %s belongs to it", h.path, h.row.Key, g.Row.Key, h.row.Header)
		f.Related = []finding.Related{h.related(h.right[0], "the guard of this path")}
	case len(h.other) > 0:
		g := h.other[0]
		h.report("wrong", g.Start, g.End, "%q carries the guard of %s; %s belongs to it", h.path, g.Row.Key, h.row.Header)
	case len(h.right) == 0 && h.scan.Carries() && h.scan.Unreadable == "":
		f := h.Reportf("missing", h.path, "%q is guarded (%s) and has no header; %s belongs to it", h.path, h.row.Key, h.row.Header)
		f.Anchor = h.row.Key
		if past.existed && len(past.scans) == 0 && (h.Config.Guards == nil || h.Config.Guards.Require != "always") {
			f.Level = finding.Flag
		}
		attach(f, h.scan, h.row, "put the header in")
	}
}

func (h *headerFile) removed(past past) {
	f := h.Reportf("removed", h.path, "the guard header of %q is gone; %s stood there and still binds this change", h.path, h.row.Header)
	f.Anchor = h.row.Key
	if len(h.other) > 0 {
		g := h.other[0]
		f.Span = h.scan.Lines().Span(g.Start, g.End)
		f.Message += fmt.Sprintf("; now it carries the guard of %s", g.Row.Key)
	}
	attach(f, h.scan, h.row, "put the header back")
	for _, s := range past.scans {
		if gone := s.Right(h.row); len(gone) > 0 {
			f.Related = []finding.Related{{
				Path: h.path, Span: s.Lines().Span(gone[0].Start, gone[0].End), Side: finding.Before, Message: "the header stood here",
			}}
			return
		}
	}
}

// unknown reports comments that look like a guard in the place where one is missing.
func (h *headerFile) unknown() {
	for _, u := range h.scan.Unknown {
		h.report("unknown", u.Start, u.End, "%q is no known guard; %s belongs to %q", u.Text, h.row.Header, h.path)
	}
}

// cosmetics reports right headers that stand elsewhere, are misspelt or stand twice.
func (h *headerFile) cosmetics() {
	main := h.right[0]
	for _, g := range h.right {
		if g.Placed {
			main = g
			break
		}
	}
	if !main.Placed && !main.Above {
		f := h.report("misplaced", main.Start, main.End, "the guard header of %q stands where it is not looked for", h.path)
		attach(f, h.scan, h.row, "move the header to its place")
	}
	for _, g := range h.right {
		if !g.Exact {
			f := h.report("spelling", g.Start, g.End, "the guard header of %q is not written exactly: %s", h.path, g.Spelling)
			attach(f, h.scan, h.row, "write the header exactly")
		}
		if g != main {
			f := h.report("duplicate", g.Start, g.End, "the guard header of %q stands twice", h.path)
			f.Related = []finding.Related{h.related(main, "the one in its place")}
		}
	}
}

func (h *headerFile) related(g *guardheader.Guard, message string) finding.Related {
	return finding.Related{Path: h.path, Span: h.scan.Lines().Span(g.Start, g.End), Side: finding.After, Message: message}
}
