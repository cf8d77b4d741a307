package claim

import ("testing";"context";"os";"strings";"path/filepath"
"github.com/rogpeppe/go-internal/txtar"
"github.com/seed-4419f9ca/forge/pkg/memory")

func TestZZ(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/cases/*/*.txtar")
	for _, f := range files {
		a, _ := txtar.ParseFile(f)
		groups := map[string]map[string]string{}
		for _, x := range a.Files {
			i := strings.Index(x.Name, "docs/system/")
			if i < 0 { continue }
			g := x.Name[:i]
			if groups[g]==nil { groups[g]=map[string]string{} }
			groups[g][x.Name[i:]] = string(x.Data)
		}
		for g, m := range groups {
			s, err := Load(context.Background(), memory.Tree(m), Layout{Root: "docs/system"})
			if err != nil { t.Error(f, err); continue }
			for _, x := range s.Faults {
				sp := "-"
				if ff := s.File(x.Path); ff != nil { p := ff.Span(x.Place); sp = string(ff.Src[x.Place.Start:x.Place.End]); t.Logf("%s %s %s:%d:%d %s: %s [%q]", filepath.Base(f), g, x.Path, p.Start.Line, p.Start.Column, x.Slug, x.Message, sp) } else {t.Log(f,g,x)}
			}
		}
	}
	_ = os.Args
}
