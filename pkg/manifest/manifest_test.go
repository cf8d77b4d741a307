package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/manifest"
)

func TestPathsOfTheParts(t *testing.T) {
	for _, tt := range []struct{ root, machine, want string }{
		{`"docs/"`, ``, "docs docs/context-changelog.json docs/context-index.json docs/agents docs/decisions"},
		{`"docs"`, ``, "docs docs/context-changelog.json docs/context-index.json docs/agents docs/decisions"},
		{`"./docs//kb/"`, ``, "docs/kb docs/kb/context-changelog.json docs/kb/context-index.json docs/kb/agents docs/kb/decisions"},
		{`""`, ``, " context-changelog.json context-index.json agents decisions"},
		{`"."`, ``, " context-changelog.json context-index.json agents decisions"},
		{`"docs"`, `, "machine": {"changelogPath": "./log//c.json", "agentProfilesPath": "a/", "decisionRecordsPath": "d", "indexPath": "i.json"}`, "docs log/c.json i.json a d"},
	} {
		m, err := manifest.Parse([]byte(`{"rootPath": ` + tt.root + tt.machine + `}`))
		if err != nil {
			t.Errorf("%s%s: %s", tt.root, tt.machine, err.Reason)
			continue
		}
		if got := fmt.Sprintf("%s %s %s %s %s", m.Root, m.Changelog, m.Index, m.Profiles, m.Decisions); got != tt.want {
			t.Errorf("%s%s: got %q, want %q", tt.root, tt.machine, got, tt.want)
		}
	}
}

func TestCategoriesComeInTheirOrder(t *testing.T) {
	m, err := manifest.Parse([]byte("\ufeff" + `{"rootPath": "d", "bootProfilePath": "d/boot.md", "agents": {"core": "d/a.md"}, "name": "\ud800", "name": 1,
		"categories": {"decisions": {"indexes": ["d/x.md", "./d//y.md"]}, "unknown": 7, "domain": {"paths": ["d"], "indexes": []}}}`))
	if err != nil {
		t.Fatal(err.Reason)
	}
	var got []string
	for _, c := range m.Categories {
		for _, r := range c.Indexes {
			got = append(got, c.ID+":"+r.Path)
			if raw := string(m.Doc.Source[r.Start:r.End]); !strings.HasPrefix(raw, `"`) || !strings.HasSuffix(raw, `.md"`) {
				t.Errorf("the place of %q holds %s", r.Path, raw)
			}
		}
		got = append(got, c.ID)
	}
	if s := strings.Join(got, " "); s != "domain decisions:d/x.md decisions:d/y.md decisions" {
		t.Errorf("categories: %s", s)
	}
	if m.Boot != "d/boot.md" || len(m.Agents) != 1 || m.Agents[0] != "d/a.md" {
		t.Errorf("boot %q, agents %q", m.Boot, m.Agents)
	}
}

func TestUnreadable(t *testing.T) {
	for src, want := range map[string]string{
		``:                           "1:1 the file holds no JSON value",
		"{\n\"rootPath\": \"d\",\n}": "2:16 a comma stands before the closing bracket",
		`[]`:                         "1:1 it is an array and not an object",
		`{}`:                         `1:1 "rootPath" is missing`,
		`{"rootPath": 1}`:            `1:14 "rootPath" is a number and not a string`,
		`{"rootPath": "../d"}`:       `1:14 "rootPath" has the path "../d", which has the segment "..", which may leave the repository`,
		`{"rootPath": "/d"}`:         `1:14 "rootPath" has the path "/d", which is absolute; paths begin at the root of the repository`,
		`{"rootPath": "d\\e"}`:       `1:14 "rootPath" has the path "d\\e", which has a backslash; folders are separated by a slash`,
		`{"rootPath": "d\u0000"}`:    `1:14 "rootPath" has the path "d\x00", which has a line end or a NUL byte`,
		`{"rootPath": "d",` + "\n" + `"rootPath": "e"}`:         `2:1 the key "rootPath" stands twice`,
		`{"rootPath": "d", "machine": []}`:                      `1:30 "machine" is an array and not an object`,
		`{"rootPath": "d", "machine": {"changelogPath": null}}`: `1:48 "changelogPath" is null and not a string`,
		`{"rootPath": "d", "machine": {"changelogPath": "./"}}`: `1:1 the changelog's path is empty`,
		`{"rootPath": "d", "machine": {}, "machine": {}}`:       `1:34 the key "machine" stands twice`,
	} {
		_, u := manifest.Parse([]byte(src))
		if got := told(u); got != want {
			t.Errorf("%s:\n got %s\nwant %s", src, got, want)
		}
	}
}

func told(u *manifest.Unreadable) string {
	if u == nil {
		return ""
	}
	pos := u.Doc.Lines().Pos(u.Start)
	return fmt.Sprintf("%d:%d %s", pos.Line, pos.Column, u.Reason)
}

func TestGovernedDocumentsCannotBeMadeOut(t *testing.T) {
	for more, want := range map[string]string{
		`"categories": {}`: "",
		`"x": 1`:           `1:1 "categories" is missing`,
		`"categories": {"domain": {"indexes": "x.md"}}`:        `1:56 the indexes of "domain" are a string and not an array`,
		`"categories": {"domain": 1}`:                          `1:44 "domain" is a number and not an object`,
		`"categories": {"domain": {}, "domain": {}}`:           `1:48 the key "domain" stands twice`,
		`"categories": {"domain": {"indexes": ["../x.md"]}}`:   `1:57 "indexes" has the path "../x.md", which has the segment "..", which may leave the repository`,
		`"categories": {}, "agents": []`:                       `1:47 "agents" is an array and not an object`,
		`"categories": {}, "bootProfilePath": 1`:               `1:56 "bootProfilePath" is a number and not a string`,
		`"categories": {}, "machine": {"agentProfilesPath":1}`: `1:69 "agentProfilesPath" is a number and not a string`,
	} {
		m, err := manifest.Parse([]byte(`{"rootPath": "d", ` + more + `}`))
		if err != nil {
			t.Errorf("%s: %s", more, err.Reason)
			continue
		}
		if got := told(m.Ungoverned); got != want {
			t.Errorf("%s:\n got %s\nwant %s", more, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"rootPath": "docs/", "machine": {"changelogPath": "c.json"}, "categories": {"domain": {"indexes": ["d.md"]}}}`))
	f.Add([]byte("\ufeff{"))
	f.Fuzz(func(t *testing.T, src []byte) {
		m, u := manifest.Parse(src)
		if u != nil {
			if m != nil || u.Doc == nil || u.Reason == "" || u.End > len(src) {
				t.Fatalf("%+v", u)
			}
			return
		}
		for _, p := range append([]string{m.Root, m.Boot, m.Index, m.Changelog, m.Profiles, m.Decisions}, m.Agents...) {
			if clean, reason := manifest.Clean(p); reason != "" || clean != p {
				t.Fatalf("%q is not normal", p)
			}
		}
		if m.Changelog == "" {
			t.Fatal("no changelog path")
		}
	})
}
