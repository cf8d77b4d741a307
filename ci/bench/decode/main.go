// Command decode reads JSON files and decodes each of them once with encoding/json: what anybody pays who wants to know
// what they say.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := decode(name); err != nil {
			fmt.Fprintln(os.Stderr, "decode:", err)
			os.Exit(1)
		}
	}
}

func decode(name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(src, &v); err != nil {
		return fmt.Errorf("could not decode %q: %w", name, err)
	}
	return nil
}
