package git

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// Worktree returns the change from HEAD, and in a merge from each further parent, to the files on disk. Which files those
// are is what "git diff HEAD" says: tracked and announced ones. Files that git does not know are not part of it, because
// nobody has said that they shall be; nor are changes inside a submodule, which is one entry: its commit. The index is
// not refreshed: files whose time stamps say nothing are compared by content. Contents are the bytes on disk and no filter
// is run, so a file that a filter keeps (LFS, another encoding) counts as changed while git has not noted its time stamp;
// only where git turns line ends when it stages, CRLF reads as LF.
func (r *Repo) Worktree(ctx context.Context) (*snapshot.Change, error) {
	const op = "list the changes of the working tree"
	parents, format, err := r.stagedParents(ctx)
	if err != nil {
		return nil, err
	}
	top, err := r.Toplevel(ctx)
	if err != nil {
		return nil, err
	}
	if top == "" {
		return nil, &Error{Op: op, Help: "a bare repository has no working tree; check a commit or a range"}
	}
	if err := r.refuseConflicts(ctx, op, top); err != nil {
		return nil, err
	}
	base := r.empty(format)
	if len(parents) > 0 {
		base = r.treeOf(parents[0])
	}
	args, err := r.withoutFilters(ctx)
	if err != nil {
		return nil, err
	}
	args = append(args, "diff-index", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty", base.id)
	out, _, err := r.answer(ctx, op, nil, append(plain(), args...), 0)
	if err != nil {
		return nil, err
	}
	list, err := wholeRaw(out, format)
	if err != nil {
		return nil, err
	}
	d := &disk{top: top, format: format, files: map[string]*diskFile{}}
	deltas, err := r.identify(ctx, d, list.deltas)
	if err != nil {
		return nil, fmt.Errorf("could not %s: %w", op, err)
	}
	after := &tree{repo: r, id: "worktree", root: base.root, over: laid(deltas), disk: d}
	return r.onto(ctx, snapshot.Worktree, parents, base, after, deltas)
}

// withoutFilters returns the options that keep git from running a filter when it has to compare a file by content
// (chapter 3.5): each one that is configured is set to nothing.
func (r *Repo) withoutFilters(ctx context.Context) ([]string, error) {
	const op = "list the filters"
	out, _, err := r.answer(ctx, op, nil, []string{"config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|process|required)$`}, 1)
	if err != nil {
		return nil, err
	}
	var args []string
	for key := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		switch {
		case key == "":
		case strings.Contains(key, "="):
			return nil, &Error{Op: op, Err: fmt.Errorf("the setting %q cannot be switched off", key), Help: "take the equals sign out of the filter's name"}
		case strings.HasSuffix(key, ".required"):
			args = append(args, "-c", key+"=false")
		default:
			args = append(args, "-c", key+"=")
		}
	}
	return args, nil
}

// identify gives each file of deltas that is on disk only the id that git would give its bytes, and leaves out those that
// turn out to be unchanged.
func (r *Repo) identify(ctx context.Context, d *disk, deltas []snapshot.Delta) ([]snapshot.Delta, error) {
	var out []snapshot.Delta
	var crlf []*diskFile
	at := map[string]int{}
	for _, delta := range deltas {
		switch {
		case !delta.After.Exists() || delta.After.OID != "":
		case delta.After.Mode == snapshot.Gitlink:
			oid, err := r.submoduleHead(ctx, filepath.Join(d.top, filepath.FromSlash(delta.Path)))
			if err != nil {
				return nil, err
			}
			delta.After.OID = snapshot.OID(oid)
		default:
			f := &diskFile{disk: d, entry: delta.After}
			hasCRLF, err := f.identify()
			if err != nil {
				return nil, err
			}
			delta.After = f.entry
			d.files[delta.Path] = f
			if hasCRLF && delta.Before.OID != f.entry.OID {
				crlf = append(crlf, f)
			}
		}
		at[delta.Path] = len(out)
		out = append(out, delta)
	}
	turned, err := r.turnLineEnds(ctx, crlf, func(path string) snapshot.Entry { return out[at[path]].Before })
	if err != nil {
		return nil, err
	}
	for _, f := range turned {
		out[at[f.entry.Path]].After = f.entry
	}
	kept := out[:0]
	for _, delta := range out {
		if !delta.Before.Same(delta.After) {
			kept = append(kept, delta)
		}
	}
	return kept, nil
}

// submoduleHead returns the commit that is checked out in the submodule at dir.
func (r *Repo) submoduleHead(ctx context.Context, dir string) (string, error) {
	sub := &Repo{ctx: r.ctx, program: r.program, dir: dir, env: childEnv(CleanEnv(r.raw))}
	return sub.line(ctx, fmt.Sprintf("read the commit of submodule %q", dir), append(plain(), "rev-parse", "--verify", "HEAD")...)
}

// turnLineEnds makes CRLF read as LF in those of files for which git does so when it stages them, and returns these.
func (r *Repo) turnLineEnds(ctx context.Context, files []*diskFile, before func(path string) snapshot.Entry) ([]*diskFile, error) {
	if len(files) == 0 {
		return nil, nil
	}
	auto, ok, err := r.ConfigGet(ctx, "core.autocrlf")
	if err != nil {
		return nil, err
	}
	always := ok && (auto.Value == "true" || auto.Value == "input")
	attrs, err := r.attributes(ctx, files)
	if err != nil {
		return nil, err
	}
	var turned []*diskFile
	for _, f := range files {
		yes := false
		switch rule := lineEndRule(attrs[f.entry.Path], always); rule {
		case turnAlways:
			yes = true
		case turnText:
			if yes, err = r.isPlainText(ctx, f, before(f.entry.Path)); err != nil {
				return nil, err
			}
		}
		if yes {
			if err := f.turn(); err != nil {
				return nil, err
			}
			turned = append(turned, f)
		}
	}
	return turned, nil
}

// attributes asks for the attributes that decide on line ends, by path.
func (r *Repo) attributes(ctx context.Context, files []*diskFile) (map[string]map[string]string, error) {
	const op = "read attributes"
	var in strings.Builder
	for _, f := range files {
		in.WriteString(f.entry.Path + "\x00")
	}
	top := &Repo{ctx: r.ctx, program: r.program, dir: files[0].disk.top, env: r.env}
	out, err := top.run(ctx, op, []byte(in.String()), "check-attr", "-z", "--stdin", "text", "eol")
	if err != nil {
		return nil, err
	}
	fields := strings.Split(string(out), "\x00")
	if len(fields)%3 != 1 {
		return nil, fmt.Errorf("could not %s: git's answer is cut short", op)
	}
	attrs := map[string]map[string]string{}
	for ; len(fields) >= 3; fields = fields[3:] {
		if attrs[fields[0]] == nil {
			attrs[fields[0]] = map[string]string{}
		}
		attrs[fields[0]][fields[1]] = fields[2]
	}
	return attrs, nil
}

// What git does to line ends when it stages a file.
const (
	turnNever  = iota
	turnText   // when the file looks like text and was stored with LF so far
	turnAlways // whatever it looks like
)

func lineEndRule(attrs map[string]string, always bool) int {
	switch text, eol := attrs["text"], attrs["eol"]; {
	case text == "unset":
		return turnNever
	case text == "set":
		return turnAlways
	case text == "auto":
		return turnText
	case eol == "lf" || eol == "crlf":
		return turnAlways
	case always:
		return turnText
	}
	return turnNever
}

// isPlainText reports whether f has neither NUL nor lone CR and the version before has no CR at all.
func (r *Repo) isPlainText(ctx context.Context, f *diskFile, before snapshot.Entry) (bool, error) {
	data, err := f.read(0)
	if err != nil {
		return false, err
	}
	s := string(data)
	if strings.Contains(s, "\x00") || strings.Count(s, "\r") != strings.Count(s, "\r\n") {
		return false, nil
	}
	if !before.Mode.IsFile() {
		return true, nil
	}
	o, err := r.objects.get(ctx, string(before.OID), maxTurned)
	return err == nil && o.data != nil && !strings.Contains(string(o.data), "\r"), err
}
