package git

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// jumble makes a repository of random objects: files that grow and shrink, folders in folders, commits, tags.
func jumble(t *testing.T, args ...string) *shapes.Repo {
	t.Helper()
	r := shapes.New(t, args...)
	rnd := rand.New(rand.NewPCG(7, 8))
	texts := []string{"", "\x00", "a\n", strings.Repeat("a line that comes often\n", 3000)}
	for i := range 12 {
		for range 5 {
			text := []byte(texts[rnd.IntN(len(texts))])
			for range rnd.IntN(20) {
				text = slices.Insert(text, rnd.IntN(len(text)+1), []byte(fmt.Sprintln(rnd.Uint64()))...)
			}
			if len(text) > maxShelf {
				text = text[:maxShelf]
			}
			texts = append(texts, string(text))
			r.Stage(fmt.Sprintf("d%d/e%d/f%d", rnd.IntN(3), rnd.IntN(3), rnd.IntN(4)), string(text))
		}
		r.Commit(fmt.Sprintf("commit %d", i))
	}
	r.Git("tag", "-m", "a tag", "v1")
	return r
}

// everyObject is what git says is in r, by id.
func everyObject(t *testing.T, r *shapes.Repo) map[string]object {
	t.Helper()
	out, complaint, code := r.Try("", "cat-file", "--batch", "--batch-all-objects")
	if code != 0 {
		t.Fatal(complaint)
	}
	all := map[string]object{}
	for out != "" {
		line, rest, _ := strings.Cut(out, "\n")
		f := strings.Fields(line)
		size, err := strconv.Atoi(f[2])
		if err != nil {
			t.Fatal(err)
		}
		all[f[0]] = object{oid: f[0], kind: f[1], size: int64(size), data: []byte(rest[:size])}
		out = rest[size+1:]
	}
	return all
}

// TestShelf reads every object of a repository, loose and packed in several ways, in both formats: each is what git says.
func TestShelf(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		r := jumble(t, "--object-format="+format)
		all := everyObject(t, r)
		for _, pack := range []string{"", "repack -dq", "repack -adfq --depth=1", "repack -adfq --depth=50 --window=50",
			"-c repack.useDeltaBaseOffset=false repack -adfq", "-c core.looseCompression=0 -c pack.compression=0 repack -adFq"} {
			if pack != "" {
				r.Git(strings.Fields(pack)...)
			}
			s := newShelf(r.Path(".git/objects"))
			for id, want := range all {
				s.left = packLoad
				got, ok := s.read(id)
				if !ok || got.oid != id || got.kind != want.kind || got.size != want.size || got.data == nil || !bytes.Equal(got.data, want.data) {
					t.Errorf("%s, %q: %s %s is read as %s of %d bytes, %v", format, pack, want.kind, id, got.kind, got.size, ok)
				}
			}
			if _, ok := s.read(strings.Repeat("ab", len(r.Git("rev-parse", "HEAD"))/2)); ok {
				t.Error("what is not there is read")
			}
			s.close()
		}
	}
}

// TestShelfManyIDs looks ids up in an index in which many begin with the same byte.
func TestShelfManyIDs(t *testing.T) {
	r := shapes.New(t)
	var script strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&script, "blob\ndata %d\n%d\n", len(strconv.Itoa(i)), i)
	}
	r.Feed(script.String(), "-c", "core.compression=0", "fast-import", "--quiet")
	ids := strings.Fields(r.Git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
	s := newShelf(r.Path(".git/objects"))
	defer s.close()
	for i := 0; i < len(ids); i += 97 {
		if o, ok := s.read(ids[i]); !ok || o.kind != "blob" {
			t.Fatalf("%s is read as %+v, %v", ids[i], o, ok)
		}
		near, err := hex.DecodeString(ids[i])
		if err != nil {
			t.Fatal(err)
		}
		near[19]++
		if _, ok := s.read(hex.EncodeToString(near)); ok {
			t.Errorf("the neighbour of %s is read", ids[i])
		}
		s.left = packLoad
	}
	s.left = 1
	if _, ok := s.read(ids[0]); !ok {
		t.Error("the last one is not read")
	}
	if _, ok := s.read(ids[0]); ok {
		t.Error("one more is read than may be")
	}
}

