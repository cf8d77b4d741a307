package hooks

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hostile are paths that a shell would make something else of.
var hostile = []string{"/a/b", "/with space/p", "/it's/p", `/"x"/p`, "/$HOME/`id`/p", `/back\slash/p`, "/line\nbreak/p", "/tail '", "/*/p", "/\x80\xff/p", "/;exit 0;/p"}

func TestScriptsKeepTheHouseRules(t *testing.T) {
	for _, name := range Names() {
		for _, prog := range hostile {
			for _, command := range []string{"", chain(name, nil), chain(name, []byte("#!/bin/sh -e\nbasename $0"))} {
				data, err := render(name, prog, command)
				if err != nil {
					t.Fatal(err)
				}
				s := string(data)
				if !strings.HasPrefix(s, "#!/bin/sh\n"+marker+name+" sha256:") || !strings.HasSuffix(s, "\n") {
					t.Errorf("%s begins or ends in another way:\n%s", name, s)
				}
				if n := strings.Count(s, "\n"); n > 15 {
					t.Errorf("%s has %d lines", name, n)
				}
				if strings.Contains(s, "no-verify") || strings.Contains(s, "HUSKY") {
					t.Errorf("%s names a way around itself", name)
				}
				if out, err := exec.Command("sh", "-n", "-c", s).CombinedOutput(); err != nil {
					t.Errorf("%s is no script of a POSIX shell: %v %s", name, err, out)
				}
			}
		}
	}
	if _, err := render("post-commit", "/p", ""); err == nil {
		t.Error("a script was rendered for a hook that does not exist")
	}
}

func TestParseReadsWhatRenderWrote(t *testing.T) {
	for _, name := range Names() {
		for _, prog := range hostile {
			for _, command := range []string{"", chain(name, nil)} {
				data, err := render(name, prog, command)
				if err != nil {
					t.Fatal(err)
				}
				want := written{name: name, intact: true, program: prog, chained: command != ""}
				if name == "prepare-commit-msg" {
					want.program = ""
				}
				if got, ok := parse(data); !ok || got != want {
					t.Errorf("parse(render(%q, %q, %q)) = %+v, %v", name, prog, command, got, ok)
				}
			}
		}
	}
}

func TestParseNoticesEveryChange(t *testing.T) {
	data, err := render("pre-push", "/opt/forge-pre-commit", chain("pre-push", nil))
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		for _, flip := range []byte{1, 0x20, 0x80} {
			changed := append([]byte(nil), data...)
			changed[i] ^= flip
			if w, ok := parse(changed); ok && w.intact && w.name == "pre-push" {
				t.Fatalf("byte %d may be %q", i, changed[i])
			}
		}
		short := append(append([]byte(nil), data[:i]...), data[i+1:]...)
		if w, ok := parse(short); ok && w.intact && w.name == "pre-push" {
			t.Fatalf("byte %d may be missing", i)
		}
	}
	if w, ok := parse(append(data, '\n')); ok && w.intact {
		t.Error("a line may be added")
	}
}

func TestQuoteIsOneWord(t *testing.T) {
	for _, s := range append(hostile, "", "'", "''", `\'`) {
		out, err := exec.Command("sh", "-c", "printf %s "+quote(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("sh reads %s as %q, %v", quote(s), out, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, rest := rapid.String().Draw(t, "s"), rapid.StringMatching("(\n.*)?").Draw(t, "rest")
		word, after, ok := unquote(quote(s) + rest)
		if !ok || word != s || after != rest {
			t.Fatalf("unquote(quote(%q)+%q) = %q, %q, %v", s, rest, word, after, ok)
		}
	})
}

func TestChain(t *testing.T) {
	const run, source = `"${0%/*}/pre-push.forge-kept" "$@"`, `%s -c '. "${0%%/*}/pre-push.forge-kept"' "$0" "$@"`
	for _, c := range []struct{ script, shell string }{
		{"", ""},
		{"#!/bin/sh\nmake test\n", ""},
		{"#!/bin/sh\ncd \"$(dirname \"$0\")\"\n", ""},
		{"#!/bin/sh\n. \"$(dirname -- \"$0\")/_/husky.sh\"\nnpm test\n", ""},
		{"#!/bin/sh\nexec \"$(basename \"$0\")\"\n", "/bin/sh"},
		{"#! /bin/sh -e\nrun-parts \"$0.d\"\n", "/bin/sh -e"},
		{"#!/usr/bin/env bash\nhook=${0##*/}\n", "/usr/bin/env bash"},
		{"#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"", "/usr/bin/env sh"},
		{"#!/usr/bin/env python3\nos.path.basename(argv) # $0", ""},
		{"#!/usr/bin/env -S bash -e\nbasename $0", ""},
		{"#!/usr/bin/env\nbasename $0", ""},
		{"#!/bin/sh -c 'x'\nbasename $0", ""},
		{"#!/tmp/$(id)/sh\nbasename $0", ""},
		{"#!\nbasename $0", ""},
		{"basename $0", ""},
		{"#!/bin/zsh\nbasename $0", ""},
	} {
		want := run
		if c.shell != "" {
			want = fmt.Sprintf(source, c.shell)
		}
		if got := chain("pre-push", []byte(c.script)); got != want {
			t.Errorf("chain of %q is %s, want %s", c.script, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		data, err := render(name, "/p'q", chain(name, nil))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("#!/bin/sh\n# forge-hook: "))
	f.Add([]byte("\n# forge-hook: x sha256:\nprogram='"))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, ok := parse(data)
		if !ok && w != (written{}) {
			t.Fatalf("a script that is not ours has %+v", w)
		}
		if w.intact && !strings.Contains(string(data), sum(strings.Replace(string(data), " "+mark(data), "", 1))) {
			t.Fatalf("%q counts as intact", data)
		}
	})
}

// mark returns what follows the name on the second line.
func mark(data []byte) string {
	_, rest, _ := strings.Cut(string(data), "\n")
	line, _, _ := strings.Cut(rest, "\n")
	_, m, _ := strings.Cut(strings.TrimPrefix(line, marker), " ")
	return m
}

func TestParseVersion(t *testing.T) {
	for in, want := range map[string]string{
		"git version 2.39.5\n": "2.39", "git version 2.50.1 (Apple Git-155)": "2.50", "git version 2.47.1.windows.2": "2.47",
		"git version 3.0.0-rc1": "3.0", "git version 2": "", "git version x.y": "", "": "", "git version 2.": "",
	} {
		v, ok := parseVersion(in)
		if got := v.String(); ok != (want != "") || ok && got != want {
			t.Errorf("parseVersion(%q) = %s, %v", in, got, ok)
		}
	}
	if len(missing(Version{2, 39})) == 0 || len(missing(Version{3, 0})) != 0 {
		t.Error("an old git lacks something and a new one lacks nothing")
	}
}
