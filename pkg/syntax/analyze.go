package syntax

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// An analyzer parses files of every language that has a grammar. It belongs to one goroutine at a time.
type analyzer struct {
	grammars map[string]*grammar
	classes  map[string][]class
	rules    map[string]*rules
}

func newAnalyzer() *analyzer {
	return &analyzer{grammars: map[string]*grammar{}, classes: map[string][]class{}, rules: map[string]*rules{}}
}

func (a *analyzer) close() {
	for _, g := range a.grammars {
		g.close()
	}
}

// grammar returns the compiled grammar of a language.
func (a *analyzer) grammar(language string) (*grammar, error) {
	if g := a.grammars[language]; g != nil {
		return g, nil
	}
	query, err := fingerprint.Query(language)
	if err != nil {
		return nil, err
	}
	g, err := newGrammar(language, query)
	if err != nil {
		return nil, err
	}
	r := rulesFor(language)
	a.grammars[language], a.rules[language], a.classes[language] = g, r, r.classify(g)
	return g, nil
}

// A reading is a file with its normalized tokens and its definitions.
type reading struct {
	*normalizer
	list []found
}

// read parses clean source. It returns nil and the reason when the parser gives no tree for it.
func (a *analyzer) read(language string, src []byte) (*reading, string, error) {
	g, err := a.grammar(language)
	if err != nil {
		return nil, "", err
	}
	nodes, matches, err := g.parse(src)
	if errors.Is(err, errOperations) || errors.Is(err, errMatches) {
		return nil, err.Error(), nil
	} else if err != nil {
		return nil, "", err
	}
	m := g.collect(src, nodes, matches)
	z := &normalizer{g: g, r: a.rules[language], classes: a.classes[language], src: src, nodes: nodes, docs: m.doc}
	z.run()
	return &reading{normalizer: z, list: z.define(m)}, "", nil
}

// file fingerprints clean source of a language and everything that it defines.
func (a *analyzer) file(language string, src []byte) (*fingerprint.File, error) {
	r, reason, err := a.read(language, src)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return fingerprint.NewCoarse(language, src, reason), nil
	}
	f := &fingerprint.File{Language: language, Digest: fingerprint.Digest{Kind: fingerprint.Coarse, Lines: fingerprint.LineDigest(src)}}
	f.Digest.Whole = f.Digest.Lines
	lines := text.NewLines(src)
	if r.nodes[0].flags&hasError == 0 {
		whole := r.digest([]found{{ranges: []tokenRange{{0, int32(len(r.toks))}}}})
		f.Digest.Whole, f.Digest.Doc, f.Digest.Kind = whole.Whole, whole.Doc, fingerprint.AST
		if f.Digest.Whole == "" { // a file without any token
			f.Digest.Whole = newDigester().empty()
		}
	} else {
		f.Note = fmt.Sprintf("syntax error at line %d", lines.Pos(r.firstError(0)).Line)
	}
	for _, group := range r.groups() {
		f.Definitions = append(f.Definitions, r.definition(src, lines, group))
	}
	return f, nil
}

// groups joins the definitions of one name, in the order of their first parts.
func (r *reading) groups() [][]found {
	var groups [][]found
	at := map[string]int{}
	for _, d := range r.list {
		n, ok := at[d.name]
		if !ok {
			n = len(groups)
			at[d.name], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], d)
	}
	return groups
}

func (r *reading) definition(src []byte, lines *text.Lines, parts []found) fingerprint.Definition {
	d := fingerprint.Definition{Name: parts[0].name}
	var texts [][]byte
	bad := int32(-1)
	for _, p := range parts {
		d.Spans = append(d.Spans, fingerprint.Span{First: lines.Pos(int(p.start)).Line, Last: lines.Pos(max(int(p.end)-1, int(p.start))).Line})
		texts = append(texts, src[p.start:p.end])
		if outer := r.outer(p); r.nodes[outer].flags&hasError != 0 && bad < 0 {
			bad = outer
		}
	}
	if bad < 0 {
		d.Digest = r.digest(parts)
	}
	d.Digest.Lines = fingerprint.LineDigest(texts...)
	if bad >= 0 || d.Digest.Whole == "" {
		d.Digest = fingerprint.Digest{Whole: d.Digest.Lines, Lines: d.Digest.Lines, Kind: fingerprint.Coarse}
		d.Note = "no syntax of its own"
		if bad >= 0 {
			d.Note = fmt.Sprintf("syntax error at line %d", lines.Pos(r.firstError(bad)).Line)
		}
	}
	return d
}

// outer returns the largest node that lies within a definition.
func (r *reading) outer(p found) int32 {
	i := p.node
	for parent := r.nodes[i].parent; parent >= 0 && r.nodes[parent].start >= p.start && r.nodes[parent].end <= p.end; parent = r.nodes[i].parent {
		i = parent
	}
	return i
}

// firstError returns the offset of the first error in a node.
func (r *reading) firstError(i int32) int {
	at := slices.IndexFunc(r.nodes[i:r.nodes[i].next], func(n node) bool {
		return n.flags&hasError != 0 && n.flags&(isError|isMissing) != 0
	})
	return int(r.nodes[max(int(i), int(i)+at)].start)
}
