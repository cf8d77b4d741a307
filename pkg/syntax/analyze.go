package syntax

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// An analyzer parses files of every language that has a grammar. It belongs to one goroutine at a time.
type analyzer struct {
	grammars map[string]*grammar
	classes  map[string][]class
	rules    map[string]*rules
	spare    spare
}

// A spare holds the arrays of files that are done, for the next one.
type spare struct {
	toks     []tok
	from, to []int32
	digester digester
}

// keptNodes is the size of the largest arrays that are kept.
const keptNodes = 1 << 16

// done takes the arrays of a reading that nobody needs any more.
func (a *analyzer) done(r *reading) {
	if cap(r.toks) <= keptNodes {
		a.spare.toks = r.toks[:0]
	}
	if a.spare.digester.toks = nil; a.spare.digester.large() {
		a.spare.digester = digester{}
	}
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

// A reading is what a parser makes of a file: its tokens and its definitions.
type reading struct {
	toks []tok
	size int32 // how many of toks the file itself is made of
	list []found
	bad  int32 // offset of the first syntax error, -1 without one
}

// read parses clean source. It returns nil and the reason when there is no reading of it.
func (a *analyzer) read(language string, src []byte) (*reading, string, error) {
	switch language {
	case "yaml":
		return readYAML(src)
	case "toml":
		return readTOML(src)
	case "markdown":
		return readMarkdown(src)
	}
	g, err := a.grammar(language)
	if err != nil {
		return nil, "", err
	}
	switch language {
	case "kotlin":
		src = withoutCommentLines(src)
	case "lua":
		src = withoutLuaComments(src)
	}
	nodes, matches, err := g.parse(rewritten(language, src))
	if errors.Is(err, errOperations) || errors.Is(err, errMatches) {
		return nil, err.Error(), nil
	} else if err != nil {
		return nil, "", err
	}
	m := g.collect(src, nodes, matches)
	z := &normalizer{g: g, r: a.rules[language], classes: a.classes[language], src: src, nodes: nodes, docs: m.doc}
	z.toks, z.from, z.to = a.spare.toks, a.spare.from, a.spare.to
	a.spare.toks = nil // the reading's, until it is done
	z.run()
	r := &reading{size: int32(len(z.toks)), bad: -1}
	r.list, r.toks = z.define(m), z.toks
	if cap(z.from) <= keptNodes && cap(z.to) <= keptNodes {
		a.spare.from, a.spare.to = z.from, z.to
	}
	if nodes[0].flags&hasError != 0 {
		r.bad = z.firstError(0)
	}
	return r, "", nil
}

// all returns the whole file as one part.
func (r *reading) all() []found {
	return []found{{ranges: []tokenRange{{0, r.size}}, bad: r.bad}}
}

// file fingerprints clean source of a language and everything that it defines.
func (a *analyzer) file(language string, src []byte) (*fingerprint.File, error) {
	if language == "c" || language == "cpp" {
		src = withoutBlanks(src)
	}
	r, reason, err := a.read(language, src)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return fingerprint.NewCoarse(language, src, reason), nil
	}
	defer a.done(r)
	d := &a.spare.digester
	d.prepare(r)
	f := &fingerprint.File{Language: language, Digest: fingerprint.Digest{Kind: fingerprint.Coarse, Lines: fingerprint.LineDigest(src)}}
	f.Digest.Whole = f.Digest.Lines
	lines := text.NewLines(src)
	if r.bad < 0 {
		f.Digest.Whole, f.Digest.Doc = d.file(r.all())
		f.Digest.Kind = fingerprint.AST
		if f.Digest.Whole == "" { // a file without any token
			f.Digest.Whole = fingerprint.Spell(sha256.Sum256(nil))
		}
	} else {
		f.Note = syntaxError(lines, r.bad)
	}
	for _, group := range r.groups() {
		f.Definitions = append(f.Definitions, d.definition(src, lines, group))
	}
	return f, nil
}

func syntaxError(lines *text.Lines, offset int32) string {
	return fmt.Sprintf("syntax error at line %d", lines.Pos(int(offset)).Line)
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

// definition joins the parts of one name.
func (d *digester) definition(src []byte, lines *text.Lines, parts []found) fingerprint.Definition {
	out := fingerprint.Definition{Name: parts[0].name}
	var texts [][]byte
	for _, p := range parts {
		out.Spans = append(out.Spans, fingerprint.Span{First: lines.Pos(int(p.start)).Line, Last: lines.Pos(max(int(p.end)-1, int(p.start))).Line})
		texts = append(texts, src[p.start:p.end])
		if p.bad >= 0 && out.Note == "" {
			out.Note = syntaxError(lines, p.bad)
		}
	}
	if out.Note == "" {
		out.Digest = d.digest(parts)
	}
	out.Digest.Lines = fingerprint.LineDigest(texts...)
	if out.Note == "" && out.Digest.Whole == "" {
		out.Note = "it has no syntax of its own"
	}
	if out.Note != "" {
		out.Digest = fingerprint.Digest{Whole: out.Digest.Lines, Lines: out.Digest.Lines, Kind: fingerprint.Coarse}
	}
	return out
}
