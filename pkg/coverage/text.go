package coverage

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// columnNames are the heads of the columns, short enough for one line of a terminal.
func columnNames() []string { return []string{"table", "safety", "step 0", "header", "enforced"} }

// WriteText writes the matrix for people, in one write: the cells, the reason of each, the cost of the layers, and the
// guarded files without header.
func (m *Matrix) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Guard layers in %s\n\n", text.Escape(m.Snapshot))
	m.writeGrid(&b)
	for _, a := range m.Actions {
		fmt.Fprintf(&b, "\n%s\n", a.Title)
		for i, c := range a.Cells {
			fmt.Fprintf(&b, "  %-9s %-8s %s\n", columnNames()[i], c.State, text.Escape(c.Reason))
		}
	}
	b.WriteString("\nCost of reading (tokens are an estimate: bytes / 4)\n")
	for i := range m.Layers {
		l := &m.Layers[i]
		if l.ID == Enforced {
			continue
		}
		fmt.Fprintf(&b, "  %-9s %5d tokens per %s: %s\n", columnNames()[i], l.Tokens(), l.Per, l.Title)
	}
	guarded := 0
	for _, g := range m.Guards {
		guarded += g.CanCarry
	}
	writeFiles(&b, fmt.Sprintf("Guarded files without header: %d of %d", len(m.Unguarded), guarded), m.Unguarded)
	if len(m.Unread) > 0 {
		writeFiles(&b, fmt.Sprintf("Files that could not be read: %d", len(m.Unread)), m.Unread)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (m *Matrix) writeGrid(b *strings.Builder) {
	width := 0
	for _, a := range m.Actions {
		width = max(width, utf8.RuneCountInString(a.Title))
	}
	row := func(title string, cells []string) {
		line := fmt.Sprintf("%-*s", width, title)
		for _, c := range cells {
			line += fmt.Sprintf("  %-8s", c)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	row("", columnNames())
	for _, a := range m.Actions {
		var cells []string
		for _, c := range a.Cells {
			cells = append(cells, string(c.State))
		}
		row(a.Title, cells)
	}
}

func writeFiles(b *strings.Builder, title string, files []File) {
	fmt.Fprintf(b, "\n%s\n", title)
	for _, f := range files {
		fmt.Fprintf(b, "  %s: %s\n", text.Escape(f.Path), text.Escape(f.Reason))
	}
}
