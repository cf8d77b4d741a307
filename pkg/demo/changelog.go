package demo

import "strings"

const (
	changelogPath = "docs/context-changelog.json"
	changelog     = `{
  "schemaVersion": "1.0",
  "entries": [
    {
      "id": "opening-hours",
      "date": "2026-08-20",
      "type": "decision",
      "summary": "The shop opens at eight",
      "paths": ["docs/domain/hours.md"]
    }
  ]
}
`
	manifest = `{
  "leji": "1.0",
  "name": "A small shop",
  "rootPath": "docs/",
  "bootProfilePath": "docs/boot.md",
  "categories": {"domain": {"indexes": ["docs/domain.md"]}},
  "owners": {"primary": {"name": "The owner"}}
}
`
	index = "# Domain\n\n```leji-index\n- path: docs/domain/\n```\n"
)

// layer is a context layer: a manifest, one document, and the changelog that has to name each change of it.
func layer(files map[string]string) map[string]string {
	files["leji.json"] = manifest
	files["docs/boot.md"] = "# Identity\n\nA small shop.\n"
	files["docs/domain.md"] = index
	files["docs/domain/hours.md"] = "# Opening hours\n\nFrom eight to six.\n"
	files[changelogPath] = changelog
	return files
}

func changelogScene(commit func(string) []string) scene {
	return scene{
		title:   "A published decision is rewritten",
		explain: "The changelog of a context layer is what agents rely on: entries are added, never edited.",
		write:   map[string]string{changelogPath: strings.Replace(changelog, "opens at eight", "opens at nine", 1)},
		show:    commit("We open later"),
		refused: "changelog/entry-edited",
	}
}
