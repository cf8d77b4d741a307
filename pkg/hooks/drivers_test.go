package hooks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// gitSettings asks a real git.
type gitSettings struct{ *repo }

func (s gitSettings) AttributesFile(context.Context) (string, error) {
	return s.path(".git/info/attributes"), nil
}

func (s gitSettings) SetConfig(_ context.Context, key, value string) error {
	s.git("config", "--local", key, value)
	return nil
}

func (s gitSettings) UnsetConfig(_ context.Context, key string) (bool, error) {
	_, _, exit := s.try("config", "--local", "--unset-all", key)
	return exit == 0, nil
}

func someDrivers() []Driver {
	return []Driver{{"forge-changelog", "join changelogs", "cmd1 %A"}, {"forge-log", "join logs", "cmd2 %A"}, {"forge-list", "never used", "cmd3"}}
}

func somePatterns() []MergePattern {
	return []MergePattern{{"**/*.wal", "forge-log"}, {"docs/log.json", "forge-changelog"}, {`"a b.wal"`, ""}}
}

func TestDriversComeAndGo(t *testing.T) {
	for name, before := range map[string]string{"no file": "-", "empty": "", "lines": "*.png binary\n", "no final line end": "*.png binary", "CRLF": "*.png binary\r\n", "own merge": "*.wal merge=union\n"} {
		t.Run(name, func(t *testing.T) {
			ctx, r := context.Background(), newRepo(t)
			s, k := gitSettings{r}, &Keeper{Files: disk{}}
			path := r.path(".git/info/attributes")
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if before != "-" {
				mkdir(t, filepath.Dir(path))
				if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for i, want := range []Action{Installed, Unchanged} {
				c, err := k.InstallDrivers(ctx, s, someDrivers(), somePatterns())
				if err != nil || c.Action != want {
					t.Fatalf("install %d: %+v, %v", i, c, err)
				}
			}
			out, _, _ := r.try("check-attr", "merge", "x/y.wal", "docs/log.json", "a b.wal", "x.txt")
			want := "x/y.wal: merge: forge-log\ndocs/log.json: merge: forge-changelog\na b.wal: merge: unspecified\nx.txt: merge: unspecified\n"
			if out != want {
				t.Errorf("attributes:\n%s", out)
			}
			if got, _, _ := r.try("config", "merge.forge-log.driver"); strings.TrimSpace(got) != "cmd2 %A" {
				t.Errorf("driver %q", got)
			}
			if got, _, exit := r.try("config", "merge.forge-list.driver"); exit == 0 {
				t.Errorf("a driver without files is set: %q", got)
			}
			if c, err := k.InstallDrivers(ctx, s, someDrivers(), somePatterns()[:1]); err != nil || c.Action != Updated {
				t.Fatalf("fewer: %+v, %v", c, err)
			}
			c, err := k.UninstallDrivers(ctx, s)
			if err != nil || c.Action != Removed {
				t.Fatalf("uninstall: %+v, %v", c, err)
			}
			after, err := os.ReadFile(path)
			switch {
			case before == "-" || before == "":
				if !errors.Is(err, os.ErrNotExist) {
					t.Errorf("left: %q, %v", after, err)
				}
			case err != nil || string(after) != before:
				t.Errorf("after uninstall %q, %v, want %q", after, err, before)
			}
			if out, _, _ := r.try("config", "--get-regexp", "^merge"); out != "" {
				t.Errorf("settings left: %s", out)
			}
			if c, err := k.UninstallDrivers(ctx, s); err != nil || c.Action != "" {
				t.Errorf("uninstall again: %+v, %v", c, err)
			}
		})
	}
}

func TestAnEditedBlockLosesNoLineOfTheUser(t *testing.T) {
	src := "a text\n" + attributesBegin + "\nx merge=forge-log\nmine -diff\ny merge=forge-log\n" + attributesEnd + "\nb text\n"
	rest, found := cutBlock([]byte(src))
	if !found || string(rest) != "a text\nmine -diff\ny merge=forge-log\n"+attributesEnd+"\nb text\n" {
		t.Errorf("%v %q", found, rest)
	}
	rest, found = cutBlock([]byte("a text\n" + attributesBegin + "\nx merge=forge-log\n"))
	if !found || string(rest) != "a text\n" {
		t.Errorf("%v %q", found, rest)
	}
}

func TestLawTheBlockComesOutAsItWentIn(t *testing.T) {
	line := rapid.SampledFrom([]string{"*.png binary", "", "# note", "*.wal merge=union", "a !merge", "é text\r"})
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Join(rapid.SliceOfN(line, 0, 5).Draw(t, "lines"), "\n")
		if rest, found := cutBlock([]byte(before)); found || string(rest) != before {
			t.Fatalf("without a block: %v %q", found, rest)
		}
		with := withBlock([]byte(before), somePatterns())
		rest, found := cutBlock(with)
		if !found || string(rest) != before {
			t.Fatalf("%q becomes %q", before, rest)
		}
		if again := withBlock(rest, somePatterns()); string(again) != string(with) {
			t.Fatalf("%q and %q", with, again)
		}
	})
}
