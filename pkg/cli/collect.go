package cli

import (
	"runtime"
	"runtime/debug"
)

const (
	fewFiles  = 50      // files up to which a change is judged before memory would be collected at all
	smallHeap = 8 << 20 // bytes in use up to which memory is collected late
)

// collectLess lets the heap grow to five times of what is in use before it is collected, instead of twice, for as long as
// that is little: most of what a large change needs is needed once, and collecting took a sixth of its time.
func collectLess() {
	const late, usual = 400, 100
	debug.SetGCPercent(late)
	type sentinel struct{ _ [16]byte }
	var collected func(*sentinel)
	collected = func(*sentinel) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > smallHeap {
			debug.SetGCPercent(usual)
			return
		}
		runtime.SetFinalizer(&sentinel{}, collected)
	}
	runtime.SetFinalizer(&sentinel{}, collected)
}
