package claims_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/syntax"
)

// workerVariable turns this test binary into a parser.
const workerVariable = "FORGE_CLAIMS_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) == "" {
		code := m.Run()
		if err := engine().Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		os.Exit(code)
	}
	if err := syntax.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(fingerprint.ExitUnfit)
	}
}

// engine is that of all tests.
var engine = sync.OnceValue(func() *fingerprint.Engine {
	return fingerprint.New(fingerprint.Options{Worker: []string{os.Args[0]}, Env: []string{workerVariable + "=1", "GOTRACEBACK=none"}})
})
