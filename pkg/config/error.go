package config

import (
	"fmt"
	"sort"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// An Error is one fault of a configuration, with its place.
type Error struct {
	File         string
	Line, Column int    // 1-based; Column counts bytes
	Key          string // path of the key, such as records[0].shape; "" for the file as a whole
	Message      string
	Nearest      string // what was most likely meant, or ""
}

// Error returns the fault on one line: `.forge/config.yaml:4:5: records[0].shap: unknown key; did you mean "shape"?`
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", text.Escape(e.File), e.Line, e.Column)
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Message)
	if e.Nearest != "" {
		fmt.Fprintf(&b, "; did you mean %s?", quote(e.Nearest))
	}
	return b.String()
}

// Errors are all faults of one configuration, in the order of their places.
type Errors []*Error

// Error returns one line for each fault.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes the single faults visible to errors.As.
func (e Errors) Unwrap() []error {
	list := make([]error, len(e))
	for i, one := range e {
		list[i] = one
	}
	return list
}

func (e Errors) sort() {
	sort.SliceStable(e, func(i, j int) bool {
		if e[i].Line != e[j].Line {
			return e[i].Line < e[j].Line
		}
		return e[i].Column < e[j].Column
	})
}
