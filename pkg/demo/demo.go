// Package demo shows what Forge does, on a sample repository in a folder of its own: it makes real commits through real
// git hooks, bad ones that must be refused and good ones that must be accepted, and fails when one of them is not.
package demo

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Git runs one git command in a repository. It returns what git printed on both streams and its exit code; err says that
// git could not be run at all.
type Git func(ctx context.Context, dir string, args ...string) (output string, exit int, err error)

// A Stage is what the demo works with.
type Stage struct {
	Dir     string // an empty folder; the demo writes only below it
	Out     io.Writer
	Git     Git
	Install func(ctx context.Context, dir string) error // installs the hooks in the repository at dir
	Write   func(path string, data []byte) error        // writes a file and makes its folders
}

// A scene is one thing that somebody does to the sample repository, and what has to come of it.
type scene struct {
	title   string
	explain string            // what it is about, for a reader who has never heard of it
	write   map[string]string // files and their new contents
	show    []string          // the command that is shown
	refused string            // the code that must be named; "" when the command has to succeed
}

// Run plays all scenes. It returns how many did not go as they should.
func Run(ctx context.Context, s Stage) (failures int, err error) {
	repo := filepath.Join(s.Dir, "sample")
	if err := s.prepare(ctx, repo); err != nil {
		return 0, err
	}
	for i, sc := range scenes() {
		ok, err := s.play(ctx, repo, i+1, sc)
		if err != nil {
			return failures, err
		}
		if !ok {
			failures++
		}
	}
	return failures, nil
}

func (s *Stage) prepare(ctx context.Context, repo string) error {
	if err := s.writeAll(repo, sample()); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"symbolic-ref", "HEAD", "refs/heads/main"},
		{"config", "user.name", "Sample"},
		{"config", "user.email", "sample@example.com"},
		{"config", "commit.gpgsign", "false"},
		{"config", "core.autocrlf", "false"},
		{"add", "--all"},
		{"commit", "--quiet", "--message", "The sample repository"},
		{"checkout", "--quiet", "-b", branch},
	} {
		if err := s.must(ctx, repo, args); err != nil {
			return err
		}
	}
	// The branch of somebody whose clone has no hooks.
	if err := s.writeAll(repo, rewritten()); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"commit", "--quiet", "--all", "--message", "Adjust the milk"},
		{"checkout", "--quiet", "main"},
	} {
		if err := s.must(ctx, repo, args); err != nil {
			return err
		}
	}
	if err := s.Install(ctx, repo); err != nil {
		return fmt.Errorf("could not install the hooks in the sample repository: %w", err)
	}
	_, err := fmt.Fprintf(s.Out, "A sample repository with a done list, a log, session notes, a claim about code and a rules snapshot; hooks installed by `forge-pre-commit install`.\n")
	return err
}

// play sets a scene, runs its command, prints both and reports whether the outcome is the one that was due.
func (s *Stage) play(ctx context.Context, repo string, n int, sc scene) (bool, error) {
	fmt.Fprintf(s.Out, "\n%d. %s\n   %s\n\n", n, sc.title, sc.explain)
	if err := s.writeAll(repo, sc.write); err != nil {
		return false, err
	}
	out, exit, err := s.Git(ctx, repo, sc.show...)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(s.Out, "   $ git %s\n", shellWords(sc.show))
	for _, line := range strings.Split(strings.TrimRight(out, "\n"), "\n") {
		fmt.Fprintf(s.Out, "   | %s\n", line)
	}
	ok := exit == 0
	word := "accepted"
	if exit != 0 {
		word = "refused"
	}
	if sc.refused != "" {
		ok = exit != 0 && strings.Contains(out, sc.refused)
	}
	if !ok {
		fmt.Fprintf(s.Out, "   => %s, and that is WRONG (git exited %d)\n", word, exit)
		return false, nil
	}
	fmt.Fprintf(s.Out, "   => %s, as it should be\n", word)
	// Whatever a refused command left in the index and on disk is put back for the next scene.
	if exit != 0 {
		return true, s.must(ctx, repo, []string{"reset", "--quiet", "--hard"})
	}
	return true, nil
}

func (s *Stage) must(ctx context.Context, repo string, args []string) error {
	out, exit, err := s.Git(ctx, repo, args...)
	if err != nil {
		return err
	}
	if exit != 0 {
		return fmt.Errorf("could not run `git %s` in the sample repository: exit %d: %s", shellWords(args), exit, strings.TrimSpace(out))
	}
	return nil
}

func (s *Stage) writeAll(repo string, files map[string]string) error {
	for name, content := range files {
		if err := s.Write(filepath.Join(repo, filepath.FromSlash(name)), []byte(content)); err != nil {
			return fmt.Errorf("could not write the sample: %w", err)
		}
	}
	return nil
}

func shellWords(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		if strings.ContainsAny(a, " \t'\"") {
			a = "'" + a + "'"
		}
		words[i] = a
	}
	return strings.Join(words, " ")
}
