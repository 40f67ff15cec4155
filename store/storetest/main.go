package storetest

import (
	"flag"
	"log"
	"os"
	"runtime/debug"
	"testing"

	"knobel/bot/fakes/needs"
)

// Main runs the tests of a package in which no machine stops, so that commits need not wait for the disk, which would
// take a third of the time; garbage is collected less often, which saves a tenth. Folders are kept in memory if
// possible, unless TMPDIR names a place. Benchmarks run on the disk, with flushes and the usual collection of garbage.
// Properties are tried fewer times than usual, unless tests are to be long. With KNOBEL_TEST_STORE=postgres databases
// of tests are made on PostgreSQL.
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
