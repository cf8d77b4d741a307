package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/ignore"
	"github.com/seed-4419f9ca/forge/pkg/report"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

// A choice is the change that the flags of chapter 2.2 choose.
type choice struct {
	kind    snapshot.Kind
	rev     string   // of --commit and --range
	message string   // file of --commit-msg
	args    []string // of --pre-push
	ci      bool     // --ci
	all     bool     // --ci found nothing to compare with: every file is judged
}

func (p *Program) choose(c *cli.Context) (choice, error) {
	out, given, err := p.chosen(c)
	if err != nil {
		return out, err
	}
	if len(given) > 1 {
		return out, together(given)
	}
	if out.kind == snapshot.PrePush {
		out.args = c.Args().Slice()
		if len(out.args) > 2 {
			return out, usagef("--pre-push takes a remote and its URL, not %d arguments", len(out.args))
		}
		return out, nil
	}
	return out, noArguments(c)
}

func together(flags []string) error {
	return usagef("%s cannot be given together: each chooses another change", strings.Join(flags, " and "))
}

// chosen reads the flags that choose a change and names those that were given.
func (p *Program) chosen(c *cli.Context) (out choice, given []string, err error) {
	out = choice{kind: snapshot.Staged}
	set := func(flag string, kind snapshot.Kind) {
		given = append(given, "--"+flag)
		out.kind = kind
	}
	for _, kind := range []snapshot.Kind{snapshot.Staged, snapshot.Worktree, snapshot.PrePush, snapshot.PreReceive} {
		if boolFlag(c, string(kind)) {
			set(string(kind), kind)
		}
	}
	if rev := stringFlag(c, "commit"); rev != "" {
		set("commit", snapshot.Commit)
		out.rev = rev
	}
	if boolFlag(c, "ci") {
		set("ci", snapshot.Range)
		out.ci = true
	}
	if file := stringFlag(c, "commit-msg"); file != "" {
		set("commit-msg", snapshot.Staged)
		out.message = file
	}
	// A range from the environment holds where the command line chooses nothing.
	if spec := stringFlag(c, "range"); spec != "" && (len(given) == 0 || lookup(c, "range").IsSet("range")) {
		set("range", snapshot.Range)
		out.rev = spec
		err = validRange(spec)
	}
	return out, given, err
}

// validRange refuses what is no range, and one that begins nowhere: a script whose variable is empty writes "..HEAD", which
// would be an empty change.
func validRange(spec string) error {
	from, _, ok := strings.Cut(spec, "..")
	switch {
	case !ok:
		return usagef("--range: %q is not A...B or A..B", spec)
	case from == "":
		return usagef("--range: %q does not say where it begins; write HEAD..B for a range from HEAD", spec)
	}
	return nil
}

// chooseSnapshot is choose for commands that show one snapshot and take arguments of their own.
func (p *Program) chooseSnapshot(c *cli.Context) (choice, error) {
	out, given, err := p.chosen(c)
	if err == nil && len(given) > 1 {
		err = together(given)
	}
	return out, err
}

// stage is the stage that goes with the change (chapter 2.5).
func (ch *choice) stage(judge string) check.Stage {
	switch {
	case ch.ci:
		return check.CI
	case ch.kind == snapshot.PrePush:
		return check.PrePush
	case ch.kind == snapshot.PreReceive:
		return check.PreReceive
	case ch.message != "":
		return check.CommitMsg
	case judge == "run" && (ch.kind == snapshot.Staged || ch.kind == snapshot.Worktree):
		return check.PreCommit
	}
	return check.Manual
}

// changes reads the chosen change; a push has one for each ref that needs a judgement.
func (ch *choice) changes(ctx context.Context, repo Repository, p *Program) ([]*snapshot.Change, error) {
	one := func(c *snapshot.Change, err error) ([]*snapshot.Change, error) {
		if err != nil {
			return nil, err
		}
		return []*snapshot.Change{c}, nil
	}
	if ch.ci {
		return ch.ciChanges(ctx, repo, p)
	}
	switch ch.kind {
	case snapshot.Worktree:
		return one(repo.Worktree(ctx))
	case snapshot.Commit:
		return one(repo.CommitChange(ctx, ch.rev))
	case snapshot.Range:
		return one(repo.RangeChange(ctx, ch.rev))
	case snapshot.PrePush, snapshot.PreReceive:
		return ch.pushed(ctx, repo, p)
	}
	return one(repo.Staged(ctx))
}

