package demo

import "strings"

const (
	claimsPath = "docs/system/domain.md"
	claims     = `# What holds in the shop

### INV-refund — A refund never exceeds what was paid

` + "```claim" + `
kind: invariant
status: asserted
truth-source: decision
anchors: [shop/till.py#refund]
reviewed: 2026-08-20
` + "```" + `

The bank takes back what is overpaid, and asks a fee for it.
`
	till = `def refund(order, amount):
    return min(amount, order.paid)
`
)

// claimsScene takes an inconvenient rule away together with the code that kept it.
func claimsScene(commit func(string) []string) scene {
	return scene{
		title:   "A rule goes with the code that kept it",
		explain: "System knowledge is kept as claims tied to code. One that no longer holds is retired with its reason, not deleted.",
		write: map[string]string{
			claimsPath:     "# What holds in the shop\n",
			"shop/till.py": strings.Replace(till, "min(amount, order.paid)", "amount", 1),
		},
		show:    commit("Make refunds simpler"),
		refused: "claims/deleted",
	}
}
