package shapes

import (
	"fmt"
	"strings"
)

// Stories returns the shapes of the suite: what a reader of a plain repository has to get right.
func Stories() []Story {
	module := strings.Repeat("1", 40)
	base := Files{
		"README.md": Text("# Ghi chép\n"), "docs/a.md": Text("a\n"), "docs/deep/er/b.md": Text("b\n"),
		"run.sh": Script("#!/bin/sh\n"), "link": Link("docs/a.md"), "vendor/lib": Module(module), "empty": Text(""),
	}
	return []Story{
		{Name: "unborn"},
		{Name: "unborn with staged files", Staged: base},
		{Name: "nothing staged", Commits: Line(base), Staged: base},
		{Name: "everything removed", Commits: Line(base), Staged: Files{}},
		{Name: "empty commit", Commits: Line(Files{}, base, base), Staged: base},
		{Name: "one edit", Commits: Line(base, base.Plus(Files{"docs/a.md": Text("A\n")})),
			Staged: base.Plus(Files{"docs/a.md": Text("A\nb\n")})},
		{Name: "modes and types", Commits: Line(base, base.Plus(Files{"README.md": Script("# Ghi chép\n"), "link": Text("docs/a.md")})),
			Staged: base.Plus(Files{"run.sh": Link("/etc/passwd"), "README.md": Module(module), "vendor/lib": Text("no module\n")})},
		{Name: "submodule moves", Commits: Line(base), Staged: base.Plus(Files{"vendor/lib": Module(strings.Repeat("2", 40))})},
		{Name: "a file becomes a folder and back", Commits: Line(base,
			base.Plus(Files{"docs/a.md": Gone, "docs/a.md/inside": Text("1\n")}), base),
			Staged: base.Plus(Files{"docs/a.md": Gone, "docs/deep/er/b.md": Gone, "docs/deep": Text("flat\n"), "docs/a.md/x/y": Text("y\n")})},
		{Name: "order of folders and files", Commits: Line(Files{"a": Text("1"), "a.b": Text("2"), "a-b": Text("3")}),
			Staged: Files{"a.b": Text("2"), "a/b": Text("4"), "a-b": Text("3"), "a0": Text("5"), "a/b.c": Text("6")}},
		renames(), names(), contents(), merges(), crisscross(), branches(), large(), wide(),
	}
}

func renames() Story {
	before := Files{
		"a/same.md": Text("same\n"), "b/same.md": Text("same\n"), "c/other.md": Text("same\n"),
		"x.md": Text("x\n"), "kept.md": Text("kept\n"), "Case.md": Text("case\n"), "exec": Text("mode\n"), "link": Link("x.md"),
	}
	after := Files{
		"d/same.md": Text("same\n"), "e/third.md": Text("same\n"), "c/other.md": Text("same\n"),
		"y.md": Text("x\n"), "copy.md": Text("kept\n"), "kept.md": Text("kept\n"), "case.md": Text("case\n"), "exec2": Script("mode\n"),
		"text": Text("x.md"),
	}
	return Story{Name: "renames", Commits: Line(before, after, before), Staged: after}
}

// names ends with a path of 4,000 bytes.
func names() Story {
	f := Files{}
	for _, n := range []string{
		"with space", " lead", "trail ", "-rf", "--help", "tab\tx", "new\nline", `quo"te`, `back\slash`, "*", "[a]", "a?", "!x", ":(top)x", ":x",
		"#hash", "~", "$(x)", "`x`", "é", "e\u0301", "\xe9", "\xff\xfe", "ĐƯỜNG/ô.md", "FOLD", "fold", "con", "nul.txt", "a;b", "a&b", "%41", "\x01\x7f",
		"a:b", "...", "..x/y", ".x/..y", strings.Repeat("n", 255), strings.TrimSuffix(strings.Repeat(strings.Repeat("p", 199)+"/", 20), "/")[:3994],
	} {
		f["names/"+n] = Text(n + "\n")
	}
	changed := Files{}
	for path := range f {
		changed[path] = Text("changed\n" + path)
	}
	return Story{Name: "names", Commits: Line(f, changed), Staged: f}
}

