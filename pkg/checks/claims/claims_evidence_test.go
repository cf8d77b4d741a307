package claims_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/claims"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// sources are files of tests in many languages. Each also mentions "old name" in a comment and in a text, where it counts for
// nothing, and defines a longer name that begins like it.
var sources = files{
	"tests/test_tide.py": `# test_old was here
OLD = "test_old"
class TestHeight:
    def test_low(self):
        pass
    @pytest.mark.parametrize("x", [1])
    def test_many(self, x):
        pass
def test_old_but_longer():
    pass
async def test_async():
    pass
`,
	"pkg/fare/fare_test.go": `package fare
// TestOld was here
const old = "TestOld"
func TestPenalty(t *testing.T) { t.Run("sub case", func(t *testing.T) {}) }
func (s *Suite) TestInSuite() {}
func TestOlder(t *testing.T) {}
`,
	"src/billing/refund.rs": "// old_name\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn never_exceeds() {}\n    const OLD: &str = \"old_name\";\n}\n",
	"src/test/java/com/acme/FooTest.java": `package com.acme;
// oldName
class FooTest {
  String old = "oldName";
  @Test void bar() {}
  @Nested class Inner { @Test void deep() {} }
  @Test @DisplayName("never exceeds the amount") void z() {}
}
`,
	"a.test.ts": `import { test } from "x";
// it("old name", () => {})
const OLD = "old name";
expect(f("old name")).toBe("old name");
/never/.test("old name");
describe("Refund", () => {
  it('never exceeds', async () => {});
  it.only(` + "`in a template`" + `, () => {});
  test.each([1, 2])("adds %i", (a) => {});
  test("a \"quoted\" one", () => {});
  it("old name and more", () => {});
  it.todo("not written");
  it` + "`tagged`" + `;
  describe("when partial", () => { it("rounds", () => {}); });
});
Deno.test("of Deno", () => {});
function helper() {}
`,
	"a.test.jsx": "describe('Button', () => { it('renders', () => <b>old name</b>) })\n",
	"b.test.tsx": "test('renders too', () => { const a: number = 1; return <b>{a}</b> })\n",
	"a_spec.rb": `# it "old name"
OLD = "old name"
RSpec.describe Refund do
  context "when partial" do
    it "never exceeds" do
      puts "old name"
    end
    it('with parentheses') { }
  end
end
class RefundTest < Minitest::Test
  def test_max
  end
  test "as Rails writes it" do
  end
end
`,
	"a_test.exs": `# test "old name"
defmodule RefundTest do
  @old "old name"
  describe "refund" do
    test "never exceeds", %{a: b} do
      assert true
    end
  end
end
`,
	"a_spec.lua": "-- it(\"old name\")\ndescribe(\"refund\", function()\n  it(\"never exceeds\", function() print(\"old name\") end)\n  it \"in sugar\"\nend)\n",
	"a_test.php": `<?php
// it('old name')
$old = 'old name';
it('never exceeds', function () { expect(1)->toBe(1); });
class RefundTest extends TestCase { public function testMax() {} }
`,
	"A.swift": `import Testing
// @Test("old name")
let old = "old name"
@Suite("Refunds") struct RefundTests {
  @Test("never exceeds") func neverExceeds() {}
  @Test func plain() {}
}
class XT: XCTestCase { func testA() {} }
`,
	"A.kt": `// old name
val old = "old name"
class RefundTest {
  @Test fun ` + "`never exceeds the amount`" + `() {}
  @Test @DisplayName("shown name") fun x() {}
}
class S : StringSpec({ "length of string" { println("old name") } })
class F : FunSpec({ test("my test") { } })
`,
	"A.scala": `// "old name"
class RefundSpec extends AnyFlatSpec {
  val old = "old name"
  "A Refund" should "never exceed" in { assert(true) }
  it should "round" in { assert(true) }
  test("plain title") { assert(1 == 1) }
}
`,
	"a.bats":          "# @test \"old name\" {\n@test \"never exceeds\" {\n  run echo \"old name\"\n  test \"old name\"\n}\n",
	"a.cs":            "// OldName\nnamespace A.B { public class T { string old = \"OldName\"; [Fact] public void X() {} } }\n",
	"gtest.cpp":       "// OldName\n#include <gtest/gtest.h>\nTEST(RefundTest, NeverExceeds) { EXPECT_EQ(1, 1); }\n",
	"catch.cpp":       "// TEST_CASE(\"old name\")\nTEST_CASE(\"never exceeds\", \"[x]\") { REQUIRE(1 == 1); }\n",
	"broken.py":       "def test_good():\n    pass\n\ndef test_broken(:\n    pass\n",
	"refund.feature":  "# Scenario: old name\nFeature: Refund\n  Scenario: never exceeds\n",
	"api.tavern.yaml": "# old name\ntest_name: never exceeds\nstages:\n  - name: first\n",
	"lint.yml":        "rules:\n  - id: no-eval\n  - id: no-eval-at-all\n",
	"ci/lint.sh":      "#!/bin/sh\n",
}

