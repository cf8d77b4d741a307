package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// A Driver is one of Forge's merge drivers: what git calls it and the command line that runs it.
type Driver struct{ Name, Title, Command string }

// A MergePattern gives the files of a gitattributes pattern to a driver; without one it takes them away from the drivers of
// the patterns before it.
type MergePattern struct{ Pattern, Driver string }

// Settings is the configuration of the repository as merge drivers need it.
type Settings interface {
	// AttributesFile returns the absolute path of the repository's own attributes, `rev-parse --git-path info/attributes`.
	AttributesFile(ctx context.Context) (string, error)
	SetConfig(ctx context.Context, key, value string) error
	UnsetConfig(ctx context.Context, key string) (was bool, err error)
}

const (
	attributesBegin = "# forge-pre-commit: merge drivers begin"
	attributesEnd   = "# forge-pre-commit: merge drivers end"
	// lineEndAdded marks a block before which a line end had to be added.
	lineEndAdded = " (the line before had no end)"
)

// driverPrefix begins the names of Forge's merge drivers.
const driverPrefix = "forge-"

// DriverNames returns the names of all drivers that any version installs.
func DriverNames() []string {
	return []string{driverPrefix + "changelog", driverPrefix + "list", driverPrefix + "log", driverPrefix + "log-top"}
}

// InstallDrivers sets the drivers up and gives them their files, in the repository's own configuration and attributes:
// nothing that is committed changes. Doing it again replaces what was there. Drivers that no pattern names are left out.
func (k *Keeper) InstallDrivers(ctx context.Context, s Settings, drivers []Driver, patterns []MergePattern) (Change, error) {
	path, err := s.AttributesFile(ctx)
	if err != nil {
		return Change{}, err
	}
	c := Change{Name: "merge drivers", Path: path, Action: Unchanged}
	old, there, err := k.attributes(path)
	if err != nil {
		return c, err
	}
	rest, block := cutBlock(old)
	now := withBlock(rest, patterns)
	for _, d := range drivers {
		if !slices.ContainsFunc(patterns, func(p MergePattern) bool { return p.Driver == d.Name }) {
			continue
		}
		if err := s.SetConfig(ctx, "merge."+d.Name+".name", d.Title); err != nil {
			return c, err
		}
		if err := s.SetConfig(ctx, "merge."+d.Name+".driver", d.Command); err != nil {
			return c, err
		}
	}
	switch {
	case bytes.Equal(old, now):
		return c, nil
	case block:
		c.Action = Updated
	default:
		c.Action = Installed
	}
	if !there {
		if err := k.Files.MkdirAll(filepath.Dir(path)); err != nil {
			return c, fmt.Errorf("could not make the folder of %q: %w", path, err)
		}
	}
	return c, k.writeAttributes(path, now)
}

// UninstallDrivers takes the drivers and their attributes away again; the action of its change is empty when there was
// nothing of ours.
func (k *Keeper) UninstallDrivers(ctx context.Context, s Settings) (Change, error) {
	path, err := s.AttributesFile(ctx)
	if err != nil {
		return Change{}, err
	}
	c := Change{Name: "merge drivers", Path: path}
	old, _, err := k.attributes(path)
	if err != nil {
		return c, err
	}
	rest, block := cutBlock(old)
	if block {
		c.Action = Removed
		if len(rest) == 0 {
			err = k.remove(path)
		} else {
			err = k.writeAttributes(path, rest)
		}
		if err != nil {
			return c, err
		}
	}
	for _, name := range DriverNames() {
		for _, key := range []string{"name", "driver"} {
			was, err := s.UnsetConfig(ctx, "merge."+name+"."+key)
			if err != nil {
				return c, err
			}
			if was {
				c.Action = Removed
			}
		}
	}
	return c, nil
}

func (k *Keeper) attributes(path string) (content []byte, there bool, err error) {
	content, err = k.Files.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, true, fmt.Errorf("could not read the attributes %q: %w", path, err)
	}
	return content, true, nil
}

func (k *Keeper) writeAttributes(path string, content []byte) error {
	if err := k.Files.WriteFile(path, content, 0o644); err != nil {
		return fmt.Errorf("could not write the attributes %q: %w", path, err)
	}
	return nil
}

// cutBlock takes Forge's lines out of an attributes file and gives the rest its old bytes. A block whose end is missing
// goes up to the first line that Forge did not write.
func cutBlock(src []byte) (rest []byte, found bool) {
	inside := false
	for line := range bytes.Lines(src) {
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case text == attributesBegin, text == attributesBegin+lineEndAdded:
			inside, found = true, true
			if text != attributesBegin {
				rest = bytes.TrimSuffix(rest, []byte{'\n'})
			}
		case inside && text == attributesEnd:
			inside = false
		case inside && (strings.Contains(text, " merge="+driverPrefix) || strings.HasSuffix(text, " !merge")):
		default:
			inside = false
			rest = append(rest, line...)
		}
	}
	return rest, found
}

// withBlock adds Forge's lines at the end, where they count most.
func withBlock(rest []byte, patterns []MergePattern) []byte {
	out := bytes.NewBuffer(slices.Clone(rest))
	begin := attributesBegin
	if n := len(rest); n > 0 && rest[n-1] != '\n' {
		out.WriteByte('\n')
		begin += lineEndAdded
	}
	out.WriteString(begin + "\n")
	for _, p := range patterns {
		value := "!merge"
		if p.Driver != "" {
			value = "merge=" + p.Driver
		}
		out.WriteString(p.Pattern + " " + value + "\n")
	}
	out.WriteString(attributesEnd + "\n")
	return out.Bytes()
}
