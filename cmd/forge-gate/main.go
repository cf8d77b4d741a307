// A hook ends before a changed limit of processors could matter; asking again and again costs a fiftieth of its start.
//go:debug updatemaxprocs=0

// Command forge-gate works on anchored claims: see its --help and docs/.
package main

import (
	"os"

	"github.com/seed-4419f9ca/forge/pkg/cli"
	"github.com/seed-4419f9ca/forge/pkg/syntax"
)

func main() { os.Exit(cli.Main(cli.Gate(syntax.Serve))) }
