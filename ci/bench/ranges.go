package main

// rangeBenches measure what a pull request waits for.
func rangeBenches() []bench {
	return []bench{{
		name: "range-2000", work: "`forge-pre-commit run --range`, 2,000 changed files",
		reference: "`git diff-tree -r -z --raw` and reading the blobs once", goal: 2, prepare: range2000,
	}}
}

func range2000(l *lab) (*match, error) {
	r, err := l.repo()
	if err != nil {
		return nil, err
	}
	before, after := workspace(1), []doc(nil)
	for i := range 2000 {
		switch { // one file in twenty is guarded, the others are documents and code
		case i%20 == 0:
			before, after = append(before, doneList(i, 20)), append(after, doneList(i, 40))
		case i%2 == 0:
			before, after = append(before, page(i, 20)), append(after, page(i, 40))
		default:
			before, after = append(before, source(i, 20)), append(after, source(i, 40))
		}
	}
	if err := r.commit(before); err != nil {
		return nil, err
	}
	if err := r.commit(after); err != nil {
		return nil, err
	}
	ids, err := r.blobs("diff-tree", "-r", "--raw", "--abbrev=64", "main~1", "main")
	if err != nil {
		return nil, err
	}
	return &match{
		work: []command{{args: []string{l.program("forge-pre-commit"), "run", "--range", "main~1..main"}, dir: r.dir}},
		reference: []command{
			{args: []string{"git", "diff-tree", "-r", "-z", "--raw", "main~1", "main"}, dir: r.dir},
			{args: []string{"git", "cat-file", "--batch"}, dir: r.dir, stdin: ids},
		},
		files: len(after),
	}, nil
}
