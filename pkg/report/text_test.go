package report

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// Every finding begins on one line, and no line of a text report begins with something that came from a file, a path or a
// message; a terminal acts on none of its characters.
func TestTextLaws(t *testing.T) {
	own := regexp.MustCompile(`^(  +[0-9]* \|( |$)|help: |note: |wal: fail|forge-guard: fail: )`)
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport().Draw(t, "report")
		out, err := Render(t.Context(), r, FormatText, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(out) == 0 || out[len(out)-1] != '\n' {
			t.Fatal("the report does not end with a line end")
		}
		next := 0
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSuffix(line, "\n")
			if text.Escape(line) != line {
				t.Fatalf("a terminal acts on %q", line)
			}
			if next < len(r.Findings) {
				f := &r.Findings[next]
				if strings.HasPrefix(line, place(f.Path, f.Span)+": "+text.Escape(f.Code)+": ") {
					next++
					continue
				}
			}
			if !own.MatchString(line) {
				t.Fatalf("the line %q belongs to nothing", line)
			}
		}
		if next != len(r.Findings) {
			t.Fatalf("%d findings of %d begin a line", next, len(r.Findings))
		}
	})
}

func TestTextMarksFlags(t *testing.T) {
	r := &Report{Tool: Tool{Name: "forge-guard"}, Findings: []finding.Finding{
		{Code: "a/x", Level: finding.Flag, Path: "p", Message: "m"},
		{Code: "a/y", Level: finding.Fail, Path: "p", Message: "m"},
	}}
	out, err := Render(t.Context(), r, FormatText, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(out), "p: a/x: m [flag]\np: a/y: m\n") {
		t.Errorf("got %q", out)
	}
}

// A secret is on no line of the report, whoever else reports on its line.
func TestTextHidesSecrets(t *testing.T) {
	for _, o := range []Options{{}, {Verbose: true}, {Quiet: true}} {
		out, err := Render(t.Context(), samples()["findings"], FormatText, o)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(out), "hunter2") {
			t.Errorf("%+v: the secret is printed", o)
		}
	}
}

// What a baseline takes out of the findings is no less secret.
func TestTextHidesSecretsAtRest(t *testing.T) {
	r := *samples()["findings"]
	r.Findings, r.Hidden = nil, nil
	for _, f := range samples()["findings"].Findings {
		if r.Secret(f.Code) {
			r.Hidden = append(r.Hidden, f)
		} else {
			r.Findings = append(r.Findings, f)
		}
	}
	out, err := Render(t.Context(), &r, FormatText, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hidden) == 0 || strings.Contains(string(out), "hunter2") {
		t.Error("the secret is printed")
	}
}

func TestTextQuietIsSilentOnAPass(t *testing.T) {
	for _, name := range []string{"pass", "skip"} {
		if out, err := Render(t.Context(), samples()[name], FormatText, Options{Quiet: true}); err != nil || len(out) != 0 {
			t.Errorf("%s: got %q and the error %v", name, out, err)
		}
	}
}
