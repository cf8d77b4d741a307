package secrets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// found lists what is found in s, each as the text that stands there.
func found(s string) []string {
	var out []string
	for _, m := range Find([]byte(s)) {
		out = append(out, s[m.Start:m.End])
	}
	return out
}

func TestFind(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx0\nq2w3e4r5t6y7u8i9o0p1\n-----END RSA PRIVATE KEY-----"
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
	tests := []struct {
		text string
		want []string
	}{
		// passwords
		{"mật khẩu: abc", []string{"abc"}},
		{"Đổi DB_PASSWORD=Khong-That-7Qx9zL2m rồi mới", []string{"Khong-That-7Qx9zL2m"}},
		{"**Mật khẩu:** hunter2.", []string{"hunter2"}},
		{"MẬT KHẨU：xyz", []string{"xyz"}},
		{norm.NFD.String("mật khẩu: bí-mật-9"), []string{norm.NFD.String("bí-mật-9")}},
		{"mat khau = abc", []string{"abc"}},
		{"mật khẩu của kho ảnh: kim-cuong-7", []string{"kim-cuong-7"}},
		{"mật khẩu là kim-cuong-7", []string{"kim-cuong-7"}},
		{"the password is hunter2", []string{"hunter2"}},
		{"`password`: `correct horse battery`", []string{"correct horse battery"}},
		{`{"password": "a b c"}`, []string{"a b c"}},
		{"| password | hunter22 |", []string{"hunter22"}},
		{"Server=db;Uid=sa;Pwd=abc;Encrypt=yes", []string{"abc"}},
		{"jdbc:postgresql://db/x?user=u&password=p1&ssl=true", []string{"p1"}},
		{"curl --password hunter22 x", []string{"hunter22"}},
		{"password:\u00a0ab\u200bc", []string{"ab\u200bc"}},
		{"pass: hunter2!, mk: abc12345", []string{"hunter2!", "abc12345"}},
		{"export DB_PASS=Xk29dmQ1\r\n", []string{"Xk29dmQ1"}},
		// others
		{"khoá AKIA3FAKE7NOTREALKEY của kho", []string{"AKIA3FAKE7NOTREALKEY"}},
		{"(AKIAIOSFODNN7EXAMPLE)", []string{"AKIAIOSFODNN7EXAMPLE"}},
		{"dùng ghp_0123456789abcdefghijABCDEFGHIJ012345.", []string{"ghp_0123456789abcdefghijABCDEFGHIJ012345"}},
		{"ghp_" + strings.Repeat("0", 36), []string{"ghp_" + strings.Repeat("0", 36)}},
		{"xoxb-123456789012-FAKEfake", []string{"xoxb-123456789012-FAKEfake"}},
		{"token " + jwt + ", hết hạn", []string{jwt}},
		{"Authorization: Bearer abcDEF123456xyz", []string{"abcDEF123456xyz"}},
		{"api key: 7fA9bC2dE4x", []string{"7fA9bC2dE4x"}},
		{"glsa_" + strings.Repeat("aB3dE5gH", 4) + "_1a2b3c4d nằm trong", []string{"glsa_" + strings.Repeat("aB3dE5gH", 4) + "_1a2b3c4d"}},
		// connection strings
		{"postgres://lichkham:NotReal-5tR8wK1p@db.example.net:5432/kham", []string{"NotReal-5tR8wK1p"}},
		{"redis://:s3cr3t@h:6379, mongodb+srv://u:p%40w@h/x", []string{"s3cr3t", "p%40w"}},
		{"<amqp://u:p/w@h>", []string{"p/w"}},
		{"https://0123456789abcdef0123456789abcdef@o0.example/1", []string{"0123456789abcdef0123456789abcdef"}},
		// private keys
		{"x\n" + key + "\ny", []string{key}},
		{"> " + strings.ReplaceAll(key, "\n", "\n> "), []string{strings.ReplaceAll(key, "\n", "\n> ")}},
		{"-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIFakeFakeFake\nrest of it", []string{"-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIFakeFakeFake"}},
		{`"-----BEGIN PRIVATE KEY-----\nMIIEvFakeFakeFakeFake\n-----END PRIVATE KEY-----\n"`, []string{`-----BEGIN PRIVATE KEY-----\nMIIEvFakeFakeFakeFake\n-----END PRIVATE KEY-----`}},
		{"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: x\n\nlQOYBFakeFakeFakeFake\n=aB3d\n-----END PGP PRIVATE KEY BLOCK-----", []string{"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: x\n\nlQOYBFakeFakeFakeFake\n=aB3d\n-----END PGP PRIVATE KEY BLOCK-----"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, found(tt.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestFindLeavesTheRestAlone(t *testing.T) {
	for _, s := range []string{
		"", "mật khẩu", "password:", "password: ", "password: ****", "mật khẩu: [đã che 12345678]", "MẬT KHẨU: [ĐÃ CHE 12345678] rồi mới", "DB_PASSWORD=[masked 23730ca1] rồi",
		norm.NFD.String("mật khẩu: [đã che 12345678]"), "postgres://u:[đã che 87dca735]@db/x", "password: the team rotates it", "mật khẩu: không đổi nữa",
		"password: ${DB_PASS}", "password: $DB_PASS", "password: <password>", "password: {{ vault }}", "password: %PASS%", "password: [redacted]", "đổi mật khẩu mỗi tháng một lần",
		"The password field stays empty. See reports/verify-2.md.", "token: session-12", "the key timestamp: is missing", "commit a3f2c1d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0",
		"sha256 0123456789abcdef", "(compacted: 1234 bytes, sha256 0123456789abcdef)", "http://localhost:8080/a@b", "https://example.com/@user", "mailto:a@b.example", "git@github.com:a/b.git",
		"verdict pass: see reports/a1.md", "- ctx: pass → reports/verify-12.md#summary", "-----BEGIN PRIVATE KEY----- is how a key begins", "-----BEGIN CERTIFICATE-----\nMIIEowIBAAKCAQEAx0\n-----END CERTIFICATE-----",
		"access token rotation, api key and secret handling are discussed", "bearer of news: basic information", "pin: 1234", "compass: north-east-2", "Tokens: 12 000 mỗi lượt", "key: value-1-of-3",
	} {
		if got := Find([]byte(s)); len(got) > 0 {
			t.Errorf("%q: got %q", s, found(s))
		}
	}
}

func TestMask(t *testing.T) {
	if got := Mask("AKIA3FAKE7NOTREALKEY"); got != "[masked f2e188ae]" {
		t.Errorf("got %s", got)
	}
	if got := Redact("x password: hunter2, y"); got != "x password: "+Mask("hunter2")+", y" {
		t.Errorf("got %q", got)
	}
}

// A secret is found wherever it stands and whatever stands around it, and Redact leaves nothing of it.
func TestRedactLeavesNothing(t *testing.T) {
	secrets := rapid.SampledFrom([]string{
		"AKIA3FAKE7NOTREALKEY", "ghp_0123456789abcdefghijABCDEFGHIJ012345", "xoxb-123456789012-FAKEfake", "password: Tr0ub4dor&3", "mật khẩu: ong-mat-7",
		"mysql://bee:Zoom4Pollen@shed.example/hives", "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIFakeFakeFakeFake\n-----END EC PRIVATE KEY-----",
	})
	around := rapid.SampledFrom([]string{"", " ", "\n", "\r\n", "Đã đổi ", "(", ") ", "**", "`", "> ", "- [raised] ", "\ufeff", "\u00a0", "é", "e\u0301 ", "[đã che 12345678] ", "=", "，"})
	rapid.Check(t, func(t *rapid.T) {
		secret := secrets.Draw(t, "secret")
		before := strings.Join(rapid.SliceOfN(around, 0, 4).Draw(t, "before"), "")
		if before != "" && !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\n") {
			before += " "
		}
		s := before + secret + rapid.SampledFrom([]string{"", " ", ".", "\n", ", rồi", "`", "\""}).Draw(t, "after")
		list := Find([]byte(s))
		if len(list) == 0 {
			t.Fatalf("%q: nothing is found", s)
		}
		at := 0
		for _, m := range list {
			if m.Start < at || m.End <= m.Start || m.End > len(s) || m.Kind == "" {
				t.Fatalf("%q: %+v after %d", s, m, at)
			}
			at = m.End
		}
		redacted := Redact(s)
		for _, m := range list {
			if literal := s[m.Start:m.End]; strings.Contains(redacted, literal) {
				t.Fatalf("%q: %q is left in %q", s, literal, redacted)
			}
		}
		if again := Redact(redacted); again != redacted {
			t.Fatalf("%q becomes %q and then %q", s, redacted, again)
		}
	})
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"password: x", "a://b:c@d", "-----BEGIN PRIVATE KEY-----\nMIIEvFakeFakeFakeFake", "AKIA3FAKE7NOTREALKEY", "token=aB3dE5gH7jK9", "m\u00e2\u0323t kh\u1ea9u:\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		at := 0
		for _, m := range Find(src) {
			if m.Start < at || m.End < m.Start || m.End > len(src) {
				t.Fatalf("%q: %+v after %d", src, m, at)
			}
			at = m.End
		}
	})
}

// Every rule of gitleaks compiles, and so does everything that it lets through.
func TestRulesCompile(t *testing.T) {
	table := rulesOnce()
	if len(rules) < 200 {
		t.Errorf("there are %d rules", len(rules))
	}
	for i := range rules {
		re := table.regexps[i]()
		if rules[i].group > re.NumSubexp() || len(rules[i].keywords) == 0 {
			t.Errorf("%s: group %d of %d, keywords %q", rules[i].id, rules[i].group, re.NumSubexp(), rules[i].keywords)
		}
		for _, a := range table.allowed[i] {
			a()
		}
		for _, w := range rules[i].keywords {
			if len(w) < 2 || w != strings.ToLower(w) {
				t.Errorf("%s: the keyword %q is too short, or has capitals", rules[i].id, w)
			}
		}
		if i > 0 && rules[i].id <= rules[i-1].id {
			t.Errorf("%s stands behind %s", rules[i].id, rules[i-1].id)
		}
	}
	for _, a := range table.global {
		a()
	}
	for _, s := range stems() {
		if len(s.word) < 2 {
			t.Errorf("the stem %q is too short", s.word)
		}
	}
}

func ExampleMask() {
	fmt.Println(Mask("NotReal-5tR8wK1p"))
	// Output: [masked 87dca735]
}

// A text that is made to cost as much as possible is scanned in part, and says so.
func TestHostileTextIsScannedInPart(t *testing.T) {
	hostile := strings.Repeat("sk s. ey q~ api= token adobe adafruit okta fb snyk 12345678a9\n", 40_000)
	if _, whole := Scan([]byte(hostile)); whole {
		t.Error("the scan of a hostile text claims to be whole")
	}
	if got := Redact(hostile); got != Mask(hostile) {
		t.Error("a text that was scanned in part is not masked as a whole")
	}
	if _, whole := Scan([]byte(strings.Repeat("Quét mã một trăm cuốn; token của api đổi, xem reports/verify-2.md.\n", 10_000))); !whole {
		t.Error("ordinary notes are scanned in part")
	}
	for _, unit := range []string{"a://", "xoxb-", "-----BEGIN PRIVATE KEY-----AAAAAAAAAAAAAAAAAAAA ", "password: x", "[masked ", "mật khẩu:", "e\u0301"} {
		Scan([]byte(strings.Repeat(unit, (1<<20)/len(unit)))) // what is quadratic does not come to an end here
	}
}
