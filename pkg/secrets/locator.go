package secrets

import (
	"bytes"
	"strings"
)

// locators finds passwords in connection strings of the form scheme://user:password@host, and long names that stand there
// alone and are tokens.
func (f *finder) locators() {
	for at := 0; ; {
		i := bytes.Index(f.s[at:], []byte("://"))
		if i < 0 {
			return
		}
		sign := at + i
		at = sign + len("://")
		if sign == 0 || !alnum(f.s[sign-1]) {
			continue
		}
		end := at
		for end < len(f.s) && end < at+longLine && bytes.IndexByte([]byte(" \t\r\n\"'`<>|\\"), f.s[end]) < 0 && !bytes.HasPrefix(f.s[end:], []byte("://")) {
			end++
		}
		user, host, ok := cutLast(f.s[at:end])
		if !ok || len(host) == 0 {
			continue
		}
		name, password, hasPassword := bytes.Cut(user, []byte(":"))
		switch {
		case hasPassword && says(password) && !stand(string(password)) && !portAndPath(name, password):
			f.add(at+len(name)+1, at+len(user), "connection string")
		case !hasPassword && len(name) >= 20 && mixed(string(name)) && bytes.IndexByte(name, '/') < 0:
			f.add(at, at+len(name), "connection string")
		}
		at = end
	}
}

// cutLast cuts what stands behind the scheme at the last @ that can end a user and a password: one in the authority, or one
// behind it when the password itself holds a slash.
func cutLast(s []byte) (user, host []byte, ok bool) {
	authority := s
	if i := bytes.IndexAny(s, "/?#"); i >= 0 {
		authority = s[:i]
	}
	i := bytes.LastIndexByte(authority, '@')
	if i < 0 && bytes.IndexByte(authority, ':') > 0 {
		i = bytes.IndexByte(s, '@')
	}
	if i < 0 {
		return nil, nil, false
	}
	return s[:i], s[i+1:], true
}

// portAndPath reports whether what looks like user and password is a host with a port, followed by a path.
func portAndPath(name, password []byte) bool {
	n := 0
	for n < len(password) && digit(password[n]) {
		n++
	}
	return n > 0 && n <= 5 && n < len(password) && bytes.IndexByte([]byte("/?#"), password[n]) >= 0 && bytes.IndexByte(name, '@') < 0
}

// says reports whether s holds a letter or a digit of any script, so that it can be a secret at all.
func says(s []byte) bool {
	for _, c := range s {
		if alnum(c) || c >= 0x80 {
			return true
		}
	}
	return false
}

// stand reports whether a value stands in for a secret that is elsewhere: a variable, or a name in angle brackets.
func stand(v string) bool {
	switch {
	case strings.HasPrefix(v, "${") && strings.HasSuffix(v, "}"), strings.HasPrefix(v, "{{") && strings.HasSuffix(v, "}}"),
		strings.HasPrefix(v, "$(") && strings.HasSuffix(v, ")"), strings.HasPrefix(v, "<") && strings.HasSuffix(v, ">"):
		return true
	case strings.HasPrefix(v, "$") && len(v) > 1:
		return strings.Trim(v[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
	case len(v) > 2 && v[0] == '%' && v[len(v)-1] == '%':
		return strings.Trim(v[1:len(v)-1], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == ""
	}
	return false
}
