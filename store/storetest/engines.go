package storetest

// The engines on which tests of the store run.

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/engine/postgrestest"
)

// onPostgres reports whether databases of tests are made on PostgreSQL.
var onPostgres bool

// OnPostgres reports whether databases of tests are made on PostgreSQL now.
func OnPostgres() bool { return onPostgres }

// MainOnBoth runs the tests of a package and then, if the machine has PostgreSQL, again on that: only the tests named
// in some, or those that -run selects, and in long runs all except those named in aboutFiles. Listing, benchmarks,
// fuzzing and KNOBEL_TEST_STORE=files run on files alone. It returns the exit code.
func MainOnBoth(m *testing.M, some, aboutFiles []string) int {
	code := m.Run()
	if code != 0 || needs.FindPostgreSQL() == "" || isSpecial() {
		return code
	}
	skip := append([]string{"TestOnPostgreSQL"}, aboutFiles...)
	if skipped := flag.Lookup("test.skip").Value.String(); skipped != "" {
		skip = append(skip, skipped)
	}
	err := flag.Set("test.skip", oneOf(skip))
	if run := flag.Lookup("test.run").Value.String(); run == "" && !needs.IsLong() {
		err = errors.Join(err, flag.Set("test.run", oneOf(some)))
	}
	if err = errors.Join(err, usePostgres()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("on PostgreSQL:")
	return m.Run()
}

// usePostgres sets onPostgres and starts the server, which no test may do in a synctest bubble.
func usePostgres() error {
	onPostgres = true
	return template()
}

// oneOf returns a regular expression that matches exactly the given names.
func oneOf(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }

// isSpecial reports whether this process lists, measures or fuzzes tests, or tests only files.
func isSpecial() bool {
	if os.Getenv("KNOBEL_TEST_STORE") == "files" {
		return true
	}
	for _, name := range []string{"test.list", "test.bench", "test.fuzz"} {
		if flag.Lookup(name).Value.String() != "" {
			return true
		}
	}
	return false
}

// address returns the address of an empty database on PostgreSQL.
func address(tb testing.TB) string {
	tb.Helper()
	server := postgrestest.Need(tb)
	if err := template(); err != nil {
		tb.Fatal(err)
	}
	return server.Address(server.Database(tb, "empty"))
}

// template creates the database that address copies, once in each process.
var template = sync.OnceValue(func() error {
	server, err := postgrestest.Start()
	if err != nil {
		return err
	}
	return server.Template("empty", func(address string) error {
		s, err := store.Open(context.Background(), address)
		if err != nil {
			return err
		}
		return s.Close()
	})
})
