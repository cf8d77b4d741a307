package syntax

import (
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// TestEmptyFiles parses files of which nothing is left: a root without a child has no parent either.
func TestEmptyFiles(t *testing.T) {
	a := newAnalyzer()
	defer a.close()
	for _, language := range []string{"go", "python", "javascript", "typescript", "java", "c", "cpp", "rust", "ruby", "php", "bash", "lua", "css", "html", "yaml", "toml", "markdown"} {
		for _, src := range []string{"", "\n", " \n\n"} {
			f, err := a.file(language, []byte(src))
			if err != nil || f.Digest.Kind != fingerprint.AST || len(f.Definitions) > 0 {
				t.Errorf("%s %q: %+v, %v", language, src, f, err)
			}
		}
	}
}
