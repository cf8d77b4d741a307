package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/atomicfile"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/drift"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

func (p *Program) reanchorCommand() *cli.Command {
	return &cli.Command{
		Name: "reanchor", Usage: "stamp anchors whose code is unchanged, and let them follow what has moved", ArgsUsage: "[CLAIM]...",
		Description: "Writes the last commit and the fingerprint of the code into the anchors of all claims, or of those that are named: into those\n" +
			"that have no baseline or no digest, whose baseline is not in the repository, or whose file has changed without a change of\n" +
			"meaning. An anchor whose code has moved follows it. What is stale, missing or unverifiable stays as it is and is named;\n" +
			"the exit code is then 1 for claims that were named.",
		Flags:  append(placeFlags(), &cli.BoolFlag{Name: "no-cache", Usage: "neither read nor write a cache", EnvVars: []string{"FORGE_NO_CACHE"}}),
		Action: p.reanchor,
	}
}

func (p *Program) reanchor(c *cli.Context) (err error) {
	if err := p.sensible(c); err != nil {
		return err
	}
	repo, err := p.open(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	change, err := repo.Staged(c.Context)
	if err != nil {
		return err
	}
	subject, err := p.configure(c.Context, c, repo, change)
	if err != nil {
		return err
	}
	cfg := subject.Config
	layout := claim.Layout{Root: cfg.ClaimStore(), Former: cfg.FormerClaimStores(), Kinds: cfg.ClaimKinds(), Limit: cfg.Limits.File}
	store, err := claim.Load(c.Context, change.After, layout)
	if err != nil {
		return err
	}
	ids := c.Args().Slice()
	if err := knownClaims(store, ids); err != nil {
		return err
	}
	engine := p.engine(p.cache(c, repo))
	defer func() { err = errors.Join(err, engine.Close()) }()
	j := &drift.Judge{Change: change, Store: store, Layout: layout, Engine: engine, Limit: cfg.Limits.File}
	results, err := j.Run(c.Context, func(k *claim.Claim, _ *claim.Anchor) bool { return len(ids) == 0 || slices.Contains(ids, k.ID) })
	if err != nil {
		return err
	}
	edits, left, err := p.stamps(c.Context, j, results)
	if err != nil {
		return err
	}
	top, err := repo.Toplevel(c.Context)
	if err != nil {
		return err
	}
	written := 0
	for _, write := range []bool{false, true} { // nothing is written unless everything can be
		for _, f := range store.Files {
			n, err := restamp(c.Context, filepath.Join(top, filepath.FromSlash(f.Path)), f.Path, layout, edits[f.Path], write)
			if err != nil {
				return err
			}
			if write {
				written += n
			}
		}
	}
	if _, err := fmt.Fprintf(p.Stdout, "%d of %d anchors stamped\n", written, len(results)); err != nil {
		return err
	}
	if left && len(ids) > 0 {
		return exitError(ExitFindings)
	}
	return nil
}

// knownClaims refuses ids that no claim of the store has.
func knownClaims(store *claim.Store, ids []string) error {
	var known []string
	for _, c := range store.Claims {
		known = append(known, c.ID)
	}
	for _, id := range ids {
		if store.Claim(id) == nil {
			hint := ""
			if near := nearest.Name(id, known); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return usagef("there is no claim %q in %s%s", id, store.Root, hint)
		}
	}
	return nil
}

// A stamp is one anchor to be replaced.
type stamp struct {
	id, from string
	to       anchor.Anchor
}

// done reports whether a is already what s makes of it: at its new place with its digest, as an earlier run has left it on disk.
func (s *stamp) done(a *claim.Anchor) bool {
	return a.Err == nil && a.Base() == s.to.Base() && a.Digest == s.to.Digest
}

// stamps works out the new anchors by file, says on standard error which ones stay as they are and why, and whether some do.
func (p *Program) stamps(ctx context.Context, j *drift.Judge, results []*drift.Result) (edits map[string][]stamp, left bool, err error) {
	edits = map[string][]stamp{}
	tied := map[*claim.Claim]*drift.Result{}
	for _, r := range results {
		if r.Status != drift.Fresh && r.Anchor.Baseline == "" && tied[r.Claim] == nil {
			tied[r.Claim] = r
		}
	}
	for _, r := range results {
		to, reason, err := j.Stamp(ctx, r)
		if err != nil {
			return nil, false, err
		}
		if other := tied[r.Claim]; to != nil && other != nil && to.Base() != r.Anchor.Base() {
			reason = fmt.Sprintf("%s of the same claim is %s and has no baseline of its own: an edit of the claim would become one", other.Anchor.Text, other.Status)
		}
		switch {
		case reason != "":
			left = true
			fmt.Fprintf(p.Stderr, "%s: %s: %s stays as it is: %s\n", p.Name, r.Claim.ID, text.Escape(r.Anchor.Text), text.Escape(reason))
		case to != nil:
			path := r.Claim.File.Path
			edits[path] = append(edits[path], stamp{r.Claim.ID, r.Anchor.Text, *to})
		}
	}
	return edits, left, nil
}

// restamp replaces anchors in a file on disk, or only makes sure that it can be done. The file may differ from what is staged
// as long as the anchors stand in it; no other byte of it changes. It returns how many anchors it replaces.
func restamp(ctx context.Context, file, path string, layout claim.Layout, edits []stamp, write bool) (n int, err error) {
	if len(edits) == 0 {
		return 0, nil
	}
	replace := func(old []byte) (out []byte, err error) {
		if old == nil {
			return nil, fmt.Errorf("could not stamp %q: it is staged and not on disk", path)
		}
		out, n, err = replaceAnchors(path, old, layout, edits)
		if n == 0 {
			return nil, err
		}
		return out, err
	}
	if write {
		err = atomicfile.Update(ctx, file, 0o644, replace)
		return n, err
	}
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("could not stamp %q: %w", path, err)
	}
	_, err = replace(old)
	return n, err
}

