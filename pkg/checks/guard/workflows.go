package guard

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/pathref"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
	"github.com/seed-4419f9ca/forge/pkg/workflow"
)

// A workflowDoc is one workflow of the after snapshot.
type workflowDoc struct {
	path  string
	doc   *markdown.Doc
	lines *text.Lines
}

// workflows says which files a check judges, and how.
type workflows struct {
	is     func(path string) bool
	beside func(agent string) []string // the workflows of an agent folder that may name a removed file
	judge  func(d *workflowDoc, gone []string) error
}

// eachWorkflow judges the workflows of the change, and those that stay as they are while the change takes away a document
// of their agent folder. Without either the check is not used.
func eachWorkflow(ctx context.Context, p *check.Pass, w workflows) error {
	used := false
	judged := map[string]bool{}
	for i := range p.Files {
		f := &p.Files[i]
		if !w.is(f.Path) || !p.Judged(f) {
			continue
		}
		used, judged[f.Path] = true, true
		if err := judgeWorkflow(ctx, p, w, f.After, nil); err != nil {
			return err
		}
	}
	for agent, gone := range goneDocuments(p) {
		for _, path := range w.beside(agent) {
			if judged[path] || p.Ignored(path) {
				continue
			}
			e, err := p.Change.After.Lookup(ctx, path)
			if err != nil {
				return fmt.Errorf("could not look up %q: %w", path, err)
			}
			if !e.Mode.IsFile() || !w.is(path) {
				continue
			}
			used = true
			if err := judgeWorkflow(ctx, p, w, e, gone); err != nil {
				return err
			}
		}
	}
	if !used {
		p.Skip(check.NotUsed)
	}
	return nil
}

func judgeWorkflow(ctx context.Context, p *check.Pass, w workflows, e snapshot.Entry, gone []string) error {
	if !e.Mode.IsFile() {
		p.Skip(fmt.Sprintf("%q is no regular file", e.Path))
		return nil
	}
	src, err := p.Change.After.Read(ctx, e, p.Config.Limits.File)
	if err != nil {
		return p.SkipTooLarge(fmt.Errorf("could not read workflow %q: %w", e.Path, err))
	}
	defer markdown.In(e.Path)
	return w.judge(&workflowDoc{path: e.Path, doc: markdown.Parse(src), lines: text.NewLines(src)}, gone)
}

// goneDocuments returns the Markdown files that the change removes from agent folders, by folder.
func goneDocuments(p *check.Pass) map[string][]string {
	var out map[string][]string
	for i := range p.Files {
		f := &p.Files[i]
		if !f.Removed() || !f.DiffersFromAll() || path.Ext(f.Path) != ".md" {
			continue
		}
		if agent := workflow.AgentFolder(f.Path); agent != "" {
			if out == nil {
				out = map[string][]string{}
			}
			out[agent] = append(out[agent], f.Path)
		}
	}
	return out
}

// deadPaths reports those of named that the after snapshot does not hold; when gone is not nil only those that were one of
// these removed files.
func deadPaths(ctx context.Context, p *check.Pass, d *workflowDoc, named []workflow.Named, gone []string) error {
	for _, n := range named {
		if gone != nil && !slices.ContainsFunc(pathref.Places(d.path, n.Path), func(at string) bool { return slices.Contains(gone, at) }) {
			continue
		}
		found, err := pathref.Locate(ctx, p.Change.After, d.path, n.Path, !n.Rules)
		if err != nil {
			return err
		}
		if found != "" {
			continue
		}
		f := p.Reportf("dead-path", d.path, "%q does not exist, and is named here", n.Path)
		f.Span, f.Anchor = d.lines.Span(n.Start, n.End), n.Path
		if gone != nil {
			f.Message = fmt.Sprintf("%q is named here, and this change removes it", n.Path)
		}
	}
	return nil
}
