// Package storetest provides databases for tests: new ones have the newest schema. It also provides a key to encrypt
// them and disks with the hooks of package sqlitetest, and measures how fast presses are stored.
package storetest

import (
	"flag"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/engine/sqlitetest"
	"knobel/store/seal"
)

// Main runs the tests of a package and returns the exit code. No test stops the machine, so commits do not wait for the
// disk, and garbage is collected less often, which saves over a third of the time. Folders are kept in memory if
// possible, unless TMPDIR is set. Benchmarks run with a usual disk and garbage collection. Except in long runs, rapid
// properties are checked 25 times. With KNOBEL_TEST_STORE=postgres databases of tests are made on PostgreSQL.
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

// Key returns the key with which tests encrypt names and ids. It is always the same.
func Key(testing.TB) store.Sealer { return key() }

var key = sync.OnceValue(func() store.Sealer {
	key, err := seal.Parse([]byte(strings.Repeat("0123456789abcdef", 8)))
	if err != nil {
		panic(err)
	}
	return key
})

// Disk holds hooks for the writes of a database.
type Disk = sqlitetest.Disk

var (
	// Slow returns a disk whose flushes take the given time longer.
	Slow = sqlitetest.Slow
	// Use sets the disk of all databases that are opened until the test ends.
	Use = sqlitetest.Use
	// Install is like Use, but needs no test: it returns a function that removes the disk again.
	Install = sqlitetest.Install
	// FlushesPerSecond measures the disk of the test's folder.
	FlushesPerSecond = sqlitetest.FlushesPerSecond
)

// New returns the name of a missing or empty database, to be opened by store.Open for the first time.
func New(tb testing.TB) string {
	tb.Helper()
	if !onPostgres {
		return filepath.Join(tb.TempDir(), "knobel.db")
	}
	server := postgrestest.Need(tb)
	return server.Address(server.Database(tb, ""))
}

// OnServer returns the address of an empty database of the newest schema on PostgreSQL.
func OnServer(tb testing.TB) string {
	tb.Helper()
	return address(tb)
}

// Copy copies the database called name, which must not be open, and returns the name of the copy.
func Copy(tb testing.TB, name string) string {
	tb.Helper()
	if !store.IsFile(name) {
		server := postgrestest.Need(tb)
		return server.Address(server.Database(tb, filepath.Base(name)))
	}
	whole, err := os.ReadFile(name)
	return written(tb, whole, err)
}
