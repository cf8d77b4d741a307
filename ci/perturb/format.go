package main

import (
	"bytes"
	"errors"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A formatter is one program with one style.
type formatter struct {
	name    string
	program string
	args    []string
}

// formatted returns what the formatters of a language make of a source, by name: each in its own style, and most in a second
// one that differs in everything that can be set. Options turn off what changes a meaning, each with its reason.
func formatted(path, language, src string) map[string]string {
	out := map[string]string{}
	if language == "go" {
		if text, err := format.Source([]byte(src)); err == nil {
			out["gofmt"] = string(text)
		}
		return out
	}
	for _, f := range formatters(path, language) {
		if text, ok := pipe(src, f.program, f.args...); ok && !misread(f.name, language, src, text) {
			out[f.name] = text
		}
	}
	return out
}

func formatters(path, language string) []formatter {
	base := filepath.Base(path)
	two := func(name, program string, common, first, second []string) []formatter {
		return []formatter{{name, program, slices.Concat(first, common)}, {name + ", other style", program, slices.Concat(second, common)}}
	}
	switch language {
	case "python":
		return two("black", "black", []string{"-q", "-"}, nil, []string{"-l", "50", "--skip-magic-trailing-comma"})
	case "javascript", "typescript", "tsx", "css", "yaml", "markdown", "html":
		// Code in templates and fences is text of the file around it: formatting it changes a string.
		return two("prettier", "prettier", []string{"--no-config", "--embedded-language-formatting=off", "--stdin-filepath", "/" + base}, nil, otherStyle())
	case "php":
		return two("prettier", "prettier", []string{"--no-config", "--plugin=@prettier/plugin-php", "--php-version=8.2", "--stdin-filepath", "/" + base}, nil, otherStyle())
	case "java":
		return two("prettier", "prettier", []string{"--no-config", "--plugin=prettier-plugin-java", "--stdin-filepath", "/" + base}, nil, otherStyle())
	case "c", "cpp", "csharp", "protobuf":
		// The order of includes can matter, and a string that is split into two is another preprocessing token.
		keep := ", SortIncludes: Never, BreakStringLiterals: false, SortUsingDeclarations: false}"
		first, second := "{BasedOnStyle: LLVM", "{BasedOnStyle: GNU, ColumnLimit: 50, PointerAlignment: Left"
		if language == "csharp" {
			first = "{BasedOnStyle: Microsoft"
		}
		return two("clang-format", "clang-format", []string{"--assume-filename=" + base}, []string{"--style=" + first + keep}, []string{"--style=" + second + keep})
	case "rust":
		// The order of imports and modules is one of the file.
		return two("rustfmt", "rustfmt", []string{"--edition", "2021"}, []string{"--config", "reorder_imports=false,reorder_modules=false"},
			[]string{"--config", "reorder_imports=false,reorder_modules=false,max_width=60,hard_tabs=true,use_small_heuristics=Off,match_arm_leading_pipes=Always,force_explicit_abi=false"})
	case "bash":
		return two("shfmt", "shfmt", nil, []string{"-i", "3"}, []string{"-i", "0", "-bn", "-ci", "-sr", "-fn"})
	case "ruby":
		// The cops of layout, quotes and commas. Style/Semicolon and the others of Style write other programs, and
		// Layout/HeredocIndentation moves the text of heredocs.
		cops := "Layout,Style/StringLiterals,Style/TrailingCommaInArguments,Style/TrailingCommaInArrayLiteral,Style/TrailingCommaInHashLiteral,Style/RedundantParentheses," +
			"Style/DefWithParentheses,Style/MethodDefParentheses,Style/HashSyntax,Style/NumericLiterals,Style/MultilineIfThen"
		return []formatter{{"rubocop", "rubocop", []string{"--autocorrect", "--only", cops, "--except", "Layout/HeredocIndentation", "--stderr", "--format", "quiet", "--stdin", base}}}
	case "elixir":
		return []formatter{{"mix format", "mix", []string{"format", "-"}}}
	case "hcl":
		return []formatter{{"terraform fmt", "terraform", []string{"fmt", "-"}}}
	case "lua":
		return []formatter{{"stylua", "stylua", []string{"-"}}}
	}
	return nil
}

// otherStyle returns options of prettier that are the opposite of its defaults.
func otherStyle() []string {
	return []string{"--no-semi", "--single-quote", "--jsx-single-quote", "--trailing-comma=none", "--arrow-parens=avoid", "--quote-props=consistent", "--print-width=50", "--tab-width=7", "--bracket-same-line", "--no-bracket-spacing"}
}

// misread reports a source of which a formatter is known to make another program, and a result that a grammar is known not to
// read.
func misread(name, language, src, text string) bool {
	switch language {
	case "csharp":
		return strings.Contains(src, `"""`) // clang-format takes a raw string for three strings
	case "typescript", "tsx": // a line that begins with a bracket goes on with the type before, for the grammar
		return regexp.MustCompile(`[\w>\])]\n\s*\[\w+: \w+\]`).MatchString(text)
	case "php": // the grammar is older than members of a new object without parentheses
		return regexp.MustCompile(`[^(]new \w+(\(.*\))?->`).MatchString(src + text)
	case "bash":
		return strings.Contains(text, "esac then") // the grammar wants a line end
	}
	return false
}

// pipe sends text through a program. A program that is not there or refuses the text gives nothing.
func pipe(src, program string, args ...string) (string, bool) {
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader(src)
	cmd.Dir = pluginFolder(program)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	var status *exec.ExitError
	if errors.As(err, &status) && program == "rubocop" && status.ExitCode() == 1 {
		err = nil // it found what it corrected
	}
	return out.String(), err == nil && out.Len() > 0
}

// pluginFolder returns the folder from which prettier finds the plugins that are installed beside it, and for other programs
// one that holds no configuration.
func pluginFolder(program string) string {
	found, err := exec.LookPath(program)
	if err != nil || program != "prettier" {
		return os.TempDir()
	}
	return filepath.Join(filepath.Dir(found), "..", "..")
}
