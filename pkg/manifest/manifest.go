// Package manifest reads leji.json, the manifest of a context layer (chapter 8.2 of the specification), as far as other
// checks need it: where things stand. Whether the manifest is right in every field is for the check of the layer to say.
package manifest

import (
	"fmt"
	"path"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/jsondoc"
)

// Path is where the manifest stands in a repository.
const Path = "leji.json"

// Categories returns the ids of categories in their canonical order (chapter 8.1).
func Categories() []string {
	return []string{"domain", "system", "practice", "governance", "decisions"}
}

// A Manifest says where the parts of a layer are. Paths are normal: they begin at the root of the repository and have no
// segment that says nothing; that of a folder has no slash at its end, and the root is "".
type Manifest struct {
	Doc        *jsondoc.Document
	Root       string // folder below which the layer lies
	Boot       string // path of the boot profile, "" without one
	Index      string // path of the generated index
	Changelog  string // path of the changelog
	Profiles   string // folder of the agent profiles
	Decisions  string // folder of the decision records
	Agents     []string
	Categories []Category // in canonical order
	// Ungoverned says why the governed documents cannot be made out; nil when they can.
	Ungoverned *Unreadable
}

// A Category is one mapped category with its index files.
type Category struct {
	ID      string
	Indexes []Reference
}

// A Reference is a path with its place in the manifest.
type Reference struct {
	Path       string
	Start, End int
}

// An Unreadable manifest leaves open where the layer has its parts.
type Unreadable struct {
	Doc        *jsondoc.Document
	Start, End int
	Reason     string
}

// Parse reads src, which must not change afterwards. There is no manifest but an *Unreadable when src is no JSON object, or
// when a field that says where the changelog lies is not there, is given twice or has the wrong form. The same fault of a
// field that says which documents are governed is kept in Ungoverned. Everything else that is wrong lets it be read.
func Parse(src []byte) (*Manifest, *Unreadable) {
	m := &Manifest{Doc: jsondoc.Parse(src)}
	r := reader{m: m}
	r.places()
	if r.err != nil {
		return nil, r.err
	}
	r.governed()
	m.Ungoverned = r.err
	return m, nil
}

type reader struct {
	m   *Manifest
	err *Unreadable
}

// fail keeps the first reason.
func (r *reader) fail(start, end int, format string, args ...any) {
	if r.err == nil {
		r.err = &Unreadable{Doc: r.m.Doc, Start: start, End: end, Reason: fmt.Sprintf(format, args...)}
	}
}

// places reads where the files of the layer stand.
func (r *reader) places() {
	doc := r.m.Doc
	if doc.Root == nil {
		f := doc.Faults[len(doc.Faults)-1] // a broken syntax comes last
		r.fail(f.Start, f.End, "%s", f.Reason)
		return
	}
	root := doc.Root
	if root.Kind != jsondoc.Object {
		r.fail(root.Start, root.Start+1, "it is %s and not an object", root.Kind)
		return
	}
	m := r.m
	m.Root = r.path(root, "rootPath", true, "")
	m.Changelog = r.path(r.object(root, "machine"), "changelogPath", false, path.Join(m.Root, "context-changelog.json"))
	if m.Changelog == "" {
		r.fail(root.Start, root.Start+1, "the changelog's path is empty")
	}
}

// governed reads what decides which documents are governed, and the paths of the other files.
func (r *reader) governed() {
	m, root := r.m, r.m.Doc.Root
	machine := r.object(root, "machine")
	m.Index = r.path(machine, "indexPath", false, path.Join(m.Root, "context-index.json"))
	m.Profiles = r.path(machine, "agentProfilesPath", false, path.Join(m.Root, "agents"))
	m.Decisions = r.path(machine, "decisionRecordsPath", false, path.Join(m.Root, "decisions"))
	m.Boot = r.path(root, "bootProfilePath", false, "")
	if agents := r.object(root, "agents"); agents != nil {
		for i := range agents.Members {
			m.Agents = append(m.Agents, r.clean(&agents.Members[i].Value, agents.Members[i].Name))
		}
	}
	r.categories(root)
}

// one returns the only member of v with the name; nil when v is nil or has none. Twice is a failure.
func (r *reader) one(v *jsondoc.Value, name string) *jsondoc.Member {
	if v == nil {
		return nil
	}
	var found *jsondoc.Member
	for i := range v.Members {
		m := &v.Members[i]
		if m.Name != name {
			continue
		}
		if found != nil {
			r.fail(m.Start, m.End, "the key %q stands twice", name)
		}
		found = m
	}
	return found
}

func (r *reader) object(v *jsondoc.Value, name string) *jsondoc.Value {
	m := r.one(v, name)
	if m == nil {
		return nil
	}
	if m.Value.Kind != jsondoc.Object {
		r.fail(m.Value.Start, m.Value.End, "%q is %s and not an object", name, m.Value.Kind)
	}
	return &m.Value
}

// path reads a path, or returns other when it is not there.
func (r *reader) path(v *jsondoc.Value, name string, required bool, other string) string {
	m := r.one(v, name)
	if m == nil {
		if required {
			r.fail(v.Start, v.Start+1, "%q is missing", name)
		}
		return other
	}
	return r.clean(&m.Value, name)
}

func (r *reader) clean(v *jsondoc.Value, name string) string {
	if v.Kind != jsondoc.String {
		r.fail(v.Start, v.End, "%q is %s and not a string", name, v.Kind)
		return ""
	}
	p, reason := Clean(v.Text)
	if reason != "" {
		r.fail(v.Start, v.End, "%q has the path %q, which %s", name, v.Text, reason)
	}
	return p
}

// Clean returns the normal form of a path that begins at the root of the repository, and says why it is none when it is
// none (chapter 8.1).
func Clean(s string) (p, reason string) {
	switch {
	case strings.HasPrefix(s, "/"):
		return "", "is absolute; paths begin at the root of the repository"
	case strings.Contains(s, `\`):
		return "", "has a backslash; folders are separated by a slash"
	case strings.ContainsAny(s, "\n\r\u2028\u2029\x00"):
		return "", "has a line end or a NUL byte"
	}
	var kept []string
	for segment := range strings.SplitSeq(s, "/") {
		switch segment {
		case "..":
			return "", `has the segment "..", which may leave the repository`
		case "", ".":
		default:
			kept = append(kept, segment)
		}
	}
	return strings.Join(kept, "/"), ""
}

func (r *reader) categories(root *jsondoc.Value) {
	all := r.object(root, "categories")
	if all == nil {
		r.fail(root.Start, root.Start+1, "%q is missing", "categories")
	}
	for _, id := range Categories() {
		c := r.object(all, id)
		if c == nil {
			continue
		}
		category := Category{ID: id}
		if m := r.one(c, "indexes"); m != nil {
			if m.Value.Kind != jsondoc.Array {
				r.fail(m.Value.Start, m.Value.End, "the indexes of %q are %s and not an array", id, m.Value.Kind)
			}
			for i := range m.Value.Items {
				v := &m.Value.Items[i]
				category.Indexes = append(category.Indexes, Reference{r.clean(v, "indexes"), v.Start, v.End})
			}
		}
		r.m.Categories = append(r.m.Categories, category)
	}
}
