package git

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strconv"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
)

// A shelf reads small objects from the files in which git keeps them, so that a commit of a few files needs no process for
// that. What it gives is what git would give: the content that has the id, which it works out each time. Whatever is not there,
// not readable, damaged, large or unusual it does not give, and git is to be asked: git has other places to look in, and the
// words for what is wrong. A shelf is not safe for concurrent use.
type shelf struct {
	dir    string // the folder "objects"
	zlib   unpacker
	packs  []*pack
	listed bool // whether packs are known
	left   int  // entries of packs that may still be read
}

const (
	maxShelf = 128 << 10 // bytes of a content; git unpacks large ones faster
	packLoad = 1024      // entries of packs after which git, which keeps what others are made of, is cheaper
)

func newShelf(dir string) *shelf { return &shelf{dir: dir, left: packLoad} }

// read returns the object with its content.
func (s *shelf) read(id string) (object, bool) {
	if !gitobject.IsID(id) {
		return object{}, false
	}
	o, ok := s.loose(id)
	if !ok {
		o, ok = s.packed(id)
	}
	if !ok || gitobject.FormatOf(id).ID(o.kind, o.data) != id {
		return object{}, false
	}
	o.oid = id
	return o, true
}

// loose reads an object that has a file of its own: a zlib stream of "KIND SIZE<nul>" and the content.
func (s *shelf) loose(id string) (object, bool) {
	src, ok := note(s.dir+string(filepath.Separator)+id[:2]+string(filepath.Separator)+id[2:], maxShelf)
	if !ok {
		return object{}, false
	}
	out, used, ok := s.zlib.unpack(src, 4*len(src), maxShelf)
	if !ok || used != len(src) {
		return object{}, false
	}
	return parseLoose(out)
}

// parseLoose takes an unpacked loose object apart.
func parseLoose(data []byte) (object, bool) {
	const longest = len("commit 18446744073709551615\x00")
	end := bytes.IndexByte(data[:min(len(data), longest)], 0)
	if end < 0 {
		return object{}, false
	}
	kind, size, _ := bytes.Cut(data[:end], []byte{' '})
	o := object{kind: string(kind), data: data[end+1:]}
	o.size = int64(len(o.data))
	switch o.kind {
	case "blob", "tree", "commit", "tag":
		return o, string(size) == strconv.Itoa(len(o.data))
	}
	return object{}, false
}

func (s *shelf) close() {
	for _, p := range s.packs {
		p.close()
	}
	s.packs, s.left = nil, 0
}

// An unpacker unpacks zlib streams that lie in memory as a whole. The zero value is ready.
type unpacker struct {
	src    bytes.Reader
	stream io.ReadCloser
}

// unpack returns what the stream at the start of src holds, at most max bytes, and how many bytes of src it takes up. hint is
// the size that is expected.
func (u *unpacker) unpack(src []byte, hint, max int) (out []byte, used int, ok bool) {
	u.src.Reset(src)
	var err error
	if u.stream == nil {
		u.stream, err = zlib.NewReader(&u.src)
	} else {
		err = u.stream.(zlib.Resetter).Reset(&u.src, nil)
	}
	if err != nil {
		return nil, 0, false
	}
	for out = make([]byte, 0, min(hint, max)+1); ; {
		n, err := u.stream.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		switch {
		case errors.Is(err, io.EOF):
			return out, len(src) - u.src.Len(), len(out) <= max
		case err != nil || len(out) > max:
			return nil, 0, false
		case len(out) == cap(out):
			out = append(out, 0)[:len(out)]
		}
	}
}

// approach lets objects be read from s before git is asked for the first one, and returns the object id from it. It reports false,
// and s is of no use, when the object is not there or git runs already.
func (b *batch) approach(s *shelf, id string) (object, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o, ok := s.read(id)
	if !ok || b.closed || b.proc != nil {
		s.close()
		return object{}, false
	}
	b.leave()
	b.shelf = s
	b.store.put(id, o)
	return o, true
}

// leave lets go of the shelf.
func (b *batch) leave() {
	if b.shelf != nil {
		b.shelf.close()
		b.shelf = nil
	}
}

// near answers a request from the shelf. With the first that cannot be answered so, the shelf is left: git then reads ahead
// what has been asked ahead.
func (b *batch) near(want request) (object, bool) {
	if b.shelf == nil {
		return object{}, false
	}
	o, ok := b.shelf.read(want.name)
	if !ok || (want.stream && over(o.size, want.limit)) {
		b.leave()
		return object{}, false
	}
	if over(o.size, want.limit) {
		o.data = nil
	}
	delete(b.waiting, want.name)
	b.store.put(o.oid, o)
	return o, true
}

// near finds the home of the repository and the commit that its HEAD names, and lets objects be read from there from now on.
// It reports false when one of that has to be asked of git.
func (r *Repo) near(ctx context.Context) (home, *gitobject.Commit, bool) {
	if r.ended(ctx) != nil {
		return home{}, nil, false
	}
	h, ok := findHome(r.dir, r.raw)
	if !ok {
		return home{}, nil, false
	}
	id, ok := h.head()
	if !ok {
		return home{}, nil, false
	}
	o, ok := r.objects.approach(newShelf(inside(h.common, "objects")), id)
	if !ok || o.kind != "commit" {
		return home{}, nil, false
	}
	c, err := gitobject.ParseCommit(id, o.data)
	return h, c, err == nil
}