// The evidence of claims, each with whether it is found.
func TestEvidence(t *testing.T) {
	for evidence, found := range map[string]bool{
		"test: tests/test_tide.py::TestHeight::test_low":                            true,
		"test: tests/test_tide.py::TestHeight.test_low":                             true,
		"test: tests/test_tide.py::test_low":                                        true,
		"test: tests/test_tide.py::TestHeight::test_many[1-x]":                      true,
		"test: tests/test_tide.py::test_async":                                      true,
		"test: tests/test_tide.py::TestHeight":                                      true,
		"test: tests/test_tide.py::tests.test_tide.TestHeight.test_low":             true,
		"test: tests/test_tide.py::test_old":                                        false,
		"test: tests/test_tide.py::TestOther::test_low":                             false,
		"test: tests/test_tide.py::test_lo":                                         false,
		"test: tests/test_tide.py::low":                                             false,
		"test: tests/no_such.py::test_low":                                          false,
		"test: tests::test_low":                                                     false,
		"test: pkg/fare/fare_test.go::TestPenalty":                                  true,
		"test: pkg/fare/fare_test.go::TestPenalty/sub_case":                         true,
		"test: pkg/fare/fare_test.go::Suite.TestInSuite":                            true,
		"test: pkg/fare/fare_test.go::TestOld":                                      false,
		"test: pkg/fare/fare_test.go::TestOld/sub_case":                             false,
		"test: src/billing/refund.rs::tests::never_exceeds":                         true,
		"test: src/billing/refund.rs::crate::billing::refund::tests::never_exceeds": true,
		"test: src/billing/refund.rs::other::never_exceeds":                         false,
		"test: src/billing/refund.rs::old_name":                                     false,
		"test: src/test/java/com/acme/FooTest.java::FooTest::bar":                   true,
		"test: src/test/java/com/acme/FooTest.java::FooTest.bar()":                  true,
		"test: src/test/java/com/acme/FooTest.java::FooTest#bar":                    true,
		"test: src/test/java/com/acme/FooTest.java::com.acme.FooTest.bar":           true,
		"test: src/test/java/com/acme/FooTest.java::Inner.deep":                     true,
		"test: src/test/java/com/acme/FooTest.java::never exceeds the amount":       true,
		"test: src/test/java/com/acme/FooTest.java::oldName":                        false,
		"test: src/test/java/com/acme/FooTest.java::Inner.bar":                      false,
		"test: a.test.ts::never exceeds":                                            true,
		"test: a.test.ts::Refund > never exceeds":                                   true,
		"test: a.test.ts::Refund::never exceeds":                                    true,
		"test: a.test.ts::Refund never exceeds":                                     true,
		"test: a.test.ts::Refund > when partial > rounds":                           true,
		"test: a.test.ts::Refund when partial rounds":                               true,
		"test: a.test.ts::in a template":                                            true,
		"test: a.test.ts::adds %i":                                                  true,
		"test: a.test.ts::a \"quoted\" one":                                         true,
		"test: a.test.ts::of Deno":                                                  true,
		"test: a.test.ts::Refund":                                                   true,
		"test: a.test.ts::old name":                                                 false,
		"test: a.test.ts::tagged":                                                   false,
		"test: a.test.ts::not written":                                              false,
		"test: a.test.ts::Other > never exceeds":                                    false,
		"test: a.test.ts::when partial > never exceeds":                             false,
		"test: a.test.jsx::renders":                                                 true,
		"test: a.test.jsx::old name":                                                false,
		"test: b.test.tsx::renders too":                                             true,
		"test: a_spec.rb::never exceeds":                                            true,
		"test: a_spec.rb::Refund when partial never exceeds":                        true,
		"test: a_spec.rb::with parentheses":                                         true,
		"test: a_spec.rb::RefundTest::test_max":                                     true,
		"test: a_spec.rb::as Rails writes it":                                       true,
		"test: a_spec.rb::old name":                                                 false,
		"test: a_test.exs::never exceeds":                                           true,
		"test: a_test.exs::test refund never exceeds":                               true,
		"test: a_test.exs::RefundTest::never exceeds":                               true,
		"test: a_test.exs::old name":                                                false,
		"test: a_spec.lua::refund never exceeds":                                    true,
		"test: a_spec.lua::in sugar":                                                true,
		"test: a_spec.lua::old name":                                                false,
		"test: a_test.php::never exceeds":                                           true,
		"test: a_test.php::RefundTest::testMax":                                     true,
		"test: a_test.php::old name":                                                false,
		"test: A.swift::never exceeds":                                              true,
		"test: A.swift::RefundTests.plain":                                          true,
		"test: A.swift::XT::testA":                                                  true,
		"test: A.swift::old name":                                                   false,
		"test: A.kt::never exceeds the amount":                                      true,
		"test: A.kt::RefundTest::never exceeds the amount":                          true,
		"test: A.kt::shown name":                                                    true,
		"test: A.kt::length of string":                                              true,
		"test: A.kt::my test":                                                       true,
		"test: A.kt::old name":                                                      false,
		"test: A.scala::A Refund should never exceed":                               true,
		"test: A.scala::never exceed":                                               true,
		"test: A.scala::round":                                                      true,
		"test: A.scala::plain title":                                                true,
		"test: A.scala::old name":                                                   false,
		"test: a.bats::never exceeds":                                               true,
		"test: a.bats::old name":                                                    false,
		"test: a.cs::A.B.T.X":                                                       true,
		"test: a.cs::T.X":                                                           true,
		"test: a.cs::OldName":                                                       false,
		"test: gtest.cpp::RefundTest.NeverExceeds":                                  true,
		"test: gtest.cpp::RefundTest::NeverExceeds":                                 true,
		"test: gtest.cpp::OldName":                                                  false,
		"test: catch.cpp::never exceeds":                                            true,
		"test: catch.cpp::old name":                                                 false,
		"test: broken.py::test_good":                                                true,
		"test: broken.py::test_none":                                                false,
		"test: refund.feature::never exceeds":                                       true,
		"test: refund.feature::old name":                                            false,
		"test: api.tavern.yaml::never exceeds":                                      true,
		"test: api.tavern.yaml::old name":                                           false,
		"rule: lint.yml#no-eval":                                                    true,
		"rule: lint.yml#no":                                                         false,
		"rule: lint.yml#eval":                                                       false,
		"rule: none.yml#no-eval":                                                    false,
		"contract: lint.yml":                                                        true,
		"check: ci/lint.sh":                                                         true,
		"check: ci":                                                                 false,
		"check: ci/lint":                                                            false,
	} {
		after := files{domain: text("CON-1", "One", "enforced", "evidence:", "  - "+strconv.Quote(evidence))}
		for p, src := range sources {
			after[p] = src
		}
		got := run{check: claims.Claims, stage: check.PreCommit, change: change(nil, after)}.lines(t)
		switch {
		case found && len(got) > 0, !found && (len(got) != 1 || !strings.HasSuffix(got[0], "claims/evidence-not-found")):
			t.Errorf("%s: %q", evidence, got)
		}
	}
}

