// Command parse parses every Go file below the folders it is given with tree-sitter, two at a time, and does nothing else: what
// drift is measured against when every anchor is stale.
package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "parse:", err)
		os.Exit(1)
	}
}

func run(folders []string) error {
	var files []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(name) == ".go" {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(files) == 0 {
		return fmt.Errorf("there is no Go file below %q", folders)
	}
	next := make(chan string)
	errs := make(chan error, len(files))
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			p := sitter.NewParser()
			defer p.Close()
			p.SetLanguage(golang.GetLanguage())
			for name := range next {
				errs <- parse(p, name)
			}
		})
	}
	for _, name := range files {
		next <- name
	}
	close(next)
	group.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func parse(p *sitter.Parser, name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	tree, err := p.ParseCtx(context.Background(), nil, src)
	if err != nil {
		return err
	}
	defer tree.Close()
	if tree.RootNode().HasError() {
		return fmt.Errorf("%s does not parse", name)
	}
	return nil
}
