package config

import (
	"bytes"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// Effective prints c as YAML: everything that is set, and as comments the defaults of what is not. The same c gives the
// same bytes, and Parse reads them back as c, its Source and the lines of its rows apart.
func Effective(c *Config) []byte {
	var b bytes.Buffer
	if c.Source == "" {
		b.WriteString("# no configuration file, these are the defaults\n")
	} else {
		b.WriteString("# from " + text.Escape(c.Source) + "\n")
	}
	table().encode(c).write(&b, "")
	return b.Bytes()
}
