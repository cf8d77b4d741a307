package guardheader

import (
	"bytes"
	"path"
	"strings"
	"sync"
)

// A syntax is how a language writes comments on one line. A header is written with the first line sign, or with the first
// pair where there is no line sign; the others are recognised too.
type syntax struct {
	line []string    // signs of comments to the end of the line
	pair [][2]string // opening and closing signs
}

// header returns the line that carries the header of r.
func (x *syntax) header(r *Row) string {
	if len(x.line) > 0 {
		return x.line[0] + " " + r.Text()
	}
	return x.pair[0][0] + " " + r.Text() + " " + x.pair[0][1]
}

// writable reports whether the text of r can stand in a comment of x.
func (x *syntax) writable(r *Row) bool {
	return len(x.line) > 0 || !strings.Contains(r.Text(), x.pair[0][1])
}

var (
	slashStar = [2]string{"/*", "*/"}
	angle     = [2]string{"<!--", "-->"}
)

// Families of languages, by the signs of their comments.
func families() map[string]*syntax {
	return map[string]*syntax{
		"hash":    {line: []string{"#"}},
		"slash":   {line: []string{"//"}, pair: [][2]string{slashStar}},
		"star":    {pair: [][2]string{slashStar}},
		"dash":    {line: []string{"--"}},
		"sql":     {line: []string{"--", "#"}, pair: [][2]string{slashStar}},
		"haskell": {line: []string{"--"}, pair: [][2]string{{"{-", "-}"}}},
		"semi":    {line: []string{";", ";;", ";;;"}},
		"lisp":    {line: []string{";;", ";", ";;;"}},
		"ini":     {line: []string{";", "#"}},
		"percent": {line: []string{"%", "%%"}},
		"quote":   {line: []string{"'", "REM"}},
		"batch":   {line: []string{"REM", "rem", "Rem", "::"}},
		"bang":    {line: []string{"!"}},
		"vim":     {line: []string{`"`}},
		"markup":  {pair: [][2]string{angle}},
		"ml":      {pair: [][2]string{{"(*", "*)"}}},
		"pascal":  {line: []string{"//"}, pair: [][2]string{{"{", "}"}, {"(*", "*)"}}},
		"mdx":     {pair: [][2]string{{"{/*", "*/}"}}},
		"php":     {line: []string{"//", "#"}, pair: [][2]string{slashStar}},
		"hcl":     {line: []string{"#", "//"}, pair: [][2]string{slashStar}},
		"rst":     {line: []string{".."}},
		"twig":    {pair: [][2]string{{"{#", "#}"}}},
		"any":     {line: []string{"#", "//", ";", "--", "%"}, pair: [][2]string{angle, slashStar}},
	}
}

// byExtension lists the extensions of each family, byName the whole file names, byProgram the interpreters of shebangs.
// All are lower case.
func byExtension() map[string]string {
	return map[string]string{
		"hash": ".sh .bash .zsh .fish .ksh .py .pyi .rb .rake .gemspec .pl .pm .t .yaml .yml .toml .r .jl .nim .ex .exs .cr .tcl .awk .sed .mk .cmake .ps1 .psm1 .psd1 " +
			".conf .cfg .cnf .properties .env .service .socket .timer .desktop .dockerfile .nix .gd .coffee .bzl .bazel .star .gitignore .graphql .gql .po .pot .feature .org .jq .exp .rego .just .pyx .dockerignore",
		"slash": ".go .c .h .cc .cpp .cxx .hh .hpp .hxx .inl .m .mm .java .kt .kts .scala .sc .groovy .gradle .cs .fs .fsx .swift .rs .js .mjs .cjs .jsx .ts .mts .cts .tsx .dart .proto .zig .sol " +
			".v .sv .scss .sass .less .jsonc .json5 .d .odin .cue .thrift .adoc .asciidoc .hlsl .glsl .wgsl .vert .frag .metal .cu .cuh .ino .vala .styl .mod .sum .work .dot .bicep .prisma .typ",
		"star":    ".css .pcss .postcss",
		"dash":    ".lua .adb .ads .vhd .vhdl .applescript",
		"sql":     ".sql .psql .ddl .mysql",
		"haskell": ".hs .elm .purs .idr .agda",
		"semi":    ".asm .s .nasm .ahk .kicad_wks",
		"lisp":    ".el .lisp .lsp .cl .scm .ss .rkt .clj .cljs .cljc .edn .fnl",
		"ini":     ".ini .inf .reg",
		"percent": ".tex .sty .cls .bib .ltx .erl .hrl .pro .ps .mat",
		"quote":   ".vb .vbs .bas",
		"batch":   ".bat .cmd",
		"bang":    ".f90 .f95 .f03 .f08",
		"vim":     ".vim",
		"markup":  ".html .htm .xhtml .xml .xsd .xsl .xslt .svg .vue .svelte .rss .atom .plist .xaml .csproj .fsproj .vbproj .props .targets .wsdl .kml .gpx .drawio .ui .qrc .nuspec .resx",
		"ml":      ".ml .mli .mll .mly .sml",
		"pascal":  ".pas .pp .dpr .lpr",
		"mdx":     ".mdx",
		"php":     ".php .phtml",
		"hcl":     ".tf .tfvars .hcl .nomad",
		"rst":     ".rst",
		"twig":    ".twig .jinja .jinja2 .j2 .njk",
	}
}

