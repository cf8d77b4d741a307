package claims_test
import ("testing";"os";"fmt";"strings")
func TestZZ(t *testing.T) {
	path := os.Getenv("ZZ")
	src, _ := os.ReadFile(path)
	f, err := engine().File(t.Context(), path, src)
	if err != nil { t.Fatal(err) }
	fmt.Println("LANG", f.Language, "NOTE", f.Note)
	for _, d := range f.Definitions { fmt.Println("DEF", d.Name, d.Spans) }
	toks, note, err := engine().Tokens(t.Context(), path, src, "")
	fmt.Println(note, err)
	for _, k := range toks { fmt.Printf("%s%s|%s|%v|%q L%d %s\n", strings.Repeat("  ", k.Depth), k.Kind, k.Field, k.Leaf, k.Text, k.Line, k.Part) }
}
