// Package suppress reads and applies the suppressions that stand in files (chapter 2.6): a comment on the line before,
// which names a code and gives a reason, lets a finding through.
package suppress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// Input is what Apply works on.
type Input struct {
	Findings []finding.Finding
	// Files are the paths whose content was judged. Suppressions of other files are honoured where a finding asks for
	// them, but only those in Files are judged themselves.
	Files []string
	// Read returns the content of path in the after version. For what is not there, or is no regular file, it returns nil
	// and no error. A file over the limit (*snapshot.TooLarge) holds no suppressions; any other error ends Apply.
	Read func(ctx context.Context, path string) ([]byte, error)
	// Ahead, when not nil, is told which files Read is going to be asked for.
	Ahead func(ctx context.Context, paths []string)
	// Known finds a code of any check of any program. It may return nil and true for a code that it has to take on trust,
	// such as one of a check that only a later version contains.
	Known func(code string) (*check.Code, bool)
	// NotAllowed lists codes that cannot be suppressed, beside those whose card says Hard; a * at the end stands for any
	// rest.
	NotAllowed []string
	// Ran reports whether a check judged. One that found nothing of its kind (check.NotUsed) judged; one that was left
	// out, is off or gave up did not. Suppressions of codes that no check judged are not judged either.
	Ran func(id string) bool
	// Today is the day by which a suppression's last day is judged, in UTC.
	Today time.Time
	// Commit, when not empty, is the commit of a range that Files and Read describe; only findings that name it can then
	// be suppressed. Without it only those that name no commit can.
	Commit string
}

// Apply leaves out of the findings what the after version of their file lets through, and judges the suppressions
// themselves: meta holds the findings of the meta check, sorted. The findings kept are in their old order. A finding on
// the before side has no line in the after version and is kept.
func Apply(ctx context.Context, in Input) (kept, meta []finding.Finding, err error) {
	files, err := in.scanAll(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := range in.Findings {
		f := &in.Findings[i]
		if d := files[f.Path].covering(f); d != nil && in.concerns(f) {
			d.used = true
			continue
		}
		kept = append(kept, *f)
	}
	for _, path := range in.Files {
		if file := files[path]; file != nil {
			for i := range file.directives {
				if f := in.judge(path, &file.directives[i]); f != nil {
					meta = append(meta, *f)
				}
			}
		}
	}
	return kept, finding.Sort(meta), nil
}

// concerns reports whether f lies in the version of the files that Read returns.
func (in *Input) concerns(f *finding.Finding) bool {
	return f.Side != finding.Before && f.Commit == in.Commit
}

// A file is one file with suppressions.
type file struct {
	directives []directive
	byLine     map[place]*directive
	whole      map[string]*directive // by code
}

type place struct {
	code string
	line int
}

// scanAll reads the files and those that findings stand in. The result has no entry for a file without suppressions.
func (in *Input) scanAll(ctx context.Context) (map[string]*file, error) {
	files, seen := map[string]*file{}, map[string]bool{}
	read := func(path string) error {
		if seen[path] || !commentable(path) {
			return nil
		}
		seen[path] = true
		src, err := in.Read(ctx, path)
		if tooLarge := (*snapshot.TooLarge)(nil); errors.As(err, &tooLarge) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("could not read the suppressions of %q: %w", path, err)
		}
		if found := scan(path, src); len(found) > 0 {
			files[path] = in.index(found)
		}
		return nil
	}
	if in.Ahead != nil {
		in.Ahead(ctx, slices.DeleteFunc(slices.Clone(in.Files), func(path string) bool { return !commentable(path) }))
	}
	for _, path := range in.Files {
		if err := read(path); err != nil {
			return nil, err
		}
	}
	for i := range in.Findings {
		if f := &in.Findings[i]; in.concerns(f) {
			if err := read(f.Path); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// index sorts the suppressions that hold by what they cover; of several the closest one counts.
func (in *Input) index(found []directive) *file {
	f := &file{directives: found, byLine: map[place]*directive{}, whole: map[string]*directive{}}
	for i := range found {
		d := &found[i]
		if slug, _ := in.objection(d); slug != "" {
			continue
		}
		f.byLine[place{d.code, d.last + 1}] = d
		f.byLine[place{d.code, d.next}] = d
		if d.whole {
			f.whole[d.code] = d
		}
	}
	return f
}

// covering returns the suppression that lets f through, or nil.
func (s *file) covering(f *finding.Finding) *directive {
	switch {
	case s == nil:
		return nil
	case f.Span.IsZero():
		return s.whole[f.Code]
	}
	return s.byLine[place{f.Code, f.Span.Start.Line}]
}

// objection says why a suppression does not hold: the slug of a code of the meta check, and a sentence. Both are empty
// when it holds.
func (in *Input) objection(d *directive) (slug, message string) {
	if d.code == "" {
		return unknownCode, "suppression names no code"
	}
	code, known := in.Known(d.code)
	ended, valid := d.ended(in.Today)
	switch {
	case !known:
		return unknownCode, fmt.Sprintf("suppression names %q, which is no code of any check", d.code)
	case code != nil && code.Hard || in.forbidden(d.code):
		return notAllowed, fmt.Sprintf("%q cannot be suppressed from inside a file", d.code)
	case !d.hasReason():
		return noReason, fmt.Sprintf("suppression of %q gives no reason and suppresses nothing", d.code)
	case d.fault != "":
		return unused, fmt.Sprintf("suppression of %q %s and suppresses nothing", d.code, d.fault)
	case !valid:
		return expired, fmt.Sprintf("suppression of %q ends on %q, which is no day of the calendar, and suppresses nothing", d.code, d.until)
	case ended:
		return expired, fmt.Sprintf("suppression of %q ended on %q", d.code, d.until)
	}
	return "", ""
}

func (in *Input) forbidden(code string) bool {
	for _, pattern := range in.NotAllowed {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok && strings.HasPrefix(code, prefix) || code == pattern {
			return true
		}
	}
	return strings.HasPrefix(code, ID+"/")
}

// judge returns what there is to say about a suppression, or nil. An unknown code is judged always: no check can have run
// for it.
func (in *Input) judge(path string, d *directive) *finding.Finding {
	slug, message := in.objection(d)
	if slug == "" {
		if d.used {
			return nil
		}
		slug, message = unused, fmt.Sprintf("suppression of %q suppresses nothing", d.code)
	}
	id, _, _ := strings.Cut(d.code, "/")
	if slug != unknownCode && id != ID && !in.Ran(id) {
		return nil
	}
	code := Check().Code(slug)
	return &finding.Finding{
		Code: ID + "/" + slug, Level: code.Level, Path: path, Span: d.span, Side: finding.After,
		Message: message, Help: code.Help, Anchor: d.body, Commit: in.Commit,
	}
}