func contents() Story {
	f := Files{
		"crlf": Text("a\r\nb\r\n"), "cr": Text("a\rb\r"), "mixed": Text("a\nb\r\nc\r"), "bom": Text("\xef\xbb\xbfa\n"),
		"utf16": Text("\xff\xfea\x00\n\x00"), "no-newline": Text("a"), "nul": Text("\x00\x00"), "newline": Text("\n"), "empty": Text(""),
		"lfs":    Text("version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("a", 64) + "\nsize 12345\n"),
		"header": Text("4b825dc642cb6eb9a060e54bf8d69288fbee4904 missing\n"), "escape": Text("\x1b[31mred\x1b[0m\n"),
		".gitattributes": Text("* -text\n*.md -diff\nlfs filter=lfs\nutf16 working-tree-encoding=UTF-16LE\n"),
	}
	staged := Files{}
	for path, file := range f {
		file.Data += "more\n"
		staged[path] = file
	}
	return Story{Name: "contents", Commits: Line(f), Staged: staged}
}

// merges holds a plain merge, an octopus, and a merge that makes a fault of its own.
func merges() Story {
	base := Files{"log": Text("1\n"), "moved": Text("m\n"), "gone": Text("g\n")}
	ours := base.Plus(Files{"log": Text("1\n2\n"), "moved": Gone, "there": Text("m\n")})
	theirs := base.Plus(Files{"theirs": Text("t\n"), "gone": Gone})
	third := base.Plus(Files{"third": Text("3\n")})
	merged := Files{"log": Text("1\n2\n"), "there": Text("m\n"), "theirs": Text("t\n")}
	all := merged.Plus(Files{"third": Text("3\n")})
	return Story{Name: "merges", Commits: []Commit{
		{Files: base, Message: "base"},
		{Parents: []int{0}, Files: ours, Message: "ours\n\nwith a body\n"},
		{Parents: []int{0}, Files: theirs, Message: "theirs"},
		{Parents: []int{0}, Files: third, Message: "third"},
		{Parents: []int{1, 2}, Files: merged, Message: "merge"},
		{Parents: []int{4, 2, 3}, Files: all, Message: "octopus"},
		{Parents: []int{5, 1}, Files: all.Plus(Files{"log": Text("2\n"), "evil": Text("e\n")}), Message: "evil"},
	}, Staged: all}
}

func crisscross() Story {
	f := func(s string) Files { return Files{"log": Text(s)} }
	return Story{Name: "criss-cross", Commits: []Commit{
		{Files: f("0\n"), Message: "base"},
		{Parents: []int{0}, Files: f("0\na\n"), Message: "a"},
		{Parents: []int{0}, Files: f("0\nb\n"), Message: "b"},
		{Parents: []int{1, 2}, Files: f("0\na\nb\n"), Message: "ab"},
		{Parents: []int{2, 1}, Files: f("0\nb\na\n"), Message: "ba"},
		{Parents: []int{3, 4}, Files: f("0\na\nb\na\n"), Message: "both"},
	}, Staged: f("0\na\nb\na\nc\n")}
}

// branches has a second root, and a range with a fault and its repair.
func branches() Story {
	good, bad := Files{"log": Text("1\n2\n")}, Files{"log": Text("2\n")}
	return Story{Name: "second root", Commits: []Commit{
		{Files: good, Message: "root"},
		{Parents: []int{0}, Files: bad, Message: "fault"},
		{Parents: []int{1}, Files: good, Message: "repair"},
		{Files: Files{"other": Text("o\n")}, Message: "other root"},
		{Parents: []int{2, 3}, Files: good.Plus(Files{"other": Text("o\n")}), Message: "join"},
	}, Staged: good}
}

func large() Story {
	long := strings.Repeat("x", 3<<20)
	f := Files{"line": Text(long), "small": Text("s\n"), "big/one": Text(strings.Repeat("0123456789abcde\n", 100_000)), "big/two": Text("2")}
	return Story{Name: "large", Commits: Line(f, f.Plus(Files{"line": Text(long + "y")})), Staged: f.Plus(Files{"line": Text("y" + long)})}
}

// wide has more folders than anybody wants to ask for one by one.
func wide() Story {
	f := Files{}
	for i := range 300 {
		f[fmt.Sprintf("in/%d/é\n/%d", i%150, i)] = Text("w\n")
	}
	return Story{Name: "wide", Commits: Line(f), Staged: f.Plus(Files{"in/7/é\n/7": Gone, "in/9/new": Text("n\n"), "in/300": Text("n\n")})}
}
