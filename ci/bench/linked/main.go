// Command linked does nothing either, but links the libraries that the programs cannot do without.
package main

import (
	_ "github.com/urfave/cli/v2"
	_ "github.com/yuin/goldmark/parser"
	_ "go.yaml.in/yaml/v3"
)

func main() {}
