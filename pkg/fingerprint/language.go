package fingerprint

import (
	"bytes"
	"path"
	"strings"
)

// languageOf returns the name of the language of a file by its path and, for scripts without an extension, by its first line;
// "" when there is no grammar for it.
func languageOf(name string, src []byte) string {
	base := path.Base(name)
	switch base {
	case "Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile":
		return "ruby"
	case ".bashrc", ".bash_profile", ".bash_aliases", ".profile", "PKGBUILD":
		return "bash"
	}
	if ext := strings.ToLower(path.Ext(base)); ext != "" && ext != base {
		if language := byExtension(ext); language != "" {
			return language
		}
	}
	return byInterpreter(src)
}

func byExtension(ext string) string {
	switch ext {
	case ".go":
		return "go"
	case ".py", ".pyi", ".pyw":
		return "python"
	case ".js", ".mjs", ".cjs", ".jsx":
		return "javascript"
	case ".ts", ".mts", ".cts":
		return "typescript"
	case ".tsx":
		return "tsx"
	case ".java":
		return "java"
	case ".c":
		return "c"
	case ".h":
		return "c header"
	case ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp":
		return "cpp"
	case ".cs", ".csx":
		return "csharp"
	case ".rs":
		return "rust"
	case ".rb", ".rake", ".gemspec", ".ru":
		return "ruby"
	case ".php", ".phtml", ".php5":
		return "php"
	case ".kt", ".kts":
		return "kotlin"
	case ".scala", ".sc", ".sbt":
		return "scala"
	case ".swift":
		return "swift"
	case ".sh", ".bash", ".ksh", ".bats":
		return "bash"
	case ".sql", ".ddl", ".dml":
		return "sql"
	case ".lua":
		return "lua"
	case ".ex", ".exs":
		return "elixir"
	case ".ml":
		return "ocaml"
	case ".proto":
		return "protobuf"
	case ".hcl", ".tf", ".tfvars", ".nomad":
		return "hcl"
	case ".css":
		return "css"
	case ".html", ".htm", ".xhtml":
		return "html"
	case ".yaml", ".yml":
		return "yaml"
	case ".toml":
		return "toml"
	case ".md", ".markdown":
		return "markdown"
	}
	return ""
}

// byInterpreter reads the #! line of a script.
func byInterpreter(src []byte) string {
	line, _, _ := bytes.Cut(src[:min(len(src), 200)], []byte("\n"))
	rest, ok := strings.CutPrefix(string(line), "#!")
	if !ok {
		return ""
	}
	words := strings.Fields(rest)
	for len(words) > 0 {
		program := path.Base(words[0])
		words = words[1:]
		if program == "env" || strings.HasPrefix(program, "-") || strings.Contains(program, "=") {
			continue
		}
		switch program = strings.TrimRight(program, "0123456789."); program {
		case "sh", "bash", "dash", "ksh":
			return "bash"
		case "python", "ruby", "php", "lua", "swift", "kotlin", "scala":
			return program
		case "node", "nodejs":
			return "javascript"
		case "elixir", "ocaml":
			return program
		}
		return ""
	}
	return ""
}
