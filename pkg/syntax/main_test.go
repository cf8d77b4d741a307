package syntax

import (
	"fmt"
	"os"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// workerVariable turns this test binary into a worker.
const workerVariable = "FORGE_SYNTAX_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) == "" {
		os.Exit(m.Run())
	}
	if err := Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(fingerprint.ExitUnfit)
	}
}

// newEngine returns an engine whose workers are this binary.
func newEngine(t testing.TB, o fingerprint.Options) *fingerprint.Engine {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Worker, o.Env = []string{exe}, []string{workerVariable + "=1", "GOTRACEBACK=none"}
	e := fingerprint.New(o)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// see fingerprints source in this process.
func see(t testing.TB, a *analyzer, language, src string) *fingerprint.File {
	t.Helper()
	f, err := a.File(language, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func analyzerFor(t testing.TB) *analyzer {
	a := newAnalyzer()
	t.Cleanup(a.close)
	return a
}
