package git_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// crowd is a repository with n files staged, whose objects git is asked for.
func crowd(t *testing.T, n int) *shapes.Repo {
	t.Helper()
	r := logged(t)
	for i := range n {
		r.Write(fmt.Sprintf("f%04d", i), fmt.Sprintf("%d\n", i))
	}
	r.Git("add", ".")
	return asking(r)
}

// TestManyAhead reads many objects that were asked ahead, some of them broken, in every order: only what is broken fails, with an
// error of its own.
func TestManyAhead(t *testing.T) {
	const n = 1500
	ctx := context.Background()
	orders := map[string]func([]snapshot.Entry){
		"as asked":  func([]snapshot.Entry) {},
		"backwards": slices.Reverse[[]snapshot.Entry],
		"shuffled": func(l []snapshot.Entry) {
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		},
	}
	r := crowd(t, n)
	large := strings.Repeat("x", 3<<20)
	r.Write("f0007", large)
	r.Write("f0009", large[:1<<19])
	r.Git("add", ".")
	object := func(path string) string {
		oid := r.Git("rev-parse", ":"+path)
		return r.Dir + "/.git/objects/" + oid[:2] + "/" + oid[2:]
	}
	if err := os.Remove(object("f0100")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(object("f1400"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object("f1400"), []byte("no object"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			c := staged(t, r)
			var all []snapshot.Entry
			for _, f := range c.Files {
				if strings.HasPrefix(f.Path, "f") {
					all = append(all, f.After)
				}
			}
			if len(all) != n {
				t.Fatalf("%d files are staged", len(all))
			}
			c.After.Prefetch(ctx, slices.Concat(all[:700], all), 1000) // some are asked for twice
			c.After.Prefetch(ctx, all, 1000)
			order(all)
			for _, e := range all {
				data, err := c.After.Read(ctx, e, 1000)
				var tooLarge *snapshot.TooLarge
				switch e.Path {
				case "f0100":
					wantError(t, err, "f0100", string(e.OID))
					if !errors.Is(err, snapshot.ErrNoObject) {
						t.Errorf("a missing object is %v", err)
					}
				case "f1400":
					wantError(t, err, "f1400")
				case "f0007", "f0009":
					if !errors.As(err, &tooLarge) {
						t.Errorf("a large file is %v", err)
					}
				default:
					var i int
					if _, scanErr := fmt.Sscanf(e.Path, "f%d", &i); scanErr != nil || err != nil || string(data) != fmt.Sprintf("%d\n", i) {
						t.Fatalf("%q reads as %q, %v", e.Path, data, err)
					}
				}
			}
			for _, e := range all {
				if e.Path == "f0007" {
					if data, err := c.After.Read(ctx, e, 0); err != nil || string(data) != large {
						t.Errorf("without a limit the large file reads as %d bytes, %v", len(data), err)
					}
				}
			}
		})
	}
}
