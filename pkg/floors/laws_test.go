package floors

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A law looks at one package and reports each breach. Tests are free where it says so.
type law struct {
	name  string
	why   string
	judge func(p *pkg, report func(place, what string))
}

// laws returns all laws. The reason of each is part of what a breach prints.
func laws() []law {
	return []law{
		{"listed", "a package that stands on no floor can be imported by anything and import everything; " +
			"add it to the table in pkg/floors/table_test.go, on the lowest floor that its imports allow", listed},
		{"floors", "arrows that point up or sideways make cycles of meaning: what is below must be understood, tested and " +
			"replaced without what is above; move the shared part to a lower floor or pass it in", arrows},
		{"checks-apart", "a check that leans on another cannot be switched off, run or read alone; " +
			"move what both need into pkg/facts or a model below", checksApart},
		{"processes", "each process is a place where failure can read as silence, so pkg/git alone starts them, " +
			"with one way of handling exit codes and environments (pkg/fingerprint starts this program again to parse, and nothing " +
			"else); ask pkg/git", processes},
		{"file-system", "what is judged comes from git objects, never from whatever lies on disk, and writes must be atomic; " +
			"take bytes from a snapshot, write through pkg/atomicfile", fileSystem},
		{"tree-sitter", "its grammars are C that hostile input can crash and that costs every start-up: pkg/syntax alone holds them, " +
			"and forge-gate alone links it, to run as a worker process; ask pkg/fingerprint", treeSitter},
		{"no-init", "the hook path starts in a millisecond, and what runs before main is paid at every commit; " +
			"call it where it is needed, or wrap it in sync.OnceValue", noInit},
		{"no-globals", "package-level state that changes makes runs depend on one another and tests on their order; " +
			"put it into a value that the caller owns", noGlobals},
		{"names", "a package is named for what it gives, not for being left over; name it for its one subject", names},
		{"size", fmt.Sprintf("a file is read in one sitting: about %d lines, never more than %d; split it by subject",
			softLines, hardLines), size},
	}
}

const (
	softLines = 400
	hardLines = 500
)

// judge applies all laws to tree.
func judge(tree []*pkg) []string {
	var breaches []string
	for _, l := range laws() {
		for _, p := range tree {
			l.judge(p, func(place, what string) {
				breaches = append(breaches, fmt.Sprintf("%s: %s: %s\n\twhy: %s", l.name, place, what, l.why))
			})
		}
	}
	return breaches
}

func listed(p *pkg, report func(place, what string)) {
	if floorOf(p.dir) == unknown {
		report(p.dir, "the package is on no floor")
	}
}

// code returns the files that end up in programs.
func (p *pkg) code() []*file {
	return slices.DeleteFunc(slices.Clone(p.files), func(f *file) bool { return f.test })
}

// within reports whether p is one of the named packages under pkg/.
func (p *pkg) within(names ...string) bool {
	return slices.Contains(names, strings.TrimPrefix(p.dir, "pkg/"))
}

// own returns the folder of an import of this module, "" for any other.
func own(importPath string) string {
	dir, ok := strings.CutPrefix(importPath, module+"/")
	if !ok {
		return ""
	}
	return dir
}

// arrows leaves tests free: a test may set the stage with packages from above.
func arrows(p *pkg, report func(place, what string)) {
	floor := floorOf(p.dir)
	if floor < 0 {
		return
	}
	for _, f := range p.code() {
		for _, i := range f.imports() {
			dir := own(i.path)
			if dir == "" {
				continue
			}
			below := floorOf(dir)
			switch {
			case below == unknown:
				report(at(f, i.line), fmt.Sprintf("imports %q, which is on no floor", dir))
			case below == outside:
				report(at(f, i.line), fmt.Sprintf("imports %q, which is not part of any program", dir))
			case below >= floor:
				report(at(f, i.line), fmt.Sprintf("%q on floor %d imports %q on floor %d", p.dir, floor, dir, below))
			}
		}
	}
}

