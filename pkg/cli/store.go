package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A store is a fingerprint.Cache in a folder, usually forge/ in git's common directory. Entries are spread over 256 folders by
// the end of their names. Several processes may use it at once, and it may be deleted at any time.
type store struct{ dir string }

func (s *store) path(name string) string {
	return filepath.Join(s.dir, "fingerprints", name[max(0, len(name)-2):], name)
}

// Load returns an entry. What cannot be read is not there.
func (s *store) Load(name string) ([]byte, bool) {
	data, err := os.ReadFile(s.path(name))
	return data, err == nil
}

// Store writes an entry beside and renames it. It is not brought to the disk: a crash can leave a damaged entry, which its
// checksum gives away.
func (s *store) Store(name string, data []byte) (err error) {
	path := s.path(name)
	tmp, err := os.CreateTemp(filepath.Dir(path), ".entry-*.tmp")
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			tmp, err = os.CreateTemp(filepath.Dir(path), ".entry-*.tmp")
		}
	}
	if err != nil {
		return fmt.Errorf("could not write %q: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("could not write %q: %w", path, errors.Join(err, os.Remove(tmp.Name())))
		}
	}()
	if _, err := tmp.Write(data); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