func byName() map[string]string {
	return map[string]string{
		"hash": "makefile gnumakefile dockerfile containerfile jenkinsfile.sh gemfile rakefile vagrantfile podfile fastfile brewfile procfile justfile cmakelists.txt requirements.txt constraints.txt robots.txt codeowners " +
			".gitignore .gitattributes .gitmodules .gitconfig .dockerignore .npmignore .npmrc .editorconfig .env .forgeignore .prettierignore .eslintignore .bashrc .profile .zshrc .mailmap .yamllint .clang-format snakefile tiltfile pipfile poetry.lock cargo.lock crontab inputrc .inputrc",
		"slash": "jenkinsfile go.mod go.work",
		"vim":   ".vimrc vimrc",
		"lisp":  ".emacs",
	}
}

func byProgram() map[string]string {
	return map[string]string{
		"hash":  "sh bash dash zsh ksh ash fish python python2 python3 perl ruby awk gawk sed tclsh rscript julia make elixir crystal nix-shell pwsh bats jq just nu",
		"slash": "node nodejs deno bun ts-node groovy scala swift dart rust-script",
		"dash":  "lua luajit runhaskell runghc",
		"php":   "php",
		"lisp":  "sbcl guile racket emacs clojure",
		"ml":    "ocaml",
	}
}

// syntaxOf returns how the file at p writes comments, and whether that is known: by its name, its extension or its
// shebang. Unknown text gets the signs that are common.
func syntaxOf(p string, src []byte) (*syntax, bool) {
	base := strings.ToLower(path.Base(p))
	words := dictionary()
	family := words.names[base]
	if family == "" {
		family = words.extensions[path.Ext(base)]
	}
	if family == "" && (strings.HasPrefix(base, "dockerfile.") || strings.HasPrefix(base, "makefile.") || strings.HasPrefix(base, ".env.")) {
		family = "hash"
	}
	if family == "" {
		family = words.programs[interpreter(src)]
	}
	if family == "" {
		return words.families["any"], false
	}
	return words.families[family], true
}

// A lexicon maps file names, extensions and interpreters to families.
type lexicon struct {
	names, extensions, programs map[string]string
	families                    map[string]*syntax
}

var dictionary = sync.OnceValue(func() *lexicon {
	return &lexicon{names: invert(byName()), extensions: invert(byExtension()), programs: invert(byProgram()), families: families()}
})

func invert(table map[string]string) map[string]string {
	out := map[string]string{}
	for family, words := range table {
		for _, w := range strings.Fields(words) {
			out[w] = family
		}
	}
	return out
}

// interpreter returns the name of the program in the shebang of src, without folder and version; "" without one.
func interpreter(src []byte) string {
	line, _ := lineAt(bytes.TrimPrefix(src, []byte(bom)), 0)
	rest, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok {
		return ""
	}
	for _, word := range strings.Fields(string(rest)) {
		name := strings.ToLower(path.Base(word))
		if name == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		if n := strings.TrimRight(name, "0123456789."); dictionary().programs[n] != "" {
			return n
		}
		return name
	}
	return ""
}

// comment returns the text of a comment on a line of its own, and whether line (without white space around it) is one.
func (x *syntax) comment(line string) (string, bool) {
	for _, p := range x.pair {
		if t, ok := strings.CutPrefix(line, p[0]); ok {
			if t, ok := strings.CutSuffix(t, p[1]); ok && !strings.Contains(t, p[1]) {
				return t, true
			}
		}
	}
	best, text := 0, ""
	for _, sign := range x.line {
		if t, ok := strings.CutPrefix(line, sign); ok && len(sign) > best {
			best, text = len(sign), t
		}
	}
	return text, best > 0
}

// opens returns the closing sign of a comment that line opens and does not close, "" when it opens none.
func (x *syntax) opens(line string) string {
	for _, p := range x.pair {
		if t, ok := strings.CutPrefix(line, p[0]); ok && !strings.Contains(t, p[1]) {
			return p[1]
		}
	}
	return ""
}
