package syntax

import "testing"

// A pair is a piece of code in two spellings.
type pair struct{ language, a, b string }

// same are spellings that formatters turn into one another.
func same() []pair {
	return []pair{
		{"go", "package a\nfunc f(a int) (int) { if (a > 0) { return a }; return 0X1F }", "package a\n\n// f\nfunc f(\n\ta int,\n) int {\n\tif a > 0 {\n\t\treturn a // why\n\t}\n\n\treturn 0x1F\n}\n"},
		{"go", "package a\nvar x = T{A: 1, B: []int{1, 2}}", "package a\nvar x = T{\n\tA: 1, // a\n\tB: []int{\n\t\t1,\n\t\t2,\n\t},\n}"},
		{"go", "package a\ntype T struct { a int; b string }", "package a\ntype T struct {\n\ta int\n\n\tb string\n}"},
		{"go", "package a\nfunc f() {;;}", "package a\nfunc f() {\n}"},
		{"python", "x = 'a'\n", "x = \"a\"  # c\n"},
		{"python", "x = u'it\\'s'\n", "x = \"it's\"\n"},
		{"python", "x = f'{a!r} \"b\"'\n", "x = F\"{a!r} \\\"b\\\"\"\n"},
		{"python", "x = 'a\\x41\\u0042\\103'\n", "x = \"aABC\"\n"},
		{"python", "f(a, b)\n", "f(\n    a,\n    b,\n)\n"},
		{"python", "x = a + \\\n  b\n", "x = a + b\n"},
		{"python", "x = (a + b)\n", "x = (\n    a\n    + b\n)\n"},
		{"python", "x = (a + b)\n", "x = a + b\n"},
		{"python", "class A(): pass\n", "class A:\n    pass\n"},
		{"python", "from a import (b, c)\n", "from a import b, c\n"},
		{"python", "for (x, y) in z: pass\n", "for x, y in z:\n    pass\n"},
		{"python", "a = 1; b = 2\n", "a = 1\nb = 2\n"},
		{"python", "x = 0XAF + 1E5 + 1J\n", "x = 0xaf + 1e5 + 1j\n"},
		{"python", "with (open(a) as f, open(b) as g): pass\n", "with open(a) as f, open(b) as g:\n    pass\n"},
		{"python", "return_ = lambda x: (x)\n", "return_ = lambda x: x\n"},
		{"python", "def f():\n  return not(x)\n", "def f():\n        return not x\n"},
		{"python", "x: Dict[int, str,]\n", "x: Dict[int, str]\n"},
		{"typescript", "const a = 'it\\'s';", "const a = \"it's\""},
		{"typescript", "f(x => x + 1)", "f((x) => x + 1);"},
		{"typescript", "f(async x => { return (await x) })", "f(async (x) => {\n  return await x;\n});"},
		{"typescript", "type A = 'a' | 'b'", "type A =\n  | \"a\"\n  | \"b\";"},
		{"typescript", "interface A { a: string, b(): void }", "interface A {\n  a: string;\n  b(): void;\n}"},
		{"typescript", "const a = {'b': 1, c: [1,2]}", "const a = {\n  b: 1,\n  c: [1, 2],\n};"},
		{"typescript", "new Foo; ;", "new Foo();"},
		{"typescript", "if ((a)) { b() };", "if (a) {\n  b();\n}"},
		{"typescript", "x = .5 + 1.50 + 0XAB + 1E+5 + 5.", "x = 0.5 + 1.5 + 0xab + 1e5 + 5;"},
		{"typescript", "x = a && b || c", "x = (a && b) || c;"},
		{"typescript", "class A { a = 1; b() {} }", "class A {\n  a = 1\n\n  b() {}\n}"},
		{"typescript", "enum E { A, B }", "enum E {\n  A,\n  B,\n}"},
		{"typescript", "import {a} from 'x'", "import { a } from \"x\";"},
		{"javascript", "f(x => x)", "f((x) => x);"},
		{"tsx", "const a = <div className='x'>Hello <b>you</b> there</div>", "const a = (\n  <div className=\"x\">\n    Hello <b>you</b>{\" \"}\n    there\n  </div>\n);"},
		{"tsx", "const a = <p>one two three</p>", "const a = (\n  <p>\n    one two\n    three\n  </p>\n)"},
	}
}

