package syntax

import (
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// tokens returns what goes into the fingerprint of a definition, or of the whole file when name is "". It returns nil and the
// reason when that fingerprint is coarse.
func (a *analyzer) tokens(language string, src []byte, name string) ([]fingerprint.Token, string, error) {
	r, reason, err := a.read(language, src)
	if r == nil || err != nil {
		return nil, reason, err
	}
	lines := text.NewLines(src)
	parts := []found{{ranges: []tokenRange{{0, int32(len(r.toks))}}}}
	at := int32(0)
	if name != "" {
		parts = nil
		for _, group := range r.groups() {
			if group[0].name == name {
				parts = group
			}
		}
		if parts == nil {
			return nil, "", fmt.Errorf("could not find symbol %q", name)
		}
		for _, p := range parts {
			if at = r.outer(p); r.nodes[at].flags&hasError != 0 {
				break
			}
		}
	}
	if r.nodes[at].flags&hasError != 0 {
		return nil, fmt.Sprintf("syntax error at line %d", lines.Pos(r.firstError(at)).Line), nil
	}
	var list []fingerprint.Token
	r.pieces(parts, func(p piece, _ bool) {
		t := fingerprint.Token{Part: p.part, Depth: int(p.depth), Line: lines.Pos(int(p.tok.start)).Line, Field: p.field, Kind: p.tok.kind, Text: p.tok.text, Leaf: p.tok.leaf}
		if name == "" && t.Part != "doc" {
			t.Part = "file"
		}
		list = append(list, t)
	})
	return list, "", nil
}
