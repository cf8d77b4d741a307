package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// anchoredFiles is the size of the store of the benches: so many files of code, each with two anchors.
const anchoredFiles = 5000

// claimBenches measure what looking at all anchors of a large store costs.
func claimBenches() []bench {
	return []bench{
		{
			name: "anchors-fresh", work: "`forge-gate drift`, 10,000 stamped anchors in 5,000 files, all blobs unchanged", reference: "`git cat-file --batch-check` on the same `commit:path` names",
			goal: 3, memory: 200, prepare: freshAnchors,
		},
		{
			name: "anchors-stale", work: "`forge-gate drift --no-cache`, the same, all stale", reference: "parsing both versions of the same files with tree-sitter, two at a time",
			goal: 2, memory: 200, prepare: staleAnchors,
		},
		{
			name: "anchors-warm", work: "`forge-gate drift`, the same with a warm cache", reference: "`forge-gate drift --no-cache`",
			goal: 0.2, memory: 200, prepare: warmAnchors,
		},
	}
}

func freshAnchors(l *lab) (*match, error) {
	r, baseline, err := anchoredRepo(l)
	if err != nil {
		return nil, err
	}
	var names strings.Builder
	for i := range anchoredFiles {
		for range 2 {
			fmt.Fprintf(&names, "%s:%s\n", baseline, service(i, "<").path)
		}
	}
	list := filepath.Join(r.dir, ".git", "bench-names")
	if err := os.WriteFile(list, []byte(names.String()), 0o600); err != nil {
		return nil, err
	}
	if err := r.anchors("fresh"); err != nil {
		return nil, err
	}
	return &match{
		work:      []command{{args: []string{l.program("forge-gate"), "drift", "--json"}, dir: r.dir}},
		reference: []command{{args: []string{"git", "cat-file", "--batch-check"}, dir: r.dir, stdin: list}},
	}, nil
}

func staleAnchors(l *lab) (*match, error) {
	r, err := staleRepo(l)
	if err != nil {
		return nil, err
	}
	before, err := os.MkdirTemp(l.scratch, "before")
	if err != nil {
		return nil, err
	}
	for i := range anchoredFiles {
		d := service(i, "<")
		name := filepath.Join(before, filepath.FromSlash(d.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, []byte(d.text), 0o644); err != nil {
			return nil, err
		}
	}
	return &match{
		work:      []command{{args: []string{l.program("forge-gate"), "drift", "--json", "--no-cache"}, dir: r.dir, exit: 1}},
		reference: []command{{args: []string{l.program("parse"), before, filepath.Join(r.dir, "services")}, dir: r.dir}},
	}, nil
}

func warmAnchors(l *lab) (*match, error) {
	r, err := staleRepo(l)
	if err != nil {
		return nil, err
	}
	return &match{
		work:      []command{{args: []string{l.program("forge-gate"), "drift", "--json"}, dir: r.dir, exit: 1}},
		reference: []command{{args: []string{l.program("forge-gate"), "drift", "--json", "--no-cache"}, dir: r.dir, exit: 1}},
	}, nil
}

// staleRepo is an anchoredRepo in which every anchored definition is staged with another meaning.
func staleRepo(l *lab) (*repo, error) {
	r, _, err := anchoredRepo(l)
	if err != nil {
		return nil, err
	}
	var changed []doc
	for i := range anchoredFiles {
		changed = append(changed, service(i, "<="))
	}
	if err := r.stage(changed); err != nil {
		return nil, err
	}
	return r, r.anchors("stale")
}

// anchoredRepo makes a repository with a store of 500 claims whose anchors are stamped with the commit that it returns.
func anchoredRepo(l *lab) (*repo, string, error) {
	r, err := l.repo()
	if err != nil {
		return nil, "", err
	}
	docs := []doc{}
	var store strings.Builder
	store.WriteString("# Services\n")
	for i := range anchoredFiles {
		d := service(i, "<")
		docs = append(docs, d)
		if i%10 == 0 {
			if i > 0 {
				store.WriteString(claimEnd)
			}
			fmt.Fprintf(&store, "\n### INV-%d — Service group %d keeps its limits\n\n```claim\nkind: invariant\nstatus: asserted\ntruth-source: code\nanchors:\n", i/10+1, i/10+1)
		}
		fmt.Fprintf(&store, "  - %s#Service.Admit\n  - %s#Limit%d\n", d.path, d.path, i)
	}
	store.WriteString(claimEnd)
	docs = append(docs, doc{"docs/system/domain.md", store.String()})
	if err := r.commit(docs); err != nil {
		return nil, "", err
	}
	if err := r.load(false); err != nil {
		return nil, "", err
	}
	cmd := exec.Command(l.program("forge-gate"), "reanchor")
	cmd.Dir, cmd.Env = r.dir, l.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, "", fmt.Errorf("could not stamp the anchors: %w\n%s", err, out)
	}
	head, err := r.git(nil, "rev-parse", "--short=12", "HEAD")
	if err != nil {
		return nil, "", err
	}
	for _, args := range [][]string{{"add", "docs"}, {"-c", "user.name=Bench", "-c", "user.email=bench@example.com", "commit", "-q", "-m", "stamped"}, {"gc", "-q"}} {
		if _, err := r.git(nil, args...); err != nil {
			return nil, "", err
		}
	}
	return r, strings.TrimSpace(string(head)), nil
}