// TestShelfLimits leaves large objects to git.
func TestShelfLimits(t *testing.T) {
	r := shapes.New(t)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"just small enough": {strings.Repeat("x", maxShelf-len("blob 131072\x00")), true},
		"a byte more":       {strings.Repeat("x", maxShelf-len("blob 131072\x00")+1), false},
		"much more":         {strings.Repeat("x", 50*maxShelf), false},
	} {
		id := r.Feed(c.text, "hash-object", "-w", "--stdin")
		if _, ok := newShelf(r.Path(".git/objects")).read(id); ok != c.want {
			t.Errorf("%s: read: %v", name, ok)
		}
	}
	id := r.Feed(strings.Repeat("y", maxShelf+1), "hash-object", "-w", "--stdin")
	r.Feed(id+"\n", "pack-objects", "-q", r.Path(".git/objects/pack/pack"))
	r.Git("prune-packed")
	s := newShelf(r.Path(".git/objects"))
	defer s.close()
	if _, ok := s.read(id); ok {
		t.Error("a large object of a pack is read")
	}
	if len(s.packs) != 1 {
		t.Errorf("%d packs", len(s.packs))
	}
}

func TestParseLoose(t *testing.T) {
	for _, c := range []struct {
		data, kind string
		ok         bool
	}{
		{"blob 0\x00", "blob", true}, {"tree 3\x00abc", "tree", true}, {"commit 1\x00\x00", "commit", true}, {"tag 2\x00ab", "tag", true},
		{"", "", false}, {"blob 1", "", false}, {"blob 1\x00", "", false}, {"blob 1\x00ab", "", false}, {"blob 01\x00a", "", false},
		{"blob +1\x00a", "", false}, {"blob  1\x00a", "", false}, {" 1\x00a", "", false}, {"thing 1\x00a", "", false}, {"blob\x00", "", false},
		{"blob \x00", "", false}, {"Blob 1\x00a", "", false}, {"blob 1 \x00a", "", false}, {"blob " + strings.Repeat("0", 100) + "1\x00a", "", false},
	} {
		o, ok := parseLoose([]byte(c.data))
		if ok != c.ok || (ok && (o.kind != c.kind || o.data == nil || int(o.size) != len(o.data))) {
			t.Errorf("%q is %+v, %v", c.data, o, ok)
		}
	}
}

func TestApplyDelta(t *testing.T) {
	base := []byte("0123456789")
	for _, c := range []struct{ delta, want string }{
		{"\x0a\x03\x90\x03", "012"}, {"\x0a\x03\x91\x07\x03", "789"}, {"\x0a\x05\x02ab\x91\x02\x03", "ab234"}, {"\x0a\x00", ""},
		{"\x0a\x04\x91\x07\x04", "-"}, {"\x0a\x02\x90\x03", "-"}, {"\x0a\x04\x90\x03", "-"}, {"\x09\x03\x90\x03", "-"}, {"\x0a\x03\x00\x90\x03", "-"},
		{"\x0a\x03\x04ab", "-"}, {"\x0a\x03\x91", "-"}, {"\x0a", "-"}, {"", "-"}, {"\x0a\x03\x80", "-"}, {"\x0a\xff\xff\xff\xff\x7f\x90\x03", "-"},
		{"\x0a\x01\x9f\xff\xff\xff\xff\x01", "-"}, {"\x8a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00\x03\x90\x03", "-"},
	} {
		out, ok := applyDelta(base, []byte(c.delta))
		if ok != (c.want != "-") || (ok && (out == nil || string(out) != c.want)) {
			t.Errorf("%q makes %q, %v; want %q", c.delta, out, ok, c.want)
		}
	}
	long := bytes.Repeat([]byte("x"), 0x10000)
	if out, ok := applyDelta(long, []byte("\x80\x80\x04\x80\x80\x04\x80")); !ok || !bytes.Equal(out, long) {
		t.Errorf("a piece without a size is %d bytes, %v", len(out), ok)
	}
}

