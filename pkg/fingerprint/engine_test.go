package fingerprint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// workerVariable turns this test binary into a worker with a parser that does what its source says.
const workerVariable = "FORGE_FINGERPRINT_TEST_WORKER"

func TestMain(m *testing.M) {
	switch os.Getenv(workerVariable) {
	case "":
		os.Exit(m.Run())
	case "unfit":
		fmt.Fprintln(os.Stderr, "no limits here")
		os.Exit(ExitUnfit)
	}
	if err := Serve(&actor{}, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// An actor is a parser that obeys its source.
type actor struct{ files int }

func (a *actor) File(language string, src []byte) (*File, error) {
	a.files++
	switch string(src) {
	case "crash":
		os.Exit(2)
	case "crash unless first":
		if a.files > 1 {
			os.Exit(2)
		}
	case "memory":
		os.Exit(exitMemory)
	case "hang":
		time.Sleep(time.Hour)
	case "babble":
		fmt.Print("\x05hello")
		os.Exit(0)
	case "refuse":
		return nil, errors.New("no such language")
	}
	note := fmt.Sprint(os.Getpid())
	if strings.HasPrefix(string(src), "long answer") {
		note += strings.Repeat("!", 100<<10)
	}
	d := Digest{Whole: LineDigest(src), Lines: LineDigest(src), Kind: AST}
	return &File{Language: language, Digest: d, Definitions: []Definition{{Name: "N.pid", Note: note, Spans: []Span{{1, 2}}, Digest: d}}}, nil
}

func (a *actor) Tokens(_ string, src []byte, name string) ([]Token, string, error) {
	if string(src) == "coarse" {
		return nil, "no tokens", nil
	}
	return []Token{{Part: "body", Depth: 3, Line: 7, Field: "f", Kind: "k", Leaf: true, Text: name}}, "", nil
}

func newTestEngine(t *testing.T, worker string, o Options) *Engine {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Worker, o.Env = []string{exe}, []string{workerVariable + "=" + worker, "GOTRACEBACK=none"}
	e := New(o)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// TestDeadWorkers holds that a worker without an answer makes the one file coarse, with the reason, and nothing else.
func TestDeadWorkers(t *testing.T) {
	e := newTestEngine(t, "act", Options{Workers: 1, Timeout: time.Hour})
	for _, c := range []struct {
		src  string
		kind Kind
		note string
	}{
		{"fine", AST, ""},
		{"crash", Coarse, "the parser crashed"},
		{"fine", AST, ""},
		{"memory", Coarse, "the parser needs more memory than is allowed"},
		{"fine", AST, ""},
		{"crash unless first", AST, ""},
		{"babble", Coarse, "the parser answered what"},
		{"fine", AST, ""},
	} {
		f, err := e.File(context.Background(), "a.go", []byte(c.src))
		if err != nil {
			t.Fatalf("%q: %v", c.src, err)
		}
		if f.Digest.Kind != c.kind || !strings.HasPrefix(f.Note, c.note) || c.note == "" && f.Note != "" {
			t.Errorf("%q: got %s, %q; want %s, %q", c.src, f.Digest.Kind, f.Note, c.kind, c.note)
		}
		if f.Digest.Whole != LineDigest([]byte(c.src)) {
			t.Errorf("%q: the digest is not that of its lines", c.src)
		}
	}
}

// blobs makes a blob of each source.
func blobs(list ...string) []Blob {
	var out []Blob
	for _, src := range list {
		out = append(out, Blob{Path: "a.go", Read: func() ([]byte, error) { return []byte(src), nil }})
	}
	return out
}

// TestDeadWorkersAmongMany is TestDeadWorkers for files that are asked for together: wherever the one stands that a worker
// fails at, it is the only one that becomes coarse, and for its own reason.
func TestDeadWorkersAmongMany(t *testing.T) {
	for _, c := range []struct {
		src  string
		kind Kind
		note string
	}{
		{"crash", Coarse, "the parser crashed"},
		{"memory", Coarse, "the parser needs more memory than is allowed"},
		{"babble", Coarse, "the parser answered what"},
		{"crash unless first", AST, ""},
	} {
		for _, at := range []int{0, 5, filesAtOnce - 1, filesAtOnce, 2*filesAtOnce + 3} {
			e := newTestEngine(t, "act", Options{Workers: 1, Timeout: time.Hour})
			oneAmongMany(t, e, at, c.src, c.kind, c.note)
		}
	}
}

// TestTimeoutAmongMany is TestDeadWorkersAmongMany for a worker that is killed.
func TestTimeoutAmongMany(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, "act", Options{Workers: 1, Timeout: 3 * time.Second})
	oneAmongMany(t, e, 5, "hang", Coarse, "the parser had no answer after 3s")
}

// oneAmongMany holds that of many files the one at a place, with the source src, has this kind and note, and that nothing is
// wrong with the others.
func oneAmongMany(t *testing.T, e *Engine, at int, src string, kind Kind, note string) {
	t.Helper()
	var sources []string
	for i := range 2*filesAtOnce + 4 {
		sources = append(sources, fmt.Sprintf("fine %d", i))
	}
	sources[at] = src
	files, errs := e.Blobs(context.Background(), blobs(sources...))
	for i, f := range files {
		wantKind, wantNote := AST, ""
		if i == at {
			wantKind, wantNote = kind, note
		}
		if errs[i] != nil || f.Digest.Kind != wantKind || !strings.HasPrefix(f.Note, wantNote) || wantNote == "" && f.Note != "" {
			t.Errorf("%q at %d: got %+v, %v for file %d", src, at, f, errs[i], i)
		} else if f.Digest.Whole != LineDigest([]byte(sources[i])) {
			t.Errorf("%q at %d: file %d has the digest of another", src, at, i)
		}
	}
}

// TestFullPipes holds that nobody waits for the other when more is asked and answered at one time than pipes hold.
func TestFullPipes(t *testing.T) {
	e := newTestEngine(t, "act", Options{Workers: 1, Timeout: time.Hour})
	var sources []string
	for i := range 3 * filesAtOnce {
		sources = append(sources, fmt.Sprintf("long answer %d %s", i, strings.Repeat("x", bytesAtOnce/filesAtOnce-100)))
	}
	files, errs := e.Blobs(context.Background(), blobs(sources...))
	for i, f := range files {
		if errs[i] != nil || f.Digest.Kind != AST || f.Digest.Whole != LineDigest([]byte(sources[i])) || f.Definitions[0].Note != files[0].Definitions[0].Note {
			t.Fatalf("file %d: %v, or another process", i, errs[i])
		}
	}
}

// TestBlobs holds that each of several blobs has its own file or error, whoever knows it.
func TestBlobs(t *testing.T) {
	cache := &shelf{items: map[string][]byte{}}
	e := newTestEngine(t, "act", Options{Cache: cache})
	list := blobs("one", "two", "three", "crash", "refuse", "a\x00b")
	for i := range list {
		list[i].OID = strings.Repeat(fmt.Sprint(i), 40)
	}
	if f, err := e.Blob(context.Background(), list[1].Path, list[1].OID, list[1].Read); err != nil || f.Digest.Kind != AST {
		t.Fatalf("got %+v, %v", f, err)
	}
	unreadable := errors.New("unreadable")
	list[1].Read = func() ([]byte, error) { t.Error("a blob was read that the cache knows"); return nil, unreadable }
	list[2].Read = func() ([]byte, error) { return nil, unreadable }
	files, errs := e.Blobs(context.Background(), list)
	for i, want := range []Kind{AST, AST, "", Coarse, "", Coarse} {
		if want == "" != (files[i] == nil) || want == "" != (errs[i] != nil) || want != "" && files[i].Digest.Kind != want {
			t.Errorf("blob %d: got %+v, %v", i, files[i], errs[i])
		}
	}
	if !errors.Is(errs[2], unreadable) || !strings.Contains(errs[4].Error(), "no such language") {
		t.Errorf("got %v", errs)
	}
	if len(cache.items) != 3 {
		t.Errorf("%d blobs were kept", len(cache.items))
	}
	if files, errs := e.Blobs(context.Background(), nil); len(files)+len(errs) > 0 {
		t.Errorf("got %v, %v for nothing", files, errs)
	}
}

// TestCancelMany holds that a cancelled call ends, and that its worker's last words are nobody's answer.
func TestCancelMany(t *testing.T) {
	e := newTestEngine(t, "act", Options{Workers: 1, Timeout: time.Hour})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, errs := e.Blobs(ctx, blobs("hang", "fine", "fine"))
	for _, err := range errs {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	files, errs := e.Blobs(context.Background(), blobs("one", "two"))
	for i, src := range []string{"one", "two"} {
		if errs[i] != nil || files[i].Digest.Whole != LineDigest([]byte(src)) {
			t.Errorf("got %+v, %v after a cancelled call", files[i], errs[i])
		}
	}
}

func TestTimeout(t *testing.T) {
	e := newTestEngine(t, "act", Options{Timeout: 50 * time.Millisecond})
	f, err := e.File(context.Background(), "a.go", []byte("hang"))
	if err != nil || f.Digest.Kind != Coarse || f.Note != "the parser had no answer after 50ms" {
		t.Errorf("got %+v, %v", f, err)
	}
}

// TestUnfitWorkers holds that workers that cannot work are an error and not a coarse file.
func TestUnfitWorkers(t *testing.T) {
	e := newTestEngine(t, "unfit", Options{})
	if f, err := e.File(context.Background(), "a.go", []byte("x")); err == nil || !strings.Contains(err.Error(), "no limits here") {
		t.Errorf("got %v, %v", f, err)
	}
	e = newTestEngine(t, "act", Options{})
	if f, err := e.File(context.Background(), "a.go", []byte("refuse")); err == nil || !strings.Contains(err.Error(), "no such language") {
		t.Errorf("got %v, %v", f, err)
	}
	e = New(Options{Worker: []string{filepath.Join(t.TempDir(), "nothing")}})
	if f, err := e.File(context.Background(), "a.go", []byte("x")); err == nil {
		t.Errorf("got %v without a worker", f)
	}
	if f, err := New(Options{}).File(context.Background(), "a.go", []byte("x")); err == nil {
		t.Errorf("got %v without a command", f)
	}
}

// TestCoarseWithoutWorker holds what is decided before a worker is asked.
func TestCoarseWithoutWorker(t *testing.T) {
	e := New(Options{}) // it has no worker to ask
	for _, c := range []struct{ path, src, note string }{
		{"notes.txt", "hello\n", ""},
		{"a.go", "package a\x00", ""},
		{"a.go", strings.Repeat("x", MaxSize+1), "the file is larger than"},
		{"a.go", strings.Repeat("(", maxNesting+1), "more than 500 brackets"},
	} {
		f, err := e.File(context.Background(), c.path, []byte(c.src))
		if err != nil || f.Digest.Kind != Coarse || !strings.HasPrefix(f.Note, c.note) {
			t.Errorf("%s: got %+v, %v", c.path, f, err)
		}
	}
	crlf, _ := e.File(context.Background(), "a.txt", []byte("a  \r\n\r\n\tb\r\n"))
	lf, _ := e.File(context.Background(), "a.txt", []byte("\xef\xbb\xbfa\n\tb"))
	other, _ := e.File(context.Background(), "a.txt", []byte("a\nb"))
	if crlf.Digest != lf.Digest || other.Digest == lf.Digest {
		t.Errorf("got %v, %v, %v", crlf.Digest, lf.Digest, other.Digest)
	}
	binary, _ := e.File(context.Background(), "a.bin", []byte("a\x00b"))
	if binary.Digest.Whole != "a20b5be91886d" { // git hash-object
		t.Errorf("the digest of a binary file is %q", binary.Digest.Whole)
	}
}

func TestCancel(t *testing.T) {
	e := newTestEngine(t, "act", Options{Workers: 1})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if f, err := e.File(ctx, "a.go", []byte("hang")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", f, err)
	}
	if f, err := e.File(context.Background(), "a.go", []byte("fine")); err != nil || f.Digest.Kind != AST {
		t.Errorf("got %v, %v after a cancelled call", f, err)
	}
}

// TestWorkersAreShared holds that many callers are served by few processes.
func TestWorkersAreShared(t *testing.T) {
	e := newTestEngine(t, "act", Options{Workers: 2})
	var mu sync.Mutex
	pids := map[string]int{}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 25 {
				f, err := e.File(context.Background(), "a.go", []byte("x"))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				pids[f.Definitions[0].Note]++
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if len(pids) == 0 || len(pids) > 2 {
		t.Errorf("200 files were parsed by %d processes", len(pids))
	}
}

func TestTokens(t *testing.T) {
	e := newTestEngine(t, "act", Options{})
	list, note, err := e.Tokens(context.Background(), "a.go", []byte("x"), "pid")
	if err != nil || note != "" || len(list) != 1 || list[0] != (Token{Part: "body", Depth: 3, Line: 7, Field: "f", Kind: "k", Leaf: true, Text: "N.pid"}) {
		t.Errorf("got %+v, %q, %v", list, note, err)
	}
	if list, note, err := e.Tokens(context.Background(), "a.go", []byte("coarse"), ""); err != nil || list != nil || note != "no tokens" {
		t.Errorf("got %+v, %q, %v", list, note, err)
	}
	var missing *NotFound
	if _, _, err := e.Tokens(context.Background(), "a.go", []byte("x"), "nix"); !errors.As(err, &missing) {
		t.Errorf("got %v", err)
	}
}

// A shelf is a cache in memory.
type shelf struct {
	mu    sync.Mutex
	items map[string][]byte
	fail  bool
}

func (s *shelf) Load(name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.items[name]
	return data, ok
}

func (s *shelf) Store(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail {
		return errors.New("the disk is full")
	}
	s.items[name] = data
	return nil
}

func TestCache(t *testing.T) {
	cache := &shelf{items: map[string][]byte{}}
	e := newTestEngine(t, "act", Options{Cache: cache})
	oid := strings.Repeat("0123456789", 4)
	reads := 0
	blob := func(path, oid, src string) (*File, error) {
		return e.Blob(context.Background(), path, oid, func() ([]byte, error) { reads++; return []byte(src), nil })
	}
	first, err := blob("a.go", oid, "x")
	if err != nil || reads != 1 || len(cache.items) != 1 {
		t.Fatalf("got %v, %v after %d reads", first, err, reads)
	}
	again, err := blob("b.go", oid, "x")
	if err != nil || reads != 1 || again.Digest != first.Digest || again.Definitions[0].Spans[0] != (Span{1, 2}) {
		t.Errorf("got %+v, %v after %d reads", again, err, reads)
	}
	if _, err := blob("a.py", oid, "x"); err != nil || reads != 2 || len(cache.items) != 2 {
		t.Errorf("another language was taken from the cache: %d reads, %v", reads, err)
	}

	// Every damage is noticed and repaired.
	name := cacheName("go", oid)
	good := cache.items[name]
	for _, bad := range [][]byte{nil, good[:10], good[:len(good)-1], append([]byte{good[0] ^ 1}, good[1:]...), append(append([]byte{}, good...), 0)} {
		cache.items[name], reads = bad, 0
		f, err := blob("a.go", oid, "x")
		if err != nil || reads != 1 || f.Digest != first.Digest || string(cache.items[name]) != string(good) {
			t.Errorf("a bad entry of %d bytes: %v, %v after %d reads", len(bad), f, err, reads)
		}
	}

	// What a worker did not answer is asked again the next time; what has no id is not kept.
	size := len(cache.items)
	if f, err := blob("a.go", strings.Repeat("a", 40), "crash"); err != nil || f.Digest.Kind != Coarse || len(cache.items) != size {
		t.Errorf("a crash was kept: %v, %v", f, err)
	}
	if _, err := blob("a.go", "", "y"); err != nil || len(cache.items) != size {
		t.Errorf("content without an id was kept: %v", err)
	}
	cache.fail = true
	if _, err := blob("a.go", strings.Repeat("b", 64), "z"); err == nil {
		t.Error("an entry that could not be written was no error")
	}
}

// TestWorkersThatAreNone starts programs that are no parsers, or those of another version: no file may count as read.
func TestWorkersThatAreNone(t *testing.T) {
	for _, script := range []string{"exit 0", "kill -9 $$", "echo garbage; cat >/dev/null", "cat >/dev/null", "printf '\\001a'; cat >/dev/null", "printf '\\011a12345678'; cat >/dev/null"} {
		e := New(Options{Worker: []string{"sh", "-c", script}, Timeout: 300 * time.Millisecond})
		f, err := e.File(t.Context(), "a.go", []byte("package a"))
		if err == nil || !strings.Contains(err.Error(), "could not use the parser") {
			t.Errorf("%s: got %v, %v", script, f, err)
		}
		if err := e.Close(); err != nil {
			t.Errorf("%s: %v", script, err)
		}
	}
}