// checksApart binds tests too.
func checksApart(p *pkg, report func(place, what string)) {
	if !strings.HasPrefix(p.dir, "pkg/checks/") {
		return
	}
	for _, f := range p.files {
		for _, i := range f.imports() {
			if dir := own(i.path); strings.HasPrefix(dir, "pkg/checks/") && dir != p.dir {
				report(at(f, i.line), fmt.Sprintf("%q imports the checks of %q", p.dir, dir))
			}
		}
	}
}

// processes leaves tests and ci/ free: they drive programs from outside.
func processes(p *pkg, report func(place, what string)) {
	if p.within("git", "fingerprint") || floorOf(p.dir) == outside {
		return
	}
	for _, f := range p.code() {
		for _, i := range f.imports() {
			if i.path == "os/exec" {
				report(at(f, i.line), `imports "os/exec"`)
			}
		}
		for _, s := range []struct{ path, names string }{
			{"os", "StartProcess"}, {"syscall", "Exec ForkExec StartProcess"}, {"golang.org/x/sys/unix", "Exec"},
		} {
			f.uses(s.path, func(name string, line int) {
				if slices.Contains(strings.Fields(s.names), name) {
					report(at(f, line), fmt.Sprintf("uses %s.%s", path.Base(s.path), name))
				}
			})
		}
	}
}

// harmless lists what every package may take from package os: streams, environment, names and errors.
const harmless = "Stdin Stdout Stderr Args Getenv LookupEnv Environ Exit Executable File FileMode FileInfo PathError " +
	"ErrNotExist ErrExist ErrPermission ErrClosed ErrInvalid ErrDeadlineExceeded ErrProcessDone IsNotExist IsExist IsPermission " +
	"DevNull PathSeparator PathListSeparator ModePerm ModeSymlink ModeDir Getpid Signal Interrupt Kill Process"

// fileSystem leaves tests and ci/ free. Package gogit reads plain repositories where git is not installed.
func fileSystem(p *pkg, report func(place, what string)) {
	if p.within("git", "gogit", "atomicfile", "cli") || floorOf(p.dir) == outside {
		return
	}
	for _, f := range p.code() {
		for _, i := range f.imports() {
			switch i.path {
			case "io/ioutil", "syscall", "golang.org/x/sys/unix", "golang.org/x/sys/windows":
				report(at(f, i.line), fmt.Sprintf("imports %q", i.path))
			}
		}
		f.uses("os", func(name string, line int) {
			if !slices.Contains(strings.Fields(harmless), name) {
				report(at(f, line), "uses os."+name)
			}
		})
		f.uses("path/filepath", func(name string, line int) {
			if slices.Contains([]string{"Walk", "WalkDir", "Glob", "EvalSymlinks"}, name) {
				report(at(f, line), "uses filepath."+name)
			}
		})
	}
}

func treeSitter(p *pkg, report func(place, what string)) {
	if p.within("syntax", "parsertest") || p.dir == "ci/bench/parse" { // what drift is measured against
		return
	}
	for _, f := range p.files {
		for _, i := range f.imports() {
			switch {
			case strings.Contains(i.path, "tree-sitter"):
				report(at(f, i.line), fmt.Sprintf("imports %q", i.path))
			case own(i.path) == "pkg/syntax" && !f.test && p.dir != "cmd/forge-gate":
				report(at(f, i.line), `imports "pkg/syntax"`)
			}
		}
	}
}

func names(p *pkg, report func(place, what string)) {
	for _, part := range strings.Split(p.dir, "/") {
		switch part {
		case "util", "utils", "common", "helper", "helpers", "misc":
			report(p.dir, fmt.Sprintf("a package is called %q", part))
		}
	}
	for _, f := range p.files {
		for _, i := range f.imports() {
			if i.name == "." {
				report(at(f, i.line), fmt.Sprintf("imports %q under the name of a dot, which hides names from readers and from these laws", i.path))
			}
		}
	}
}

func size(p *pkg, report func(place, what string)) {
	for _, f := range p.files {
		if f.lines > hardLines && !f.generated {
			report(f.name, fmt.Sprintf("the file has %d lines", f.lines))
		}
	}
}

func at(f *file, line int) string { return fmt.Sprintf("%s:%d", f.name, line) }
