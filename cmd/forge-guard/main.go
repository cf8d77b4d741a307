// Command forge-guard: see its --help and docs/.
package main

import (
	"os"

	"github.com/seed-4419f9ca/forge/pkg/cli"
)

func main() { os.Exit(cli.Main(cli.Guard())) }