// replaceAnchors makes the edits in src, as far as they are not done, and makes sure that they read as they are meant.
func replaceAnchors(path string, src []byte, layout claim.Layout, edits []stamp) (out []byte, n int, err error) {
	type edit struct {
		claim.Place
		text string
	}
	var list []edit
	want := map[string][]string{}
	used := make([]bool, len(edits))
	for _, c := range claim.Parse(path, src, layout).Claims {
		for _, a := range c.Anchors {
			text := a.Text
			for i, s := range edits {
				if s.id != c.ID || a.Err != nil {
					continue
				}
				if s.from == a.Text {
					used[i], text = true, s.to.String()
				}
				used[i] = used[i] || s.done(&a)
			}
			if text != a.Text {
				list = append(list, edit{a.Place, scalar(string(src[a.Start:a.End]), text)})
			}
			want[c.ID] = append(want[c.ID], text)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, 0, fmt.Errorf("could not stamp %q: the file on disk does not have the anchor %q of %s, which is staged; stage the file first", path, edits[i].from, edits[i].id)
	}
	slices.SortFunc(list, func(a, b edit) int { return b.Start - a.Start })
	out = slices.Clone(src)
	for _, e := range list {
		out = slices.Replace(out, e.Start, e.End, []byte(e.text)...)
	}
	got := map[string][]string{}
	for _, c := range claim.Parse(path, out, layout).Claims {
		for _, a := range c.Anchors {
			got[c.ID] = append(got[c.ID], a.Text)
		}
	}
	for id, anchors := range want {
		if !slices.Equal(got[id], anchors) {
			return nil, 0, fmt.Errorf("could not stamp %q: the anchors of %s would not read as they are meant; write them one a line", path, id)
		}
	}
	return out, len(list), nil
}

// scalar writes text as a YAML scalar in the style of old, as far as that can hold it.
func scalar(old, text string) string {
	odd := strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && !unicode.IsGraphic(r) || r != ' ' && unicode.IsSpace(r) })
	switch {
	case odd, strings.HasPrefix(old, `"`):
		var b strings.Builder
		b.WriteByte('"')
		for _, r := range text {
			switch {
			case r == '"' || r == '\\':
				b.WriteByte('\\')
				b.WriteRune(r)
			case r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r):
				b.WriteRune(r)
			default:
				fmt.Fprintf(&b, `\U%08X`, r)
			}
		}
		b.WriteByte('"')
		return b.String()
	case strings.HasPrefix(old, "'"), strings.ContainsAny(text, ",[]{}?"), strings.ContainsAny(text[:1], "*&!%@|>\"'`-?:#="), strings.Contains(text, ": "), strings.Contains(text, " #"):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return text
}
