package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A repo is a repository made for one bench; the same calls always make the same objects.
type repo struct {
	lab     *lab
	dir     string
	commits int
}

// A doc is a file of a repo, by its path.
type doc struct{ path, text string }

// repo makes an empty repository, which goes when the bench is done.
func (l *lab) repo() (*repo, error) {
	dir, err := os.MkdirTemp(l.scratch, "repo")
	if err != nil {
		return nil, err
	}
	r := &repo{lab: l, dir: dir}
	_, err = r.git(nil, "init", "-q", "-b", "main")
	return r, err
}

// git runs git in r and returns its output.
func (r *repo) git(stdin io.Reader, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.lab.env, stdin
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("could not run %q: %w\n%s", cmd.Args, err, complaint.Bytes())
	}
	return out, nil
}

// commit adds docs to what main holds in one commit, without touching index and working tree; load does that.
func (r *repo) commit(docs []doc) error {
	reader, writer := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(writer, 1<<16)
		from := ""
		if r.commits > 0 {
			from = "from refs/heads/main^0\n"
		}
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.com> 1767225600 +0000\ndata 6\nbench\n%s", from)
		for _, d := range docs {
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", d.path, len(d.text), d.text)
		}
		fmt.Fprintln(w, "done")
		writer.CloseWithError(w.Flush())
	}()
	_, err := r.git(reader, "fast-import", "--quiet", "--done")
	r.commits++
	return err
}

// load brings index and working tree to what main holds; with bare the working tree stays empty, which no measured command
// looks at.
func (r *repo) load(bare bool) error {
	if bare {
		_, err := r.git(nil, "read-tree", "main")
		return err
	}
	_, err := r.git(nil, "reset", "-q", "--hard", "main")
	return err
}

// stage writes docs and adds them to the index.
func (r *repo) stage(docs []doc) error {
	var names strings.Builder
	for _, d := range docs {
		name := filepath.Join(r.dir, filepath.FromSlash(d.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(d.text), 0o644); err != nil {
			return err
		}
		names.WriteString(d.path + "\x00")
	}
	_, err := r.git(strings.NewReader(names.String()), "add", "--pathspec-from-file=-", "--pathspec-file-nul")
	return err
}

// blobs writes the ids of the blobs that the raw diff of args names, both sides, into a file for "cat-file --batch", and
// returns its name.
func (r *repo) blobs(args ...string) (string, error) {
	out, err := r.git(nil, args...)
	if err != nil {
		return "", err
	}
	var ids bytes.Buffer
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line) // :100644 100644 before after M path
		if len(fields) < 5 || fields[0][0] != ':' {
			continue
		}
		for _, id := range fields[2:4] {
			if strings.Trim(id, "0") != "" {
				fmt.Fprintln(&ids, id)
			}
		}
	}
	if ids.Len() == 0 {
		return "", fmt.Errorf("%q names no blob", args)
	}
	name := filepath.Join(r.dir, ".git", "bench-blobs")
	return name, os.WriteFile(name, ids.Bytes(), 0o600)
}

// workspace returns the files of a repository in which the guards are armed: a third of n are guarded task lists, the rest
// documents and code.
func workspace(n int) []doc {
	docs := []doc{{".para-workspace.yml", "kernel_version: \"1.9\"\n"}}
	for i := len(docs); i < n; i++ {
		switch i % 3 {
		case 0:
			docs = append(docs, doneList(i, 3))
		case 1:
			docs = append(docs, page(i, 3))
		default:
			docs = append(docs, source(i, 1))
		}
	}
	return docs
}

// page returns the i-th document with n paragraphs.
func page(i, n int) doc {
	var b strings.Builder
	fmt.Fprintf(&b, "# Page %d\n", i)
	for p := range n {
		fmt.Fprintf(&b, "\nParagraph %d tells what page %d has to say about `thing-%d`.\n", p, i, (i*7+p)%101)
	}
	return doc{fmt.Sprintf("docs/area%02d/page%06d.md", i%89, i), b.String()}
}

// source returns the i-th source file with n constants.
func source(i, n int) doc {
	var b strings.Builder
	fmt.Fprint(&b, "package area\n")
	for c := range n {
		fmt.Fprintf(&b, "\n// Value%d%02d is one of the values of this file.\nconst Value%d%02d = %d\n", i, c, i, c, i*c)
	}
	return doc{fmt.Sprintf("src/area%02d/file%06d.go", i%97, i), b.String()}
}

// doneList returns the list of finished tasks of the i-th project, with n entries. One with more entries only adds to one
// with fewer.
func doneList(i, n int) doc {
	var b strings.Builder
	fmt.Fprintf(&b, "# Done: project %d\n\n<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n", i)
	for e := range n {
		fmt.Fprintf(&b, "- [x] P%d-%03d: Finish part %d of the work #backlog\n", i, e+1, e+1)
	}
	return doc{fmt.Sprintf("Projects/p%06d/artifacts/tasks/done.md", i), b.String()}
}
