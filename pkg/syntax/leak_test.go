package syntax

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// TestNoGrowth parses many small files in one process: what each took has to be given back, C memory included.
func TestNoGrowth(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the size of the process is read from /proc")
	}
	a := analyzerFor(t)
	languages := []struct{ name, src string }{
		{"go", "package a\nfunc f%d() int { return %d }\n"}, {"python", "def f%d():\n  return %d\n"}, {"typescript", "export const f%d = { a: %d };\n"},
		{"ruby", "def f%d\n  %d\nend\n"}, {"html", "<p id=f%d>%d</p>\n"}, {"bash", "f%d() { echo %d; }\n"},
	}
	run := func(n int) {
		for i := range n {
			l := languages[i%len(languages)]
			if f := see(t, a, l.name, fmt.Sprintf(l.src, i, i)); len(f.Definitions) == 0 {
				t.Fatalf("%s: nothing found", l.name)
			}
		}
	}
	run(5_000)
	before := resident(t)
	run(100_000)
	if grown := resident(t) - before; grown > 16<<20 {
		t.Errorf("100000 small files made the process grow by %d kB", grown>>10)
	}
}

// resident returns the bytes of memory that this process holds, garbage left out.
func resident(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int
	if _, err := fmt.Fscan(strings.NewReader(string(statm)), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
