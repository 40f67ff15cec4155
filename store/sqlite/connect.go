package sqlite

// How a file is opened.

import (
	"context"
	"database/sql/driver"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// The ways to open a file. Pragmas stand in the name of the data source, so that every
// connection has them.
var (
	forWriting = []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
		"temp_store(MEMORY)", "journal_size_limit(16777216)", "cache_size(-16000)", "wal_autocheckpoint(4000)"}
	forReading = []string{"busy_timeout(10000)", "foreign_keys(ON)", "temp_store(MEMORY)", "query_only(ON)"}
	forCopying = []string{"busy_timeout(10000)", "temp_store(MEMORY)"}
	// What is written here is the whole file as it is, which does not go through the
	// memory. While it is sealed, it does: nothing of before may stay in a folder of
	// the system's.
	forCleaning = []string{"busy_timeout(2000)", "synchronous(FULL)", "journal_size_limit(16777216)"}
	forRekeying = append([]string{"foreign_keys(OFF)", "secure_delete(ON)", "temp_store(MEMORY)"}, forCleaning...)
)

// connector says how to open connections to an existing file, in the mode "rw" or "ro".
func connector(file, mode string, pragmas []string) (driver.Connector, error) {
	query := url.Values{
		"_pragma": pragmas, "_txlock": {"immediate"}, "_error_rc": {"true"}, "_dqs": {"false"}, "mode": {mode},
	}
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	name := url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}
	return sqlite.NewConnector(name.String())
}

// with opens a connection to an existing file, calls use, and closes the connection.
func with(ctx context.Context, file, mode string, pragmas []string, use func(*Tx) error) (err error) {
	to, err := connector(file, mode, pragmas)
	if err != nil {
		return explain(file, err)
	}
	conn, err := dial(ctx, to, nil)
	if err != nil {
		return explain(file, err)
	}
	defer func() { err = errors.Join(err, conn.close()) }()
	return use(&Tx{ctx: ctx, conn: conn})
}
