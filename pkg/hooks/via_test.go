package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// viaRepo has hooks and one commit.
func viaRepo(t *testing.T) *repo {
	r := newRepo(t)
	r.commit("base")
	r.install(r.program(filepath.Join(r.home, "forge-pre-commit")))
	return r
}

// trailers returns the values of the Forge-Via trailers of HEAD as git reads them.
func (r *repo) trailers() string {
	return strings.TrimSpace(r.git("log", "-1", "--format=%(trailers:key=Forge-Via,valueonly,separator=%x2C)"))
}

func TestViaBecomesTrailers(t *testing.T) {
	for _, c := range []struct{ name, via, message, want string }{
		{"unset", "", "One", "One\n"},
		{"blank", " , ", "One", "One\n"},
		{"empty names", ",,/end,, ,", "One", "One\n\nForge-Via: /end\n"},
		{"one", "/end", "One", "One\n\nForge-Via: /end\n"},
		{"several", "/end, /para-rule /kết-thúc,/end", "One", "One\n\nForge-Via: /end\nForge-Via: /para-rule\nForge-Via: /kết-thúc\n"},
		{"a subject like a trailer", "/end", "fix: one", "fix: one\n\nForge-Via: /end\n"},
		{"with a body", "/end", "One\n\nTwo: three\nfour.", "One\n\nTwo: three\nfour.\n\nForge-Via: /end\n"},
		{"with trailers", "/end", "One\n\nSigned-off-by: A <a@b>", "One\n\nSigned-off-by: A <a@b>\nForge-Via: /end\n"},
		{"there already", "/end", "One\n\nForge-Via: /end", "One\n\nForge-Via: /end\n"},
		{"a second one", "/end", "One\n\nForge-Via: /open", "One\n\nForge-Via: /open\nForge-Via: /end\n"},
		{"with a divider", "/end", "One\n\n---\nTwo", "One\n\n---\nTwo\n\nForge-Via: /end\n"},
		{"not a workflow", "end, / -- /a=b", "One", "One\n\nForge-Via: /a=b\n"},
		{"line breaks", "/end\nSigned-off-by: Me <me@x>\r\n", "One", "One\n\nForge-Via: /end\n"},
		{"carriage return", "/end\r", "One", "One\n"},
		{"a pattern", "/*", "One", "One\n\nForge-Via: /*\n"},
		{"a command", "/$(id)`id`;id", "One", "One\n\nForge-Via: /$(id)`id`;id\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := viaRepo(t)
			r.git("config", "trailer.separators", "=")
			r.git("config", "trailer.ifexists", "doNothing")
			r.git("config", "trailer.where", "start")
			_, stderr, exit := r.with("FORGE_VIA="+c.via).try("commit", "-q", "--allow-empty", "-m", c.message)
			got := strings.TrimSuffix(r.git("log", "-1", "--format=%B"), "\n")
			if exit != 0 || got != c.want {
				t.Errorf("exit %d, the message is\n%s\nnot\n%s%s", exit, got, c.want, stderr)
			}
			if odd := strings.Contains(c.name, "not") || strings.Contains(c.name, "line") || strings.Contains(c.name, "carriage"); odd != strings.Contains(stderr, "does not become a trailer") {
				t.Errorf("standard error is %q", stderr)
			}
		})
	}
}

func TestViaAndAmend(t *testing.T) {
	r := viaRepo(t).with("FORGE_VIA=/end")
	r.commit("One")
	r.git("commit", "-q", "--amend", "--allow-empty", "--no-edit")
	r.git("commit", "-q", "--amend", "--allow-empty", "-C", "HEAD")
	if got := r.trailers(); got != "/end" {
		t.Errorf("after amending the trailers are %q", got)
	}
	r.with("FORGE_VIA=/open").git("commit", "-q", "--amend", "--allow-empty", "--no-edit")
	if got := r.trailers(); got != "/end,/open" {
		t.Errorf("after amending with another workflow the trailers are %q", got)
	}
}

// editor returns a GIT_EDITOR that runs a script over the message.
func editor(r *repo, script string) string {
	path := filepath.Join(r.home, "editor")
	write(r.t, path, "#!/bin/sh\n"+script+"\n", 0o755)
	return "GIT_EDITOR=" + path
}

func TestViaAndTheEditor(t *testing.T) {
	for _, verbose := range []string{"-q", "-v"} {
		for _, comment := range []string{"#", ";"} {
			r := viaRepo(t).with("FORGE_VIA=/end")
			r.git("config", "core.commentChar", comment)
			write(t, r.path("file"), "Forge-Via: /open\n", 0o644)
			r.git("add", "file")
			r.with(editor(r, `{ echo "One"; cat "$1"; } >"$1.new" && mv "$1.new" "$1"`)).git("commit", verbose)
			if got := r.git("log", "-1", "--format=%B"); got != "One\n\nForge-Via: /end\n\n" {
				t.Errorf("with the editor the message is %q", got)
			}
			// Somebody who leaves the editor without a word wants no commit.
			head := r.git("rev-parse", "HEAD")
			write(t, r.path("file"), "two\n", 0o644)
			contains(t, r.with(editor(r, ":")).refused("commit", "-a", verbose), "nothing is committed")
			r.with(editor(r, `: >"$1"`)).refused("commit", "-a", verbose)
			if r.git("rev-parse", "HEAD") != head {
				t.Error("a commit without a message was made")
			}
		}
	}
}

func TestViaOfMergeAndSquash(t *testing.T) {
	r := viaRepo(t)
	r.git("switch", "-q", "-c", "side")
	write(t, r.path("side"), "", 0o644)
	r.git("add", "side")
	r.with("FORGE_VIA=/open").commit("side")
	r.git("switch", "-q", "main")
	r.commit("main")
	r = r.with("FORGE_VIA=/end")
	r.git("merge", "-q", "--no-edit", "side")
	if got := r.trailers(); got != "/end" {
		t.Errorf("the trailers of the merge are %q", got)
	}
	r.git("reset", "-q", "--hard", "HEAD^1")
	r.git("merge", "-q", "--squash", "side")
	r.git("commit", "-q", "--no-edit")
	if got := r.trailers(); got != "/end" {
		t.Errorf("the trailers of the squashed commit are %q", got)
	}
	r.git("commit", "-q", "--allow-empty", "--fixup", "HEAD")
	if got := r.trailers(); got != "/end" {
		t.Errorf("the trailers of the fixup are %q", got)
	}
}

func TestViaNeedsNoProgram(t *testing.T) {
	r := viaRepo(t)
	must(t, os.Remove(filepath.Join(r.home, "forge-pre-commit")))
	r.with("FORGE_VIA=/end", "PATH=/usr/bin:/bin").git("commit", "-q", "--allow-empty", "--no-verify", "-m", "One")
	if got := r.trailers(); got != "/end" {
		t.Errorf("the trailers are %q", got)
	}
}

func TestOlderPrepareHookSeesTheMessageFirst(t *testing.T) {
	r := newRepo(t)
	write(t, r.hook("prepare-commit-msg"), "#!/bin/sh\necho \"$2\" >>\"$LOG\"\ngrep -q Forge-Via \"$1\" && exit 1\ntest ! -e stop\n", 0o755)
	r.install("/p", "prepare-commit-msg")
	r = r.with("FORGE_VIA=/end")
	r.commit("One")
	if r.log() != "message\n" || r.trailers() != "/end" {
		t.Errorf("the trailers are %q", r.trailers())
	}
	write(t, r.path("stop"), "", 0o644)
	r.refused("commit", "-q", "--allow-empty", "-m", "Two")
}
