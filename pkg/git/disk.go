package git

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A disk is the files of a working tree whose content git has not stored.
type disk struct {
	top    string // absolute path of the working tree's root
	format gitobject.Format
	files  map[string]*diskFile
}

// A diskFile is one of them. Its content is fixed by the id of entry: a file that changes afterwards can no longer be read.
type diskFile struct {
	disk   *disk
	entry  snapshot.Entry
	size   int64 // bytes of the content
	turned bool  // CRLF on disk is LF in the content
	link   bool  // a symbolic link on disk
}

// maxTurned is the size in bytes up to which line ends are looked at.
const maxTurned = 64 << 20

var errDiskChanged = errors.New("it changed while it was being read; run again")

// onDisk returns the file on disk that holds the content of e.
func (t *tree) onDisk(e snapshot.Entry) (*diskFile, bool) {
	if t.disk == nil {
		return nil, false
	}
	f, ok := t.disk.files[e.Path]
	return f, ok && f.entry == e
}

// place opens the file without leaving the root and without following any link: os.Root keeps the first promise, the look
// at each folder and the comparison with what was opened keep the second. For a link it returns the target.
func (f *diskFile) place() (file *os.File, target string, err error) {
	root, err := os.OpenRoot(f.disk.top)
	if err != nil {
		return nil, "", err
	}
	defer root.Close()
	name := f.entry.Path
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := root.Lstat(dir)
		if err != nil {
			return nil, "", err
		}
		if !info.IsDir() {
			return nil, "", fmt.Errorf("%q is no folder", dir)
		}
	}
	info, err := root.Lstat(name)
	if err != nil {
		return nil, "", err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0 && f.entry.Mode == snapshot.Symlink:
		target, err = root.Readlink(name)
		return nil, target, err
	case !info.Mode().IsRegular():
		return nil, "", fmt.Errorf("it is not a regular file any more: %w", errDiskChanged)
	}
	file, err = root.Open(name)
	if err != nil {
		return nil, "", err
	}
	opened, err := file.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = errDiskChanged
	}
	if err != nil {
		return nil, "", errors.Join(err, file.Close())
	}
	return file, "", nil
}

// identify works out the size and the id of the content, and reports whether it holds CRLF.
func (f *diskFile) identify() (hasCRLF bool, err error) {
	file, target, err := f.place()
	if err != nil {
		return false, fmt.Errorf("could not read %q: %w", f.entry.Path, err)
	}
	if file == nil {
		f.link, f.size = true, int64(len(target))
		f.entry.OID = snapshot.OID(f.disk.format.ID("blob", []byte(target)))
		return false, nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, fmt.Errorf("could not read %q: %w", f.entry.Path, err)
	}
	f.size = info.Size()
	sum := f.disk.format.Hash("blob", f.size)
	var seen crlfFinder
	n, err := io.Copy(io.MultiWriter(sum, &seen), file)
	if err == nil && n != f.size {
		err = errDiskChanged
	}
	if err != nil {
		return false, fmt.Errorf("could not read %q: %w", f.entry.Path, err)
	}
	f.entry.OID = snapshot.OID(hex.EncodeToString(sum.Sum(nil)))
	return seen.found && f.size <= maxTurned && f.entry.Mode.IsFile(), nil
}

// A crlfFinder notes whether CRLF was written to it.
type crlfFinder struct{ cr, found bool }

func (c *crlfFinder) Write(p []byte) (int, error) {
	if !c.found && len(p) > 0 {
		c.found = (c.cr && p[0] == '\n') || bytes.Contains(p, []byte("\r\n"))
		c.cr = p[len(p)-1] == '\r'
	}
	return len(p), nil
}

// turn makes CRLF read as LF from now on.
func (f *diskFile) turn() error {
	data, err := f.read(0)
	if err != nil {
		return err
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	f.turned, f.size = true, int64(len(data))
	f.entry.OID = snapshot.OID(f.disk.format.ID("blob", data))
	return nil
}

// read returns the content; see snapshot.Tree.
func (f *diskFile) read(limit int64) ([]byte, error) {
	if over(f.size, limit) {
		return nil, &snapshot.TooLarge{Path: f.entry.Path, Size: f.size, Limit: limit}
	}
	data, err := f.bytes()
	if err == nil && f.disk.format.ID("blob", data) != string(f.entry.OID) {
		err = errDiskChanged
	}
	if err != nil {
		return nil, fmt.Errorf("could not read %q: %w", f.entry.Path, err)
	}
	return data, nil
}

func (f *diskFile) bytes() ([]byte, error) {
	file, target, err := f.place()
	if err != nil {
		return nil, err
	}
	if file == nil {
		return []byte(target), nil
	}
	defer file.Close()
	max := f.size
	if f.turned {
		max = maxTurned
	}
	data, err := io.ReadAll(io.LimitReader(file, max+1))
	if f.turned {
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	return data, err
}

// open streams the content; see snapshot.Tree. A content that is no longer the one that was listed ends in an error.
func (f *diskFile) open() (io.ReadCloser, int64, error) {
	if f.link || f.turned {
		data, err := f.read(0)
		return io.NopCloser(bytes.NewReader(data)), f.size, err
	}
	file, _, err := f.place()
	if err == nil && file == nil {
		err = errDiskChanged
	}
	if err != nil {
		return nil, 0, fmt.Errorf("could not read %q: %w", f.entry.Path, err)
	}
	return &checked{f: f, file: file, sum: f.disk.format.Hash("blob", f.size)}, f.size, nil
}

// checked reads a file and fails at its end when the id of what was read is not the expected one.
type checked struct {
	f    *diskFile
	file *os.File
	sum  hash.Hash
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.file.Read(p)
	c.sum.Write(p[:n])
	if err == io.EOF && hex.EncodeToString(c.sum.Sum(nil)) != string(c.f.entry.OID) {
		err = fmt.Errorf("could not read %q: %w", c.f.entry.Path, errDiskChanged)
	}
	return n, err
}

func (c *checked) Close() error { return c.file.Close() }