const claimEnd = "reviewed: 2026-01-05\n```\n\nEach service refuses what it cannot finish before its limit, since a queue hides the loss until the evening.\n"

// claimStore returns a store of n claims, each with one anchor.
func claimStore(n int) doc {
	var b strings.Builder
	b.WriteString("# Services\n")
	for i := range n {
		fmt.Fprintf(&b, "\n### INV-%d — Service %d keeps its limit\n\n```claim\nkind: invariant\nstatus: asserted\ntruth-source: code\nanchors: [%s#Service.Admit]\n%s", i+1, i+1, service(i, "<").path, claimEnd)
	}
	return doc{"docs/system/domain.md", b.String()}
}

// anchors makes sure that every anchor of r has this status.
func (r *repo) anchors(status string) error {
	cmd := exec.Command(r.lab.program("forge-gate"), "drift", "--json")
	cmd.Dir, cmd.Env = r.dir, r.lab.env
	out, err := cmd.Output()
	if err != nil && status == "fresh" {
		return fmt.Errorf("could not look at the anchors: %w\n%.500s", err, out)
	}
	var report struct{ Summary map[string]int }
	if err := json.Unmarshal(out, &report); err != nil {
		return fmt.Errorf("could not read the report about anchors: %w", err)
	}
	if report.Summary[status] != 2*anchoredFiles {
		return fmt.Errorf("not all %d anchors are %s: %v", 2*anchoredFiles, status, report.Summary)
	}
	return nil
}

// service returns the i-th file of code: a limit and a type with some methods, as long as files usually are.
func service(i int, operator string) doc {
	var b strings.Builder
	fmt.Fprintf(&b, "// Package group%02d serves.\npackage group%02d\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"time\"\n)\n\n", i%100, i%100)
	limit := i + 10
	if operator != "<" {
		limit++
	}
	fmt.Fprintf(&b, "// Limit%d is how many requests may wait.\nconst Limit%d = %d\n\n", i, i, limit)
	b.WriteString("// A Service admits requests.\ntype Service struct {\n\twaiting []Request\n\tclosed  bool\n\tstarted time.Time\n}\n\n")
	fmt.Fprintf(&b, "// Admit takes a request in.\nfunc (s *Service) Admit(r Request) error {\n\tif s.closed {\n\t\treturn errors.New(\"closed\")\n\t}\n\tif len(s.waiting) %s Limit%d {\n\t\ts.waiting = append(s.waiting, r)\n\t\treturn nil\n\t}\n\treturn fmt.Errorf(\"refused %%q: %%d are waiting\", r.Name, len(s.waiting))\n}\n", operator, i)
	for m := range 12 {
		fmt.Fprintf(&b, "\n// Step%d does part %d of the work.\nfunc (s *Service) Step%d(now time.Time, args ...string) (int, error) {\n\ttotal := 0\n\tfor n, arg := range args {\n\t\tswitch {\n\t\tcase arg == \"\":\n\t\t\tcontinue\n\t\tcase n > %d && now.After(s.started.Add(%d*time.Second)):\n\t\t\treturn total, fmt.Errorf(\"late by %%s\", now.Sub(s.started))\n\t\tdefault:\n\t\t\ttotal += len(arg) * (n + %d)\n\t\t}\n\t}\n\treturn total, nil\n}\n", m, m, m, i%7+m, m+1, i%5)
	}
	return doc{fmt.Sprintf("services/group%02d/service%04d.go", i%100, i), b.String()}
}
