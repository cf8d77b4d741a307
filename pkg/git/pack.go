package git

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"slices"
	"strings"
)

// A pack is a file that holds many objects, with its index, version 2. Of both only what is needed is read. Nothing in them is
// believed: whether an object came out right shows in its id.
type pack struct {
	index, data file
	fan         []byte // 256 numbers of four bytes: how many ids begin with a byte up to this one
	buf         []byte // for what is read
}

const (
	maxPacks  = 16 // packs that are looked through
	maxDeltas = 50 // entries that say what is different in one object: as many as git makes unless told
)

// packed reads an object from the packs.
func (s *shelf) packed(id string) (object, bool) {
	if !s.listed {
		s.listed, s.packs = true, openPacks(inside(s.dir, "pack"))
	}
	raw, err := hex.DecodeString(id)
	if err != nil {
		return object{}, false
	}
	for _, p := range s.packs {
		if offset, ok := p.find(raw); ok {
			return s.unpack(p, offset, len(raw))
		}
	}
	return object{}, false
}

// unpack reads the object at offset of p, where ids have idSize bytes.
func (s *shelf) unpack(p *pack, offset int64, idSize int) (object, bool) {
	var deltas [][]byte
	for len(deltas) <= maxDeltas && s.left > 0 {
		s.left--
		e, ok := p.entry(&s.zlib, offset, idSize)
		if ok && e.baseID != nil {
			e.base, ok = p.find(e.baseID)
		}
		switch {
		case !ok:
			return object{}, false
		case e.kind == "":
			deltas, offset = append(deltas, e.data), e.base
			continue
		}
		data := e.data
		for _, delta := range slices.Backward(deltas) {
			if data, ok = applyDelta(data, delta); !ok {
				return object{}, false
			}
		}
		return object{kind: e.kind, size: int64(len(data)), data: data}, true
	}
	return object{}, false
}

// openPacks opens the packs in a folder, as far as they can be opened; none when there are many.
func openPacks(dir string) []*pack {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var stems []string
	for _, name := range names {
		if stem, ok := strings.CutSuffix(name, ".idx"); ok {
			stems = append(stems, stem)
		}
	}
	if len(stems) > maxPacks {
		return nil
	}
	var packs []*pack
	for _, stem := range stems {
		if p, ok := openPack(inside(dir, stem)); ok {
			packs = append(packs, p)
		}
	}
	return packs
}

// The numbers at the head of an index.
const (
	indexMagic = "\xfftOc\x00\x00\x00\x02"
	indexHead  = int64(len(indexMagic) + 256*4)
)

func openPack(stem string) (*pack, bool) {
	index, _, ok := openFile(stem + ".idx")
	if !ok {
		return nil, false
	}
	head := make([]byte, indexHead)
	if index.readAt(head, 0) == len(head) && string(head[:len(indexMagic)]) == indexMagic {
		if data, _, ok := openFile(stem + ".pack"); ok {
			return &pack{index: index, data: data, fan: head[len(indexMagic):], buf: make([]byte, 4096)}, true
		}
	}
	index.close()
	return nil, false
}

func (p *pack) close() {
	p.index.close()
	p.data.close()
}

// upTo returns how many ids begin with a byte below n.
func (p *pack) upTo(n int) int64 {
	if n == 0 {
		return 0
	}
	return int64(binary.BigEndian.Uint32(p.fan[4*(n-1):]))
}

// find returns where in data the object with that raw id is.
func (p *pack) find(id []byte) (offset int64, ok bool) {
	size, total := int64(len(id)), p.upTo(256)
	lo, hi := p.upTo(int(id[0])), p.upTo(int(id[0])+1)
	if lo > hi || hi > total {
		return 0, false
	}
	for fit := int64(len(p.buf)) / size; hi-lo > fit; {
		middle := (lo + hi) / 2
		at, ok := p.part(indexHead+middle*size, size)
		if !ok {
			return 0, false
		}
		if bytes.Compare(at, id) <= 0 {
			lo = middle
		} else {
			hi = middle
		}
	}
	ids, ok := p.part(indexHead+lo*size, (hi-lo)*size)
	for ; ok && !bytes.HasPrefix(ids, id); lo++ {
		if ids = ids[min(len(ids), len(id)):]; len(ids) == 0 {
			return 0, false
		}
	}
	if !ok {
		return 0, false
	}
	offsets := indexHead + total*(size+4) // behind the ids and their check sums
	near, ok := p.part(offsets+4*lo, 4)
	if !ok {
		return 0, false
	}
	offset = int64(binary.BigEndian.Uint32(near))
	const far = 1 << 31
	if offset < far {
		return offset, true
	}
	long, ok := p.part(offsets+4*total+8*(offset-far), 8)
	if !ok {
		return 0, false
	}
	offset = int64(binary.BigEndian.Uint64(long))
	return offset, offset >= 0
}

