// Command perturb fingerprints a corpus of source files before and after edits of two kinds: edits that mean nothing, which
// have to leave every definition as it was, and edits that mean something, which have to change the definition that they are
// made in. It prints a table per language for docs/measurements.md.
//
//	go run ./ci/perturb [-files N] [-v] [-save FOLDER] FOLDER...
//
// Formatters that are installed are used: black, prettier (with @prettier/plugin-php and prettier-plugin-java), clang-format,
// rustfmt, shfmt, rubocop, mix, terraform, stylua.
//
// It is run from the root of the module and builds forge-gate, which does the parsing.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

func main() {
	files := flag.Int("files", 300, "take at most this many files of each extension, spread over the corpus")
	verbose := flag.Bool("v", false, "print every definition that an edit moved or left alone by mistake")
	save := flag.String("save", "", "write every file that an edit was judged wrongly in to this folder")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "perturb: name at least one folder")
		os.Exit(2)
	}
	if err := run(context.Background(), flag.Args(), *files, *verbose, *save); err != nil {
		fmt.Fprintf(os.Stderr, "perturb: %v\n", err)
		os.Exit(3)
	}
}

func run(ctx context.Context, folders []string, limit int, verbose bool, save string) error {
	dir, err := os.MkdirTemp("", "perturb")
	if err != nil {
		return err
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, "perturb:", err)
		}
	}()
	gate := filepath.Join(dir, "forge-gate")
	if out, err := exec.Command("go", "build", "-o", gate, "./cmd/forge-gate").CombinedOutput(); err != nil {
		return fmt.Errorf("could not build forge-gate: %w\n%s", err, out)
	}
	engine := fingerprint.New(fingerprint.Options{Worker: []string{gate, "__parse"}, Env: []string{"GOTRACEBACK=none"}})
	defer engine.Close()
	paths, err := corpus(folders, limit)
	if err != nil {
		return err
	}
	p := &perturber{engine: engine, verbose: verbose, save: save, rows: map[string]*row{}}
	for _, path := range paths {
		if err := p.file(ctx, path); err != nil {
			return fmt.Errorf("could not judge %q: %w", path, err)
		}
	}
	p.print()
	return nil
}

// corpus lists files by extension, evenly spread when there are more than limit. Files that are found twice under one name and
// size are taken once.
func corpus(folders []string, limit int) ([]string, error) {
	byExtension := map[string][]string{}
	seen := map[string]bool{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			ext := filepath.Ext(path)
			if !entry.Type().IsRegular() || ext == "" {
				return nil
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			key := fmt.Sprintf("%s %d", entry.Name(), info.Size())
			if info.Size() > 200<<10 || info.Size() == 0 || seen[key] || strings.HasSuffix(path, ".min.js") {
				return nil
			}
			seen[key] = true
			byExtension[ext] = append(byExtension[ext], path)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var out []string
	for _, list := range byExtension {
		sort.Strings(list)
		step := max(1, len(list)/limit)
		for i := 0; i < len(list) && i/step < limit; i += step {
			out = append(out, list[i])
		}
	}
	sort.Strings(out)
	return out, nil
}

// A row counts what was seen in one language.
type row struct {
	files, coarse, definitions, coarseDefinitions int
	edits, moved                                  map[string]int // by edit that means nothing: definitions compared, and changed
	changes, missed                               map[string]int // by edit that means something: made, and not seen
}

type perturber struct {
	engine  *fingerprint.Engine
	verbose bool
	save    string // folder, "" for none
	saved   int
	rows    map[string]*row
}

func (p *perturber) row(language string) *row {
	if p.rows[language] == nil {
		p.rows[language] = &row{edits: map[string]int{}, moved: map[string]int{}, changes: map[string]int{}, missed: map[string]int{}}
	}
	return p.rows[language]
}

// longLine is the length, in bytes, from which on a line makes a file a minified one: an edit of one definition cannot be told
// from an edit of another on the same line.
const longLine = 1000

// file judges one file.
func (p *perturber) file(ctx context.Context, path string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(src) {
		if len(line) > longLine {
			return nil
		}
	}
	before, err := p.engine.File(ctx, path, src)
	if err != nil || before.Language == "" {
		return err
	}
	if strings.Contains(before.Note, "crashed") {
		return errors.New(before.Note) // the numbers would be those of the machine
	}
	r := p.row(before.Language)
	r.files++
	for _, d := range before.Definitions {
		r.definitions++
		if d.Digest.Kind != fingerprint.AST {
			r.coarseDefinitions++
		}
	}
	if before.Digest.Kind != fingerprint.AST {
		r.coarse++
		return nil
	}
	tokens, _, err := p.engine.Tokens(ctx, path, src, "")
	if err != nil {
		return err
	}
	for name, edited := range neutral(path, before.Language, string(src), tokens) {
		after, err := p.engine.File(ctx, path, []byte(edited))
		if err != nil {
			return err
		}
		if p.compare(r, name, path, before, after) {
			if err := p.keep(path, name, src, edited); err != nil {
				return err
			}
		}
	}
	return p.mutate(ctx, r, path, src, before)
}

// keep writes both versions of a file.
func (p *perturber) keep(path, name string, before []byte, after string) error {
	if p.save == "" {
		return nil
	}
	p.saved++
	folder := filepath.Join(p.save, fmt.Sprintf("%03d %s", p.saved, name))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "before-"+filepath.Base(path)), before, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "after-"+filepath.Base(path)), []byte(after), 0o644)
}

