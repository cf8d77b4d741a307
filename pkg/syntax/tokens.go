package syntax

import (
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// tokens returns what goes into the fingerprint of a definition, or of the whole file when name is "". It returns nil and the
// reason when that fingerprint is coarse.
func (a *analyzer) tokens(language string, src []byte, name string) ([]fingerprint.Token, string, error) {
	if language == "c" || language == "cpp" {
		src = withoutBlanks(src)
	}
	r, reason, err := a.read(language, src)
	if r == nil || err != nil {
		return nil, reason, err
	}
	parts := r.all()
	if name != "" {
		parts = nil
		for _, group := range r.groups() {
			if group[0].name == name {
				parts = group
			}
		}
	}
	if parts == nil {
		return nil, "", fmt.Errorf("could not find symbol %q", name)
	}
	lines := text.NewLines(src)
	for _, p := range parts {
		if p.bad >= 0 {
			return nil, syntaxError(lines, p.bad), nil
		}
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
