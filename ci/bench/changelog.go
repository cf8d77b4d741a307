package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// changelogBenches measure what a commit in a context layer waits for (chapter 5.3).
func changelogBenches() []bench {
	return []bench{
		{
			name: "changelog-5000", work: "`forge-guard check --only changelog`, an entry added to a changelog of 5,000",
			reference: "`git cat-file blob` of both versions and decoding them once", goal: 5, memory: commitMemory, prepare: changelog5000,
		},
		{
			name: "coverage-1000", work: "`forge-guard check --only changelog-coverage`, 1,000 governed documents changed, each covered",
			reference: "`git diff-index --cached --raw -z HEAD` and reading the staged files and the changelog before once", goal: 3, memory: commitMemory, prepare: coverage1000,
		},
	}
}

const layerChangelog = "docs/context-changelog.json"

// layerFiles are what makes a repository a context layer that governs docs/domain.
func layerFiles() []doc {
	return []doc{
		{"leji.json", "{\"leji\": \"1.0\", \"name\": \"Canteen\", \"rootPath\": \"docs/\", \"bootProfilePath\": \"docs/boot.md\", " +
			"\"categories\": {\"domain\": {\"indexes\": [\"docs/domain.md\"]}}, \"owners\": {\"primary\": {\"name\": \"Kitchen\"}}}\n"},
		{"docs/domain.md", "# Domain\n\n```leji-index\n- path: docs/domain/\n```\n"},
		{"docs/boot.md", "# Identity\n# Loading\n# Posture\n"},
	}
}

func changelog5000(l *lab) (*match, error) {
	r, err := l.repo()
	if err != nil {
		return nil, err
	}
	if err := r.commit(append(layerFiles(), changelogOf(5000, twoPaths))); err != nil {
		return nil, err
	}
	if err := r.load(false); err != nil {
		return nil, err
	}
	before := filepath.Join(l.scratch, "before.json")
	if err := os.WriteFile(before, []byte(changelogOf(5000, twoPaths).text), 0o600); err != nil {
		return nil, err
	}
	if err := r.stage([]doc{changelogOf(5001, twoPaths)}); err != nil {
		return nil, err
	}
	return &match{
		work: []command{{args: []string{l.program("forge-guard"), "check", "--only", "changelog"}, dir: r.dir}},
		reference: []command{
			{args: []string{"git", "cat-file", "blob", "HEAD:" + layerChangelog}, dir: r.dir},
			{args: []string{"git", "cat-file", "blob", ":" + layerChangelog}, dir: r.dir},
			{args: []string{l.program("decode"), before, layerChangelog}, dir: r.dir},
		},
		files: 1,
	}, nil
}

// coverage1000 stages a change of 1,000 governed documents and one entry for each ten of them, beside older ones for their
// folder that cover nothing now. The documents are read for the suppressions that stand in them, each of which is judged.
func coverage1000(l *lab) (*match, error) {
	r, err := l.repo()
	if err != nil {
		return nil, err
	}
	const documents = 1000
	old, now := layerFiles(), []doc(nil)
	for i := range documents {
		d := governedPage(i, 3)
		old, now = append(old, d), append(now, governedPage(i, 4))
	}
	if err := r.commit(append(old, changelogOf(100, tenDocuments))); err != nil {
		return nil, err
	}
	if err := r.load(false); err != nil {
		return nil, err
	}
	if err := r.stage(append(now, changelogOf(100+documents/10, tenDocuments))); err != nil {
		return nil, err
	}
	names := []string{"rev-parse", "HEAD:leji.json", "HEAD:docs/domain.md", "HEAD:" + layerChangelog, ":" + layerChangelog}
	for i := range documents {
		names = append(names, ":"+governedPath(i))
	}
	ids, err := r.git(nil, names...)
	if err != nil {
		return nil, err
	}
	list := filepath.Join(l.scratch, "blobs")
	if err := os.WriteFile(list, ids, 0o600); err != nil {
		return nil, err
	}
	return &match{
		work: []command{{args: []string{l.program("forge-guard"), "check", "--only", "changelog-coverage"}, dir: r.dir}},
		reference: []command{
			{args: []string{"git", "diff-index", "--cached", "--raw", "-z", "HEAD"}, dir: r.dir},
			{args: []string{"git", "cat-file", "--batch"}, dir: r.dir, stdin: list},
		},
		files: documents + 1,
	}, nil
}

// governedPage returns the i-th document of docs/domain with n paragraphs.
func governedPage(i, n int) doc { return doc{governedPath(i), page(i, n).text} }

func governedPath(i int) string { return fmt.Sprintf("docs/domain/page%04d.md", i) }

// changelogOf returns a changelog of n entries, each with paths of its own; one with more entries only adds to one with fewer.
func changelogOf(n int, paths func(i int) []string) doc {
	var b strings.Builder
	b.WriteString("{\n  \"schemaVersion\": \"1.0\",\n  \"entries\": [\n")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "    {\n      \"id\": \"entry-%05d\",\n      \"date\": \"%04d-%02d-%02d\",\n      \"type\": \"changed\",\n      \"summary\": \"Thay đổi số %d of the canteen's rules\",\n"+
			"      \"paths\": [\n        \"%s\"\n      ]\n    }",
			i, 2000+i/336, i/28%12+1, i%28+1, i, strings.Join(paths(i), "\",\n        \""))
	}
	b.WriteString("\n  ]\n}\n")
	return doc{layerChangelog, b.String()}
}

// twoPaths are the paths of an ordinary entry.
func twoPaths(i int) []string { return []string{governedPath(i), "docs/system"} }

// tenDocuments are the paths of a changelog of which the first 100 entries name the folder of the documents, and each of the
// others ten documents that no other names.
func tenDocuments(i int) []string {
	if i < 100 {
		return []string{"docs/domain"}
	}
	paths := make([]string, 10)
	for k := range paths {
		paths[k] = governedPath((i-100)*10 + k)
	}
	return paths
}
