package main

// commitMemory is the goal for any commit, in megabytes.
const commitMemory = 40

// hookBenches measure what a commit waits for.
func hookBenches() []bench {
	nameOnly := []string{"git", "diff", "--cached", "--name-only"}
	rawIndex := []string{"git", "diff-index", "--cached", "--raw", "-z", "HEAD"}
	onePage := []doc{page(1, 4)}
	return []bench{
		{
			name: "hook-67", work: "`forge-pre-commit run`, one document of 67 files", reference: "`git diff --cached --name-only`",
			goal: 4, memory: commitMemory, prepare: hook(67, onePage, nameOnly),
		},
		{
			name: "hook-67-guarded", work: "the same, one task list", reference: "`git diff --cached --name-only`",
			goal: 4, memory: commitMemory, prepare: hook(67, []doc{doneList(3, 4)}, nameOnly),
		},
		{
			name: "hook-67-claims", work: "the same, one document, beside a store of 100 claims that it does not matter to", reference: "`git diff --cached --name-only`",
			goal: 4, memory: commitMemory, prepare: hookBesideClaims(onePage, nameOnly),
		},
		{
			name: "hook-10k", work: "the same, one document of 10,000 files", reference: "`git diff --cached --name-only`",
			goal: 3, memory: commitMemory, prepare: hook(10_000, onePage, nameOnly),
		},
		{
			name: "hook-180k", work: "the same, one document of 180,000 files", reference: "`git diff-index --cached --raw -z HEAD`",
			goal: 1.3, memory: commitMemory, large: true, prepare: hook(180_000, onePage, rawIndex),
		},
		{
			name: "staged-200", work: "`forge-pre-commit run`, 200 task lists staged of 1,000 files", reference: "reading their blobs once",
			goal: 3, memory: commitMemory, prepare: staged200,
		},
	}
}

// hook prepares a workspace of n files with staged on top. A document that no guard protects may leave the checks idle.
func hook(n int, staged []doc, reference []string) func(*lab) (*match, error) {
	return func(l *lab) (*match, error) {
		r, err := stagedRepo(l, n, staged)
		if err != nil {
			return nil, err
		}
		return &match{
			work:      []command{{args: []string{l.program("forge-pre-commit"), "run"}, dir: r.dir}},
			reference: []command{{args: reference, dir: r.dir}},
			files:     len(staged),
			idle:      true,
		}, nil
	}
}

// hookBesideClaims is hook in a workspace of 67 files, one of them a store of claims.
func hookBesideClaims(staged []doc, reference []string) func(*lab) (*match, error) {
	return func(l *lab) (*match, error) {
		r, err := stagedIn(l, append(workspace(66), claimStore(100)), staged)
		if err != nil {
			return nil, err
		}
		return &match{
			work:      []command{{args: []string{l.program("forge-pre-commit"), "run"}, dir: r.dir}},
			reference: []command{{args: reference, dir: r.dir}},
			files:     len(staged),
			idle:      true,
		}, nil
	}
}

func staged200(l *lab) (*match, error) {
	var staged []doc
	for i := 3; len(staged) < 200; i += 3 {
		staged = append(staged, doneList(i, 40))
	}
	r, err := stagedRepo(l, 1000, staged)
	if err != nil {
		return nil, err
	}
	ids, err := r.blobs("diff-index", "--cached", "--raw", "--abbrev=64", "HEAD")
	if err != nil {
		return nil, err
	}
	return &match{
		work:      []command{{args: []string{l.program("forge-pre-commit"), "run"}, dir: r.dir}},
		reference: []command{{args: []string{"git", "cat-file", "--batch"}, dir: r.dir, stdin: ids}},
		files:     len(staged),
	}, nil
}

func stagedRepo(l *lab, n int, staged []doc) (*repo, error) { return stagedIn(l, workspace(n), staged) }

// stagedIn makes a repository that holds docs, with staged in its index.
func stagedIn(l *lab, docs, staged []doc) (*repo, error) {
	r, err := l.repo()
	if err != nil {
		return nil, err
	}
	if err := r.commit(docs); err != nil {
		return nil, err
	}
	if err := r.load(len(docs) > 20_000); err != nil {
		return nil, err
	}
	return r, r.stage(staged)
}
