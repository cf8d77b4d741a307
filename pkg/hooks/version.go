package hooks

import (
	"fmt"
	"strconv"
	"strings"
)

// A Version is the major and minor number of a git.
type Version struct{ Major, Minor int }

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

func (v Version) before(o Version) bool {
	return v.Major < o.Major || v.Major == o.Major && v.Minor < o.Minor
}

// Floor returns the oldest git that Forge works with (chapter 3.3).
func Floor() Version { return Version{2, 25} }

// parseVersion reads what `git version` prints, such as "git version 2.39.5 (Apple Git-154)", or false.
func parseVersion(s string) (Version, bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "git version ")
	major, rest, ok := strings.Cut(s, ".")
	if !ok {
		return Version{}, false
	}
	end := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	a, err := strconv.Atoi(major)
	if err != nil {
		return Version{}, false
	}
	b, err := strconv.Atoi(rest[:end])
	return Version{a, b}, err == nil
}

// missing says in words what a git of this version, at or above Floor, does not have.
func missing(v Version) []string {
	var out []string
	for _, f := range []struct {
		since Version
		what  string
	}{
		{Version{2, 29}, "repositories with SHA-256 object ids"},
		{Version{2, 36}, "bare repositories guarded by safe.directory"},
		{Version{2, 45}, "GIT_NO_LAZY_FETCH, for which Forge forbids all transports to its own git processes instead, and reftable"},
	} {
		if v.before(f.since) {
			out = append(out, fmt.Sprintf("git before %s does not have %s", f.since, f.what))
		}
	}
	return out
}
