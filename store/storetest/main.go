package storetest

import (
	"flag"
	"log"
	"os"
	"runtime/debug"
	"testing"

	"knobel/bot/fakes/needs"
)

// Main runs the tests of a package in which no machine stops, so that no commit
// of theirs has to wait for the disk: a third of their time would be that, and a
// tenth the collection of garbage, which comes less often. Their folders are kept in memory where the system can,
// unless TMPDIR names a place for them. Where benchmarks run, folders are on the disk,
// commits do wait, and garbage is collected as it is elsewhere. Properties are
// tried fewer times than usual, unless tests are to be long. With KNOBEL_TEST_STORE=postgres databases of
// tests are made on PostgreSQL.
func Main(m *testing.M) (code int) {
	flag.Parse()
	if os.Getenv("KNOBEL_TEST_STORE") == "postgres" {
		if err := usePostgres(); err != nil {
			log.Fatal(err)
		}
	}
	if flag.Lookup("test.bench").Value.String() == "" {
		if _, err := Install(Disk{Lazy: true}); err != nil {
			log.Fatal(err)
		}
		debug.SetGCPercent(400)
		if folder := needs.Memory(1 << 30); folder != "" && os.Getenv("TMPDIR") == "" {
			if err := os.Setenv("TMPDIR", folder); err != nil {
				log.Fatal(err)
			}
		}
	}
	if f := flag.Lookup("rapid.checks"); f != nil && f.Value.String() == f.DefValue && !needs.IsLong() {
		if err := f.Value.Set("25"); err != nil {
			log.Fatal(err)
		}
	}
	return m.Run()
}
