// Package anchor reads and prints anchors, the addresses by which a claim names the code it is about (chapter 7.3):
// `path[#Symbol][@baseline[:digest]]`.
package anchor

import (
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/glob"
)

// A Kind says what the path of an anchor stands for.
type Kind int

// The kinds of paths.
const (
	File      Kind = iota // one file
	Directory             // every file below a folder: written with a slash at the end
	Glob                  // every file that a pattern matches: written with an unencoded `*`, `?`, `[` or `{`
)

var kindNames = [...]string{"file", "directory", "glob"}

// String returns the name of k in lower case.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// An Anchor is one parsed anchor. Path and Symbol are decoded; String encodes them again.
type Anchor struct {
	Kind     Kind
	Path     string // relative, with slashes: a file, a folder without the slash at its end, or a pattern of package glob
	Symbol   string // as written, "" for the whole path; only a File has one
	Baseline string // abbreviated or full commit id in lower case, "" when there is none
	Digest   string // fingerprint at the baseline: scheme letter and 12 hex digits, "" when there is none
}

// An Error says why a text is no anchor.
type Error struct {
	Anchor string
	Reason string // what is wrong and what to write instead
}

func (e *Error) Error() string { return fmt.Sprintf("bad anchor %q: %s", e.Anchor, e.Reason) }

const (
	minBaseline  = 4
	maxSHA1      = 40
	lenSHA256    = 64
	lenDigestHex = 12
)

// Parse reads an anchor from the right: first the baseline, then the symbol, and what is left is the path. What follows
// the last `@` is a baseline only when it has the form of one, so `@types/node.d.ts` is a path. `%` and two hex digits
// stand for one byte in path and symbol, and an encoded character is never a separator or a wildcard. A fault is an
// *Error.
func Parse(s string) (Anchor, error) {
	var a Anchor
	fail := func(format string, args ...any) (Anchor, error) {
		return Anchor{}, &Error{Anchor: s, Reason: fmt.Sprintf(format, args...)}
	}
	rest := s
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		switch baseline, digest, form := splitBaseline(rest[i+1:]); form {
		case formBaseline:
			a.Baseline, a.Digest, rest = baseline, digest, rest[:i]
		case formBadDigest:
			return fail("%q after the baseline is no digest; a digest is a letter and %d hex digits", digest, lenDigestHex)
		}
	}
	rawPath := rest
	if i := strings.LastIndexByte(rest, '#'); i >= 0 {
		rawPath = rest[:i]
		a.Symbol = decode(rest[i+1:], false)
		if a.Symbol == "" {
			return fail("the symbol after # is empty; leave the # out to mean the whole file")
		}
	}
	if reason := a.setPath(rawPath); reason != "" {
		return fail("%s", reason)
	}
	if a.Symbol != "" && a.Kind != File {
		return fail("a symbol is looked for in one file, and the path names a %s", a.Kind)
	}
	if i := strings.IndexFunc(a.Path+a.Symbol, func(r rune) bool { return r < ' ' || r == 0x7f }); i >= 0 {
		return fail("it holds a control character")
	}
	return a, nil
}

// setPath decodes and checks the path. It returns why the path is bad, "" when it is good.
func (a *Anchor) setPath(raw string) string {
	if raw == "" {
		return "the path is empty"
	}
	if strings.Contains(raw, `\`) {
		return `the path holds a backslash; separate folders with /, and write %5C for a backslash in a name`
	}
	if strings.Trim(raw, " ") != raw {
		return "white space at the end of the path; write %20 when the name has it"
	}
	if strings.HasSuffix(raw, "/") {
		a.Kind, raw = Directory, strings.TrimSuffix(raw, "/")
	}
	wild := strings.ContainsAny(raw, "*?[{")
	if wild && a.Kind == Directory {
		a.Kind, raw = Glob, raw+"/**"
	} else if wild {
		a.Kind = Glob
	}
	a.Path = decode(raw, wild)
	if strings.HasPrefix(a.Path, "/") || raw == "" {
		return "the path is absolute; write it relative to the root of the repository"
	}
	for segment := range strings.SplitSeq(a.Path, "/") {
		switch segment {
		case "":
			return "the path has an empty segment"
		case ".":
			return `the path has a "." segment; leave it out`
		case "..":
			return `the path has a ".." segment; write it relative to the root of the repository`
		}
	}
	if wild {
		if _, err := glob.Compile(a.Path); err != nil {
			return err.Error()
		}
	}
	return ""
}

type form int

const (
	formOther form = iota
	formBaseline
	formBadDigest
)

// splitBaseline takes what stands after the last @ apart. Text that is no baseline belongs to the path or the symbol,
// but a baseline with a broken digest is a fault that would otherwise read as a strange path.
func splitBaseline(s string) (baseline, digest string, f form) {
	baseline, digest, colon := strings.Cut(s, ":")
	if !IsBaseline(baseline) {
		return "", "", formOther
	}
	switch {
	case !colon:
		return strings.ToLower(baseline), "", formBaseline
	case IsDigest(strings.ToLower(digest)):
		return strings.ToLower(baseline), strings.ToLower(digest), formBaseline
	case strings.ContainsAny(digest, "/#@:."):
		return "", "", formOther
	}
	return "", digest, formBadDigest
}

// IsBaseline reports whether s can be a baseline: 4 to 40 hex digits, or 64.
func IsBaseline(s string) bool {
	return (len(s) >= minBaseline && len(s) <= maxSHA1 || len(s) == lenSHA256) && isHex(s)
}

// IsDigest reports whether s is a digest: a small letter for the scheme and 12 small hex digits (chapter 7.3).
func IsDigest(s string) bool {
	return len(s) == 1+lenDigestHex && s[0] >= 'a' && s[0] <= 'z' && isHex(s[1:]) && strings.ToLower(s) == s
}

func isHex(s string) bool {
	for i := 0; i < len(s); i++ {
		if _, ok := hexValue(s[i]); !ok {
			return false
		}
	}
	return s != ""
}