// part reads n bytes of the index, no more than buf holds. They are good until the next read.
func (p *pack) part(at, n int64) ([]byte, bool) {
	part := p.buf[:n]
	return part, p.index.readAt(part, at) == len(part)
}

// entry reads the entry at offset.
func (p *pack) entry(z *unpacker, offset int64, idSize int) (entry, bool) {
	src := p.buf[:p.data.readAt(p.buf, offset)]
	e, n, ok := parseEntry(src, offset, idSize)
	if !ok || e.size > maxShelf {
		return entry{}, false
	}
	const frame = 64 // bytes that a small zlib stream may have more than it holds
	if most := n + e.size + e.size/1000 + frame; most > len(p.buf) {
		p.buf = make([]byte, most)
		if src = p.buf[:p.data.readAt(p.buf, offset)]; len(src) < n {
			return entry{}, false
		}
	}
	e.data, _, ok = z.unpack(src[n:], e.size, e.size)
	return e, ok && len(e.data) == e.size
}

// An entry of a pack is an object, or what is different in one from another one of the same pack.
type entry struct {
	kind   string // of the object; "" for a difference
	size   int    // bytes of data
	base   int64  // offset of the other one
	baseID []byte // its id, in place of base
	data   []byte
}

// parseEntry reads what stands before the content of the entry at offset, at the start of src, and returns how long that is.
func parseEntry(src []byte, offset int64, idSize int) (e entry, n int, ok bool) {
	const more = 0x80
	next := func() (c byte) {
		if n < len(src) {
			c, ok = src[n], true
		} else {
			ok = false
		}
		n++
		return c
	}
	c := next()
	kind := c >> 4 & 7
	e.size = int(c & 15)
	for shift := 4; ok && c&more != 0; shift += 7 {
		if c = next(); shift > 25 {
			return entry{}, 0, false
		}
		e.size |= int(c&^more) << shift
	}
	if !ok {
		return entry{}, 0, false
	}
	switch kind {
	case 1, 2, 3, 4:
		e.kind = [...]string{"commit", "tree", "blob", "tag"}[kind-1]
	case 6: // how far before this one the other one lies
		c = next()
		back := int64(c &^ more)
		for ok && c&more != 0 && back < offset {
			c = next()
			back = (back+1)<<7 | int64(c&^more)
		}
		e.base = offset - back
		ok = ok && c&more == 0 && back > 0 && e.base > 0
	case 7:
		if ok = len(src)-n >= idSize; ok {
			e.baseID = bytes.Clone(src[n : n+idSize])
			n += idSize
		}
	default:
		ok = false
	}
	return e, n, ok
}

// applyDelta makes what delta says of base: the sizes of both, and then pieces of base and new bytes in turn.
func applyDelta(base, delta []byte) ([]byte, bool) {
	from, n := binary.Uvarint(delta)
	if n <= 0 || from != uint64(len(base)) {
		return nil, false
	}
	delta = delta[n:]
	size, n := binary.Uvarint(delta)
	if n <= 0 || size > maxShelf {
		return nil, false
	}
	delta = delta[n:]
	out := make([]byte, 0, size)
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		var piece []byte
		if op&0x80 != 0 {
			var at [7]byte // an offset of four bytes and a size of three, of which only those that are not zero are written
			for i := range at {
				if op>>i&1 == 0 {
					continue
				}
				if len(delta) == 0 {
					return nil, false
				}
				at[i], delta = delta[0], delta[1:]
			}
			start := int(binary.LittleEndian.Uint32(at[:]))
			n := int(at[4]) | int(at[5])<<8 | int(at[6])<<16
			if n == 0 {
				n = 0x10000
			}
			if start > len(base) || n > len(base)-start {
				return nil, false
			}
			piece = base[start : start+n]
		} else {
			if op == 0 || int(op) > len(delta) {
				return nil, false
			}
			piece, delta = delta[:op], delta[op:]
		}
		if len(piece) > cap(out)-len(out) {
			return nil, false
		}
		out = append(out, piece...)
	}
	return out, len(out) == cap(out)
}
