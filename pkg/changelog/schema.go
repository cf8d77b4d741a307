package changelog

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/jsondoc"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
	"github.com/seed-4419f9ca/forge/pkg/slug"
)

//go:embed schema.json
var schemaText string

// Schema returns the JSON Schema (draft 2020-12) of a changelog. No schema can say that ids are unique, that keys stand
// once or that a year has a 29 February; Faults says that too.
func Schema() []byte { return []byte(schemaText) }

// Faults says what is wrong with the form of the changelog, in the order of its places. A version of the format that is
// not supported stops the judgement (chapter 8.1).
func (d *Doc) Faults() []Problem {
	c := &checker{doc: d}
	for _, f := range d.JSON.Faults {
		c.json(&f)
	}
	if d.JSON.Root != nil {
		c.top(d.JSON.Root)
	}
	return c.problems
}

// A checker collects the problems of one version.
type checker struct {
	doc      *Doc
	problems []Problem
	entry    *jsondoc.Value // the entry that is looked at
	number   int            // its number in the file, from 1
	id       string
	ordinary []field // of an entry
	compacts []field // of one that compacts
}

func (c *checker) report(slug string, start, end int, anchor, format string, args ...any) *Problem {
	c.problems = append(c.problems, Problem{Slug: slug, Start: start, End: end, Anchor: anchor, Message: fmt.Sprintf(format, args...), Entry: c.id})
	return &c.problems[len(c.problems)-1]
}

func (c *checker) json(f *jsondoc.Fault) {
	if f.Kind != jsondoc.DuplicateKey {
		c.report(BadJSON, f.Start, f.End, f.Reason, "the changelog is no JSON: %s", f.Reason)
		return
	}
	c.report(DuplicateKey, f.Start, f.End, quote(f.Name), "the key %q stands twice in one object, which leaves open which of the two holds", f.Name).First = f.First
}

// A field is one key that an object may have.
type field struct {
	name     string
	required bool
	check    func(*checker, *jsondoc.Member)
}

func (c *checker) top(root *jsondoc.Value) {
	if root.Kind != jsondoc.Object {
		c.report(BadForm, root.Start, root.Start+1, "top", "the changelog is %s and not an object", root.Kind)
		return
	}
	if m := root.Get("schemaVersion"); m != nil && m.Value.Kind == jsondoc.String && m.Value.Text != Version && isVersion(m.Value.Text) {
		c.report(OtherVersion, m.Value.Start, m.Value.End, m.Value.Text, "the changelog has the format version %q; only %q is supported", m.Value.Text, Version)
		return
	}
	c.ordinary, c.compacts = entryFields(false), entryFields(true)
	c.object(root, "", []field{
		{"$schema", false, text},
		{"schemaVersion", true, supported},
		{"entries", true, entries},
	})
}

