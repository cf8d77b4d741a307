package checktest

import "strconv"

// bytesOf turns Go escapes into bytes. A text that is not well escaped stays as it is, and the example that holds it then
// does not find what it wants.
func bytesOf(s string) string {
	out, err := strconv.Unquote(`"` + s + `"`)
	if err != nil {
		return s
	}
	return out
}
