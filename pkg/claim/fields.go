package claim

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
)

// The fields of a claim (chapter 7.2).
const (
	fieldKind            = "kind"
	fieldStatus          = "status"
	fieldTruthSource     = "truth-source"
	fieldAnchors         = "anchors"
	fieldEvidence        = "evidence"
	fieldGoverns         = "governs"
	fieldSince           = "since"
	fieldSupersedes      = "supersedes"
	fieldReviewed        = "reviewed"
	fieldConfidence      = "confidence"
	fieldRetiredGround   = "retired-ground"
	fieldRetiredEvidence = "retired-evidence"
)

func fieldNames() []string {
	return []string{
		fieldKind, fieldStatus, fieldTruthSource, fieldAnchors, fieldEvidence, fieldGoverns, fieldSince, fieldSupersedes,
		fieldReviewed, fieldConfidence, fieldRetiredGround, fieldRetiredEvidence,
	}
}

// A block is the YAML of one claim on its way into it.
type block struct {
	*parser
	c      *Claim
	yaml   *document
	fields map[string]*yaml.Node // by canonical name; a field without a value is not there
	keys   map[string]Place
	meant  map[string]bool // fields that a misspelt key was probably meant to be
}

// fields reads the block of c and reports whether it could be read to its end.
func (p *parser) fields(c *Claim, b *markdown.Block) bool {
	if !b.Closed {
		p.fault("bad-yaml", c, p.firstLine(b), c.ID, "the block of claim %q has no end: no line closes its fence", c.ID).Help =
			"Close the fence with a line of as many marks as it was opened with."
		return false
	}
	doc := newDocument(p.doc, b)
	root, problem := doc.parse()
	if problem != nil {
		p.fault("bad-yaml", c, problem.at, c.ID, "the block of claim %q is not read: %s", c.ID, problem.reason)
		return true
	}
	k := &block{parser: p, c: c, yaml: doc, fields: map[string]*yaml.Node{}, keys: map[string]Place{}, meant: map[string]bool{}}
	c.fields = map[string]Place{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		k.field(root.Content[i], root.Content[i+1])
	}
	k.known()
	return true
}

// field files one entry of the mapping under its name.
func (k *block) field(key, value *yaml.Node) {
	name := canonicalKey(key.Value)
	if !slices.Contains(fieldNames(), name) {
		near := nearest.Name(name, fieldNames())
		f := k.bad("unknown-field", k.yaml.place(key), key.Value, "claim %q has an unknown field %q", k.c.ID, key.Value)
		if near != "" {
			k.meant[near] = true
			f.Message += fmt.Sprintf("; the nearest name is %q", near)
			f.Help = fmt.Sprintf("Write %s, or take the field out.", near)
		}
		return
	}
	k.keys[name] = k.yaml.place(key)
	if !isNull(value) {
		k.fields[name] = value
		k.c.fields[name] = k.yaml.place(value)
	}
}

// canonicalKey reads "_" for "-" in the name of a field.
func canonicalKey(s string) string { return strings.ReplaceAll(s, "_", "-") }

// bad notes a fault of one field.
func (k *block) bad(slug string, at Place, key, format string, args ...any) *Fault {
	return k.fault(slug, k.c, at, k.c.ID+" "+key, format, args...)
}

// absent says where a field that is not there is missed: at its key when it only has no value, else at the heading.
func (k *block) absent(name string) Place {
	if at, ok := k.keys[name]; ok {
		return at
	}
	return k.c.Heading
}

// given reports whether the claim has the field, or probably has it under a misspelt name.
func (k *block) given(name string) bool { return k.fields[name] != nil || k.meant[name] }

