package fingerprint

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"sync"
)

//go:embed queries/*.scm
var queries embed.FS

// Query returns the query of a language that has a tree-sitter grammar (chapter 7.4).
func Query(language string) (string, error) {
	data, err := queries.ReadFile("queries/" + language + ".scm")
	if err != nil {
		return "", fmt.Errorf("could not read the query of %q: %w", language, err)
	}
	return string(data), nil
}

// grammarVersion names the release of the grammars, which go.mod pins; a test compares the two.
const grammarVersion = "v0.0.0-20240827094217-dd81d9e9be82"

// rulesVersion changes when the rules, the queries or the encoding change in a way that the cache must not outlive.
const rulesVersion = "3"

// enginePrint sums up what besides a file's content decides its fingerprint: grammars, rules and queries.
var enginePrint = sync.OnceValue(func() string {
	h := sha256.New()
	h.Write([]byte(grammarVersion + "\x00" + rulesVersion + "\x00"))
	names, err := fs.Glob(queries, "queries/*.scm")
	for _, name := range names {
		var data []byte
		if data, err = queries.ReadFile(name); err != nil {
			break
		}
		h.Write(data)
	}
	if err != nil { // the files are part of the program
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))[:8]
})

// cacheName names the entry of a blob: scheme, engine, language and object id. It is "" when the blob cannot be cached.
func cacheName(language, oid string) string {
	if len(oid) != 40 && len(oid) != 64 || strings.Trim(oid, "0123456789abcdef") != "" || enginePrint() == "" {
		return ""
	}
	if language == "" {
		language = "any" // the first line decides
	}
	return strings.Join([]string{Scheme, enginePrint(), strings.ReplaceAll(language, " ", "-"), oid}, "-")
}
