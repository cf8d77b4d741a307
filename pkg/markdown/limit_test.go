package markdown_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// refused runs f and returns the LimitError that it panics with, nil when it returns.
func refused(f func()) (limit *markdown.LimitError) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case *markdown.LimitError:
			limit = cause
		default:
			panic(cause)
		}
	}()
	f()
	return nil
}

func parse(src string) func() {
	return func() { markdown.Parse([]byte(src)) }
}

func TestLimits(t *testing.T) {
	r := strings.Repeat
	stairs := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(r(" ", 2*i) + "- a\n")
		}
		return b.String()
	}
	links := func(n int) func() {
		d := markdown.Parse([]byte(r("<", n) + "a"))
		return func() { d.Links() }
	}
	for _, test := range []struct {
		name, want string
		f          func()
	}{
		{"quotes", "", parse(r(">", markdown.MaxDepth) + "a")},
		{"too many quotes", "nest more than 200 deep", parse(r(">", markdown.MaxDepth+1) + "a")},
		{"items", "", parse(r("1. ", markdown.MaxDepth) + "a")},
		{"too many items", "nest more than 200 deep", parse(r("1. ", markdown.MaxDepth+1) + "a")},
		{"both", "", parse(r("> - ", markdown.MaxDepth/2) + "a")},
		{"too many of both", "nest more than 200 deep", parse(r("> - ", markdown.MaxDepth/2) + "> a")},
		{"stairs", "", parse(stairs(markdown.MaxDepth))},
		{"too many stairs", "nest more than 200 deep", parse(stairs(markdown.MaxDepth + 1))},
		{"quotes in code", "", parse("```\n" + r(">", 10*markdown.MaxDepth) + "a")},
		{"definitions", "", parse(r("[a]: b\n", markdown.MaxDefinitions))},
		{"too many definitions", "10000 link reference definitions", parse(r("[a]: b\n", markdown.MaxDefinitions+1))},
		{"too many definitions with broken labels", "10000 link reference definitions", parse(r("[\na\n]: b\n", markdown.MaxDefinitions+1))},
		{"definitions apart", "", parse(r("[a]: b\n\n", markdown.MaxDefinitions+1))},
		{"no definitions", "", parse(r("[a](b)\n", markdown.MaxDefinitions+1))},
		{"heading", "", parse("# <" + r("a", markdown.MaxText-1))},
		{"long heading", "more than 131072 bytes", parse("# <" + r("a", markdown.MaxText))},
		{"long heading without markup", "", parse("# " + r("a", markdown.MaxText+1))},
		{"long paragraph", "", parse(r("<", markdown.MaxText) + "a")},
		{"long text with links", "more than 131072 bytes", links(markdown.MaxText)},
	} {
		t.Run(test.name, func(t *testing.T) {
			limit := refused(test.f)
			switch {
			case test.want == "" && limit != nil:
				t.Errorf("refused: %v", limit)
			case test.want != "" && limit == nil:
				t.Error("not refused")
			case test.want != "" && (!strings.Contains(limit.Error(), test.want) || limit.Remedy == ""):
				t.Errorf("got %q, want %q in it and a remedy", limit, test.want)
			}
		})
	}
}

func TestTimeLimit(t *testing.T) {
	hang := make(chan bool)
	defer close(hang)
	if limit := refused(func() { markdown.Within(time.Millisecond, func() { <-hang }) }); limit == nil || !strings.Contains(limit.Error(), "longer than 1ms") {
		t.Errorf("got %v", limit)
	}
}

// TestPanicsReachTheCaller holds that a panic of the parser can be recovered like any other.
func TestPanicsReachTheCaller(t *testing.T) {
	want := errors.New("broken")
	defer func() {
		if got := recover(); got != want {
			t.Errorf("recovered %v, want %v", got, want)
		}
	}()
	markdown.Within(time.Hour, func() { panic(want) })
	t.Error("the panic is lost")
}