// isVersion reports whether s is two numbers with a dot between them.
func isVersion(s string) bool {
	major, minor, ok := strings.Cut(s, ".")
	return ok && digits(major) && digits(minor)
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// object checks the keys of a closed object: what is looked at, or the part of it that part names.
func (c *checker) object(v *jsondoc.Value, part string, fields []field) {
	what := func() string {
		if part != "" {
			return fmt.Sprintf("%q of %s", part, c.called())
		}
		return c.called()
	}
	for _, f := range fields {
		if f.required && v.Get(f.name) == nil {
			c.report(BadForm, v.Start, v.Start+1, c.anchor("no "+f.name), "%s has no %q", what(), f.name)
		}
	}
	for i := range v.Members {
		m := &v.Members[i]
		known := false
		for _, f := range fields {
			if known = f.name == m.Name; known {
				f.check(c, m)
				break
			}
		}
		if !known {
			c.report(BadForm, m.Start, m.End, c.anchor("unknown "+m.Name), "%q is no field of %s%s", m.Name, what(), nearField(m.Name, fields))
		}
	}
}

// nearField is a hint at the field that was meant, "" when nobody knows.
func nearField(name string, fields []field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	if near := nearest.Name(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// anchor identifies a fault within the entry that is looked at.
func (c *checker) anchor(what string) string {
	switch {
	case c.entry == nil:
		return what
	case c.id != "":
		return c.id + " " + what
	}
	return string(c.doc.JSON.Raw(c.entry)) + " " + what
}

// wrong reports a value of the wrong form.
func (c *checker) wrong(m *jsondoc.Member, v *jsondoc.Value, format string, args ...any) {
	c.report(BadForm, v.Start, v.End, c.anchor(m.Name+" "+string(c.doc.JSON.Raw(v))), "the field %q of %s %s", m.Name, c.called(), fmt.Sprintf(format, args...))
}

// called is how messages call what is looked at.
func (c *checker) called() string {
	switch {
	case c.entry == nil:
		return "the changelog"
	case c.id == "":
		return fmt.Sprintf("entry number %d", c.number)
	}
	return fmt.Sprintf("entry %q", c.id)
}

func (c *checker) isText(m *jsondoc.Member, v *jsondoc.Value) bool {
	if v.Kind != jsondoc.String {
		c.wrong(m, v, "holds %s and not a string", v.Kind)
	}
	return v.Kind == jsondoc.String
}

func text(c *checker, m *jsondoc.Member) { c.isText(m, &m.Value) }

func supported(c *checker, m *jsondoc.Member) {
	if c.isText(m, &m.Value) && m.Value.Text != Version {
		c.wrong(m, &m.Value, "is %q, which is no version; the one that is supported is %q", m.Value.Text, Version)
	}
}

func entries(c *checker, m *jsondoc.Member) {
	if m.Value.Kind != jsondoc.Array {
		c.wrong(m, &m.Value, "holds %s and not an array", m.Value.Kind)
		return
	}
	if len(m.Value.Items) == 0 {
		c.report(BadForm, m.Value.Start, m.Value.End, "no entries", "the changelog has no entry; there is at least one")
	}
	first := map[string]int{}
	for i := range m.Value.Items {
		v := &m.Value.Items[i]
		c.entry, c.number, c.id = v, i+1, str(v, "id")
		c.oneEntry(v)
		if at, twice := first[c.id]; twice && c.id != "" {
			id := &v.Get("id").Value
			c.report(DuplicateID, id.Start, id.End, c.id, "the id %q stands twice, which leaves open which of the two entries is meant", c.id).First = at
		} else if c.id != "" {
			first[c.id] = v.Get("id").Value.Start
		}
	}
	c.entry, c.id = nil, ""
}

func (c *checker) oneEntry(v *jsondoc.Value) {
	if v.Kind != jsondoc.Object {
		c.report(BadForm, v.Start, v.End, string(c.doc.JSON.Raw(v)), "%s is %s and not an object", c.called(), v.Kind)
		return
	}
	fields, compacts := c.ordinary, str(v, "type") == Compaction
	if compacts {
		fields = c.compacts
	}
	c.object(v, "", fields)
	if m := v.Get("compacted"); m != nil && !compacts {
		c.report(BadForm, m.Start, m.End, c.anchor("compacted"), "%s has the field %q, which only entries of the type %q have", c.called(), m.Name, Compaction)
	}
}

// entryFields are the fields of an entry, of which the last says what a compaction took out.
func entryFields(compacts bool) []field {
	return []field{
		{"id", true, id},
		{"date", true, date},
		{"type", true, kind},
		{"summary", true, summary},
		{"paths", true, paths},
		{"categories", false, categories},
		{"decisionRefs", false, texts},
		{"proposedBy", false, text},
		{"approvedBy", false, text},
		{"breaking", false, boolean},
		{"compacted", compacts, compacted},
	}
}

func id(c *checker, m *jsondoc.Member) {
	if c.isText(m, &m.Value) && !slug.Valid(m.Value.Text) {
		c.wrong(m, &m.Value, "is %q; an id is made of a to z and 0 to 9 in groups with single hyphens between them", m.Value.Text)
	}
}

func date(c *checker, m *jsondoc.Member) {
	if !c.isText(m, &m.Value) {
		return
	}
	if reason := DateProblem(m.Value.Text); reason != "" {
		c.report(BadDate, m.Value.Start, m.Value.End, c.anchor(m.Value.Text), "the date %q of %s %s", m.Value.Text, c.called(), reason)
	}
}

func kind(c *checker, m *jsondoc.Member) { c.oneOf(m, &m.Value, Types()) }

func (c *checker) oneOf(m *jsondoc.Member, v *jsondoc.Value, known []string) {
	if !c.isText(m, v) {
		return
	}
	for _, k := range known {
		if k == v.Text {
			return
		}
	}
	hint := ""
	if near := nearest.Name(v.Text, known); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	c.wrong(m, v, "has %q, which is none of %s%s", v.Text, strings.Join(known, ", "), hint)
}

func summary(c *checker, m *jsondoc.Member) {
	if !c.isText(m, &m.Value) {
		return
	}
	if reason := SummaryProblem(m.Value.Text); reason != "" {
		c.wrong(m, &m.Value, "%s", reason)
	}
}

// items calls each with the items of an array field.
func (c *checker) items(m *jsondoc.Member, each func(v *jsondoc.Value)) {
	if m.Value.Kind != jsondoc.Array {
		c.wrong(m, &m.Value, "holds %s and not an array", m.Value.Kind)
		return
	}
	for i := range m.Value.Items {
		each(&m.Value.Items[i])
	}
}

func texts(c *checker, m *jsondoc.Member) {
	c.items(m, func(v *jsondoc.Value) { c.isText(m, v) })
}

func paths(c *checker, m *jsondoc.Member) {
	if m.Value.Kind == jsondoc.Array && len(m.Value.Items) == 0 {
		c.wrong(m, &m.Value, "is empty; an entry names at least one path")
	}
	c.items(m, func(v *jsondoc.Value) {
		if !c.isText(m, v) {
			return
		}
		if reason := PathProblem(v.Text); reason != "" {
			c.wrong(m, v, "has the path %q, which %s", v.Text, reason)
		}
	})
}

func categories(c *checker, m *jsondoc.Member) {
	c.items(m, func(v *jsondoc.Value) {
		c.oneOf(m, v, []string{"domain", "system", "practice", "governance", "decisions"})
	})
}

func boolean(c *checker, m *jsondoc.Member) {
	if m.Value.Kind != jsondoc.True && m.Value.Kind != jsondoc.False {
		c.wrong(m, &m.Value, "holds %s and not true or false", m.Value.Kind)
	}
}

func compacted(c *checker, m *jsondoc.Member) {
	if m.Value.Kind != jsondoc.Object {
		c.wrong(m, &m.Value, "holds %s and not an object", m.Value.Kind)
		return
	}
	c.object(&m.Value, m.Name, []field{
		{"entries", true, func(c *checker, m *jsondoc.Member) {
			if n, ok := m.Value.IsWhole(); !ok || n < 1 {
				c.wrong(m, &m.Value, "is %s and not a whole number from 1 on", c.doc.JSON.Raw(&m.Value))
			}
		}},
		{"firstId", true, id},
		{"lastId", true, id},
	})
}
