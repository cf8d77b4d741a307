package mind

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A judge works on one pass.
type judge struct {
	ctx   context.Context
	pass  *check.Pass
	opt   Options
	set   *settings
	rules []rule

	budget *limit // nil until it is read
}

// change judges the sessions that the change touches.
func (j *judge) change() error {
	touched := j.sessions()
	strays := j.strays()
	if len(touched) == 0 && len(strays) == 0 {
		j.pass.Skip(check.NotUsed)
		return nil
	}
	if missing := j.pass.Change.Missing; missing != "" {
		if j.pass.Stage.Hosted() {
			return fmt.Errorf("could not compare notes with what was published: %s", missing)
		}
		j.pass.Skip(missing)
	}
	for _, f := range strays {
		if err := j.apply(onStray, &session{judge: j, path: f.Path}); err != nil {
			return err
		}
	}
	past, err := j.lineages()
	if err != nil {
		return err
	}
	for _, s := range touched {
		s.past = past[s.path]
		delete(past, s.path)
		if err := j.one(s); err != nil {
			return err
		}
	}
	return j.elsewhere(past)
}

// one judges one session: its history, and its content unless that is the state of one parent.
func (j *judge) one(s *session) error {
	if err := s.load(); err != nil {
		return err
	}
	if s.content {
		if err := j.apply(onSession, s); err != nil {
			return err
		}
		if s.notes != nil {
			if err := j.apply(onNotes, s); err != nil {
				return err
			}
		}
	}
	if j.pass.Change.Missing != "" {
		return nil
	}
	return j.apply(onHistory, s)
}

// elsewhere judges the history of notes that are no longer where notes stand: those that moved away with their folder, and
// those that are gone.
func (j *judge) elsewhere(past map[string]*lineage) error {
	if j.pass.Change.Missing != "" {
		return nil
	}
	paths := make([]string, 0, len(past))
	for p := range past {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		s := &session{judge: j, path: p, past: past[p]}
		if err := s.loadNotes(past[p].after); err != nil {
			return err
		}
		if err := j.apply(onHistory, s); err != nil {
			return err
		}
	}
	return nil
}

// apply runs the rules of one kind over s.
func (j *judge) apply(kind scope, s *session) error {
	for _, r := range j.rules {
		if r.scope&kind == 0 {
			continue
		}
		if err := r.run(s); err != nil {
			return err
		}
	}
	return nil
}

// sessions groups the files of the pass by the session folder they lie in, in the order of the folders.
func (j *judge) sessions() []*session {
	byDir := map[string]*session{}
	var out []*session
	for i := range j.pass.Files {
		f := &j.pass.Files[i]
		dir, n, ok := j.set.files.Session(f.Path)
		if !ok {
			continue
		}
		s := byDir[dir]
		if s == nil {
			s = &session{judge: j, dir: dir, n: n, path: dir + "/" + j.set.files.Name(n)}
			byDir[dir] = s
			out = append(out, s)
		}
		s.files = append(s.files, f)
	}
	for _, s := range out {
		s.content = j.pass.All || !fromOneParent(s.files)
	}
	slices.SortFunc(out, func(a, b *session) int { return strings.Compare(a.dir, b.dir) })
	return out
}

// fromOneParent reports whether all files are as some one parent has them: then that parent's commit was judged already.
func fromOneParent(files []*snapshot.File) bool {
	if len(files) == 0 {
		return false
	}
	for i := range files[0].Before {
		if !slices.ContainsFunc(files, func(f *snapshot.File) bool { return !f.Before[i].Same(f.After) }) {
			return true
		}
	}
	return false
}

// strays lists the files that begin like notes and stand in a folder that only looks like a session's.
func (j *judge) strays() []*snapshot.File {
	var out []*snapshot.File
	for i := range j.pass.Files {
		f := &j.pass.Files[i]
		dir, ok := j.set.files.NearSession(f.Path)
		if ok && path.Dir(f.Path) == dir && j.pass.Judged(f) && j.set.files.Claims(path.Base(f.Path)) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *snapshot.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// draft judges a block that is not inserted yet.
func (j *judge) draft(d *Draft) error {
	s, err := j.named(d.Session)
	if err != nil {
		return err
	}
	if err := s.load(); err != nil {
		return err
	}
	if s.notes == nil && s.entry.Exists() {
		return fmt.Errorf("could not read the notes %q that the draft goes into: %s", s.path, orElse(s.problem, "they are over limits.file"))
	}
	s.existing = s.notes
	s.path = d.Path
	s.read(d.Data)
	if err := j.apply(onDraft, s); err != nil || s.notes == nil {
		return err
	}
	return j.apply(onBlock, s)
}

// reload judges whether a report repeats the newest block of a session.
func (j *judge) reload(r *Report) error {
	s, err := j.named(r.Session)
	if err != nil {
		return err
	}
	if err := s.load(); err != nil {
		return err
	}
	if s.notes == nil || len(s.notes.Blocks) == 0 {
		return noSession("session %s has no block in %q", r.Session, s.path)
	}
	s.report = r
	return j.apply(onReload, s)
}

// named finds the session that a command names.
func (j *judge) named(name string) (*session, error) {
	n := mindblock.Number(name)
	if name == "" || strings.Trim(name, "0123456789") != "" {
		return nil, noSession("%q is no number of a session", name)
	}
	dir, err := FolderOf(j.ctx, j.set.files, j.pass.Change.After, n)
	if err != nil {
		return nil, err
	}
	return &session{judge: j, dir: dir, n: n, path: dir + "/" + j.set.files.Name(n)}, nil
}

// FolderOf returns the folder of session n: where the pattern puts it or, when that leaves a choice, where tree has it.
func FolderOf(ctx context.Context, files *mindblock.Files, tree snapshot.Tree, n mindblock.Number) (string, error) {
	if dir, ok := files.Folder(n); ok {
		return dir, nil
	}
	under := strings.TrimSuffix(files.Prefix(), "/")
	if i := strings.LastIndexByte(under, '/'); i >= 0 && !strings.HasSuffix(files.Prefix(), "/") {
		under = under[:i]
	} else if !strings.HasSuffix(files.Prefix(), "/") {
		under = ""
	}
	entries, err := tree.Under(ctx, under)
	if err != nil {
		return "", fmt.Errorf("could not look for session %s: %w", n, err)
	}
	var found []string
	for _, e := range entries {
		if dir, number, ok := files.Session(e.Path); ok && number == n && !slices.Contains(found, dir) {
			found = append(found, dir)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", noSession("there is no folder of session %s", n)
	}
	return "", noSession("session %s has more than one folder: %s", n, strings.Join(found, ", "))
}
