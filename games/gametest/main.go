package gametest

import (
	"flag"
	"runtime/debug"
	"testing"
)

// Main runs the tests of a package that plays many small matches. It collects garbage less often: a fifth of their time
// would be that. Where benchmarks run, garbage is collected as it is elsewhere.
func Main(m *testing.M) (code int) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	return m.Run()
}
