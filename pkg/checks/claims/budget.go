package claims

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// Budget holds the text that is loaded into every session against its number of lines (chapter 7.11).
var Budget = &check.Check{
	ID:      "budget",
	Program: check.GateProgram,
	Title:   "The text that every session loads stays short.",
	Why: "What is loaded into every session is paid for in every session, and what is read every day is skimmed. A set of files without a limit grows " +
		"by one useful line after the other until nobody reads it. The limit makes each addition a choice of what may go to a file that is read on demand.",
	Since:  "0.1.0",
	Levels: check.Levels{PreCommit: finding.Fail, PrePush: finding.Fail, CI: finding.Fail},
	Codes: []check.Code{
		{Slug: "exceeded", Level: finding.Fail, Title: "The files that every session loads have too many lines together.",
			Help: "Move what is not needed in every session to a file that is read on demand, the largest file first. Lines of retired claims do not count."},
	},
	Run: runBudget,
}

// A weight is a file of the always-loaded set with its number of lines.
type weight struct {
	path  string
	lines int64
}

func runBudget(ctx context.Context, p *check.Pass) error {
	b := &budget{ctx: ctx, pass: p, tree: p.Change.After}
	files, err := b.files()
	if err != nil {
		return err
	}
	if len(files) == 0 {
		if p.Skipped() == "" {
			p.Skip(check.NotUsed)
		}
		return nil
	}
	var list []weight
	var total int64
	for _, e := range files {
		n, err := b.lines(e)
		if err != nil {
			return err
		}
		list = append(list, weight{e.Path, n})
		total += n
	}
	if limit := p.Config.BudgetLines(); total > limit {
		exceeded(p, list, total, limit)
	}
	return nil
}

// exceeded reports the set at its largest file.
func exceeded(p *check.Pass, list []weight, total, limit int64) {
	slices.SortFunc(list, func(a, b weight) int {
		if a.lines != b.lines {
			return int(b.lines - a.lines)
		}
		return strings.Compare(a.path, b.path)
	})
	var sizes []string
	for _, w := range list {
		sizes = append(sizes, fmt.Sprintf("%q %d", w.path, w.lines))
	}
	f := p.Reportf("exceeded", list[0].path, "the files that every session loads have %d lines together, %d more than %d: %s", total, total-limit, limit, strings.Join(sizes, ", "))
	f.Anchor = "always-loaded"
}

// A budget counts the lines of one snapshot.
type budget struct {
	ctx  context.Context
	pass *check.Pass
	tree snapshot.Tree
}

// files returns the files of the always-loaded set, each once: the overview of the store and what the globs of
// claims.always-loaded match. A link stands for the file that it leads to.
func (b *budget) files() ([]snapshot.Entry, error) {
	set := map[string]snapshot.Entry{}
	overview := path.Join(b.pass.Config.ClaimStore(), claim.Overview)
	if err := b.one(set, overview); err != nil {
		return nil, err
	}
	for _, text := range b.pass.Config.AlwaysLoaded() {
		pattern, err := glob.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("could not read claims.always-loaded: %w", err)
		}
		if file, ok := pattern.Literal(); ok {
			if err := b.one(set, file); err != nil {
				return nil, err
			}
			continue
		}
		if err := b.folder(set, pattern); err != nil {
			return nil, err
		}
		entries, err := b.tree.Under(b.ctx, pattern.Folder())
		if err != nil {
			return nil, fmt.Errorf("could not list the files of %q: %w", text, err)
		}
		for _, e := range entries {
			if !pattern.Match(e.Path) {
				continue
			}
			if err := b.add(set, e); err != nil {
				return nil, err
			}
		}
	}
	var out []snapshot.Entry
	for _, e := range set {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b snapshot.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// folder adds what stands at the folder of a pattern itself, which `a/**` matches too.
func (b *budget) folder(set map[string]snapshot.Entry, p *glob.Pattern) error {
	if p.Folder() == "" || !p.Match(p.Folder()) {
		return nil
	}
	return b.one(set, p.Folder())
}

// one adds the file at a path, when there is one.
func (b *budget) one(set map[string]snapshot.Entry, file string) error {
	e, err := b.tree.Lookup(b.ctx, file)
	if err != nil {
		return fmt.Errorf("could not find %q: %w", file, err)
	}
	if !e.Exists() {
		return nil
	}
	return b.add(set, e)
}

// add adds a file, or the file that a link leads to. Anything else is said aloud: its lines are not counted.
func (b *budget) add(set map[string]snapshot.Entry, e snapshot.Entry) error {
	from := e.Path
	for hops := 0; e.Mode == snapshot.Symlink && hops < 8; hops++ {
		target, err := b.tree.Read(b.ctx, e, 4096)
		if err != nil {
			return fmt.Errorf("could not read the link %q: %w", e.Path, err)
		}
		if path.IsAbs(string(target)) {
			break
		}
		if e, err = b.tree.Lookup(b.ctx, path.Join(path.Dir(e.Path), string(target))); err != nil {
			return fmt.Errorf("could not follow the link %q: %w", from, err)
		}
	}
	if !e.Mode.IsFile() {
		b.pass.Skip(fmt.Sprintf("could not count the lines of %q: it leads to no file of this repository", from))
		return nil
	}
	set[e.Path] = e
	return nil
}

// lines counts the lines of a file; one without a line end at the end of the file is a line. The blocks of retired claims do
// not count (chapter 7.2).
func (b *budget) lines(e snapshot.Entry) (int64, error) {
	n, err := b.count(e)
	if err != nil || !claim.Holds(b.pass.Config.ClaimStore(), e.Path) {
		return n, err
	}
	store, err := storeOf(b.ctx, b.pass, b.tree)
	if err != nil {
		return n, b.pass.SkipTooLarge(err)
	}
	if f := store.File(e.Path); f != nil {
		for _, c := range f.Claims {
			if c.Status == claim.Retired {
				n -= countLines(f.Src[c.Block.Start:c.Block.End])
			}
		}
	}
	return n, nil
}

// count reads a file of any size and counts its lines.
func (b *budget) count(e snapshot.Entry) (n int64, err error) {
	r, _, err := b.tree.Open(b.ctx, e)
	if err != nil {
		return 0, fmt.Errorf("could not read %q: %w", e.Path, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	buf := make([]byte, 64<<10)
	last := byte('\n')
	for {
		k, err := r.Read(buf)
		n += int64(bytes.Count(buf[:k], []byte{'\n'}))
		if k > 0 {
			last = buf[k-1]
		}
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return 0, fmt.Errorf("could not read %q: %w", e.Path, err)
		}
	}
	if last != '\n' {
		n++
	}
	return n, nil
}

// countLines is count for bytes.
func countLines(src []byte) int64 {
	n := int64(bytes.Count(src, []byte{'\n'}))
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return n
}
