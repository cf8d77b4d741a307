// Command empty does nothing: what it costs is what any Go program costs to start.
package main

func main() {}
