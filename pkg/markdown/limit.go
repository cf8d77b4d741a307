package markdown

import (
	"fmt"
	"time"
)

// What is followed of a document; what lies beyond is a LimitError (chapter 3.5). MaxTime is for machines that are slower
// or input that is worse than what the other limits were measured with.
const (
	MaxDepth       = 200              // nesting of quotes and list items
	MaxDefinitions = 10_000           // link reference definitions that stand together, which goldmark reads in quadratic time
	MaxText        = 128 << 10        // bytes of inline text of one block, which goldmark reads in quadratic time and recursively
	MaxTime        = 20 * time.Second // of one call
)

// A LimitError says that a document could not be read because it is beyond what the parser follows. Parse and the methods
// that read inline text panic with a *LimitError, so that no caller takes a half-read document for a whole one.
type LimitError struct {
	Path   string // of the document, where In named it
	Limit  string // what is too much, with the limit
	Remedy string
}

// Error returns the limit and the remedy in one line.
func (e *LimitError) Error() string {
	what := "Markdown"
	if e.Path != "" {
		what = fmt.Sprintf("%q", e.Path)
	}
	return fmt.Sprintf("could not parse %s: %s: %s", what, e.Limit, e.Remedy)
}

// In names the document that a function parses, for the case that it is beyond the limits: `defer markdown.In(path)`.
func In(path string) {
	switch cause := recover().(type) {
	case nil:
	case *LimitError:
		if cause.Path == "" {
			cause.Path = path
		}
		panic(cause)
	default:
		panic(cause)
	}
}

// within runs f, which panics in the goroutine of the caller if at all. When f takes longer than limit, within panics with
// a LimitError and f goes on unheeded: goldmark cannot be interrupted.
func within(limit time.Duration, f func()) {
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case cause := <-done:
		if cause != nil {
			panic(cause)
		}
	case <-timer.C:
		panic(&LimitError{
			Limit:  fmt.Sprintf("it takes longer than %v", limit),
			Remedy: "take it apart",
		})
	}
}
