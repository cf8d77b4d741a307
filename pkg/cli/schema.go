package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
)

// schemas are the JSON Schemas that `schema NAME` prints.
func schemas() map[string]func() []byte {
	return map[string]func() []byte{
		"changelog": changelog.Schema,
	}
}

// schemaCommand prints the JSON Schema of a format (chapter 8.9).
func (p *Program) schemaCommand() *cli.Command {
	names := slices.Sorted(maps.Keys(schemas()))
	return &cli.Command{
		Name: "schema", Usage: "print the JSON Schema of a format: " + strings.Join(names, ", "), ArgsUsage: "NAME",
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return usagef("schema takes one name; there are %s", strings.Join(names, ", "))
			}
			name := c.Args().First()
			schema := schemas()[name]
			if schema == nil {
				hint := ""
				if near := nearest.Name(name, names); near != "" {
					hint = "; did you mean " + near + "?"
				}
				return usagef("there is no schema %q%s (there are %s)", name, hint, strings.Join(names, ", "))
			}
			return writeOnce(p.Stdout, schema())
		},
	}
}
