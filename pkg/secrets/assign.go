package secrets

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How much a value has to look like a secret.
const (
	anyValue = iota // what is assigned to a password is one, unless it is prose or stands for something elsewhere
	looks           // it has to look made up: letters with digits or signs
	random          // it has to look drawn by lot
)

// password judges what stands behind a word for passwords. A value right behind a colon or an equals sign is one; behind
// other words ("mật khẩu của kho:", "password is") it has to look like one.
func (f *finder) password(start, end int) {
	if start > 0 && f.low[start-1] >= 0x80 {
		if r, _ := utf8.DecodeLastRune(f.low[:start]); unicode.IsLetter(r) {
			return
		}
	}
	f.assignment(start, end, "password", anyValue, looks)
}

// named judges what stands behind a word for other secrets, which people also use without naming one.
func (f *finder) named(start, end int) {
	word := string(f.low[start:end])
	switch word {
	case "pass", "mk", "pin", "khoá", "khóa", "bí mật":
		// Short words are parts of others.
		if before, _ := utf8.DecodeLastRune(f.low[:start]); start > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			return
		}
	}
	if word == "pass" || word == "mk" || word == "pin" {
		if after, _ := utf8.DecodeRune(f.low[end:]); unicode.IsLetter(after) {
			return
		}
	}
	if strings.HasSuffix(word, "pass") && len(word) == len("_pass") {
		f.assignment(start, end, "password", looks, random)
		return
	}
	if word == "pass" || word == "mk" {
		f.assignment(start, end, "password", looks, random)
		return
	}
	f.assignment(start, end, "token", random, random)
}

// assignment reads name, operator and value behind the keyword from start to end, and adds the value when it looks enough
// like a secret: as much as near asks right behind the operator, as much as far asks when words stand between.
func (f *finder) assignment(start, end int, kind string, near, far int) {
	_, stop := f.line(end)
	stop = min(stop, end+longLine)
	at := end
	for at < stop && at < end+32 && (alnum(f.s[at]) || f.s[at] == '_' || f.s[at] == '-' && at+1 < stop && alnum(f.s[at+1])) {
		at++
	}
	if at == end+32 {
		return
	}
	demand := near
	op, found := f.operator(at, stop)
	if !found {
		demand = far
		if op, found = f.distant(start, at, stop); !found {
			return
		}
	}
	from, to, quoted := f.value(op, stop)
	if from == to {
		return
	}
	if v := string(f.s[from:to]); f.literal(v, from, to, stop, demand, quoted) {
		f.add(from, to, kind)
	}
}

// operator skips the marks around a name and returns the offset behind the operator.
func (f *finder) operator(at, stop int) (int, bool) {
	for at < stop && bytes.IndexByte([]byte(" \t\"'`*_)]}"), f.s[at]) >= 0 {
		at++
	}
	rest := f.s[at:stop]
	for _, op := range []string{":=", "=>", "->", "→", "==", ":", "="} {
		if bytes.HasPrefix(rest, []byte(op)) {
			return at + len(op), true
		}
	}
	return 0, false
}

// distant looks for an operator behind some words of the same clause, for a verb in its place, for a cell of a table, and
// for the value of an option of a command.
func (f *finder) distant(start, at, stop int) (int, bool) {
	if start >= 2 && string(f.s[start-2:start]) == "--" && at < stop && f.s[at] == ' ' {
		return at + 1, true
	}
	const most = 40 // bytes of words between
	for k := at; k < stop && k < at+most; k++ {
		switch c := f.s[k]; {
		case c == ':' || c == '=':
			return k + 1, true
		case c == '|':
			return k + 1, true
		case bytes.IndexByte([]byte(".,;!?"), c) >= 0:
			return 0, false
		case c == ' ':
			for _, verb := range []string{" là ", " is ", " was "} {
				if bytes.HasPrefix(f.low[k:stop], []byte(verb)) {
					return k + len(verb), true
				}
			}
		}
	}
	return 0, false
}

// value returns the range of the value that begins at or behind offset at: a quoted text, or a word without the marks and
// the punctuation at its edges.
func (f *finder) value(at, stop int) (from, to int, quoted bool) {
	stars := 0
	var quote byte
	for at < stop {
		c := f.s[at]
		if c == '*' || c == '_' {
			if stars++; stars > 2 {
				return at, at, false // a mask, or a row of asterisks
			}
		} else if bytes.IndexByte([]byte("\"'`"), c) >= 0 {
			quote = c
		} else if bytes.IndexByte([]byte(" \t(|="), c) < 0 && !(c == '>' && stars == 0) {
			break
		}
		at++
	}
	if quote != 0 && at > 0 && f.s[at-1] == quote {
		if n := bytes.IndexByte(f.s[at:stop], quote); n > 0 {
			return at, at + n, true
		}
	}
	to = at
	for to < stop && bytes.IndexByte([]byte(" \t\r\"`|"), f.s[to]) < 0 {
		to++
	}
	word := f.s[at:to]
	if stand(string(word)) {
		return at, at, false
	}
	// The next field of a connection string or a query is no part of the value.
	for i, c := range word {
		if (c == ';' || c == '&') && field(word[i+1:]) {
			word = word[:i]
			break
		}
	}
	trimmed := bytes.TrimRight(word, ".,;:?)]}*'")
	trimmed = trimEllipsis(trimmed)
	return at, at + len(trimmed), false
}

