// A hook ends before a changed limit of processors could matter; asking again and again costs a fiftieth of its start.
//go:debug updatemaxprocs=0

// Command forge-guard judges append-only records and session notes: see its --help and docs/.
package main

import (
	"context"
	"os"

	"github.com/seed-4419f9ca/forge/pkg/cli"
	"github.com/seed-4419f9ca/forge/pkg/gogit"
)

func main() {
	profile := cli.Guard()
	profile.LastResort = func(ctx context.Context, dir string, env []string) (cli.Repository, error) {
		return gogit.Open(ctx, gogit.Options{Dir: dir, Env: env})
	}
	os.Exit(cli.Main(profile))
}