func TestParseEntry(t *testing.T) {
	raw := strings.Repeat("r", 20)
	for _, c := range []struct {
		src  string
		n    int // 0 for what cannot be read
		want entry
	}{
		{"\x3a", 1, entry{kind: "blob", size: 10}}, {"\x95\x02", 2, entry{kind: "commit", size: 37}}, {"\x20", 1, entry{kind: "tree"}},
		{"\x41", 1, entry{kind: "tag", size: 1}}, {"\x61\x05", 2, entry{size: 1, base: 995}}, {"\x61\x81\x00", 3, entry{size: 1, base: 744}},
		{"\x71" + raw, 21, entry{size: 1, baseID: []byte(raw)}},
		{"", 0, entry{}}, {"\x95", 0, entry{}}, {"\x01", 0, entry{}}, {"\x51", 0, entry{}}, {"\x61", 0, entry{}}, {"\x61\x00", 0, entry{}},
		{"\x61\x81", 0, entry{}}, {"\x61\x87\x68", 0, entry{}}, {"\x61\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 0, entry{}}, {"\x71" + raw[1:], 0, entry{}},
		{"\xb0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 0, entry{}},
	} {
		e, n, ok := parseEntry([]byte(c.src), 1000, 20)
		if ok != (c.n > 0) || ok && (n != c.n || fmt.Sprint(e) != fmt.Sprint(c.want)) {
			t.Errorf("%q is %+v after %d bytes, %v", c.src, e, n, ok)
		}
	}
}

func FuzzApplyDelta(f *testing.F) {
	f.Add([]byte("0123456789"), []byte("\x0a\x05\x02ab\x91\x02\x03"))
	f.Add([]byte(""), []byte("\x00\x01\x01a"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		out, ok := applyDelta(base, delta)
		from, n := binary.Uvarint(delta)
		if ok && (out == nil || len(out) > maxShelf || n <= 0 || from != uint64(len(base))) {
			t.Errorf("%d bytes", len(out))
		}
		if ok {
			if size, _ := binary.Uvarint(delta[n:]); size != uint64(len(out)) {
				t.Errorf("%d bytes of %d", len(out), size)
			}
		}
	})
}

// zipped returns data as a zlib stream.
func zipped(t testing.TB, data string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzLoose reads files that stand in the place of a loose object: what is read has the id.
func FuzzLoose(f *testing.F) {
	const id = helloID
	f.Add(zipped(f, "blob 6\x00hello\n"))
	f.Add(zipped(f, "blob 7\x00hello\n"))
	f.Add(append(zipped(f, "blob 6\x00hello\n"), 'x'))
	f.Add([]byte("blob 6\x00hello\n"))
	dir := f.TempDir()
	if err := os.Mkdir(filepath.Join(dir, id[:2]), 0o777); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, id[:2], id[2:]), data, 0o666); err != nil {
			t.Fatal(err)
		}
		if o, ok := newShelf(dir).read(id); ok && (o.kind != "blob" || string(o.data) != "hello\n") {
			t.Errorf("%+v", o)
		}
		out, used, ok := new(unpacker).unpack(data, 10, 1000)
		if ok && (used > len(data) || len(out) > 1000 || out == nil) {
			t.Errorf("%d bytes of %d make %d", used, len(data), len(out))
		}
	})
}

// helloID is the id of the blob "hello\n".
const helloID = "ce013625030ba8dba906f756967f9e9ca394464a"

// A packFile is a pack by hand with the blob helloID, and whether that can be read.
type packFile struct {
	index, data []byte
	whole       bool
}

