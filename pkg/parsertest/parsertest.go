// Package parsertest lets the test binary of a package be its own parser, so that tests fingerprint with real worker processes.
package parsertest

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/syntax"
)

// variable turns a test binary into a parser.
const variable = "FORGE_TEST_PARSER"

// Main is the TestMain of a package whose tests use an engine of this package. It does not return.
func Main(m *testing.M) {
	if os.Getenv(variable) != "" {
		if err := syntax.Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(fingerprint.ExitUnfit)
		}
		os.Exit(0)
	}
	code := m.Run()
	if err := Engine().Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// Engine returns the engine that the tests of a package share; Main closes it.
var Engine = sync.OnceValue(func() *fingerprint.Engine { return New(nil) })

// New makes an engine with a cache, which may be nil, for the caller to close.
func New(cache fingerprint.Cache) *fingerprint.Engine {
	return fingerprint.New(fingerprint.Options{Worker: []string{os.Args[0]}, Env: []string{variable + "=1", "GOTRACEBACK=none"}, Cache: cache})
}
