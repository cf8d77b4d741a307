package slug_test

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/slug"
)

func TestOf(t *testing.T) {
	for in, want := range map[string]string{
		"Raise the limit":               "raise-the-limit",
		"  -- Nghỉ học vì ngập nước!! ": "nghi-hoc-vi-ngap-nuoc",
		"Đường ĐI của đồng":             "duong-di-cua-dong",
		"Nghi\u0309 ho\u0323c":          "nghi-hoc",
		"Straße, smørrebrød & œuvre":    "strasse-smorrebrod-oeuvre",
		"Łódź İstanbul ısı Þór":         "lodz-istanbul-isi-thor",
		"v1.2.3 (final)":                "v1-2-3-final",
		"ﬁne ½":                         "fine-1-2",
		"日本語 notes":                     "notes",
		"日本語":                           "",
		"a_b/c":                         "a-b-c",
		"":                              "",
		"\xff\xfe":                      "",
		"Giá vé 5.000₫ từ tháng 7 năm 26": "gia-ve-5-000-tu-thang-7-nam-26",
	} {
		if got := slug.Of(in); got != want {
			t.Errorf("Of(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestOrAndFree(t *testing.T) {
	if got := slug.Or("日本語", "entry"); !regexp.MustCompile(`^entry-[0-9a-f]{8}$`).MatchString(got) || got == slug.Or("日本", "entry") {
		t.Errorf("Or gives %q", got)
	}
	if got := slug.Or("A b", "entry"); got != "a-b" {
		t.Errorf("Or gives %q", got)
	}
	taken := map[string]bool{"a": true, "a-2": true}
	if got := slug.Free("a", func(s string) bool { return taken[s] }); got != "a-3" {
		t.Errorf("Free gives %q", got)
	}
}

func TestEverySlugIsAnID(t *testing.T) {
	pattern := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if got := slug.Or(s, "doc"); !pattern.MatchString(got) || !slug.Valid(got) || slug.Of(got) != got {
			t.Fatalf("Or(%q) = %q", s, got)
		}
		if v := rapid.StringMatching(`[a-z0-9A-ZĐ_ -]{0,12}`).Draw(t, "v"); slug.Valid(v) != pattern.MatchString(v) {
			t.Fatalf("Valid(%q) = %v", v, slug.Valid(v))
		}
	})
}
