// Package floors holds no code, only the test that keeps the architecture (chapter 10.2): the floor of every package, who
// may start processes and touch files, what may happen before main, and how names and files look.
package floors
