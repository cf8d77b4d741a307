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

// crowd is a repository in which more files are staged than are asked for one by one.
func crowd(t *testing.T, n int) *shapes.Repo {
	t.Helper()
	r := logged(t)
	for i := range n {
		r.Write(fmt.Sprintf("f%04d", i), fmt.Sprintf("%d\n", i))
	}
	r.Git("add", ".")
	return r
}

// TestWave reads many objects that were asked ahead, some of them broken, in every order: only what is broken fails, with an
// error of its own.
func TestWave(t *testing.T) {
	const n = 2600 // more than one process is asked for
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
	if err := os.Chmod(object("f2400"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object("f2400"), []byte("no object"), 0o666); err != nil {
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
				case "f2400":
					wantError(t, err, "f2400")
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

// TestWaveOfBrokenGit breaks the process that reads many objects: they are read without it.
func TestWaveOfBrokenGit(t *testing.T) {
	const n = 700
	ctx := context.Background()
	r := crowd(t, n)
	for name, body := range map[string]string{
		"does not start":          "exit 1",
		"is killed":               "kill -9 $$",
		"says something else":     "echo hello; exec cat",
		"stops inside an object":  cut("head -c 9000"),
		"answers in another way":  cut("sed -u 's/ blob / thing /'"),
		"answers for other names": cut("sed -u 's/^0\\(.* blob\\)/1\\1/'"),
		"is fine":                 `exec "$real" "$@"`,
	} {
		t.Run(name, func(t *testing.T) {
			c := staged(t, failing(t, r, "--buffer", body))
			var all []snapshot.Entry
			for _, f := range c.Files {
				all = append(all, f.After)
			}
			c.After.Prefetch(ctx, all, 1000)
			for _, e := range all {
				data, err := c.After.Read(ctx, e, 1000)
				if want := strings.TrimLeft(e.Path[1:4], "0") + e.Path[4:] + "\n"; err != nil || string(data) != want {
					t.Fatalf("%q reads as %q, %v", e.Path, data, err)
				}
			}
		})
	}
}