// ciChanges reads the change of a CI job; a deleted branch has none.
func (ch *choice) ciChanges(ctx context.Context, repo Repository, p *Program) ([]*snapshot.Change, error) {
	r, ok := repo.(*git.Repo)
	if !ok {
		return nil, errors.New("could not work out the change of a CI job: that needs git; install git 2.25 or newer")
	}
	c, all, err := p.ciChange(ctx, r)
	if err != nil || c == nil {
		return nil, err
	}
	ch.all = all
	return []*snapshot.Change{c}, nil
}

// pushed reads what a push brings, one change for each ref that needs a judgement.
func (ch *choice) pushed(ctx context.Context, repo Repository, p *Program) ([]*snapshot.Change, error) {
	r, ok := repo.(*git.Repo)
	if !ok {
		return nil, errors.New("could not read a push: that needs git; install git 2.25 or newer")
	}
	if ch.kind == snapshot.PreReceive {
		return r.PreReceive(ctx, p.Stdin)
	}
	remote := ""
	if len(ch.args) > 0 {
		remote = ch.args[0]
	}
	return r.PrePush(ctx, remote, p.Stdin)
}

// configure reads the configuration that holds for a change: from --config, --config-from, or the after tree.
func (p *Program) configure(ctx context.Context, c *cli.Context, repo Repository, change *snapshot.Change) (suite.Subject, error) {
	tree := change.After
	if rev := stringFlag(c, "config-from"); rev != "" {
		if stringFlag(c, "config") != "" {
			return suite.Subject{}, usagef("--config and --config-from cannot be given together")
		}
		var err error
		if tree, err = repo.Tree(ctx, rev); err != nil {
			return suite.Subject{}, err
		}
	}
	cfg, err := p.readConfig(ctx, c, tree)
	if err != nil {
		return suite.Subject{}, err
	}
	ignored, err := readIgnores(ctx, cfg, tree)
	if err != nil {
		return suite.Subject{}, err
	}
	return suite.Subject{Change: change, Config: cfg, Ignored: ignored}, nil
}

func (p *Program) readConfig(ctx context.Context, c *cli.Context, tree snapshot.Tree) (*config.Config, error) {
	ids := suite.IDs(p.Known())
	if name := stringFlag(c, "config"); name != "" {
		data, err := os.ReadFile(p.abs(name))
		if errors.Is(err, os.ErrNotExist) {
			return nil, usagef("--config: there is no file %q", name)
		}
		if err != nil {
			return nil, fmt.Errorf("could not read the configuration: %w", err)
		}
		return config.Parse(name, data, ids)
	}
	// A link in the folder's place would hide the configuration, and with it what it demands.
	folder := path.Dir(config.Path)
	if e, err := tree.Lookup(ctx, folder); err != nil || e.Exists() {
		return nil, errors.Join(err, usagef("%s: it is no folder; replace it by one", folder))
	}
	data, err := readFile(ctx, tree, config.Path)
	if err != nil {
		return nil, err
	}
	if data == nil {
		below, err := tree.Under(ctx, config.Path)
		if err == nil && len(below) > 0 {
			err = usagef("%s: it is a folder; replace it by a file", config.Path)
		}
		return config.Default(), err
	}
	return config.Parse(config.Path, data, ids)
}

// readIgnores makes the matcher of ignore: and .forgeignore.
func readIgnores(ctx context.Context, cfg *config.Config, tree snapshot.Tree) (func(string) bool, error) {
	data, err := readFile(ctx, tree, ".forgeignore")
	if err != nil {
		return nil, err
	}
	if data == nil && len(cfg.Ignore) == 0 {
		return func(string) bool { return false }, nil
	}
	m, err := ignore.New(
		ignore.Source{Name: ".forgeignore", Data: data},
		ignore.Source{Name: cfg.Source, Data: []byte(strings.Join(cfg.Ignore, "\n"))},
	)
	if err != nil {
		return nil, err
	}
	return m.Match, nil
}

// maxSettings bounds the files that configure Forge itself, in bytes.
const maxSettings = 1 << 20

// readFile reads a small regular file of a tree; nil and no error when it is not there.
func readFile(ctx context.Context, tree snapshot.Tree, path string) ([]byte, error) {
	e, err := tree.Lookup(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("could not look for %q: %w", path, err)
	}
	switch {
	case !e.Exists():
		return nil, nil
	case !e.Mode.IsFile():
		return nil, fmt.Errorf("could not read %q: it is no regular file (mode %o); replace it by one", path, e.Mode)
	}
	data, err := tree.Read(ctx, e, maxSettings)
	if err != nil {
		return nil, fmt.Errorf("could not read %q: %w", path, err)
	}
	if data == nil {
		data = []byte{}
	}
	return data, nil
}

func formats() string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

func cut(s string) (report.Format, string, bool) {
	f, path, ok := strings.Cut(s, "=")
	return report.Format(f), path, ok && path != ""
}

func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
