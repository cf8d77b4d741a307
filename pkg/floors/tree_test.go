package floors

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"sort"
	"strconv"
	"strings"
)

const module = "github.com/seed-4419f9ca/forge"

// A pkg is one folder with Go files.
type pkg struct {
	dir   string // relative to the module's root, with slashes
	files []*file
}

// A file is one parsed Go file, whatever its build constraints.
type file struct {
	name      string // relative to the module's root
	test      bool
	generated bool
	lines     int
	fset      *token.FileSet
	ast       *ast.File
}

// An imported is one import of a file: the name it goes by in the file and its path.
type imported struct {
	name, path string
	line       int
}

// load parses every Go file below the root of fsys, but for testdata, hidden folders and nested modules. The result is
// sorted by folder.
func load(fsys fs.FS) ([]*pkg, error) {
	byDir := map[string]*pkg{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(fsys, name)
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		f, err := parse(name, src)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if byDir[dir] == nil {
			byDir[dir] = &pkg{dir: dir}
		}
		byDir[dir].files = append(byDir[dir].files, f)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("could not read the module: %w", err)
	}
	tree := make([]*pkg, 0, len(byDir))
	for _, p := range byDir {
		tree = append(tree, p)
	}
	sort.Slice(tree, func(i, j int) bool { return tree[i].dir < tree[j].dir })
	return tree, nil
}

// enter says whether the go command would look into the folder.
func enter(fsys fs.FS, dir string) error {
	base := path.Base(dir)
	if dir == "." {
		return nil
	}
	if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	switch _, err := fs.Stat(fsys, path.Join(dir, "go.mod")); {
	case err == nil:
		return fs.SkipDir
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

func parse(name string, src []byte) (*file, error) {
	fset := token.NewFileSet()
	// Identifiers are resolved within the file, which is how a local variable is told from a global one.
	parsed, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &file{
		name:      name,
		test:      strings.HasSuffix(name, "_test.go"),
		generated: ast.IsGenerated(parsed),
		lines:     bytes.Count(src, []byte{'\n'}),
		fset:      fset,
		ast:       parsed,
	}, nil
}

func (f *file) line(n ast.Node) int { return f.fset.Position(n.Pos()).Line }

// imports lists what f imports. A package's name is taken to be the last element of its path that is no version.
func (f *file) imports() []imported {
	list := make([]imported, 0, len(f.ast.Imports))
	for _, spec := range f.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			panic(err) // the parser accepts only string literals here
		}
		name := path.Base(p)
		if isVersion(name) {
			name = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		list = append(list, imported{name: name, path: p, line: f.line(spec)})
	}
	return list
}

func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// uses calls fn for every mention of an exported name of the package with the given import path.
func (f *file) uses(importPath string, fn func(name string, line int)) {
	local := ""
	for _, i := range f.imports() {
		if i.path == importPath {
			local = i.name
		}
	}
	if local == "" || local == "_" {
		return
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == local && x.Obj == nil {
			fn(sel.Sel.Name, f.line(sel))
		}
		return true
	})
}
