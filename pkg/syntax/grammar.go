package syntax

// #include "tree.h"
import "C"

import (
	// The grammars and the runtime are linked for their C symbols; tree.h declares what is used of them.
	_ "github.com/smacker/go-tree-sitter"
	_ "github.com/smacker/go-tree-sitter/bash"
	_ "github.com/smacker/go-tree-sitter/c"
	_ "github.com/smacker/go-tree-sitter/cpp"
	_ "github.com/smacker/go-tree-sitter/csharp"
	_ "github.com/smacker/go-tree-sitter/css"
	_ "github.com/smacker/go-tree-sitter/elixir"
	_ "github.com/smacker/go-tree-sitter/golang"
	_ "github.com/smacker/go-tree-sitter/hcl"
	_ "github.com/smacker/go-tree-sitter/html"
	_ "github.com/smacker/go-tree-sitter/java"
	_ "github.com/smacker/go-tree-sitter/javascript"
	_ "github.com/smacker/go-tree-sitter/kotlin"
	_ "github.com/smacker/go-tree-sitter/lua"
	_ "github.com/smacker/go-tree-sitter/ocaml"
	_ "github.com/smacker/go-tree-sitter/php"
	_ "github.com/smacker/go-tree-sitter/protobuf"
	_ "github.com/smacker/go-tree-sitter/python"
	_ "github.com/smacker/go-tree-sitter/ruby"
	_ "github.com/smacker/go-tree-sitter/rust"
	_ "github.com/smacker/go-tree-sitter/scala"
	_ "github.com/smacker/go-tree-sitter/sql"
	_ "github.com/smacker/go-tree-sitter/swift"
	_ "github.com/smacker/go-tree-sitter/typescript/tsx"
	_ "github.com/smacker/go-tree-sitter/typescript/typescript"
)

// parserOf returns the grammar of a language, nil when the binding has none.
func parserOf(language string) *C.TSLanguage {
	switch language {
	case "bash":
		return C.tree_sitter_bash()
	case "c":
		return C.tree_sitter_c()
	case "csharp":
		return C.tree_sitter_c_sharp()
	case "cpp":
		return C.tree_sitter_cpp()
	case "css":
		return C.tree_sitter_css()
	case "elixir":
		return C.tree_sitter_elixir()
	case "go":
		return C.tree_sitter_go()
	case "hcl":
		return C.tree_sitter_hcl()
	case "html":
		return C.tree_sitter_html()
	case "java":
		return C.tree_sitter_java()
	case "javascript":
		return C.tree_sitter_javascript()
	case "kotlin":
		return C.tree_sitter_kotlin()
	case "lua":
		return C.tree_sitter_lua()
	case "ocaml":
		return C.tree_sitter_ocaml()
	case "php":
		return C.tree_sitter_php()
	case "protobuf":
		return C.tree_sitter_proto()
	case "python":
		return C.tree_sitter_python()
	case "ruby":
		return C.tree_sitter_ruby()
	case "rust":
		return C.tree_sitter_rust()
	case "scala":
		return C.tree_sitter_scala()
	case "sql":
		return C.tree_sitter_sql()
	case "swift":
		return C.tree_sitter_swift()
	case "tsx":
		return C.tree_sitter_tsx()
	case "typescript":
		return C.tree_sitter_typescript()
	}
	return nil
}
