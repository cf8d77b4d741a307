package git

import (
	"bytes"
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A rawList is what one raw diff says.
type rawList struct {
	deltas   []snapshot.Delta
	unmerged []string
}

// parseRaw reads the records of "--raw -z --no-renames" up to the end or to the first byte that starts no record, and
// returns what is left. The ids must be full ones of format h.
func parseRaw(data []byte, h gitobject.Format) (rawList, []byte, error) {
	var out rawList
	for len(data) > 0 && data[0] == ':' {
		end := bytes.IndexByte(data, 0)
		if end < 0 {
			return out, nil, rawError(data)
		}
		stop := bytes.IndexByte(data[end+1:], 0)
		if stop < 1 {
			return out, nil, rawError(data)
		}
		path := string(data[end+1 : end+1+stop])
		d, status, ok := parseRawFields(data[1:end], h)
		if !ok {
			return out, nil, rawError(data[:end])
		}
		if !gitobject.ValidPath(path) {
			return out, nil, fmt.Errorf("could not read git's list of changes: %q is no path inside the repository", path)
		}
		if status == 'U' {
			out.unmerged = append(out.unmerged, path)
		} else {
			d.Path = path
			d.Before.Path, d.After.Path = pathOf(d.Before, path), pathOf(d.After, path)
			out.deltas = append(out.deltas, d)
		}
		data = data[end+1+stop+1:]
	}
	return out, data, nil
}

// pathOf returns path for an entry that is there.
func pathOf(e snapshot.Entry, path string) string {
	if !e.Exists() {
		return ""
	}
	return path
}

// parseRawFields reads "MODE MODE ID ID STATUS". An id of zeros for an entry that is there stays empty: its content is in
// the working tree only.
func parseRawFields(s []byte, h gitobject.Format) (d snapshot.Delta, status byte, ok bool) {
	f := bytes.Split(s, []byte{' '})
	if len(f) != 5 || len(f[4]) != 1 {
		return d, 0, false
	}
	var okBefore, okAfter bool
	d.Before, okBefore = rawEntry(f[0], string(f[2]), h)
	d.After, okAfter = rawEntry(f[1], string(f[3]), h)
	status = f[4][0]
	switch status {
	case 'A', 'D', 'M', 'T', 'U':
	default:
		return d, 0, false
	}
	return d, status, okBefore && okAfter
}

func rawEntry(mode []byte, oid string, h gitobject.Format) (snapshot.Entry, bool) {
	m, ok := gitobject.ParseMode(mode)
	if !ok || m == gitobject.Folder || len(mode) != 6 || len(oid) != 2*int(h) || !gitobject.IsID(oid) {
		return snapshot.Entry{}, false
	}
	if gitobject.IsZero(oid) {
		oid = ""
	}
	if m == 0 {
		return snapshot.Entry{}, oid == ""
	}
	return snapshot.Entry{Mode: snapshot.Mode(m), OID: snapshot.OID(oid)}, true
}

func rawError(data []byte) error {
	return fmt.Errorf("could not read git's list of changes: %q is not understood", data[:min(len(data), 200)])
}