// field reports whether s begins with a name and an equals sign.
func field(s []byte) bool {
	name, _, ok := bytes.Cut(s, []byte("="))
	return ok && len(name) > 0 && !bytes.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
}

func trimEllipsis(s []byte) []byte {
	for _, tail := range []string{"…", "。", "，", "”", "’", "»"} {
		s = bytes.TrimSuffix(s, []byte(tail))
	}
	return s
}

// literal reports whether the value v, which stands from from to to, is the secret itself.
func (f *finder) literal(v string, from, to, stop, demand int, quoted bool) bool {
	if !says([]byte(v)) || stand(v) || v[0] == '[' && strings.HasSuffix(string(f.s[from:min(to+1, stop)]), "]") {
		return false
	}
	switch demand {
	case looks:
		return made(v)
	case random:
		return drawn(v)
	}
	word := strings.ToLower(v)
	if among(nothing, word) {
		return false
	}
	// A word that a sentence goes on with, when the sentence does go on.
	goesOn := bytes.ContainsFunc(f.s[to:stop], unicode.IsLetter)
	return quoted || !goesOn || !among(function, word)
}

// nothing are values that say that there is none.
const nothing = " none null nil n/a false true no yes empty unset không chưa trống tbd todo "

// function are words that join the parts of a sentence, and that nobody takes for a password when the sentence goes on.
const function = " a an and are as at be but by can each every for from has have how if in is it must never no not of on only or rotate see should " +
	"still that the they this to was we when whether which who why will with " +
	"anh bị các cần chỉ chưa có của cho còn cũng dùng để đã đang được không là mà mỗi một này nên nếu những phải sẽ thì theo từ và vẫn với xem "

// among reports whether word is one of the words of a list.
func among(list, word string) bool {
	return len(word) < 16 && !strings.ContainsRune(word, ' ') && strings.Contains(list, " "+word+" ")
}

// made reports whether v looks made up: not a path, a date or a version, but letters mixed with digits or signs.
func made(v string) bool {
	if utf8.RuneCountInString(v) < 6 || path(v) {
		return false
	}
	letters, digits, signs := false, false, false
	for _, r := range v {
		switch {
		case unicode.IsLetter(r):
			letters = true
		case unicode.IsDigit(r):
			digits = true
		case strings.ContainsRune("!@#$%^&*+~?", r):
			signs = true
		}
	}
	return letters && (digits || signs)
}

// drawn reports whether v looks drawn by lot: long, and changing often between letters and digits or between cases.
func drawn(v string) bool {
	if len(v) < 10 || path(v) || strings.Trim(v, "0123456789-.:/TZ+") == "" {
		return false
	}
	changes, last, digits, lower, upper := 0, byte(0), 0, 0, 0
	for i := range len(v) {
		var kind byte
		switch c := v[i]; {
		case digit(c):
			kind = '0'
			digits++
		case 'a' <= c && c <= 'z':
			kind = 'a'
			lower++
		case 'A' <= c && c <= 'Z':
			kind = 'A'
			upper++
		case c >= 0x80:
			return false
		default:
			continue
		}
		if last != 0 && kind != last {
			changes++
		}
		last = kind
	}
	return digits > 0 && lower+upper > 1 && changes >= 4
}

// mixed reports whether v holds letters and digits.
func mixed(v string) bool {
	return strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter)
}

// path reports whether v is a path, a file name or an address.
func path(v string) bool {
	if strings.Contains(v, "://") {
		return true
	}
	i := strings.LastIndexByte(v, '/')
	if i > 0 && i+1 < len(v) && strings.Count(v, "/") >= 1 && strings.Contains(v[i:], ".") {
		return true
	}
	dot := strings.LastIndexByte(v, '.')
	if dot <= 0 || dot+1 == len(v) || len(v)-dot > 6 {
		return false
	}
	return strings.Trim(strings.ToLower(v[dot+1:]), "abcdefghijklmnopqrstuvwxyz") == "" && strings.Trim(v[:dot], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == "" && i < dot
}
