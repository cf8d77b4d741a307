package syntax

import "testing"

// TestBelonging changes what stands around a definition, or beside it in the tree: its fingerprint has to show it, and that of
// its neighbour must not.
func TestBelonging(t *testing.T) {
	a := analyzerFor(t)
	for _, c := range []struct{ language, before, after, symbol, neighbour string }{
		{"go", "package a\nvar (\n\tx = 1\n\ty = 2\n)", "package a\nvar (\n\tx = 3\n\ty = 2\n)", "x", "y"},
		{"go", "package a\nconst (\n\tx = iota\n\ty\n)", "package a\nconst (\n\tz = iota\n\tx\n\ty\n)", "y", ""},
		{"python", "@b\ndef f(): pass\ndef g(): pass\n", "@c\ndef f(): pass\ndef g(): pass\n", "f", "g"},
		{"python", "class A:\n  @b(1)\n  def f(self): pass\n  def g(self): pass\n", "class A:\n  @b(2)\n  def f(self): pass\n  def g(self): pass\n", "A.f", "A.g"},
		{"python", "async def f(): pass\ndef g(): pass\n", "def f(): pass\ndef g(): pass\n", "f", "g"},
		{"python", "def f(a=1): pass\ndef g(): pass\n", "def f(a=2): pass\ndef g(): pass\n", "f", "g"},
		{"javascript", "export function f() {}\nfunction g() {}", "function f() {}\nfunction g() {}", "f", "g"},
		{"javascript", "class A { static f() {} g() {} }", "class A { f() {} g() {} }", "A.f", "A.g"},
		{"typescript", "class A { @b() f() {} g() {} }", "class A { @c() f() {} g() {} }", "A.f", "A.g"},
		{"typescript", "class A { private f() {} g() {} }", "class A { public f() {} g() {} }", "A.f", "A.g"},
		{"typescript", "class A { f(): void; f(b?: string) {} g() {} }", "class A { f(): string; f(b?: string) {} g() {} }", "A.f", "A.g"},
		{"typescript", "@b class A {}\nclass B {}", "@c class A {}\nclass B {}", "A", "B"},
		{"tsx", "export const F = () => <p/>; const G = 1", "const F = () => <p/>; const G = 1", "F", "G"},
		{"java", "class A { @B(1) void f() {} void g() {} }", "class A { @B(2) void f() {} void g() {} }", "A.f", "A.g"},
		{"java", "class A { public int f = 1; int g; }", "class A { private int f = 1; int g; }", "A.f", "A.g"},
		{"c", "static int f(void) { return 1; }\nint g;", "int f(void) { return 1; }\nint g;", "f", "g"},
		{"cpp", "class A { public: void f(); private: void g(); };", "class A { protected: void f(); private: void g(); };", "A.f", "A.g"},
		{"cpp", "template <int N> int f() { return N; }\nint g;", "template <long N> int f() { return N; }\nint g;", "f", "g"},
		{"csharp", "class A { [B(1)] void F() {} void G() {} }", "class A { [B(2)] void F() {} void G() {} }", "A.F", "A.G"},
		{"csharp", "class A { public async Task F() {} void G() {} }", "class A { public Task F() {} void G() {} }", "A.F", "A.G"},
		{"rust", "#[a]\npub fn f() {}\nfn g() {}", "#[b]\npub fn f() {}\nfn g() {}", "f", "g"},
		{"rust", "pub fn f() {}\nfn g() {}", "pub(crate) fn f() {}\nfn g() {}", "f", "g"},
		{"rust", "struct A {\n    #[a]\n    x: i32,\n    y: i32,\n}", "struct A {\n    #[b]\n    x: i32,\n    y: i32,\n}", "A.x", "A.y"},
		{"ruby", "class A\n  private\n  def f; end\n  public\n  def g; end\nend", "class A\n  protected\n  def f; end\n  public\n  def g; end\nend", "A.f", "A.g"},
		{"ruby", "class A\n  private def f; end\n  def g; end\nend", "class A\n  public def f; end\n  def g; end\nend", "A.f", "A.g"},
		{"php", "<?php class A { #[B(1)] public function f() {} function g() {} }", "<?php class A { #[B(2)] public function f() {} function g() {} }", "A.f", "A.g"},
		{"php", "<?php class A { private $f = 1; public $g; }", "<?php class A { public $f = 1; public $g; }", "A.f", "A.g"},
		{"kotlin", "@B(1)\nfun f() {}\nfun g() {}", "@B(2)\nfun f() {}\nfun g() {}", "f", "g"},
		{"kotlin", "@B(1) @C internal fun f() {}\nfun g() {}", "@B(1) @C fun f() {}\nfun g() {}", "f", "g"},
		{"kotlin", "fun h() {}\n@B(1)\nfun f() {}\nfun g() {}", "fun h() {}\n@B(2)\nfun f() {}\nfun g() {}", "f", "h"},
		{"kotlin", "fun h() {}\n@B(1)\nfun f() {}", "fun h() {}\n@B(1)\nfun f() {}\nfun g() {}", "", "f"},
		{"kotlin", "class A {\n  private val f = 1\n  val g = 2\n}", "class A {\n  val f = 1\n  val g = 2\n}", "A.f", "A.g"},
		{"kotlin", "fun interface A {\n  fun b()\n}\nval g = 1", "interface A {\n  fun b()\n}\nval g = 1", "A", "g"},
		{"scala", "object A { @b def f = 1; def g = 2 }", "object A { @c def f = 1; def g = 2 }", "A.f", "A.g"},
		{"scala", "object A { private def f = 1; def g = 2 }", "object A { def f = 1; def g = 2 }", "A.f", "A.g"},
		{"swift", "@a func f() {}\nfunc g() {}", "@b func f() {}\nfunc g() {}", "f", "g"},
		{"swift", "struct A {\n  private var f = 1\n  var g = 2\n}", "struct A {\n  var f = 1\n  var g = 2\n}", "A.f", "A.g"},
		{"bash", "export A=1\nB=2", "readonly A=1\nB=2", "A", "B"},
		{"bash", "f() { a\n\\b; }\ng() { c; }", "f() { a \\b; }\ng() { c; }", "f", "g"},
		{"lua", "local f = 1\ng = 2", "f = 1\ng = 2", "f", "g"},
		{"elixir", "defmodule A do\n  @spec f(a) :: b\n  def f(a), do: a\n  def g(a), do: a\nend", "defmodule A do\n  @spec f(a) :: c\n  def f(a), do: a\n  def g(a), do: a\nend", "A.f", "A.g"},
		{"elixir", "defmodule A do\n  def f(a), do: a\n  def g(a), do: a\nend", "defmodule A do\n  defp f(a), do: a\n  def g(a), do: a\nend", "A.f", "A.g"},
		{"ocaml", "let f = 1 [@@a]\nlet g = 2", "let f = 1 [@@b]\nlet g = 2", "f", "g"},
		{"protobuf", "syntax = \"proto3\"; message A { repeated string f = 1; string g = 2; }", "syntax = \"proto3\"; message A { string f = 1; string g = 2; }", "A.f", "A.g"},
		{"sql", "CREATE TABLE a (b int NOT NULL, c int);", "CREATE TABLE a (b int, c int);", "a.b", "a.c"},
		{"hcl", "a {\n  b = 1\n  c = 2\n}\n", "a {\n  b = 3\n  c = 2\n}\n", "a.b", "a.c"},
		{"css", ".a:hover { b: c }\n.d { e: f }", ".a:focus { b: c }\n.d { e: f }", "a", "d"},
		{"html", "<p id=a class=b>x</p><p id=c>y</p>", "<p id=a class=d>x</p><p id=c>y</p>", "a", "c"},
		{"yaml", "a: &x 1\nb: 2\n", "a: &y 1\nb: 2\n", "a", "b"},
		{"toml", "[a]\nb = 1\nc = 2\n", "[a]\nb = 3\nc = 2\n", "a.b", "a.c"},
		{"markdown", "# A\n\nx\n\n# B\n\ny\n", "# A\n\nz\n\n# B\n\ny\n", "A", "B"},
	} {
		one, two := see(t, a, c.language, c.before), see(t, a, c.language, c.after)
		of := func(name string) [2]string {
			x, err := one.Resolve(name)
			if err != nil {
				t.Errorf("%s: %q: %v", c.language, c.before, err)
				return [2]string{}
			}
			y, err := two.Resolve(name)
			if err != nil {
				t.Errorf("%s: %q: %v", c.language, c.after, err)
				return [2]string{}
			}
			if x.Note != "" || y.Note != "" {
				t.Errorf("%s: %q: %s%s", c.language, c.before, x.Note, y.Note)
			}
			return [2]string{x.Digest.Whole, y.Digest.Whole}
		}
		if c.symbol == "" {
			// only the neighbour is looked at
		} else if d := of(c.symbol); d[0] == d[1] {
			t.Errorf("%s: %q and %q show no change of %s", c.language, c.before, c.after, c.symbol)
		}
		if c.neighbour != "" {
			if d := of(c.neighbour); d[0] != d[1] {
				t.Errorf("%s: %q and %q change %s", c.language, c.before, c.after, c.neighbour)
			}
		}
	}
}
