package coverage

import (
	"bytes"
	_ "embed" // for the schemas
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// The values of the member "schema".
const (
	SchemaName       = "forge.coverage/1"
	RereadSchemaName = "forge.reread/1"
)

//go:embed schema.json
var schema string

//go:embed reread.schema.json
var rereadSchema string

// Schema returns the JSON Schema of the matrix.
func Schema() []byte { return []byte(schema) }

// RereadSchema returns the JSON Schema of the answer to --reread.
func RereadSchema() []byte { return []byte(rereadSchema) }

type jsonMatrix struct {
	Schema    string       `json:"schema"`
	Snapshot  string       `json:"snapshot"`
	Layers    []jsonLayer  `json:"layers"`
	Actions   []jsonAction `json:"actions"`
	Guards    []jsonGuard  `json:"guards"`
	Unguarded []jsonFile   `json:"unguarded"`
	Unread    []jsonFile   `json:"unread"`
}

type jsonLayer struct {
	ID     string     `json:"id"`
	Title  string     `json:"title"`
	Bytes  int        `json:"bytes"`
	Tokens int        `json:"tokens"`
	Per    string     `json:"per"`
	Files  []jsonPath `json:"files"`
}

type jsonAction struct {
	ID    string     `json:"id"`
	Title string     `json:"title"`
	Cells []jsonCell `json:"cells"`
}

type jsonCell struct {
	Layer  string `json:"layer"`
	State  State  `json:"state"`
	Reason string `json:"reason"`
}

type jsonGuard struct {
	Key        string `json:"key"`
	Armed      bool   `json:"armed"`
	Files      int    `json:"files"`
	CanCarry   int    `json:"can_carry"`
	WithHeader int    `json:"with_header"`
}

// A jsonPath is a path; one that is no UTF-8 is percent-encoded and stands in base64 beside it (chapter 3.1).
type jsonPath struct {
	Path   string `json:"path"`
	Base64 string `json:"path_base64,omitempty"`
}

type jsonFile struct {
	jsonPath
	Guard  string `json:"guard,omitempty"`
	Reason string `json:"reason"`
}

// WriteJSON writes the matrix as data, in one write. The same matrix gives the same bytes.
func (m *Matrix) WriteJSON(w io.Writer) error {
	out := jsonMatrix{
		Schema: SchemaName, Snapshot: m.Snapshot, Layers: []jsonLayer{}, Actions: []jsonAction{}, Guards: []jsonGuard{},
		Unguarded: jsonFiles(m.Unguarded), Unread: jsonFiles(m.Unread),
	}
	for i := range m.Layers {
		l := &m.Layers[i]
		out.Layers = append(out.Layers, jsonLayer{l.ID, l.Title, l.Bytes, l.Tokens(), l.Per, jsonPaths(l.Files)})
	}
	for _, a := range m.Actions {
		row := jsonAction{ID: a.ID, Title: a.Title, Cells: []jsonCell{}}
		for _, c := range a.Cells {
			row.Cells = append(row.Cells, jsonCell(c))
		}
		out.Actions = append(out.Actions, row)
	}
	for _, g := range m.Guards {
		out.Guards = append(out.Guards, jsonGuard{g.Key, g.Armed, g.Files, g.CanCarry, g.WithHeader})
	}
	return writeJSON(w, out)
}

func jsonFiles(list []File) []jsonFile {
	out := []jsonFile{}
	for _, f := range list {
		out = append(out, jsonFile{pathOf(f.Path), f.Guard, f.Reason})
	}
	return out
}

func jsonPaths(list []string) []jsonPath {
	out := []jsonPath{}
	for _, p := range list {
		out = append(out, pathOf(p))
	}
	return out
}

func pathOf(p string) jsonPath {
	if utf8.ValidString(p) {
		return jsonPath{Path: p}
	}
	var b strings.Builder
	for i := 0; i < len(p); {
		r, size := utf8.DecodeRuneInString(p[i:])
		if r == '%' || r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, "%%%02X", p[i])
		} else {
			b.WriteString(p[i : i+size])
		}
		i += size
	}
	return jsonPath{b.String(), base64.StdEncoding.EncodeToString([]byte(p))}
}

func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("could not write JSON: %w", err)
	}
	_, err := w.Write(escapeControls(b.Bytes()))
	return err
}

// escapeControls writes what a terminal would act on as escapes of JSON. Such characters stand only inside strings.
func escapeControls(src []byte) []byte {
	var out []byte
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		c := string(src[i : i+size])
		switch {
		case r < 0x7f || text.Escape(c) == c:
			out = append(out, c...)
		case r > 0xffff:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += size
	}
	return out
}
