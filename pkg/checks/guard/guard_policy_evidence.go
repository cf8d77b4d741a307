package guard

import (
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// viaKey is the trailer in which a commit names the workflows that made it.
const viaKey = "Forge-Via"

// evidence holds the workflows that a change names.
type evidence struct {
	given []string        // by the variable and the message at hand, without slashes at their beginning
	known map[string]bool // by some row
	whole bool            // a range as a whole: its commits name workflows, each for itself
}

// newEvidence collects what the pass knows: the variable counts for a change that is not committed yet, the message at the
// commit-msg stage, and a commit's own message when it is judged alone.
func newEvidence(p *check.Pass, rules *guardrules.Rules) *evidence {
	e := &evidence{known: map[string]bool{}, whole: p.Change.Commits != nil}
	if k := p.Change.Kind; k == snapshot.Staged || k == snapshot.Worktree {
		for _, v := range p.Via {
			e.given = append(e.given, workflowName(v))
		}
	}
	if p.Message != nil {
		e.given = append(e.given, trailers(uncommented(p.Message))...)
	}
	if p.Step != nil {
		e.given = append(e.given, trailers(p.Step.Message)...)
	}
	for _, v := range rules.Workflows() {
		e.known[workflowName(v)] = true
	}
	return e
}

// names reports whether the change names a workflow of row.
func (e *evidence) names(row *guardheader.Row) bool { return e.in(row, e.given) }

// in reports whether one of the names is a workflow of row.
func (e *evidence) in(row *guardheader.Row, names []string) bool {
	return slices.ContainsFunc(row.Via, func(v string) bool { return slices.Contains(names, workflowName(v)) })
}

// workflowName returns a workflow's name without the slash before it.
func workflowName(s string) string { return strings.TrimPrefix(strings.TrimSpace(s), "/") }

// unknownVia flags names that no row knows. It is said of path, since a report needs a place.
func (g *policyRun) unknownVia(path string) {
	if g.via.whole {
		return // each commit answers for its own trailers
	}
	said := map[string]bool{}
	for _, name := range g.via.given {
		if name == "" || g.via.known[name] || said[name] {
			continue
		}
		said[name] = true
		f := g.pass.Reportf(slugViaUnknown, path, "the change names the workflow %s, which no guard knows", quote("/"+name))
		f.Anchor = name
	}
}

// trailers returns the workflows that the last paragraph of a commit message names. The first paragraph is the subject.
func trailers(message []byte) []string {
	text := strings.TrimRight(strings.ReplaceAll(string(message), "\r\n", "\n"), " \t\n")
	lines := strings.Split(text, "\n")
	start := len(lines)
	for start > 0 && strings.TrimSpace(lines[start-1]) != "" {
		start--
	}
	if start == 0 {
		return nil
	}
	var out []string
	for _, line := range lines[start:] {
		key, value, ok := strings.Cut(line, ":")
		if !ok || !strings.EqualFold(strings.TrimSpace(key), viaKey) {
			continue
		}
		for _, v := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
			out = append(out, workflowName(v))
		}
	}
	return out
}

// commentSigns are the characters with which git may begin comments in a message; the configuration chooses one.
const commentSigns = "#;@!$%^&|:"

// scissors follows the comment sign on the line behind which git leaves out everything of a message.
const scissors = " ------------------------ >8 ------------------------"

// uncommented returns a message as git will keep it, as far as trailers go: without what stands below the scissors, without
// lines that begin with the usual comment sign, and without the comments at its end that begin with another one.
func uncommented(message []byte) []byte {
	var lines []string
	for line := range strings.Lines(string(message)) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && strings.IndexByte(commentSigns, line[0]) >= 0 && line[1:] == scissors {
			break
		}
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	end := len(lines)
	for sign := byte(0); end > 0; end-- {
		line := lines[end-1]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if strings.IndexByte(commentSigns, line[0]) < 0 || sign != 0 && line[0] != sign {
			break
		}
		sign = line[0]
	}
	return []byte(strings.Join(lines[:end], "\n"))
}

// equalsReference reports whether the new version of f is, byte for byte, its reference copy. The reference is read from
// the version before, so that a change cannot bring its own.
func (g *policyRun) equalsReference(c *snapshot.Change, f *snapshot.File) (bool, error) {
	guards := g.pass.Config.Guards
	if guards == nil || guards.Reference == "" || !f.After.Mode.IsFile() || len(c.Before) == 0 {
		return false, nil
	}
	tree := c.Before[0]
	manifest, err := tree.Lookup(g.ctx, guards.Reference)
	if err != nil {
		return false, err
	}
	if !manifest.Mode.IsFile() {
		e, err := tree.Lookup(g.ctx, strings.TrimSuffix(guards.Reference, "/")+"/"+f.Path)
		return err == nil && e.Mode.IsFile() && e.OID == f.After.OID, err
	}
	data, err := tree.Read(g.ctx, manifest, g.pass.Config.Limits.File)
	if err != nil {
		return false, err
	}
	want, ok := manifestDigest(data, f.Path)
	if !ok {
		return false, nil
	}
	got, err := g.digest(c.After, f.After)
	return err == nil && got == want, err
}

// manifestDigest finds path in a list as sha256sum writes it: digest, a space, a space or an asterisk, and the path; a
// backslash at the beginning of the line says that the path is escaped.
func manifestDigest(data []byte, path string) (string, bool) {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		line, escaped := strings.CutPrefix(line, `\`)
		digest, name, ok := strings.Cut(line, " ")
		if !ok || len(digest) != 64 || name == "" {
			continue
		}
		if name[0] == ' ' || name[0] == '*' {
			name = name[1:]
		}
		if escaped {
			name = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r").Replace(name)
		}
		if strings.TrimPrefix(name, "./") == path {
			return strings.ToLower(digest), true
		}
	}
	return "", false
}
