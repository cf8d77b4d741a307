package drift_test

import (
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/parsertest"
)

const sluice = `def raise_gate(gate, metres):
    if metres > gate.height:
        raise TooFar(metres)
    gate.level = metres


def close(gate):
    gate.level = 0
    gate.bolt()
`

// TestFollow takes code away from where an anchor says that it is.
func TestFollow(t *testing.T) {
	raise, shut, ok := strings.Cut(sluice, "\n\n\n")
	if !ok {
		t.Fatal("the text has two definitions")
	}
	raise, shut = raise+"\n", shut+""
	gone := files{"sluice.py": ""}
	left := files{"sluice.py": shut}
	renamed := func(s string) string { return edit(t, s, "raise_gate", "lift") }
	cases := []struct {
		name, anchor string
		base, now    files
		renames      map[string]string // what git says beyond equal contents
		want         string
	}{
		{"a file, with a symbol", "sluice.py#close", nil, gone.and(files{"lock/sluice.py": sluice}), nil, "fresh -> lock/sluice.py#close"},
		{"a file", "sluice.py", nil, gone.and(files{"lock/sluice.py": sluice}), nil, "fresh -> lock/sluice.py"},
		{"a file, reformatted", "sluice.py", nil, gone.and(files{"lock/sluice.py": "# Gates\n" + sluice}), nil, "fresh -> lock/sluice.py"},
		{"a file and an edit", "sluice.py#close", nil, gone.and(files{"lock.py": edit(t, sluice, "level = 0", "level = 1")}), map[string]string{"sluice.py": "lock.py"}, "stale body: 0 became 1 -> lock.py#close"},
		{"a file and an edit of the neighbour", "sluice.py#close", nil, gone.and(files{"lock.py": edit(t, sluice, "> gate", ">= gate")}), map[string]string{"sluice.py": "lock.py"}, "fresh -> lock.py#close"},
		{"a file and an edit, as a whole", "sluice.py", nil, gone.and(files{"lock.py": edit(t, sluice, "level = 0", "level = 1")}), map[string]string{"sluice.py": "lock.py"}, "stale file: 0 became 1 -> lock.py"},
		{"a file to another language", "sluice.py#close", nil, gone.and(files{"sluice.txt": sluice}), map[string]string{"sluice.py": "sluice.txt"}, "fresh -> sluice.txt#close, coarse"},
		{"a file without grammar", "log", files{"log": "a\nb\n"}, files{"log": "", "old/log": "a\nb\n"}, nil, "fresh -> old/log"},
		{"a definition", "sluice.py#raise_gate", nil, left.and(files{"gate.py": raise}), nil, "fresh -> gate.py#raise_gate"},
		{"a definition and the rest", "sluice.py#raise_gate", nil, gone.and(files{"gate.py": raise, "rest.py": shut}), nil, "fresh -> gate.py#raise_gate"},
		{"a definition into a file that was there", "sluice.py#raise_gate", files{"gate.py": "G = 1\n"}, left.and(files{"gate.py": "G = 1\n\n\n" + raise}), nil, "fresh -> gate.py#raise_gate"},
		{"a definition, reformatted", "sluice.py#raise_gate", nil, left.and(files{"gate.py": "# Up\n" + raise}), nil, "fresh -> gate.py#raise_gate"},
		{"a definition and an edit", "sluice.py#raise_gate", nil, left.and(files{"gate.py": edit(t, raise, ">", ">=")}), nil, "missing symbol"},
		{"a definition into a type", "sluice.py#close", nil, files{"sluice.py": raise}.and(files{"gate.py": "class Gate:\n" + indent(shut)}), nil, "fresh -> gate.py#Gate.close"},
		{"two places", "sluice.py#raise_gate", nil, left.and(files{"gate.py": raise, "weir.py": raise}), nil, "missing symbol in gate.py#raise_gate or weir.py#raise_gate"},
		{"two files", "sluice.py", nil, gone.and(files{"a.py": "# a\n" + sluice, "b.py": "# b\n" + sluice}), nil, "missing path in a.py or b.py"},
		{"a copy that was there before", "sluice.py#raise_gate", files{"gate.py": raise}, left, nil, "missing symbol"},
		{"a copy that was there before, touched", "sluice.py#raise_gate", files{"gate.py": raise}, left.and(files{"gate.py": "# Up\n" + raise}), nil, "missing symbol"},
		{"a copy of the file that was there before, touched", "sluice.py", files{"gate.py": sluice}, gone.and(files{"gate.py": "# Up\n" + sluice}), nil, "missing path"},
		{"a copy that moved by itself", "sluice.py#raise_gate", files{"gate.py": raise + "G = 1\n"}, left.and(files{"gate.py": "", "weir.py": raise + "G = 1\n"}), nil, "missing symbol"},
		{"another language", "sluice.py#raise_gate", nil, left.and(files{"gate.pyi": raise}), nil, "missing symbol"},
		{"a new name", "sluice.py#raise_gate", nil, files{"sluice.py": renamed(sluice)}, nil, "fresh -> sluice.py#lift"},
		{"a new name elsewhere", "sluice.py#raise_gate", nil, left.and(files{"gate.py": renamed(raise)}), nil, "fresh -> gate.py#lift"},
		{"a new name in a file that moved", "sluice.py#raise_gate", nil, gone.and(files{"lock.py": renamed(sluice)}), map[string]string{"sluice.py": "lock.py"}, "fresh -> lock.py#lift"},
		{"a new name and an edit", "sluice.py#raise_gate", nil, files{"sluice.py": edit(t, renamed(sluice), ">", ">=")}, nil, "missing symbol"},
		{"a new name and another signature", "sluice.py#f", files{"sluice.py": "@audited\ndef f(limit=10):\n    return limit > 3\n"}, files{"sluice.py": "def g(limit=99):\n    return limit > 3\n"}, nil, "stale signature: @ audited is gone, f became g, 10 became 99 -> sluice.py#g"},
		{"a small body of something else", "sluice.py#is_admin", files{"sluice.py": "def is_admin(user):\n    return True\n"}, files{"sluice.py": "A = 1\n", "ui.py": "def has_icon(shape):\n    return True\n"}, nil, "stale signature: is_admin became has_icon, user became shape -> ui.py#has_icon"},
		{"a file of the same family", "a.ts#f", files{"a.ts": "export function f() { return 1 }\nlet b = 2\n"}, files{"a.ts": "let b = 2\n", "c.tsx": "export function f() { return 1 }\n"}, nil, "fresh -> c.tsx#f"},
		{"two new names", "sluice.py#raise_gate", nil, files{"sluice.py": renamed(sluice) + "\n\n" + edit(t, raise, "raise_gate", "hoist")}, nil, "missing symbol in sluice.py#lift or sluice.py#hoist"},
		{"a body that stood there under another name", "sluice.py#raise_gate", files{"sluice.py": sluice + "\n\n" + renamed(raise)}, files{"sluice.py": shut + "\n\n" + renamed(raise)}, nil, "missing symbol"},
		{"such a body in a file that moved", "sluice.py#raise_gate", files{"sluice.py": sluice + "\n\n" + renamed(raise)}, gone.and(files{"lock.py": shut + "\n\n" + renamed(raise)}), map[string]string{"sluice.py": "lock.py"}, "missing path"},
		{"such a body that moved", "sluice.py#raise_gate", files{"gate.py": renamed(raise) + "G = 1\n"}, left.and(files{"gate.py": "G = 1\n", "weir.py": renamed(raise)}), nil, "missing symbol"},
		{"the old name wins", "sluice.py#raise_gate", nil, left.and(files{"gate.py": raise, "weir.py": renamed(raise)}), nil, "fresh -> gate.py#raise_gate"},
		{"git's rename wins", "sluice.py#close", nil, gone.and(files{"a.py": edit(t, sluice, "level = 0", "level = 1"), "b.py": shut}), map[string]string{"sluice.py": "a.py"}, "stale body: 0 became 1 -> a.py#close"},
		{"the documentation of what moved", "sluice.py#f", files{"sluice.py": "def f():\n    \"\"\"One.\"\"\"\n    return 1\n"}, files{"sluice.py": "A = 1\n", "b.py": "def f():\n    \"\"\"Two.\"\"\"\n    return 1\n"}, nil, "fresh -> b.py#f, doc changed"},
		{"an exported definition", "a.js#f", files{"a.js": "export default function f() { return 1 }\n"}, files{"a.js": "let a = 1\n", "b.js": "export default function f() { return 1 }\n"}, nil, "fresh -> b.js#f"},
		{"a folder", "lock/", files{"lock/a.py": raise, "lock/b/c.txt": "c\n"}, files{"lock/a.py": "", "lock/b/c.txt": "", "dock/lock/a.py": raise, "dock/lock/b/c.txt": "c\n"}, nil, "fresh -> dock/lock/"},
		{"a folder and an edit", "lock/", files{"lock/a.py": raise, "lock/b/c.txt": "c\n"}, files{"lock/a.py": "", "lock/b/c.txt": "", "dock/a.py": edit(t, raise, ">", ">="), "dock/b/c.txt": "c\n"}, map[string]string{"lock/a.py": "dock/a.py", "lock/b/c.txt": "dock/b/c.txt"}, "stale directory: a.py changed -> dock/"},
		{"a folder into one that has files", "lock/", files{"lock/a.py": raise, "dock/d.py": "D = 1\n"}, files{"lock/a.py": "", "dock/a.py": raise}, nil, "stale directory: d.py is new -> dock/"},
		{"a folder to two places", "lock/", files{"lock/a.py": raise, "lock/b.py": shut}, files{"lock/a.py": "", "lock/b.py": "", "dock/a.py": raise, "pier/b.py": shut}, nil, "missing path"},
		{"a folder of which a part is gone", "lock/", files{"lock/a.py": raise, "lock/b.py": shut}, files{"lock/a.py": "", "lock/b.py": "", "dock/a.py": raise}, nil, "missing path"},
		{"a folder whose files have other names", "lock/", files{"lock/a.py": raise}, files{"lock/a.py": "", "dock/b.py": raise}, nil, "missing path"},
		{"a pattern", "lock/*.py", files{"lock/a.py": raise}, files{"lock/a.py": "", "dock/a.py": raise}, nil, "missing path"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := files{"sluice.py": sluice}.with(c.base).with(files{store: claims([]string{c.anchor})})
			p := history(plain(before)...)
			if c.renames != nil {
				p.renames = c.renames
			}
			_, results := judge(t, parsertest.Engine(), p.staged(plain(before.with(c.now))[0]))
			if got := lines(results); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n    ") + "\n"
}

// TestFollowWithoutBaseline moves code whose baseline cannot be read: what stood there a commit ago tells where it went, and
// is no baseline.
func TestFollowWithoutBaseline(t *testing.T) {
	whole := func(src, symbol string) string {
		f, err := parsertest.Engine().File(t.Context(), "sluice.py", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if symbol == "" {
			return f.Digest.Whole
		}
		d, err := f.Resolve(symbol)
		if err != nil {
			t.Fatal(err)
		}
		return d.Digest.Whole
	}
	lost := "@" + strings.Repeat("ab", 20)
	older := edit(t, sluice, "level = 0", "level = 9")
	raise, shut, _ := strings.Cut(sluice, "\n\n\n")
	raise += "\n"
	cases := []struct {
		name, anchor string
		head, now    files
		want         string
	}{
		{"no digest", "sluice.py#close" + lost, files{"sluice.py": sluice}, files{"sluice.py": "", "lock.py": sluice}, "unverifiable -> lock.py#close"},
		{"no digest, a folder", "g/" + lost, files{"g/sluice.py": sluice}, files{"g/sluice.py": "", "h/sluice.py": sluice}, "unverifiable -> h/"},
		{"no digest and gone for long", "sluice.py#close" + lost, nil, files{"lock.py": sluice}, "missing path"},
		{"the digest is that of the last commit", "sluice.py#close" + lost + ":" + whole(sluice, "close"), files{"sluice.py": sluice}, files{"sluice.py": "", "lock.py": sluice}, "fresh -> lock.py#close"},
		{"the code was stale before it moved", "sluice.py#close" + lost + ":" + whole(older, "close"), files{"sluice.py": sluice}, files{"sluice.py": "", "lock.py": sluice}, "stale body -> lock.py#close"},
		{"the file was", "sluice.py" + lost + ":" + whole(older, ""), files{"sluice.py": sluice}, files{"sluice.py": "", "lock.py": sluice}, "stale file -> lock.py"},
		{"the definition was", "sluice.py#close" + lost + ":" + whole(older, "close"), files{"sluice.py": sluice}, files{"sluice.py": raise, "lock.py": shut}, "stale body -> lock.py#close"},
		{"the definition goes back to what it was and moves", "sluice.py#close" + lost + ":" + whole(older, "close"), files{"sluice.py": sluice}, files{"sluice.py": raise, "lock.py": edit(t, shut, "level = 0", "level = 9")}, "fresh -> lock.py#close"},
		{"found by digest alone", "sluice.py#close" + lost + ":" + whole(sluice, "close"), nil, files{"lock.py": sluice}, "fresh -> lock.py#close"},
		{"found by digest alone where it went long ago", "sluice.py#close" + lost + ":" + whole(sluice, "close"), files{"lock.py": sluice}, nil, "fresh -> lock.py#close"},
		{"a file found by digest alone", "sluice.py" + lost + ":" + whole(sluice, ""), nil, files{"lock.py": sluice}, "fresh -> lock.py"},
		{"found twice by digest alone", "sluice.py#close" + lost + ":" + whole(sluice, "close"), nil, files{"lock.py": sluice, "weir.py": shut}, "missing path in lock.py#close or weir.py#close"},
		{"a new name", "sluice.py#close" + lost + ":" + whole(sluice, "close"), files{"sluice.py": sluice}, files{"sluice.py": edit(t, sluice, "close", "shut")}, "fresh -> sluice.py#shut"},
		{"a new name of what was stale", "sluice.py#close" + lost + ":" + whole(older, "close"), files{"sluice.py": sluice}, files{"sluice.py": edit(t, sluice, "close", "shut")}, "stale body -> sluice.py#shut"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			head := files{"x.py": "X = 1\n", store: claims([]string{c.anchor})}.with(c.head)
			p := history(plain(head)...)
			_, results := judge(t, parsertest.Engine(), p.staged(plain(head.with(c.now))[0]))
			if got := lines(results); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
	t.Run("cut", func(t *testing.T) {
		head := files{"sluice.py": sluice, store: claims([]string{"sluice.py#close"})}
		p := history(plain(head)...)
		p.cut = true
		_, results := judge(t, parsertest.Engine(), p.staged(plain(head.with(files{"sluice.py": "", "lock.py": sluice}))[0]))
		if got := lines(results); got != "unverifiable -> lock.py#close" || !strings.Contains(results[0].Reason, "--unshallow") {
			t.Errorf("got %s: %s", got, results[0].Reason)
		}
	})
	t.Run("as new as the claim", func(t *testing.T) {
		// The claim's text changes in the change that moves the code, and its anchor is forgotten.
		head := files{"sluice.py": sluice, store: claims([]string{"sluice.py#close"})}
		text := edit(t, head[store], "It is so.", "So it is.")
		p := history(plain(head)...)
		for moved, want := range map[string]string{
			sluice: "fresh -> lock.py#close",
			edit(t, sluice, "level = 0", "level = 9"): "stale body: 0 became 9 -> lock.py#close",
		} {
			p.renames = map[string]string{"sluice.py": "lock.py"}
			_, results := judge(t, parsertest.Engine(), p.staged(plain(head.with(files{store: text, "sluice.py": "", "lock.py": moved}))[0]))
			if got := lines(results); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
	})
	t.Run("an older commit", func(t *testing.T) {
		// The baseline is two commits old; the file moved in the first of them and was edited in the second.
		anchor := claims([]string{"sluice.py#close"})
		first := files{"sluice.py": sluice, store: anchor}
		p := history(plain(first, first.with(files{"sluice.py": "", "lock.py": sluice}))...)
		p.renames = map[string]string{"sluice.py": "lock.py"}
		_, results := judge(t, parsertest.Engine(), p.staged(plain(files{"lock.py": older, store: anchor})[0]))
		if got := lines(results); got != "stale body: 0 became 9 -> lock.py#close" || results[0].Baseline != p.id(0) {
			t.Errorf("got %s since %s", got, results[0].Baseline)
		}
	})
}
