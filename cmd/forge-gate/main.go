// Command forge-gate: see its --help and docs/.
package main

import (
	"os"

	"github.com/seed-4419f9ca/forge/pkg/cli"
	"github.com/seed-4419f9ca/forge/pkg/syntax"
)

func main() { os.Exit(cli.Main(cli.Gate(syntax.Serve))) }
