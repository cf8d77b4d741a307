package claim

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
)

// anchors reads the anchors. A retired claim may have any or none.
func (k *block) anchors() {
	c := k.c
	for _, ref := range k.texts(fieldAnchors) {
		a := Anchor{Ref: ref}
		a.Anchor, a.Err = anchor.Parse(ref.Text)
		c.Anchors = append(c.Anchors, a)
		if a.Err == nil || c.Status == Retired {
			continue
		}
		reason := a.Err.Error()
		var bad *anchor.Error
		if errors.As(a.Err, &bad) {
			reason = bad.Reason
		}
		k.bad("bad-anchor", ref.Place, ref.Text, "%q of claim %q is no anchor: %s", ref.Text, c.ID, reason)
	}
	c.AnchorsAt = c.fields[fieldAnchors]
	n := k.fields[fieldAnchors]
	switch {
	case c.Status == Retired || k.meant[fieldAnchors]:
	case n == nil && k.exempt():
		k.missing(fieldAnchors)
	case n == nil:
		k.bad("no-anchor", k.absent(fieldAnchors), fieldAnchors, "claim %q has no %q", c.ID, fieldAnchors)
	case resolve(n).Kind == yaml.SequenceNode && len(resolve(n).Content) == 0 && !k.exempt():
		k.bad("no-anchor", c.AnchorsAt, fieldAnchors, "the anchors of claim %q are empty, and only a concept or a constraint may have none", c.ID)
	}
}

// evidence reads what enforces the claim. A retired claim may have any or none.
func (k *block) evidence() {
	c := k.c
	n := k.fields[fieldEvidence]
	var items []*yaml.Node
	if n != nil {
		items = []*yaml.Node{n}
		if r := resolve(n); r.Kind == yaml.SequenceNode {
			items = r.Content
		}
	}
	for _, item := range items {
		e, reason := k.oneEvidence(item)
		if reason == "" {
			c.Evidence = append(c.Evidence, e)
		} else if c.Status != Retired {
			k.bad("bad-value", e.Place, fieldEvidence+" "+e.Text, "an evidence of claim %q %s", c.ID, reason)
		}
	}
	if c.Status != Enforced || len(items) > 0 || k.meant[fieldEvidence] {
		return
	}
	at, ok := c.fields[fieldStatus]
	if !ok {
		at = k.absent(fieldEvidence)
	}
	k.bad("no-evidence", at, fieldEvidence, "claim %q is %s and has no evidence", c.ID, Enforced)
}

// oneEvidence reads one item: a mapping of one key, or the same as one text. The reason says why it is none.
func (k *block) oneEvidence(item *yaml.Node) (e Evidence, reason string) {
	n := resolve(item)
	e.Place = k.yaml.place(item)
	switch {
	case n.Kind == yaml.MappingNode && len(n.Content) == 2:
		ref, ok := k.text(n.Content[1])
		if item.Kind != yaml.AliasNode {
			e.Place = ref.Place
		}
		if e.Kind = n.Content[0].Value; !ok {
			return e, fmt.Sprintf("has %s for its %q, where one text is expected", describe(n.Content[1]), e.Kind)
		}
		e.Text = ref.Text
	case n.Kind == yaml.ScalarNode && !isNull(n):
		kind, value, ok := strings.Cut(n.Value, ": ")
		if !ok {
			e.Text = n.Value
			return e, fmt.Sprintf("is the text %q, and one has the form test: path::name, rule: path#id, contract: path or check: path", n.Value)
		}
		e.Kind, e.Text = strings.TrimSpace(kind), strings.TrimSpace(value)
	case n.Kind == yaml.MappingNode:
		return e, fmt.Sprintf("has %d keys, and each item of the list has one", len(n.Content)/2)
	default:
		return e, fmt.Sprintf("is %s, and one has the form test: path::name, rule: path#id, contract: path or check: path", describe(n))
	}
	return e, e.split()
}

// split takes the value apart by the kind of evidence and returns why that cannot be done.
func (e *Evidence) split() (reason string) {
	kinds := []string{"test", "rule", "contract", "check"}
	path, name, ok := e.Text, "", true
	switch e.Kind {
	case "test":
		path, name, ok = strings.Cut(e.Text, "::")
	case "rule":
		path, name, ok = strings.Cut(e.Text, "#")
	case "contract", "check":
	default:
		reason = fmt.Sprintf("is of the kind %q, which is none of %s", e.Kind, strings.Join(kinds, ", "))
		if near := nearest.Name(e.Kind, kinds); near != "" {
			reason += fmt.Sprintf("; the nearest is %q", near)
		}
		return reason
	}
	path, name = strings.TrimSpace(path), strings.TrimSpace(name)
	switch {
	case !ok && e.Kind == "test" || e.Kind == "test" && name == "":
		return fmt.Sprintf("names no test: %q has no path::name", e.Text)
	case !ok || e.Kind == "rule" && name == "":
		return fmt.Sprintf("names no rule: %q has no path#id", e.Text)
	}
	if reason := badPath(path); reason != "" {
		return fmt.Sprintf("leads to the path %q, which %s", path, reason)
	}
	e.Path, e.Name = path, name
	return ""
}

