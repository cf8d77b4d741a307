package report

import (
	"context"
	_ "embed" // for the schema
	"encoding/base64"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// SchemaName is the value of the report's member "schema".
const SchemaName = "forge.report/1"

//go:embed schema.json
var schema string

// Schema returns the JSON Schema of the JSON format.
func Schema() []byte { return []byte(schema) }

// renderJSON renders the members of chapter 2.7 in the order given there.
func renderJSON(_ context.Context, r *Report, o Options) ([]byte, error) {
	w := &jsonWriter{}
	w.open('{')
	w.string("schema", SchemaName)

	w.key("tool")
	w.open('{')
	w.string("name", r.Tool.Name)
	w.string("version", r.Tool.Version)
	w.close('}')

	w.change(&r.Change)
	w.string("verdict", string(r.Verdict))

	w.key("checks")
	w.open('[')
	for i := range r.Checks {
		w.check(&r.Checks[i], o.Verbose)
	}
	w.close(']')

	w.key("findings")
	w.open('[')
	for i := range r.Findings {
		w.finding(&r.Findings[i])
	}
	w.close(']')

	w.close('}')
	return append(w.buf, '\n'), nil
}

func (w *jsonWriter) change(c *Change) {
	w.key("change")
	w.open('{')
	w.string("kind", c.Kind)
	w.key("before")
	w.open('[')
	for _, id := range c.Before {
		w.text(id)
	}
	w.close(']')
	w.string("after", c.After)
	w.int("files", c.Files)
	if c.Note != "" {
		w.string("note", c.Note)
	}
	w.close('}')
}

func (w *jsonWriter) check(c *CheckResult, verbose bool) {
	w.open('{')
	w.string("id", c.ID)
	w.string("verdict", string(c.Verdict))
	w.string("level", string(c.Level))
	w.string("reason", c.Reason)
	w.int("findings", c.Findings)
	if verbose {
		w.millis("ms", c.Millis)
	}
	w.close('}')
}

func (w *jsonWriter) finding(f *finding.Finding) {
	w.open('{')
	w.string("code", f.Code)
	w.string("level", string(levelOf(f)))
	w.place(f.Path, f.Span, f.Side)
	w.string("message", f.Message)
	w.string("help", f.Help)
	if len(f.Related) > 0 {
		w.key("related")
		w.open('[')
		for i := range f.Related {
			w.open('{')
			w.place(f.Related[i].Path, f.Related[i].Span, f.Related[i].Side)
			w.string("message", f.Related[i].Message)
			w.close('}')
		}
		w.close(']')
	}
	if f.Fix != nil {
		w.fix(f.Fix)
	}
	w.string("fingerprint", f.Fingerprint())
	if f.Commit != "" {
		w.string("commit", f.Commit)
	}
	w.close('}')
}

// place writes path, start, end and side; start and end are absent for a whole file.
func (w *jsonWriter) place(path string, span text.Span, side finding.Side) {
	w.path(path)
	if !span.IsZero() {
		w.pos("start", span.Start)
		w.pos("end", endOf(span))
	}
	w.string("side", string(sideOf(side)))
}

func (w *jsonWriter) pos(name string, p text.Pos) {
	w.key(name)
	w.open('{')
	w.int("line", p.Line)
	w.int("column", max(p.Column, 1))
	w.close('}')
}

// fix writes the edits with their place as bytes of the file; new text that is no UTF-8 is written as "new_base64".
func (w *jsonWriter) fix(f *finding.Fix) {
	w.key("fix")
	w.open('{')
	safety := "unsafe"
	if f.Safe {
		safety = "safe"
	}
	w.string("safety", safety)
	w.string("message", f.Message)
	w.key("edits")
	w.open('[')
	for _, e := range f.Edits {
		w.open('{')
		w.int("offset", e.Start)
		w.int("length", e.End-e.Start)
		if utf8.Valid(e.New) {
			w.string("new", string(e.New))
		} else {
			w.string("new_base64", base64.StdEncoding.EncodeToString(e.New))
		}
		w.close('}')
	}
	w.close(']')
	w.close('}')
}

// endOf is the end of a span as it is printed: a span that was given a start alone ends there.
func endOf(s text.Span) text.Pos {
	if s.End.Line < s.Start.Line || s.End.Line == s.Start.Line && s.End.Column < s.Start.Column {
		return s.Start
	}
	return s.End
}

func sideOf(s finding.Side) finding.Side {
	if s == finding.Before {
		return finding.Before
	}
	return finding.After
}
