package main

import (
	"fmt"
	"strings"
)

// mindBenches measure what a commit of session notes waits for.
func mindBenches() []bench {
	return []bench{{
		name: "mind-200", work: "`forge-guard mind check`, a session of 200 blocks and 1 MB of context", reference: "reading and hashing the same files",
		goal: 4, memory: commitMemory, prepare: mind200,
	}}
}

func mind200(l *lab) (*match, error) {
	r, err := l.repo()
	if err != nil {
		return nil, err
	}
	if err := r.commit([]doc{{"memory-budget.json", "{\"mind_ctx_kb\": 512}\n"}}); err != nil {
		return nil, err
	}
	if err := r.load(false); err != nil {
		return nil, err
	}
	session := mindSession(200, 1<<20)
	if err := r.stage(session); err != nil {
		return nil, err
	}
	ids, err := r.blobs("diff-index", "--cached", "--raw", "--abbrev=64", "HEAD")
	if err != nil {
		return nil, err
	}
	hash := []string{"git", "hash-object", "--"}
	for _, d := range session {
		hash = append(hash, d.path)
	}
	return &match{
		work:      []command{{args: []string{l.program("forge-guard"), "mind", "check"}, dir: r.dir}},
		reference: []command{{args: []string{"git", "cat-file", "--batch"}, dir: r.dir, stdin: ids}, {args: hash, dir: r.dir}},
		files:     len(session),
	}, nil
}

// mindSession returns the files of a session with so many blocks, one for each pause and one for the opening, and a context
// of at least size bytes in which each pause quotes its owner.
func mindSession(blocks, size int) []doc {
	const dir = ".claude/sessions/session-1/"
	words := strings.Fields("quét mã một trăm cuốn đầu tiên tách sách mượn quá hạn của bạn đọc xã nhập theo kệ chứ không theo tác giả vì trùng họ quá nhiều")
	seed := uint32(1)
	sentence := func(n int) string {
		out := make([]string, n)
		for i := range out {
			seed = seed*1664525 + 1013904223
			out[i] = words[int(seed>>16)%len(words)]
		}
		return strings.Join(out, " ") + "."
	}
	var context, notes strings.Builder
	context.WriteString("# Session 1\n")
	for k := 1; k < blocks; k++ {
		fmt.Fprintf(&context, "\n## PAUSE-%d\n\n> %s\n", k, sentence(20))
		for context.Len() < size*k/(blocks-1) {
			fmt.Fprintf(&context, "\n%s \"%s\"\n\n- %s\n- %s\n", sentence(40), sentence(6), sentence(12), sentence(15))
		}
	}
	for k := blocks - 1; k >= 0; k-- {
		fmt.Fprintf(&notes, "### MIND-%d\n\n#### A — vừa làm\n%s\n#### B — hướng tiếp\n%s Token của api đổi ở PAUSE-1.\n#### C — kế hoạch\n%s\n#### D — đang bàn\n- [raised] %s\n- {gần-chốt} %s\n"+
			"#### E — vai phụ\n- ctx-verifier: pass → reports/r.md#summary\n\n", k, sentence(20), sentence(18), sentence(10), sentence(9), sentence(9))
	}
	return []doc{
		{dir + "_context-s-1.md", context.String()}, {dir + "_mind-s-1.md", notes.String()},
		{dir + "_wal-s-1.md", "- SETTLED: " + sentence(30) + "\n"}, {dir + "reports/r.md", "# R\n\n## Summary\n\nFine.\n"},
	}
}
