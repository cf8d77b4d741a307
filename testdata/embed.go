// Package testdata embeds the examples of the checks, so that `explain` prints what the tests prove.
package testdata

import "embed"

// Checks holds checks/<check>/<slug>.txtar: for each code one bad and one good example.
//
//go:embed checks
var Checks embed.FS