// different are changes of meaning, however small.
func different() []pair {
	return []pair{
		{"go", "package a\nfunc f() { a(b, c) }", "package a\nfunc f() { a(c, b) }"},
		{"go", "package a\nvar x = \"a b\"", "package a\nvar x = \"a  b\""},
		{"go", "package a\nvar x = \"a\"", "package a\nvar x = \"a \""},
		{"go", "package a\nvar x = a - b - c", "package a\nvar x = a - (b - c)"},
		{"go", "package a\nvar x = 'a'", "package a\nvar x = 'b'"},
		{"go", "package a\nfunc f(a int) {}", "package a\nfunc f(a int64) {}"},
		{"go", "package a\nfunc f() { for a := 0; a < 1; {} }", "package a\nfunc f() { for a := 0; ; a < 1 {} }"},
		{"go", "package a\nfunc f() (a int) { return }", "package a\nfunc f() int { return }"},
		{"go", "package a\nfunc f(a ...int) {}", "package a\nfunc f(a []int) {}"},
		{"python", "x = 'a'\n", "x = b'a'\n"},
		{"python", "x = 'a'\n", "x = 'a '\n"},
		{"python", "x = '{a}'\n", "x = f'{a}'\n"},
		{"python", "x = f'{a} b'\n", "x = f'{a}  b'\n"},
		{"python", "x = f'{a}'\n", "x = f'{a!r}'\n"},
		{"python", "x = '\\n'\n", "x = r'\\n'\n"},
		{"python", "x = (a,)\n", "x = (a)\n"},
		{"python", "x = y[1,]\n", "x = y[1]\n"},
		{"python", "x = a < b < c\n", "x = (a < b) < c\n"},
		{"python", "x = a - b - c\n", "x = a - (b - c)\n"},
		{"python", "if a:\n  b()\n  c()\n", "if a:\n  b()\nc()\n"},
		{"python", "x = a and b\n", "x = a or b\n"},
		{"python", "x = a is b\n", "x = a is not b\n"},
		{"python", "def f(a=1): pass\n", "def f(a=2): pass\n"},
		{"python", "def f(a): pass\n", "async def f(a): pass\n"},
		{"python", "def f(a): pass\n", "def f(*a): pass\n"},
		{"python", "assert (a, b)\n", "assert a, b\n"},
		{"python", "x = 1\n", "x = 1.0\n"},
		{"python", "x = [a for a in b]\n", "x = {a for a in b}\n"},
		{"typescript", "const a = 1", "let a = 1"},
		{"typescript", "x = (a?.b).c", "x = a?.b.c"},
		{"typescript", "x = a?.b", "x = a.b"},
		{"typescript", "x = [a,,]", "x = [a,]"},
		{"typescript", "x = `a ${b}`", "x = `a  ${b}`"},
		{"typescript", "x = `a `", "x = `a`"},
		{"typescript", "x = /a b/g", "x = /a  b/g"},
		{"typescript", "x = /a/g", "x = /a/i"},
		{"typescript", "x = '1'", "x = 1"},
		{"typescript", "x = a == b", "x = a === b"},
		{"typescript", "x = a || (b && c)", "x = (a || b) && c"},
		{"typescript", "x = new (foo())()", "x = new foo()()"},
		{"typescript", "if (a); b()", "if (a) b()"},
		{"typescript", "for (a; b;) {}", "for (a;;b) {}"},
		{"typescript", "f(x => x)", "f(async x => x)"},
		{"typescript", "x = y as A", "x = y as B"},
		{"typescript", "interface A { a?: string }", "interface A { a: string }"},
		{"typescript", "class A { private a = 1 }", "class A { public a = 1 }"},
		{"typescript", "x = '\\n'", "x = 'n'"},
		{"typescript", "x = -(-y)", "x = --y"},
		{"tsx", "x = <p>a b</p>", "x = <p>ab</p>"},
		{"tsx", "x = <p>a<b/></p>", "x = <p>a <b/></p>"},
		{"tsx", "x = <p a=\"\\n\"/>", "x = <p a=\"n\"/>"},
	}
}

func TestSameAndDifferent(t *testing.T) {
	a := analyzerFor(t)
	check := func(p pair, want bool) {
		one, two := see(t, a, p.language, p.a), see(t, a, p.language, p.b)
		for _, f := range []struct{ src, note string }{{p.a, one.Note}, {p.b, two.Note}} {
			if f.note != "" {
				t.Errorf("%s: %q: %s", p.language, f.src, f.note)
			}
		}
		if (one.Digest.Whole == two.Digest.Whole) != want {
			t.Errorf("%s: %q and %q should be the same: %v", p.language, p.a, p.b, want)
		}
	}
	for _, p := range same() {
		check(p, true)
	}
	for _, p := range different() {
		check(p, false)
	}
}
