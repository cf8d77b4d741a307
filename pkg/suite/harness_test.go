package suite_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checktest"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/parsertest"
	"github.com/seed-4419f9ca/forge/pkg/registry"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
	"github.com/seed-4419f9ca/forge/pkg/text"
	"github.com/seed-4419f9ca/forge/testdata"
)

func TestMain(m *testing.M) { parsertest.Main(m) }

func known() []*check.Check { return suite.All(registry.Checks()) }

// each runs f for every code of every check, with its example.
func each(t *testing.T, f func(t *testing.T, c *check.Check, code *check.Code, ex *checktest.Example)) {
	for _, c := range known() {
		for i := range c.Codes {
			code := &c.Codes[i]
			t.Run(c.ID+"/"+code.Slug, func(t *testing.T) {
				data, err := testdata.Checks.ReadFile(checktest.Name(c, code))
				if err != nil {
					t.Fatalf("every code has an example: %v", err)
				}
				ex, err := checktest.Parse(data)
				if err != nil {
					t.Fatal(err)
				}
				ex.Bad.Engine, ex.Good.Engine = parsertest.Engine(), parsertest.Engine()
				f(t, c, code, ex)
			})
		}
	}
}

func TestCardsAreComplete(t *testing.T) {
	for _, c := range known() {
		if err := suite.Complete(c); err != nil {
			t.Error(err)
		}
	}
	each(t, func(t *testing.T, _ *check.Check, _ *check.Code, ex *checktest.Example) {
		if ex.About == "" || len(ex.Bad.Want) == 0 || len(ex.Good.Want) != 0 {
			t.Error("an example has a description, a bad half with a want and a good half without one")
		}
	})
}

func TestNoExampleIsStray(t *testing.T) {
	want := map[string]bool{}
	for _, c := range known() {
		for i := range c.Codes {
			want[checktest.Name(c, &c.Codes[i])] = true
		}
	}
	err := fs.WalkDir(testdata.Checks, "checks", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".txtar" && !want[name] {
			t.Errorf("%s belongs to no code of any check", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBadIsFoundAndGoodIsSilent(t *testing.T) {
	each(t, func(t *testing.T, c *check.Check, code *check.Code, ex *checktest.Example) {
		if code.Command != "" {
			t.Skipf("only %q reports it", code.Command)
		}
		bad, err := ex.Bad.Run(t.Context(), c, known(), ex.Bad.Change(nil))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ex.Bad.Want, checktest.Lines(bad)); diff != "" {
			t.Errorf("bad example (-want +got):\n%s", diff)
		}
		if !slices.ContainsFunc(bad, func(f finding.Finding) bool { return f.Code == c.ID+"/"+code.Slug }) {
			t.Errorf("the bad example does not give %s/%s", c.ID, code.Slug)
		}
		for _, f := range bad {
			if f.Message == "" || f.Help == "" || f.Anchor == "" {
				t.Errorf("%s: a finding has a message, a help and an anchor: %+v", f.Code, f)
			}
		}
		good, err := ex.Good.Run(t.Context(), c, known(), ex.Good.Change(nil))
		if err != nil {
			t.Fatal(err)
		}
		if lines := checktest.Lines(good); len(lines) != 0 {
			t.Errorf("good example gives %q", lines)
		}
	})
}

func TestSafeFixSilencesItsFinding(t *testing.T) {
	each(t, func(t *testing.T, c *check.Check, code *check.Code, ex *checktest.Example) {
		list, err := ex.Bad.Run(t.Context(), c, known(), ex.Bad.Change(nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			if f.Code == c.ID+"/"+code.Slug && code.Fixable && f.Fix == nil {
				t.Errorf("%s says that it is fixable, and its example has no fix", f.Code)
			}
			if f.Fix == nil || !f.Fix.Safe {
				continue
			}
			file := ex.Bad.Trees["after"][f.Path]
			fixed, err := text.Apply([]byte(file.Data), f.Fix.Edits)
			if err != nil {
				t.Fatal(err)
			}
			file.Data = string(fixed)
			ex.Bad.Trees["after"][f.Path] = file
		}
		after, err := ex.Bad.Run(t.Context(), c, known(), ex.Bad.Change(nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range after {
			if f.Fix != nil && f.Fix.Safe {
				t.Errorf("%s still has a safe fix after it was applied: %s", f.Code, f.Message)
			}
		}
	})
}

func TestOrderOfFilesDoesNotMatter(t *testing.T) {
	each(t, func(t *testing.T, c *check.Check, _ *check.Code, ex *checktest.Example) {
		first, err := ex.Bad.Run(t.Context(), c, known(), ex.Bad.Change(nil))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			change := ex.Bad.Change(nil)
			again, err := ex.Bad.Run(t.Context(), shuffled(c), known(), change)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(first, again); diff != "" {
				t.Fatalf("the same input gives two answers (-first +again):\n%s", diff)
			}
		}
	})
}

// shuffled is c as it looks when its files come in another order.
func shuffled(c *check.Check) *check.Check {
	if c.Run == nil {
		return c
	}
	copied := *c
	copied.Run = func(ctx context.Context, p *check.Pass) error {
		p.Files = slices.Clone(p.Files)
		rand.Shuffle(len(p.Files), func(i, j int) { p.Files[i], p.Files[j] = p.Files[j], p.Files[i] })
		p.Check = c
		return c.Run(ctx, p)
	}
	return &copied
}

var errUnreadable = errors.New("the object is broken")

// An unreadable file is an error, or it was not needed and the answer is the same: it is never silence.
func TestUnreadableInputIsAnError(t *testing.T) {
	each(t, func(t *testing.T, c *check.Check, _ *check.Code, ex *checktest.Example) {
		whole, err := ex.Bad.Run(t.Context(), c, known(), ex.Bad.Change(nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ex.Bad.Paths() {
			change := ex.Bad.Change(func(tree snapshot.Tree) snapshot.Tree { return memory.Broken(tree, p, errUnreadable) })
			got, err := ex.Bad.Run(t.Context(), c, known(), change)
			switch {
			case err == nil && !cmp.Equal(whole, got):
				t.Errorf("with %q unreadable the answer changes without an error: %q", p, checktest.Lines(got))
			case err != nil && !errors.Is(err, errUnreadable):
				t.Errorf("with %q unreadable the error is another one: %v", p, err)
			case err != nil && !strings.Contains(err.Error(), p):
				t.Errorf("the error does not name %q: %v", p, err)
			}
		}
	})
}
