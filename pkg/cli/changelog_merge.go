package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/atomicfile"
	"github.com/seed-4419f9ca/forge/pkg/changelog"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// changelogMerge is a git merge driver for changelogs: exit 0 when OURS holds the merge, 1 when it holds conflicts.
func (p *Program) changelogMerge(c *cli.Context) error {
	v, err := p.mergeVersions(c)
	if err != nil {
		return err
	}
	var base *changelog.Doc
	if len(v.base) > 0 {
		base = changelog.Parse(v.base)
	}
	merged, err := changelog.Merge(base, changelog.Parse(v.ours), changelog.Parse(v.theirs))
	var not *changelog.Unmergeable
	switch {
	case errors.As(err, &not):
		return p.mergeByLines(c, v, not.Reason)
	case err != nil:
		return p.mergeByLines(c, v, err.Error())
	}
	if err := v.write(merged.Content); err != nil {
		return err
	}
	if len(merged.Conflicts) > 0 {
		return p.refuse("%s: both sides have other text under the same id: %s; keep one of the two, or give one another id", v.name, strings.Join(merged.Conflicts, ", "))
	}
	return nil
}

// versions are the three files that git hands to a merge driver.
type versions struct {
	base, ours, theirs []byte
	files              [3]string // absolute
	name               string    // how messages call the file
}

func (p *Program) mergeVersions(c *cli.Context) (*versions, error) {
	args := c.Args().Slice()
	if len(args) != 3 && len(args) != 4 {
		return nil, usagef("%s takes BASE OURS THEIRS [PATH], not %d arguments", c.Command.FullName(), len(args))
	}
	v := &versions{name: args[1]}
	if len(args) == 4 {
		v.name = args[3]
	}
	for i, into := range []*[]byte{&v.base, &v.ours, &v.theirs} {
		v.files[i] = p.abs(args[i])
		data, err := os.ReadFile(v.files[i])
		if err != nil {
			return nil, fmt.Errorf("could not read a version to merge: %w", err)
		}
		*into = data
	}
	return v, nil
}

func (v *versions) write(content []byte) error {
	if err := atomicfile.Write(v.files[1], content, 0o644); err != nil {
		return fmt.Errorf("could not write the merge: %w", err)
	}
	return nil
}

// mergeByLines leaves the merge to git's own way and to people: whatever comes out counts as a conflict, since nobody here
// understood it.
func (p *Program) mergeByLines(c *cli.Context, v *versions, reason string) error {
	out, exit, err := git.Command(c.Context, p.dir(c), p.Environ, "merge-file", "-L", "ours", "-L", "base", "-L", "theirs", v.files[1], v.files[0], v.files[2])
	if err != nil {
		return err
	}
	if exit > 127 {
		return fmt.Errorf("could not merge %q: %s", v.name, text.Escape(strings.TrimSpace(out)))
	}
	return p.refuse("%s: merged by lines, for you to look at: %s", v.name, reason)
}