// compare counts the definitions that an edit without a meaning changed, and reports whether there are any.
func (p *perturber) compare(r *row, name, path string, before, after *fingerprint.File) bool {
	moved := r.moved[name]
	found := map[string]string{"": after.Digest.Whole}
	for _, d := range after.Definitions {
		found[d.Name] = d.Digest.Whole
	}
	all := append([]fingerprint.Definition{{Digest: before.Digest}}, before.Definitions...)
	for _, d := range all {
		if d.Digest.Kind != fingerprint.AST {
			continue
		}
		r.edits[name]++
		if found[d.Name] != d.Digest.Whole {
			r.moved[name]++
			if p.verbose {
				fmt.Fprintf(os.Stderr, "moved by %s: %s#%s %s\n", name, path, d.Name, after.Note)
			}
		}
	}
	return r.moved[name] > moved
}

// mutate makes a change in each of some definitions and counts those that their fingerprints do not show.
func (p *perturber) mutate(ctx context.Context, r *row, path string, src []byte, before *fingerprint.File) error {
	step := max(1, len(before.Definitions)/8)
	for i := 0; i < len(before.Definitions); i += step {
		d := before.Definitions[i]
		if d.Digest.Kind != fingerprint.AST {
			continue
		}
		tokens, _, err := p.engine.Tokens(ctx, path, src, d.Name)
		if err != nil {
			return err
		}
		for name, edited := range substantive(before.Language, string(src), tokens, i) {
			after, err := p.engine.File(ctx, path, []byte(edited))
			if err != nil {
				return err
			}
			if after.Digest.Kind != fingerprint.AST {
				continue // what is left is no program
			}
			r.changes[name]++
			if now, err := after.Resolve(d.Name); err == nil && now.Name == d.Name && now.Digest.Whole == d.Digest.Whole {
				r.missed[name]++
				if p.verbose {
					fmt.Fprintf(os.Stderr, "missed %s: %s#%s\n", name, path, d.Name)
				}
				if err := p.keep(path, "missed "+name, src, edited); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// print writes one row per language and kind of edit.
func (p *perturber) print() {
	var languages []string
	for language := range p.rows {
		languages = append(languages, language)
	}
	sort.Strings(languages)
	fmt.Println("| language | files | coarse files | definitions | coarse | edits that mean nothing: changed of compared | edits that mean something: missed of made |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, language := range languages {
		r := p.rows[language]
		fmt.Printf("| %s | %d | %d | %d | %d | %s | %s |\n", language, r.files, r.coarse, r.definitions, r.coarseDefinitions, ratios(r.moved, r.edits), ratios(r.missed, r.changes))
	}
}

func ratios(part, whole map[string]int) string {
	var names []string
	for name := range whole {
		names = append(names, name)
	}
	sort.Strings(names)
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%s %d/%d", name, part[name], whole[name]))
	}
	return strings.Join(list, ", ")
}
