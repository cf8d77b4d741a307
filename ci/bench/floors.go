package main

import "strings"

// floorBenches have no goal: they tell how low a ratio can be, measured like the benches whose names they begin with.
func floorBenches() []bench {
	return []bench{
		{
			name: "floor-hook-67", work: "a Go program that starts `git diff-index` and reads what it says", reference: "`git diff --cached --name-only`",
			prepare: func(l *lab) (*match, error) {
				r, err := stagedRepo(l, 67, []doc{page(1, 4)})
				if err != nil {
					return nil, err
				}
				return &match{
					work:      []command{{args: []string{l.program("floor")}, dir: r.dir}},
					reference: []command{{args: []string{"git", "diff", "--cached", "--name-only"}, dir: r.dir}},
				}, nil
			},
		},
		{
			name: "floor-startup", work: "a Go program that links the libraries of the programs and does nothing", reference: "an empty Go program",
			prepare: func(l *lab) (*match, error) {
				return &match{
					work:      []command{{args: []string{l.program("linked")}, dir: l.dir}},
					reference: []command{{args: []string{l.program("empty")}, dir: l.dir}},
				}, nil
			},
		},
		{
			name: "floor-range-2000", work: "the same two git processes, read by `cat` through a pipe", reference: "`git diff-tree -r -z --raw` and reading the blobs once",
			prepare: func(l *lab) (*match, error) {
				m, err := range2000(l)
				if err != nil {
					return nil, err
				}
				var piped []command
				for _, c := range m.reference {
					c.args = []string{"sh", "-c", strings.Join(c.args, " ") + " | cat"}
					piped = append(piped, c)
				}
				return &match{work: piped, reference: m.reference}, nil
			},
		},
	}
}
