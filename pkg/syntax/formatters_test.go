package syntax

import "testing"

// formatted are spellings that the usual formatter of each language turns into one another: what gofmt, black, prettier,
// rustfmt, clang-format, shfmt, rubocop, php-cs-fixer, ktlint, scalafmt, stylua, mix format, ocamlformat, buf and terraform
// fmt really do beyond white space.
func formatted() []pair {
	return []pair{
		{"go", "package a\nvar x = ((y))", "package a\nvar x = y"},
		{"go", "package a\nfunc f() { x := (y); for (x) {}; switch (x) {} }", "package a\nfunc f() {\n\tx := y\n\tfor x {\n\t}\n\tswitch x {\n\t}\n}"},
		{"go", "package a\nfunc f(a, b int,) { f(a, b,) }", "package a\nfunc f(a, b int) { f(a, b) }"},
		{"go", "package a\nvar x = 0XFF + 0B1 + 0O7 + 1E3", "package a\nvar x = 0xff + 0b1 + 0o7 + 1e3"},
		{"go", "package a\nimport (\"b\")\n", "package a\n\nimport (\n\t\"b\"\n)\n"},

		{"python", "x = U'a' + R'\\d' + Rb'x' + F'{a}'\n", "x = \"a\" + r\"\\d\" + rb\"x\" + f\"{a}\"\n"},
		{"python", "x = 0XABC + 0O17 + 0B1 + 1E5 + 2J + 1E+5\n", "x = 0xABC + 0o17 + 0b1 + 1e5 + 2j + 1e5\n"},
		{"python", "for x in (1, 2): pass\n", "for x in 1, 2:\n    pass\n"},
		{"python", "for (x) in (y): pass\n", "for x in y:\n    pass\n"},
		{"python", "def f():\n  return (a)\n  del (b), (c)\n  assert (d), (e)\n", "def f():\n    return a\n    del b, c\n    assert d, e\n"},
		{"python", "del (a, b)\n", "del a, b\n"},
		{"python", "with (open(a)) as f: pass\n", "with open(a) as f:\n    pass\n"},
		{"python", "async def f():\n  await (x)\n  yield (y)\n", "async def f():\n    await x\n    yield y\n"},
		{"python", "if (a): pass\nelif (b): pass\nwhile (c): pass\n", "if a:\n    pass\nelif b:\n    pass\nwhile c:\n    pass\n"},
		{"python", "try: pass\nexcept (A): pass\nexcept (A, B) as e: pass\n", "try:\n    pass\nexcept A:\n    pass\nexcept (A, B) as e:\n    pass\n"},
		{"python", "def f(a, *b,) -> (int): pass\nf(a, *b,)\n", "def f(a, *b) -> int:\n    pass\nf(a, *b)\n"},
		{"python", "x = a is  not b and c not  in d\n", "x = a is not b and c not in d\n"},
		{"python", "x = [1, 2,]; y = {1: 2,}; z = {1, 2,}\n", "x = [1, 2]\ny = {\n    1: 2\n}\nz = {1, 2}\n"},
		{"python", "x = (yield)\ny = (\n    a\n    if b\n    else c\n)\n", "x = yield\ny = a if b else c\n"},
		{"python", "match (x):\n  case 1: pass\n", "match x:\n    case 1:\n        pass\n"},
		{"python", "print(a) ; print(b) ;\n", "print(a)\nprint(b)\n"},
		{"python", "assert a, \\\n  b\n", "assert a, b\n"},
		{"python", "class A(B,): pass\n", "class A(B): pass\n"},
		{"python", "x = a if (b) else (c)\nx = not (d)\n", "x = a if b else c\nx = not d\n"},

		{"javascript", "'use strict'; var a = {'x': 1, y: 2}", "\"use strict\";\nvar a = { x: 1, y: 2 };\n"},
		{"javascript", "x = {'1': a, '20': b}", "x = { 1: a, 20: b };"},
		{"javascript", "f(a, b,); function g(a, b,) {} x = [a, b,]; import {c,} from 'd'; export {e,}", "f(a, b);\nfunction g(a, b) {}\nx = [a, b];\nimport { c } from \"d\";\nexport { e };"},
		{"javascript", "x = ((a)); y = (a).b; z = (a)(); typeof (a); delete (a.b); throw (a)", "x = a;\ny = a.b;\nz = a();\ntypeof a;\ndelete a.b;\nthrow a;"},
		{"javascript", "x = (a ? (b) : (c))", "x = a ? b : c;"},
		{"javascript", "x = (a || b) ?? c\n;[a].b()", "x = (a || b) ?? c;\n[a].b();"},
		{"javascript", "var f = (function () {})", "var f = function () {};"},
		{"javascript", "x = () => ({a: 1})", "x = () => ({ a: 1 });"},
		{"javascript", "x = 'a\\\"b'", "x = 'a\"b';"},
		{"javascript", "x = <a b={'c'}>{'d'}</a>", "x = <a b={\"c\"}>{\"d\"}</a>;"},
		{"javascript", "for (;;) {}", "for (;;) {\n}"},
		{"javascript", "class A { static a = 1; b() {}; c = () => {} }", "class A {\n  static a = 1;\n  b() {}\n  c = () => {};\n}"},
		{"javascript", "a.\\u0275b = 1", "a.ɵb = 1;"},
		{"typescript", "type A = (string); type B = | 'a' | 'b'; type C = [a, b,]; function f<T,>() {}", "type A = string;\ntype B = \"a\" | \"b\";\ntype C = [a, b];\nfunction f<T>() {}"},
		{"typescript", "type A = {a: string, b: number}", "type A = {\n  a: string;\n  b: number;\n};"},
		{"typescript", "enum A { 'x' = 1, y }", "enum A {\n  x = 1,\n  y,\n}"},
		{"typescript", "declare module 'a' { export const b: number }", "declare module \"a\" {\n  export const b: number;\n}"},
		{"typescript", "abstract class A { abstract b(): void; private c?: string }", "abstract class A {\n  abstract b(): void;\n  private c?: string;\n}"},
		{"typescript", "let x = <A>(y); let z = (y as A)", "let x = <A>y;\nlet z = y as A;"},
		{"tsx", "const a = () => (<p/>); const b = (<p>{c}</p>)", "const a = () => <p />;\nconst b = <p>{c}</p>;"},
		{"tsx", "x = a && <p/>; y = a ? <p/> : <q/>", "x = a && (\n  <p />\n);\ny = a ? (\n  <p />\n) : (\n  <q />\n);"},

		{"rust", "use a::{b}; extern fn f() {}", "use a::b;\nextern \"C\" fn f() {}"},
		{"rust", "fn f<T,>(a: T,) -> T where T: A, { let (a, b,) = c; g(a, b,); S { a, b, } }", "fn f<T>(a: T) -> T\nwhere\n    T: A\n{\n    let (a, b) = c;\n    g(a, b);\n    S { a, b }\n}"},
		{"rust", "fn f() { match x { A => { return; } B | C => { g() } D => h(), } }", "fn f() {\n    match x {\n        A => {\n            return;\n        }\n        B | C => g(),\n        D => h(),\n    }\n}"},
		{"rust", "fn f() { match x { | A | B => 1, _ => 2 } }", "fn f() { match x { A | B => 1, _ => 2 } }"},
		{"rust", "fn f() { let c = |x| { g(x) }; for i in (0..n) {} while (a) {} }", "fn f() {\n    let c = |x| g(x);\n    for i in 0..n {}\n    while a {}\n}"},
		{"rust", "enum E { A, B { c: i32, }, }\ntype T = (i32, u8,);", "enum E {\n    A,\n    B { c: i32 }\n}\ntype T = (i32, u8);"},
		{"rust", "fn f() { m!(S { a: 1, }, vec![T { b: 2 }]); }", "fn f() { m!(S { a: 1 }, vec![T { b: 2, },]); }"},
		{"rust", "use a::{b, c,};", "use a::{b, c};"},

		{"c", "#  define A 1\n#if  defined( B )\n#endif\n", "#define A 1\n#if defined(B)\n#endif\n"},
		{"c", "int f(a,b)int a;{return((a));}", "int f(a, b)\nint a;\n{\n  return a;\n}"},
		{"cpp", "A<B<C> > x; enum E { A, B, }; int y[] = {1, 2,};", "A<B<C>> x;\nenum E { A, B };\nint y[] = {1, 2};"},
		{"cpp", "class A{public:int b;};", "class A {\npublic:\n  int b;\n};"},

		{"bash", "a=`b c`", "a=$(b c)"},
		{"bash", "a > b 2>& 1 < c", "a >b 2>&1 <c"},
		{"bash", "f ()\n{\na\n}", "f() { a; }"},
		{"bash", "case $a in (b) c;; d) e; esac", "case $a in\nb) c ;;\nd) e ;;\nesac"},
		{"bash", "a=( b c )\nif a\nthen b\nelse c\nfi\nfor x in a b\ndo c\ndone", "a=(b c)\nif a; then\n\tb\nelse\n\tc\nfi\nfor x in a b; do\n\tc\ndone"},
		{"bash", "((a=1+2))\necho $((a+b))", "((a = 1 + 2))\necho $((a + b))"},
		{"bash", "a |\n  b &&\n  c", "a | b && c"},
		{"bash", "while a; do b; done; until c\ndo d\ndone", "while a; do\n\tb\ndone\nuntil c; do\n\td\ndone"},

		{"bash", "a <<< b", "a <<<b"},
		{"bash", "cat << A\nx\nA\n", "cat <<A\nx\nA\n"},
		{"bash", "a\n\\rm b\n", "a  \n\n\\rm  b\n"},

		{"java", "class A { void f() { try (B b = c();) { } int x = (y); } ; }", "class A {\n  void f() {\n    try (B b = c()) {}\n    int x = y;\n  }\n}"},
		{"java", "enum A { B, C }", "enum A {\n  B,\n  C,\n}"},
		{"java", "import a.B;;\nclass C {};", "import a.B;\n\nclass C {}\n"},
		{"csharp", "enum A { B, C, }\nclass D { int[] e = { 1, 2, }; object f = new G { H = 1, }; };", "enum A { B, C }\nclass D\n{\n    int[] e = { 1, 2 };\n    object f = new G { H = 1 };\n}"},

		{"css", "a[type=text]{color:RED}", "a[type=\"text\"] {\n  color: RED;\n}"},
		{"css", "a{margin:-.5px +.50em 1.0em;color:#ABCDEF!important}", "a {\n  margin: -0.5px +0.5em 1em;\n  color: #abcdef !important;\n}"},
		{"css", "a,b>c+d{content:'\\201C';background:url(x)}", "a,\nb > c + d {\n  content: \"\\201C\";\n  background: url(x);\n}"},
		{"css", "@media (max-width:100px){a{b:c}}", "@media (max-width: 100px) {\n  a {\n    b: c;\n  }\n}"},
		{"css", "a:HOVER::BEFORE{Color:c}", "a:hover::before {\n  color: c;\n}"},
		{"css", ":root,[a='b']{c:d}", ":root,\n[a=\"b\"] {\n  c: d;\n}"},
		{"css", "@import 'a';@charset 'utf-8';", "@import \"a\";\n@charset \"utf-8\";"},

		{"sql", "SELECT a, b FROM c WHERE (a = 1);", "select a, b\nfrom c\nwhere (a = 1)"},

		{"ruby", "def f()\n  1\nend", "def f\n  1\nend"},
		{"ruby", "x = { :a => 1, 'b' => 2 }\nf(:c => 3)", "x = { a: 1, \"b\" => 2 }\nf(c: 3)"},
		{"ruby", "x = 1000000", "x = 1_000_000"},
		{"ruby", "if a then\n  b\nend\nif (c)\n  d\nend", "if a\n  b\nend\nif c\n  d\nend"},
		{"ruby", "x = [1, 2,]\ny = { a: 1, }\nf(1, 2,)", "x = [\n  1,\n  2\n]\ny = {\n  a: 1\n}\nf(1, 2)"},
		{"ruby", "case a when 1 then b; end", "case a\nwhen 1 then b\nend"},

		{"php", "<?php $x = array(1, 2); $y = array('a' => 1,);", "<?php\n$x = [1, 2];\n$y = [\"a\" => 1];"},
		{"php", "<?php IF (TRUE) { RETURN NULL; }", "<?php\nif (true) {\n    return null;\n}"},
		{"php", "<?php $x = new A; $y = (integer) $z; $w = (boolean) $z;", "<?php\n$x = new A();\n$y = (int) $z;\n$w = (bool) $z;"},
		{"php", "<?php f($a, $b,); function g($a, $b,) {}", "<?php\nf($a, $b);\nfunction g($a, $b)\n{\n}"},
		{"php", "<?php echo 1; ?>\n", "<?php\necho 1;\n"},
		{"php", "<?php return(1); echo (2);", "<?php\nreturn 1;\necho 2;"},

		{"kotlin", "class A {}\nclass B : C() {}", "class A\nclass B : C()"},
		{"kotlin", "fun f(): Unit { g(); h() }", "fun f() {\n    g()\n    h()\n}"},
		{"kotlin", "val x = listOf(1, 2,)\nenum class E { A, B, }", "val x = listOf(\n    1,\n    2\n)\nenum class E {\n    A,\n    B\n}"},
		{"kotlin", "val s = \"${a.b} ${c}\"; if ((x)) y()", "val s = \"${a.b} $c\"\nif (x) y()"},

		{"scala", "object A { f(\n  a,\n  b,\n) }", "object A {\n  f(a, b)\n}"},
		{"scala", "object A { val x = (y); val z = { w } }", "object A {\n  val x = y\n  val z = { w }\n}"},
		{"swift", "switch (x) { case 1: y(); default: z() }\nwhile (a) { b() }", "switch x {\ncase 1:\n    y()\ndefault:\n    z()\n}\nwhile a {\n    b()\n}"},
		{"swift", "let x = [1, 2,]; let y = [\"a\": 1,]", "let x = [1, 2]\nlet y = [\n    \"a\": 1\n]"},

		{"lua", "f 'x'; g{1}; h[[y]]", "f(\"x\")\ng({ 1 })\nh([[y]])"},
		{"lua", "if (a) then b() end\nwhile (c) do end\nreturn (d)", "if a then\n\tb()\nend\nwhile c do\nend\nreturn d"},
		{"lua", "local x = (1 + 2)\nlocal y = ((z))", "local x = 1 + 2\nlocal y = z"},
		{"lua", "x = #(a[i]) + (b)\ny = -(c.d)", "x = #a[i] + b\ny = -c.d"},
		{"lua", "function f()\n  local m = g(a)\n  -- note\n  h(self)[name] = m\nend\n", "function f()\n  local m = g(a)\n  h(self)[name] = m\nend\n"},
		{"lua", "--- a\nfunction f() end\n", "--- b\nfunction f() end\n"},
		{"lua", "local t = {a = 1, b = 2,}", "local t = { a = 1; b = 2 }"},

		{"elixir", "x = fn(a) -> a end", "x = fn a -> a end"},
		{"elixir", "a = not(b)\nc = 0xff", "a = not b\nc = 0xFF"},
		{"elixir", "f a, b; g(c)", "f(a, b)\ng(c)"},
		{"elixir", "x = (a + b)", "x = a + b"},

		{"ocaml", "let f x = begin match x with A -> 1 | B -> 2 end", "let f x =\n  match x with\n  | A -> 1\n  | B -> 2"},
		{"ocaml", "let x = [1; 2;];;\nlet y = {a = 1; b = 2;}", "let x = [ 1; 2 ]\nlet y = { a = 1; b = 2 }"},
		{"ocaml", "let (a, b) = (1), 2\ntype t = (int)", "let a, b = (1, 2)\ntype t = int"},

		{"protobuf", "syntax = \"proto3\";\nmessage A { option (b) = { c: 1, d: 2 }; }", "syntax = \"proto3\";\n\nmessage A {\n  option (b) = {\n    c: 1\n    d: 2\n  };\n}\n"},
		{"hcl", "a = \"${b.c}\"\n", "a = b.c\n"},
		{"hcl", "resource aws_x y {\n}\n", "resource \"aws_x\" \"y\" {\n}\n"},
		{"hcl", "a = { b = 1, \"c\" = 2 }\n", "a = {\n  b   = 1\n  \"c\" = 2\n}\n"},
		{"html", "<INPUT type=text disabled><IMG src='a'>", "<input type=\"text\" disabled /><img src=\"a\" />\n"},
		{"html", "<!DOCTYPE html  PUBLIC\n 'a'>", "<!doctype html PUBLIC 'a'>"},
		{"kotlin", "@A(\"b\")\n// c\nfun f() {}\n", "@A(\"b\")\nfun f() {}\n"},
		{"kotlin", "@A(\"b\")\n/* c */\nfun f() {}\n", "@A(\"b\")\nfun f() {}\n"},
		{"kotlin", "@B(1, 2,)\nfun f() {}\n", "@B(\n  1,\n  2\n)\nfun f() {}\n"},
		{"kotlin", "@B(1) fun f() {}\nfun g() {}\n", "@B(1)\nfun f() {}\n\nfun g() {}\n"},
		{"kotlin", "@B @C internal fun f() {}\nfun g() {}\n", "@B\n@C\ninternal fun f() {}\nfun g() {}\n"},
		{"c", "#define A(x) (1 - 2 * !!(x))\n", "#define A(x) (1-2*!!(x))\n"},
		{"html", "<style>\n a {\n   b: c\n }\n</style>", "<style>\n    a {\n      b: c\n    }\n  </style>"},
		{"html", "<script>a()</script>", "<script>\n  a()\n</script>"},
		{"html", "<p class='a  b'>x</p>", "<p class=\"a b\">x</p>\n"},
		{"markdown", "A ``b`` [c](<d>) __e__\n\n1) x\n1) y\n", "A `b` [c](d) **e**\n\n1. x\n2. y\n"},
		{"markdown", "```\na  \n```\n\n***\n", "```\na\n```\n\n---\n"},
		{"yaml", "a:   \"b\"   # c\nd: {e: f,}\n", "a: b # c\nd: { e: f }\n"},
		{"toml", "a = 'b'\nc = [1, 2,]\nd.e = 1\n", "a = \"b\"\nc = [\n  1,\n  2\n]\nd = { e = 1 }\n"},
	}
}

func TestFormatters(t *testing.T) {
	a := analyzerFor(t)
	for _, p := range formatted() {
		one, two := see(t, a, p.language, p.a), see(t, a, p.language, p.b)
		for _, f := range []struct{ src, note string }{{p.a, one.Note}, {p.b, two.Note}} {
			if f.note != "" {
				t.Errorf("%s: %q: %s", p.language, f.src, f.note)
			}
		}
		if one.Digest.Whole != two.Digest.Whole {
			t.Errorf("%s: %q and %q should be the same", p.language, p.a, p.b)
		}
	}
}