func packFiles(t testing.TB) []packFile {
	raw, err := hex.DecodeString(helloID)
	if err != nil {
		t.Fatal(err)
	}
	index := func(offset uint32) []byte {
		b := []byte(indexMagic)
		for i := range 256 {
			b = binary.BigEndian.AppendUint32(b, uint32(min(1, max(0, i-int(raw[0])+1))))
		}
		b = append(append(b, raw...), 0, 0, 0, 0) // its check sum
		return binary.BigEndian.AppendUint32(b, offset)
	}
	const head = "PACK\x00\x00\x00\x02\x00\x00\x00\x01"
	plain := append([]byte(head+"\x36"), zipped(t, "hello\n")...)
	part := append([]byte(head+"\x35"), zipped(t, "hello")...)
	whole := append(append(bytes.Clone(part), 0x66, byte(len(part)-len(head))), zipped(t, "\x05\x06\x90\x05\x01\n")...)
	itself := append(append([]byte(head+"\x76"), raw...), zipped(t, "\x06\x06\x90\x06")...)
	return []packFile{
		{index(uint32(len(head))), plain, true}, {append(index(1<<31), 0, 0, 0, 0, 0, 0, 0, byte(len(head))), plain, true}, {index(uint32(len(part))), whole, true},
		{index(uint32(len(head))), part, false}, {index(uint32(len(head))), itself, false}, {index(1 << 31), plain, false}, {index(1000), plain, false},
		{index(1 << 30), plain, false}, {index(uint32(len(head)))[:1059], plain, false}, {bytes.Replace(index(uint32(len(head))), []byte("\x00\x02"), []byte("\x00\x03"), 1), plain, false},
	}
}

// helloFrom reads helloID from a pack in dir.
func helloFrom(t testing.TB, dir string, index, data []byte) (object, bool) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "pack"), 0o777); err != nil {
		t.Fatal(err)
	}
	for ext, data := range map[string][]byte{"idx": index, "pack": data} {
		if err := os.WriteFile(filepath.Join(dir, "pack", "pack-1."+ext), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := newShelf(dir)
	defer s.close()
	return s.read(helloID)
}

func TestPack(t *testing.T) {
	for i, p := range packFiles(t) {
		if o, ok := helloFrom(t, t.TempDir(), p.index, p.data); ok != p.whole {
			t.Errorf("pack %d is read as %+v, %v", i, o, ok)
		}
	}
}

// FuzzPack reads an index and a pack of any content: what is read has the id.
func FuzzPack(f *testing.F) {
	for _, p := range packFiles(f) {
		f.Add(p.index, p.data)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, index, data []byte) {
		if o, ok := helloFrom(t, dir, index, data); ok && (o.kind != "blob" || string(o.data) != "hello\n") {
			t.Errorf("%+v", o)
		}
	})
}

func TestPlainBranch(t *testing.T) {
	for name, want := range map[string]bool{
		"refs/heads/main": true, "refs/heads/a/b": true, "refs/heads/ä@b": true, "refs/heads/a.b": true,
		"refs/heads/": false, "refs/heads": false, "main": false, "refs/tags/v1": false, "refs/heads/.a": false, "refs/heads/a.": false,
		"refs/heads/a..b": false, "refs/heads//a": false, "refs/heads/a/": false, "refs/heads/a.lock": false, "refs/heads/a.lock/b": false,
		"refs/heads/a b": false, "refs/heads/a\x7f": false, "refs/heads/a\x00": false, "refs/heads/a\\b": false, "refs/heads/a@{1}": false,
		"refs/heads/a~1": false, "refs/heads/a^": false, "refs/heads/a:b": false, "refs/heads/*": false, "refs/heads/../a": false,
	} {
		if plainBranch(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// FuzzHome finds homes and heads among files of any content: none is more than an id.
func FuzzHome(f *testing.F) {
	f.Add("ref: refs/heads/main\n", idA+"\n", "# pack-refs with: peeled fully-peeled sorted \n"+idB+" refs/heads/main\n^"+idA+"\n", "../common\n")
	f.Add(idA+"\n", "", "", "")
	f.Add("ref: refs/heads/a/../main\n", "ref: refs/heads/b\n", idB+" refs/heads/mainx\n", ".")
	dir := f.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git", "refs", "heads"), 0o777); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, head, ref, packed, common string) {
		for name, text := range map[string]string{"HEAD": head, "refs/heads/main": ref, "packed-refs": packed, "commondir": common, "config": ""} {
			name = filepath.Join(dir, ".git", name)
			if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			if text == "" && filepath.Base(name) != "config" {
				continue
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		h, ok := findHome(dir, nil)
		if !ok {
			return
		}
		if id, ok := h.head(); ok && (len(id) != 40 && len(id) != 64 || !strings.Contains(head+ref+packed, id)) {
			t.Errorf("%q", id)
		}
	})
}