// known reads the fields in an order in which each finds what it depends on.
func (k *block) known() {
	for _, name := range []string{fieldKind, fieldStatus, fieldTruthSource, fieldReviewed} {
		if !k.given(name) {
			k.missing(name)
		}
	}
	k.kind()
	k.c.Status = k.word(fieldStatus, Enforced, Asserted, Proposed, Retired)
	k.c.TruthSource = k.word(fieldTruthSource, "code", "tests", "config", "spec", "decision", "derived")
	k.anchors()
	k.evidence()
	k.governs()
	k.c.Since = k.since()
	k.c.Supersedes = k.id(fieldSupersedes)
	k.c.Reviewed = k.date(fieldReviewed)
	k.confidence()
	k.retired()
}

func (k *block) missing(name string) {
	k.bad("missing-field", k.absent(name), name, "claim %q has no %q", k.c.ID, name)
}

// kind reads the kind and holds it against the prefix.
func (k *block) kind() {
	want := k.prefixes[k.c.Prefix]
	ref, ok := k.scalar(fieldKind)
	if !ok {
		return
	}
	kind := canonical(ref.Text)
	switch {
	case kind == want:
		k.c.Kind = kind
	case slices.Contains(names(k.prefixes), ref.Text):
		k.c.Kind = kind
		k.bad("kind-mismatch", ref.Place, fieldKind, "claim %q has the kind %q, and its prefix is that of %q", k.c.ID, ref.Text, want).Help =
			fmt.Sprintf("Write kind: %s, or give the claim a new id with another prefix.", want)
	default:
		k.value(fieldKind, ref, "is none that is known", names(k.prefixes))
	}
}

// exempt reports whether c may be without anchors.
func (k *block) exempt() bool {
	free := func(kind string) bool { return kind == concept || kind == constraint }
	return k.c.Status == Retired || free(k.c.Kind) || free(k.prefixes[k.c.Prefix])
}

// word reads a field with one of some values; "" when it has none of them.
func (k *block) word(name string, values ...string) string {
	ref, ok := k.scalar(name)
	if ok && !slices.Contains(values, ref.Text) {
		k.value(name, ref, "is none of "+strings.Join(values, ", "), values)
		return ""
	}
	return ref.Text
}

// value reports a value that a field cannot have, with the nearest one that it can have.
func (k *block) value(name string, ref Ref, problem string, values []string) {
	f := k.bad("bad-value", ref.Place, name, "the %s of claim %q is %q, which %s", name, k.c.ID, ref.Text, problem)
	if near := nearest.Name(ref.Text, values); near != "" {
		f.Message += fmt.Sprintf("; the nearest is %q", near)
	}
}

// scalar reads a field that is one text; ok is false when it is not there or something else, which is then reported.
func (k *block) scalar(name string) (Ref, bool) {
	n := k.fields[name]
	if n == nil {
		return Ref{}, false
	}
	ref, ok := k.text(n)
	if !ok {
		k.bad("bad-value", ref.Place, name, "the %s of claim %q is %s where one text is expected", name, k.c.ID, describe(n))
	}
	return ref, ok
}

// text returns the text of a scalar and its place; of another node only the place.
func (k *block) text(n *yaml.Node) (Ref, bool) {
	at := k.yaml.place(n)
	n = resolve(n)
	if n.Kind != yaml.ScalarNode || isNull(n) {
		return Ref{Place: at}, false
	}
	return Ref{Text: strings.TrimSpace(n.Value), Place: at}, true
}

// texts reads a field that is a list of texts; one text is a list of one. What is no text is reported.
func (k *block) texts(name string) []Ref {
	n := k.fields[name]
	if n == nil {
		return nil
	}
	items := []*yaml.Node{n}
	if r := resolve(n); r.Kind == yaml.SequenceNode {
		items = r.Content
	}
	var out []Ref
	for _, item := range items {
		ref, ok := k.text(item)
		if !ok {
			k.bad("bad-value", ref.Place, name, "%q of claim %q holds %s where a text is expected", name, k.c.ID, describe(item))
			continue
		}
		out = append(out, ref)
	}
	return out
}
