package secrets

import ("testing";"os";"time";"fmt")

func TestScratch(t *testing.T){
 b,_:=os.ReadFile("/work/shared/cases/mind/secrets-are-found-and-never-printed.txtar")
 t0:=time.Now()
 for _,m:=range Find(b){ fmt.Printf("%q %s\n", b[m.Start:m.End], m.Kind)}
 fmt.Println(time.Since(t0))
 for _,s:=range []string{"mật khẩu: abc","Mật khẩu: [đã che 12345678]","password: the team rotates it","**Mật khẩu:** hunter2","`password`: `x y z`","mật khẩu của kho: kim-cuong-7","đổi mật khẩu mỗi tháng","| password | hunter22 |","password=\"correct horse\"","Pwd=abc;Server=x","--password hunter22","MẬT KHẨU：xyz", "m\u00e2\u0323t kh\u00e2\u0309u: xyz","ghp_0123456789abcdefghijABCDEFGHIJ012345.","token: session-12","api key: 7fA9bC2dE4", "https://user:pw@host/x", "http://localhost:8080/a@b", "redis://:s3cr3t@h:6379", "Authorization: Bearer abcDEF123456xyz", "key sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa", "AKIAIOSFODNN7EXAMPLE", "verdict: pass → reports/verify-2.md", "- ctx: pass: reports/a1.md","pass: hunter2!","mk: abc12345", "a3f2c1d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0 commit", "password: ${DB_PASS}", "password: $DB", "password: ****", "password:", "khoá AKIA3FAKE7NOTREALKEY của"}{
  var o []string
  for _,m:=range Find([]byte(s)){ o=append(o, fmt.Sprintf("%s(%s)", s[m.Start:m.End], m.Kind))}
  fmt.Printf("%-50q %q\n", s, o)
 }
}
