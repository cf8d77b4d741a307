// A hook ends before a changed limit of processors could matter; asking again and again costs a fiftieth of its start.
//go:debug updatemaxprocs=0

// Command forge-pre-commit is the entry of the git hooks: see its --help and docs/.
package main

import (
	"os"

	"github.com/seed-4419f9ca/forge/pkg/cli"
)

func main() { os.Exit(cli.Main(cli.PreCommit())) }
