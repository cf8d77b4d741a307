package floors

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// noInit binds everything that ends up in a program: no init function, and no variable whose value takes a call to work
// out. Tests and ci/ are free.
func noInit(p *pkg, report func(place, what string)) {
	if floorOf(p.dir) == outside {
		return
	}
	types := typeNames(p)
	for _, f := range p.code() {
		for _, decl := range f.ast.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				report(at(f, f.line(fn)), "declares func init")
			}
		}
		for _, spec := range globals(f) {
			for _, value := range spec.Values {
				for _, call := range startUpCalls(value, types) {
					report(at(f, f.line(call)), fmt.Sprintf("calls %s to set the package variable %q", callee(call), spec.Names[0].Name))
				}
			}
		}
	}
}

// noGlobals binds the same files: no variable that is assigned to, starts without a value, or is of a type made to be changed.
func noGlobals(p *pkg, report func(place, what string)) {
	if floorOf(p.dir) == outside {
		return
	}
	declared := map[string]bool{}
	for _, f := range p.code() {
		for _, spec := range globals(f) {
			for _, name := range spec.Names {
				if name.Name == "_" {
					continue
				}
				declared[name.Name] = true
				if len(spec.Values) == 0 && !embedded(f, spec) {
					report(at(f, f.line(name)), fmt.Sprintf("the package variable %q has no value at the start, so something must change it", name.Name))
				}
			}
			for _, value := range spec.Values {
				if restless(value) {
					report(at(f, f.line(value)), fmt.Sprintf("the package variable %q is made to be changed", spec.Names[0].Name))
				}
			}
		}
	}
	for _, f := range p.code() {
		top := globals(f)
		foreign := map[string]bool{}
		for _, i := range f.imports() {
			foreign[i.name] = true
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			for _, target := range targets(n) {
				name := rootOf(target)
				switch {
				case name == nil || !isGlobal(name, top):
				case declared[name.Name]:
					report(at(f, f.line(target)), fmt.Sprintf("changes the package variable %q", name.Name))
				case foreign[name.Name]:
					report(at(f, f.line(target)), fmt.Sprintf("changes a variable of package %q", name.Name))
				}
			}
			return true
		})
	}
}

// globals returns the variable declarations at the top of f.
func globals(f *file) []*ast.ValueSpec {
	var specs []*ast.ValueSpec
	for _, decl := range f.ast.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.VAR {
			for _, spec := range gen.Specs {
				specs = append(specs, spec.(*ast.ValueSpec))
			}
		}
	}
	return specs
}

// embedded reports whether a go:embed directive gives the variable its value.
func embedded(f *file, spec *ast.ValueSpec) bool {
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:embed ") && f.line(c) < f.line(spec) && f.line(spec)-f.line(c) <= 3 {
				return true
			}
		}
	}
	return false
}

// typeNames returns the names of the types that p declares, by which a conversion is told from a call.
func typeNames(p *pkg) map[string]bool {
	names := map[string]bool{}
	for _, f := range p.code() {
		for _, decl := range f.ast.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				names[spec.(*ast.TypeSpec).Name.Name] = true
			}
		}
	}
	return names
}

// cheap lists the calls that cost nothing worth mentioning at start-up.
const cheap = "errors.New fmt.Errorf sync.OnceValue sync.OnceValues sync.OnceFunc len cap new make " +
	"string int int64 uint uint8 uint16 uint32 uint64 byte rune float64 any bool"

// startUpCalls returns the calls within value that run before main: those not inside a function literal, that convert
// nothing and are not cheap.
func startUpCalls(value ast.Expr, types map[string]bool) []*ast.CallExpr {
	var calls []*ast.CallExpr
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if _, run := n.Fun.(*ast.FuncLit); run {
				calls = append(calls, n)
				return false
			}
			name := callee(n)
			if name != "" && !types[name] && !slices.Contains(strings.Fields(cheap), name) {
				calls = append(calls, n)
			}
		}
		return true
	})
	return calls
}

// callee returns the written name of what is called, "" for a conversion to an unnamed type.
func callee(call *ast.CallExpr) string {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			return x.Name + "." + fun.Sel.Name
		}
		return fun.Sel.Name
	case *ast.IndexExpr:
		return callee(&ast.CallExpr{Fun: fun.X})
	case *ast.IndexListExpr:
		return callee(&ast.CallExpr{Fun: fun.X})
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StructType, *ast.StarExpr:
		return ""
	case *ast.FuncLit:
		return "a function literal"
	}
	return "a computed function"
}

// targets returns the expressions that statement n writes to.
func targets(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.CallExpr:
		if fun, ok := n.Fun.(*ast.Ident); ok && (fun.Name == "delete" || fun.Name == "clear") && fun.Obj == nil && len(n.Args) > 0 {
			return n.Args[:1]
		}
	}
	return nil
}

// rootOf returns the variable that an expression like v, v[i], v.f or *v starts from.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// isGlobal reports whether name is not bound inside a function; top holds the top-level declarations of its file. The
// parser leaves names that other files declare unresolved.
func isGlobal(name *ast.Ident, top []*ast.ValueSpec) bool {
	if name.Obj == nil {
		return true
	}
	spec, ok := name.Obj.Decl.(*ast.ValueSpec)
	return ok && slices.Contains(top, spec)
}

// restless reports whether value is of a type whose only use is to be changed.
func restless(value ast.Expr) bool {
	if addr, ok := value.(*ast.UnaryExpr); ok {
		value = addr.X
	}
	lit, ok := value.(*ast.CompositeLit)
	if !ok {
		return false
	}
	sel, ok := lit.Type.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && (x.Name == "sync" || x.Name == "atomic" || x.Name == "bytes" && sel.Sel.Name == "Buffer")
}
