package storetest

import (
	"flag"
	"log"
	"testing"
)

// Main runs the tests of a package in which no machine stops, so that no commit
// of theirs has to wait for the disk: a third of their time would be that. Where
// benchmarks run, commits do wait.
func Main(m *testing.M) (code int) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		if _, err := Install(Disk{Lazy: true}); err != nil {
			log.Fatal(err)
		}
	}
	return m.Run()
}
