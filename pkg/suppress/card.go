package suppress

import (
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// ID is the id of the meta check that judges suppressions.
const ID = "suppress"

// Slugs of the meta check's codes.
const (
	unused      = "unused"
	noReason    = "no-reason"
	expired     = "expired"
	unknownCode = "unknown-code"
	notAllowed  = "not-allowed"
)

// Check returns the card of the meta check. Its findings come from Apply, after all other checks, so it has no Run. It
// works in every program; the one on the card is that which runs all checks. None of its own codes can be suppressed.
func Check() *check.Check {
	return &check.Check{
		ID:      ID,
		Program: check.PreCommitProgram,
		Title:   "Suppressions give a reason, still hold, and are needed",
		Why: "A comment that lets a finding through is an exception to a rule that a team agreed on. It is worth its place " +
			"only while somebody can read why it is there and it still does something: exceptions that nobody needs any more " +
			"hide the next fault, and one with a slip in it gives a false sense of peace.",
		Since:  "0.1.0",
		Levels: check.Levels{PreCommit: finding.Flag, PrePush: finding.Flag, CI: finding.Flag},
		Codes: []check.Code{
			{
				Slug: unused, Level: finding.Flag, Hard: true,
				Title: "a suppression suppresses nothing",
				Help:  "remove the comment; if it is needed, it stands on the line right before the finding, or on line 1 for a whole file",
			},
			{
				Slug: noReason, Level: finding.Flag, Hard: true,
				Title: "a suppression gives no reason",
				Help:  "say after the code why the rule does not hold here: reason=\"…\"",
			},
			{
				Slug: expired, Level: finding.Flag, Hard: true,
				Title: "the last day of a suppression is over",
				Help:  "put the finding right and remove the comment, or agree on a new day and write it as until=YYYY-MM-DD",
			},
			{
				Slug: unknownCode, Level: finding.Flag, Hard: true,
				Title: "a suppression names a code that no check has",
				Help:  "name one code as it is printed with the finding, such as guard-policy/new-entry-open",
			},
			{
				Slug: notAllowed, Level: finding.Flag, Hard: true,
				Title: "a suppression names a code that no file can suppress",
				Help:  "remove the comment and put the finding right",
			},
		},
	}
}