// A test that a broken file may or may not define is neither found nor missed.
func TestEvidenceInDoubt(t *testing.T) {
	after := files{domain: text("CON-1", "One", "enforced", "evidence: [{test: 'x.py::test_b'}]"), "x.py": "def test_a(:\n\n@@@\ndef test_b(((\n"}
	got := run{check: claims.Claims, stage: check.PreCommit, change: change(nil, after)}.lines(t)
	if len(got) != 1 || !strings.HasPrefix(got[0], `skip: could not look for the test "test_b" in "x.py"`) {
		t.Errorf("%q", got)
	}
}

// A link is no evidence, wherever it leads.
func TestEvidenceIsAFile(t *testing.T) {
	tree := memory.TreeOf(map[string]memory.File{
		domain:    {Mode: snapshot.Regular, Data: text("CON-1", "One", "enforced", "evidence: [{check: lint.sh}]")},
		"lint.sh": {Mode: snapshot.Symlink, Data: "../lint.sh"},
	})
	got := run{check: claims.Claims, stage: check.PreCommit, change: memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(nil)}, tree)}.lines(t)
	if len(got) != 1 || !strings.HasSuffix(got[0], "claims/evidence-not-found") {
		t.Errorf("%q", got)
	}
}

// Evidence of a retired claim may be gone; that of any other claim counts, whatever its status.
func TestWhoseEvidenceCounts(t *testing.T) {
	src := retired("CON-1", "One")
	src = strings.Replace(src, "anchors: []", "anchors: []\nevidence: [{check: gone}]", 1)
	src += text("CON-2", "Two", "asserted", "evidence: [{check: gone}]")
	got := run{check: claims.Claims, stage: check.PreCommit, change: change(nil, files{domain: src})}.lines(t)
	if len(got) != 1 || got[0] != domain+":24:20: claims/evidence-not-found" {
		t.Errorf("%q", got)
	}
}
