package pathref

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

const (
	maxLinks  = 8    // symbolic links that one path may lead through
	maxTarget = 4096 // bytes of a link's target; no file system takes more
)

// Exists reports whether tree holds p: a file, a submodule, or a folder with at least one file. A final slash asks for a
// folder. Symbolic links, of the file itself or of a folder above it, are followed by their text inside the tree and
// nowhere else; one that dangles, loops or leaves the root leads to nothing. A path that leaves the root does not exist.
func Exists(ctx context.Context, tree snapshot.Tree, p string) (bool, error) {
	folder := strings.HasSuffix(p, "/")
	p = path.Clean(p)
	for range maxLinks {
		if !inside(p) {
			return false, nil
		}
		e, err := tree.Lookup(ctx, p)
		if err != nil {
			return false, fmt.Errorf("could not look up %q: %w", p, err)
		}
		if e.Exists() && e.Mode != snapshot.Symlink {
			return !folder || e.Mode == snapshot.Gitlink, nil
		}
		if !e.Exists() {
			below, err := tree.Under(ctx, p)
			if err != nil {
				return false, fmt.Errorf("could not list %q: %w", p, err)
			}
			if len(below) > 0 {
				return true, nil
			}
		}
		next, ok, err := followLink(ctx, tree, p)
		if err != nil || !ok {
			return false, err
		}
		p = next
	}
	return false, nil
}

// First returns the first of candidates that Exists, "" when none does. Plain files are asked for before folders and
// links, which cost more.
func First(ctx context.Context, tree snapshot.Tree, candidates []string) (string, error) {
	for _, c := range candidates {
		if strings.HasSuffix(c, "/") || !inside(path.Clean(c)) {
			continue
		}
		e, err := tree.Lookup(ctx, path.Clean(c))
		if err != nil {
			return "", fmt.Errorf("could not look up %q: %w", c, err)
		}
		if e.Exists() && e.Mode != snapshot.Symlink {
			return e.Path, nil
		}
	}
	for _, c := range candidates {
		ok, err := Exists(ctx, tree, c)
		if err != nil {
			return "", err
		}
		if ok {
			return path.Clean(c), nil
		}
	}
	return "", nil
}

func inside(p string) bool {
	return p != "" && p != "." && p != ".." && !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "../")
}

// followLink replaces the first symbolic link on the way to p by its target; false when there is none.
func followLink(ctx context.Context, tree snapshot.Tree, p string) (string, bool, error) {
	for i := 0; i <= len(p); i++ {
		if i < len(p) && p[i] != '/' {
			continue
		}
		e, err := tree.Lookup(ctx, p[:i])
		if err != nil {
			return "", false, fmt.Errorf("could not look up %q: %w", p[:i], err)
		}
		if e.Mode != snapshot.Symlink {
			continue
		}
		target, err := tree.Read(ctx, e, maxTarget)
		if large := (*snapshot.TooLarge)(nil); errors.As(err, &large) {
			return "", false, nil
		}
		if err != nil {
			return "", false, fmt.Errorf("could not read link %q: %w", p[:i], err)
		}
		if strings.HasPrefix(string(target), "/") {
			return "", false, nil
		}
		return path.Join(path.Dir(p[:i]), string(target), p[i:]), true, nil
	}
	return "", false, nil
}

// Places returns where a path named in the file at from may stand, nearest first: beside that file, in each folder above
// it and in that folder's rules, and from the root. A path that leaves the root is left out.
func Places(from, named string) []string {
	var out []string
	add := func(dir string) {
		p := path.Join(dir, named)
		if !inside(p) {
			return
		}
		if strings.HasSuffix(named, "/") {
			p += "/"
		}
		for _, o := range out {
			if o == p {
				return
			}
		}
		out = append(out, p)
	}
	for dir := path.Dir(from); ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		add(dir)
		add(path.Join(dir, "rules"))
		if dir == "" {
			break
		}
	}
	for _, agent := range []string{".agent", ".agents"} {
		add(agent)
		add(agent + "/rules")
	}
	return out
}

// Locate returns where a path named in the file at from stands, "" when tree does not hold it. With anywhere a bare file
// name may stand in any folder.
func Locate(ctx context.Context, tree snapshot.Tree, from, named string, anywhere bool) (string, error) {
	found, err := First(ctx, tree, Places(from, named))
	if err != nil || found != "" || !anywhere || strings.Contains(named, "/") {
		return found, err
	}
	all, err := tree.Under(ctx, "")
	if err != nil {
		return "", fmt.Errorf("could not list the files of %s: %w", tree.ID(), err)
	}
	for _, e := range all {
		if path.Base(e.Path) == named {
			return e.Path, nil
		}
	}
	return "", nil
}
