package mind
import ("testing";"os";"context"
"github.com/seed-4419f9ca/forge/pkg/check";"github.com/seed-4419f9ca/forge/pkg/config";"github.com/seed-4419f9ca/forge/pkg/facts";"github.com/seed-4419f9ca/forge/pkg/memory";"github.com/seed-4419f9ca/forge/pkg/snapshot"
)
func BenchmarkBig(b *testing.B){
 S:=".claude/sessions/session-1/"
 m:=map[string]string{}
 for _,n:=range []string{S+"_context-s-1.md",S+"_mind-s-1.md",S+"reports/r.md","memory-budget.json"}{ d,_:=os.ReadFile("/tmp/perf/r/"+n); m[n]=string(d)}
 after:=memory.Tree(m); c:=memory.Change(snapshot.Staged,[]snapshot.Tree{memory.Tree(nil)},after)
 for b.Loop(){
  p:=&check.Pass{Check:Mind,Change:c,Config:config.Default(),Facts:&facts.Store{},Files:c.Files,Ignored:func(string)bool{return false}}
  if err:=Mind.Run(context.Background(),p);err!=nil||len(p.Findings())>0{b.Fatal(err,p.Findings())}
 }
}
