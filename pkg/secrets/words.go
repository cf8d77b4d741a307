package secrets

import (
	"slices"
	"strings"
	"sync"
)

// A stem is a keyword of the rules that read running text, with the function that judges what stands behind it.
type stem struct {
	word  string
	judge func(f *finder, start, end int)
}

// stems lists the keywords: names of passwords and of other secrets, and what tokens begin with.
func stems() []stem {
	var out []stem
	for _, w := range []string{
		"password", "passwd", "passphrase", "passcode", "passwort", "pwd", "mật khẩu", "mật_khẩu", "mật-khẩu", "mật mã", "mat khau",
		"mat_khau", "mat-khau", "matkhau",
	} {
		out = append(out, stem{w, (*finder).password})
	}
	for _, w := range []string{
		"_pass", "-pass", ".pass", "secret", "token", "api key", "api_key", "api-key", "apikey", "access key", "access_key", "access-key",
		"accesskey", "accountkey", "account_key", "account key", "auth_key", "authkey", "client key", "private_key", "privatekey",
		"credential", "khoá", "khóa", "bí mật", "pass", "mk", "pin",
	} {
		out = append(out, stem{w, (*finder).named})
	}
	for _, w := range []string{"bearer ", "basic "} {
		out = append(out, stem{w, (*finder).header})
	}
	for i := range shapes {
		out = append(out, stem{shapes[i].start, func(f *finder, start, end int) { f.shaped(&shapes[i], start, end) }})
	}
	return out
}

type stemTable struct {
	list  []stem
	words *keywords
}

var stemsOnce = sync.OnceValue(func() *stemTable {
	list := stems()
	words := make([]string, len(list))
	for i := range list {
		words[i] = list[i].word
	}
	return &stemTable{list, newKeywords(words)}
})

// scanWords applies the rules that begin at a keyword.
func (f *finder) scanWords() {
	t := stemsOnce()
	t.words.scan(f.low, func(i, at int) { t.list[i].judge(f, at, at+len(t.list[i].word)) })
}

// A shape is a kind of token that is known by its first signs, whatever stands around it.
type shape struct {
	start string // in lower case
	least int    // signs behind it
	exact bool   // the start is written in the case of as
	as    string
	chars string // what it is made of, beside letters and digits
	kind  string
}

// shapes are the tokens that people paste most. Unlike the rules of gitleaks, these ask for no randomness: a token whose
// signs were replaced by hand has no business in the notes either.
var shapes = [...]shape{
	{"akia", 16, true, "AKIA", "", "aws-access-token"},
	{"asia", 16, true, "ASIA", "", "aws-access-token"},
	{"abia", 16, true, "ABIA", "", "aws-access-token"},
	{"acca", 16, true, "ACCA", "", "aws-access-token"},
	{"ghp_", 20, false, "", "_", "github-pat"},
	{"gho_", 20, false, "", "_", "github-oauth"},
	{"ghu_", 20, false, "", "_", "github-app-token"},
	{"ghs_", 20, false, "", "_", "github-app-token"},
	{"ghr_", 20, false, "", "_", "github-refresh-token"},
	{"github_pat_", 20, false, "", "_", "github-fine-grained-pat"},
	{"glpat-", 16, false, "", "_-.", "gitlab-pat"},
	{"gldt-", 16, false, "", "_-", "gitlab-deploy-token"},
	{"glrt-", 16, false, "", "_-", "gitlab-runner-token"},
	{"xoxa-", 10, false, "", "-", "slack-token"},
	{"xoxb-", 10, false, "", "-", "slack-bot-token"},
	{"xoxp-", 10, false, "", "-", "slack-user-token"},
	{"xoxr-", 10, false, "", "-", "slack-token"},
	{"xoxs-", 10, false, "", "-", "slack-token"},
	{"xapp-", 10, false, "", "-", "slack-app-token"},
	{"sk_live_", 12, false, "", "_", "stripe-access-token"},
	{"sk_test_", 12, false, "", "_", "stripe-access-token"},
	{"rk_live_", 12, false, "", "_", "stripe-access-token"},
	{"whsec_", 16, false, "", "_+/=", "webhook-secret"},
	{"aiza", 30, true, "AIza", "_-", "gcp-api-key"},
	{"gocspx-", 20, false, "", "_-", "gcp-client-secret"},
	{"ya29.", 20, false, "", "_-.", "gcp-access-token"},
	{"npm_", 30, false, "", "", "npm-access-token"},
	{"pypi-ageicho", 16, false, "", "_-", "pypi-upload-token"},
	{"hf_", 30, true, "hf_", "", "huggingface-access-token"},
	{"sk-ant-", 16, false, "", "_-", "anthropic-api-key"},
	{"sk-proj-", 16, false, "", "_-", "openai-api-key"},
	{"dop_v1_", 32, false, "", "", "digitalocean-pat"},
	{"shpat_", 24, false, "", "", "shopify-access-token"},
	{"shpss_", 24, false, "", "", "shopify-shared-secret"},
	{"sg.", 40, true, "SG.", "_-.", "sendgrid-api-token"},
	{"age-secret-key-1", 20, false, "", "", "age-secret-key"},
	{"eyj", 30, true, "eyJ", "_-.+/=", "jwt"},
}

// shaped judges a token of a known shape.
func (f *finder) shaped(s *shape, start, end int) {
	if start < f.shapedTo || start > 0 && (alnum(f.s[start-1]) || f.s[start-1] == '_') || s.exact && string(f.s[start:end]) != s.as {
		return
	}
	at := end
	for at < len(f.s) && at < end+longLine && (alnum(f.s[at]) || strings.IndexByte(s.chars, f.s[at]) >= 0) {
		at++
	}
	f.shapedTo = at
	for at > end && !alnum(f.s[at-1]) {
		at-- // the full stop of a sentence
	}
	token := string(f.s[start:at])
	switch {
	case at-end < s.least:
		return
	case s.kind == "aws-access-token" && (at-end != s.least || !upper(f.s[end:at])):
		return
	case s.kind == "jwt" && !threeParts(token):
		return
	}
	f.add(start, at, s.kind)
}

func upper(s []byte) bool {
	return !slices.ContainsFunc(s, func(c byte) bool { return 'a' <= c && c <= 'z' })
}

// threeParts reports whether a token is made like a JSON web token.
func threeParts(token string) bool {
	dots := 0
	for i := range len(token) {
		if token[i] == '.' {
			dots++
		}
	}
	return dots == 2
}

// header judges what follows the name of an authorization scheme.
func (f *finder) header(start, end int) {
	if start > 0 && alnum(f.s[start-1]) {
		return
	}
	at := end
	for at < len(f.s) && at < end+longLine && (base64(f.s[at]) || strings.IndexByte("._~-", f.s[at]) >= 0) {
		at++
	}
	for at > end && f.s[at-1] == '.' {
		at--
	}
	if v := string(f.s[end:at]); len(v) >= 12 && mixed(v) && !path(v) {
		f.add(end, at, "authorization header")
	}
}
