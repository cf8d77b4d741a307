package syntax

import "testing"

// grammars lists the languages that have a tree-sitter grammar.
func grammars() []string {
	return []string{
		"bash", "c", "cpp", "csharp", "css", "elixir", "go", "hcl", "html", "java", "javascript", "kotlin", "lua", "ocaml", "php", "protobuf",
		"python", "ruby", "rust", "scala", "sql", "swift", "tsx", "typescript",
	}
}

func TestQueriesCompile(t *testing.T) {
	a := analyzerFor(t)
	for _, language := range grammars() {
		if _, err := a.grammar(language); err != nil {
			t.Error(err)
		}
	}
}