// badPath says why a path cannot be one of a file inside of the repository, "" when it can.
func badPath(path string) string {
	switch {
	case path == "":
		return "is empty"
	case strings.HasPrefix(path, "/"):
		return "is absolute; write it relative to the root of the repository"
	case strings.Contains(path, `\`):
		return "holds a backslash; separate folders with /"
	case len(path) > 1 && path[1] == ':' && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z'):
		return "begins with a drive letter; write it relative to the root of the repository"
	case strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "holds a control character"
	}
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "":
			return "has an empty segment"
		case ".", "..":
			return fmt.Sprintf("has a %q segment; write it relative to the root of the repository", segment)
		}
	}
	return ""
}

// governs reads the ids that the claim governs.
func (k *block) governs() {
	for _, ref := range k.texts(fieldGoverns) {
		if k.isID(fieldGoverns, ref) {
			k.c.Governs = append(k.c.Governs, ref)
		}
	}
}

// id reads a field that holds the id of one claim.
func (k *block) id(name string) Ref {
	ref, ok := k.scalar(name)
	if !ok || !k.isID(name, ref) {
		return Ref{}
	}
	return ref
}

// isID reports whether ref has the form of an id; if not, it says so.
func (k *block) isID(name string, ref Ref) bool {
	_, ok := splitID(ref.Text, k.prefixes)
	if !ok {
		k.bad("bad-value", ref.Place, name+" "+ref.Text, "%q in %q of claim %q has not the form of an id", ref.Text, name, k.c.ID)
	}
	return ok
}

// since reads the decision behind the claim.
func (k *block) since() Ref {
	ref, ok := k.scalar(fieldSince)
	if ok && !IsADR(ref.Text) {
		k.bad("bad-value", ref.Place, fieldSince, "%q of claim %q is %q, and the id of a decision looks like ADR-0004", fieldSince, k.c.ID, ref.Text)
		return Ref{}
	}
	kind := k.c.Kind
	if k.fields[fieldKind] == nil {
		kind = k.prefixes[k.c.Prefix]
	}
	if kind == architecture && kind == k.prefixes[k.c.Prefix] && !k.given(fieldSince) {
		k.bad("no-adr", k.absent(fieldSince), fieldSince, "claim %q is about the %s and has no %q with its decision", k.c.ID, architecture, fieldSince)
	}
	return ref
}

// date reads a day of the calendar.
func (k *block) date(name string) Ref {
	ref, ok := k.scalar(name)
	if !ok {
		return Ref{}
	}
	if _, err := time.Parse(time.DateOnly, ref.Text); err != nil {
		k.bad("bad-value", ref.Place, name, "%q of claim %q is %q, which is no day of the calendar written as 2025-03-04", name, k.c.ID, ref.Text)
		return Ref{}
	}
	return ref
}

// confidence reads the confidence of a candidate; whether there may be one is a matter of where the claim stands.
func (k *block) confidence() {
	if !k.file.Candidate {
		k.c.Confidence, _ = k.scalar(fieldConfidence)
		return
	}
	if k.word(fieldConfidence, "high", "medium", "low") != "" {
		k.c.Confidence, _ = k.scalar(fieldConfidence)
	}
}

// retired reads why a claim was retired.
func (k *block) retired() {
	c := k.c
	if k.word(fieldRetiredGround, "1", "2", "3", "4") != "" {
		c.RetiredGround, _ = k.scalar(fieldRetiredGround)
	}
	c.RetiredEvidence, _ = k.scalar(fieldRetiredEvidence)
	if c.Status != Retired {
		return
	}
	ground := k.given(fieldRetiredGround)
	text := k.meant[fieldRetiredEvidence] || k.fields[fieldRetiredEvidence] != nil && c.RetiredEvidence.Text != ""
	if ground && text {
		return
	}
	lacks := fmt.Sprintf("no %q and no %q", fieldRetiredGround, fieldRetiredEvidence)
	at, ok := c.fields[fieldStatus]
	switch {
	case ground:
		lacks = fmt.Sprintf("no %q", fieldRetiredEvidence)
	case text:
		lacks = fmt.Sprintf("no %q", fieldRetiredGround)
	}
	if !ok {
		at = c.Heading
	}
	k.bad("retired-without-ground", at, fieldRetiredGround, "claim %q is retired and has %s", c.ID, lacks)
}
