// Command bench compares what the programs cost with what a named reference costs for the same work (chapter 9.1). It
// counts the CPU time of a process and of all its children, takes turns between the two sides, and prints medians, so that
// the ratios hold on any machine; times alone do not. Run it from anywhere inside the module:
//
//	go run ./ci/bench [-only NAME,...] [-runs N] [-large] [-v]
//
// It prints rows for docs/measurements.md and exits 0 whether goals are met or not; 3 when something could not be
// measured, 2 when it is called wrongly.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	os.Exit(run())
}

func run() int {
	only := flag.String("only", "", "benches to run, by name or by the part before a dash, separated by commas")
	runs := flag.Int("runs", 15, "measured runs of each side")
	large := flag.Bool("large", false, "run the benches that need minutes and gigabytes to set up, too")
	verbose := flag.Bool("v", false, "say what is being done")
	flag.Parse()
	if flag.NArg() > 0 || *runs < 1 {
		flag.Usage()
		return 2
	}
	l, err := newLab(*verbose)
	if err != nil {
		return complain(err)
	}
	defer l.close()
	chosen, err := choose(benches(l), *only, *large)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 2
	}
	code := 0
	fmt.Println(header)
	for _, b := range chosen {
		row, err := b.row(l, *runs)
		if err != nil {
			code = complain(fmt.Errorf("could not measure %q: %w", b.name, err))
			continue
		}
		fmt.Println(row)
	}
	return code
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "bench:", err)
	return 3
}

// choose picks the benches named in list, all that are not large when it is empty. A name that fits none is an error.
func choose(all []bench, list string, large bool) ([]bench, error) {
	var chosen []bench
	if list == "" {
		for _, b := range all {
			if large || !b.large {
				chosen = append(chosen, b)
			}
		}
		return chosen, nil
	}
	for _, name := range strings.Split(list, ",") {
		found := false
		for _, b := range all {
			if b.name == name || strings.HasPrefix(b.name, name+"-") && (large || !b.large) {
				chosen = append(chosen, b)
				found = true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no bench %q", name)
		}
	}
	return chosen, nil
}

// A lab is where measuring takes place: a temporary folder with the programs as released, and the environment that every
// measured process gets.
type lab struct {
	root    string // of the module
	dir     string // temporary
	bin     string
	scratch string // of the bench at hand
	env     []string
	verbose bool
}

func newLab(verbose bool) (*lab, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, fmt.Errorf("could not find the module: %w", err)
	}
	dir, err := os.MkdirTemp("", "forge-bench-")
	if err != nil {
		return nil, err
	}
	l := &lab{
		root: strings.TrimSpace(string(out)), dir: dir, bin: filepath.Join(dir, "bin"), verbose: verbose,
		env: []string{
			"PATH=" + filepath.Join(dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
			"HOME=" + filepath.Join(dir, "home"), "TMPDIR=" + dir, "FORGE_CACHE_DIR=" + filepath.Join(dir, "cache"),
			"LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		},
	}
	l.say("building the programs")
	for _, packages := range [][]string{nil, {"./ci/bench/decode", "./ci/bench/empty", "./ci/bench/floor", "./ci/bench/linked", "./ci/bench/parse"}} {
		build := exec.Command("sh", append([]string{filepath.Join(l.root, "ci", "build"), l.bin}, packages...)...)
		if text, err := build.CombinedOutput(); err != nil {
			l.close()
			return nil, fmt.Errorf("could not build the programs: %w\n%s", err, text)
		}
	}
	return l, nil
}

func (l *lab) close() {
	if err := os.RemoveAll(l.dir); err != nil {
		fmt.Fprintln(os.Stderr, "bench: could not remove the temporary folder:", err)
	}
}

func (l *lab) say(format string, args ...any) {
	if l.verbose {
		fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
	}
}

// program returns the path of a program that was built.
func (l *lab) program(name string) string { return filepath.Join(l.bin, name) }
