package engine

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// TestThroughAPooler uses a database through a pooler, which may give each transaction another connection.
func TestThroughAPooler(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	port := server.Pooler(t)
	for what, said := range map[string]string{"told": "?default_query_exec_mode=exec", "not told": ""} {
		t.Run(what, func(t *testing.T) {
			address := fmt.Sprintf("postgres://knobel@127.0.0.1:%d/%s%s", port, server.Database(t, ""), said)
			db := open(t, address)
			failed := runMany(db)
			if said != "" && failed > 0 {
				t.Errorf("%d changes and views failed", failed)
			}
			if again := runMany(db); again > 0 {
				t.Errorf("once it knows, %d changes and views failed", again)
			}
			for range 3 { // on connections that other clients have used
				err := db.Load(t.Context(), func(l *Tx) error {
					if err := l.Empty(); err != nil {
						return err
					}
					columns := []Column{{Name: "name"}, {Name: "value"}}
					add, end := l.Fill(Table{Name: "settings", Columns: columns})
					return errors.Join(add([]any{"a", "1"}), end())
				})
				if err := errors.Join(err, db.Finish(t.Context())); err != nil {
					t.Error(err)
				}
			}
			if _, err := db.Faults(t.Context()); err != nil {
				t.Error(err)
			}
			if err := errors.Join(db.Clean(t.Context()), db.Close()); err != nil {
				t.Error(err)
			}
			open(t, address, Options{Waiting: func(what string) { t.Error("no lease given back:", what) }})
		})
	}
}

// runMany runs many changes and views at once, and returns how many of them failed.
func runMany(db *Server) (failed int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			for n := range 10 {
				err := db.Update(context.Background(), "", func(tx *Tx) error {
					return errors.Join(save(tx, fmt.Sprint(i), fmt.Sprint(n)), save(tx, "all", fmt.Sprint(i)))
				})
				read := db.View(context.Background(), func(tx *Tx) error {
					return tx.Rows(`SELECT name, value FROM settings ORDER BY name`, nil,
						func(Row) error { return nil })
				})
				if err := errors.Join(err, read); err != nil {
					mu.Lock()
					failed++
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return failed
}

// TestPasswordsAreNotShown opens addresses that are wrong in many ways: no error quotes the password.
func TestPasswordsAreNotShown(t *testing.T) {
	for _, address := range []string{
		"postgres://knobel:geheim@127.0.0.1:1/knobel",
		"postgres://knobel:geheim@/",
		"postgres://knobel:geheim@127.0.0.1:1",
		"postgres://knobel:geheim%zz@127.0.0.1/knobel",
		"postgres://knobel:geheim@127.0.0.1:port/knobel",
		"postgres://knobel:geheim@127.0.0.1:1/knobel?sslmode=no",
		"postgresql://knobel:geheim@127.0.0.1:1/knobel?password=geheim",
		"postgres://127.0.0.1:1/knobel?user=knobel&password=geheim",
		"postgres://knobel:geheim@127.0.0.1:1/knobel?pool_max_conns=x",
		"postgres://knobel:geheim@127.0.0.1:1/knobel?sslmode=verify-full&sslrootcert=/none",
		"postgres://knobel:geheim@127.0.0.1:1,127.0.0.1:2/knobel",
		"postgres://knobel:geheim@[::1",
		"postgres://knobel:12/34geheim@127.0.0.1:1/db",
		"postgres://knobel:/geheim@127.0.0.1:1/db",
		"postgres://knobel:a?geheim@127.0.0.1:1/db",
		"postgres://knobel:a#geheim@127.0.0.1:1/db",
		"postgres://knobel:a@geheim@127.0.0.1:1/db",
		"Postgres://knobel:geheim@127.0.0.1:1/db",
		"mysql://knobel:geheim@127.0.0.1:1/db",
		"host=127.0.0.1 port=1 user=knobel password=geheim",
		"'postgres://knobel:geheim@127.0.0.1:1/db'",
		"postgres://knobel:geh:eim@x:y:z/",
		"postgres://kno bel:geheim@127.0.0.1/knobel",
		"postgres://knobel:geheim@127.0.0.1:1/knobel?connect_timeout=geheim&connect_timeout=1",
	} {
		_, err := newServer(t.Context(), address, Options{}, false)
		if err == nil {
			t.Errorf("%s was opened", address)
			continue
		}
		for _, text := range []string{err.Error(), Shown(address)} {
			if strings.Contains(text, "geheim") || strings.Contains(text, "geh:eim") || strings.Contains(text, "\n") {
				t.Errorf("of %s is said %q", address, text)
			}
		}
	}
}

// certificate returns a self-signed certificate for this machine, and its key, in PEM.
func certificate(t *testing.T) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tests"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &private.PublicKey, private)
	check(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	check(t, err)
	block := func(kind string, content []byte) []byte {
		var text bytes.Buffer
		check(t, pem.Encode(&text, &pem.Block{Type: kind, Bytes: content}))
		return text.Bytes()
	}
	return block("CERTIFICATE", der), block("PRIVATE KEY", secret)
}

// TestTLSIsAsTheAddressSays connects to a server that has a certificate, with different TLS settings in the address.
func TestTLSIsAsTheAddressSays(t *testing.T) {
	needs.Long(t)
	cert, key := certificate(t)
	other, _ := certificate(t)
	server := postgrestest.New(t, map[string][]byte{"server.crt": cert, "server.key": key},
		"ssl=on", "ssl_cert_file=../server.crt", "ssl_key_file=../server.key")
	database := server.Database(t, "")
	right, wrong := filepath.Join(t.TempDir(), "right.crt"), filepath.Join(t.TempDir(), "wrong.crt")
	for name, content := range map[string][]byte{right: cert, wrong: other} {
		check(t, os.WriteFile(name, content, 0o600))
	}
	for said, secure := range map[string]string{
		"sslmode=disable": "false", "sslmode=require": "true", "sslmode=verify-full&sslrootcert=" + right: "true",
		"sslmode=verify-full&sslrootcert=" + wrong: "", "sslmode=verify-full": "",
	} {
		db, err := newServer(t.Context(), server.Address(database, said), Options{}, false)
		if secure == "" {
			if err == nil || !strings.Contains(err.Error(), "certificate") || Unreached(err) {
				t.Errorf("%s: %v", said, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		got := queryAll(t, db, `SELECT CASE WHEN ssl THEN 'true' ELSE 'false' END FROM pg_stat_ssl WHERE pid = pg_backend_pid()`)
		if got != `"`+secure+`"` {
			t.Errorf("%s: TLS is %s", said, got)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestAServerThatRefusesIsReached checks that a server without TLS, or without the database, counts as reached.
func TestAServerThatRefusesIsReached(t *testing.T) {
	server := postgrestest.Need(t)
	for said, address := range map[string]string{
		"refused TLS":    server.Address(server.Database(t, ""), "sslmode=require"),
		"does not exist": server.Address("none-such"),
	} {
		_, err := newServer(t.Context(), address, Options{}, false)
		if err == nil || Unreached(err) || !strings.Contains(err.Error(), "cannot be opened: ") ||
			!strings.Contains(err.Error(), said) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestWhoHasHeardOfAnEndAsksFirst checks that a connection is pinged before its use only if the server has closed it
// and it was idle for a while.
func TestWhoHasHeardOfAnEndAsksFirst(t *testing.T) {
	t.Parallel()
	config, _, err := parseAddress(emptyDatabase(t))
	check(t, err)
	var conns [2]*pgx.Conn
	for i := range conns {
		if conns[i], err = pgx.ConnectConfig(t.Context(), config.ConnConfig); err != nil {
			t.Fatal(err)
		}
		defer conns[i].Close(t.Context())
	}
	conn := conns[0]
	quiet := stdlib.ShouldPingParams{Conn: conn, IdleDuration: time.Minute}
	for range 3 {
		if needsPing(t.Context(), quiet) {
			t.Error("a connection that stands is in doubt")
		}
		if _, err := conn.Exec(t.Context(), "SELECT 1"); err != nil {
			t.Errorf("it was looked at, and then: %v", err)
		}
	}
	if _, err := conns[1].Exec(t.Context(), "SELECT pg_terminate_backend($1)", conn.PgConn().PID()); err != nil {
		t.Fatal(err)
	}
	if needsPing(t.Context(), stdlib.ShouldPingParams{Conn: conn}) {
		t.Error("who has just used a connection asks whether it stands")
	}
	for began := time.Now(); !needsPing(t.Context(), quiet); time.Sleep(time.Millisecond) {
		if time.Since(began) > fakes.Patience {
			t.Fatal("nobody doubts a connection that has ended")
		}
	}
}

// TestEarlyAnswersAreToTheirQueries checks that each of many queries announced in one transaction gets its own answer.
// Among their arguments are numbers that are not valid Unicode characters.
func TestEarlyAnswersAreToTheirQueries(t *testing.T) {
	t.Parallel()
	db := open(t, emptyDatabase(t))
	const query = `SELECT $1::bigint`
	check(t, db.View(t.Context(), func(tx *Tx) error {
		for _, first := range []int64{1, 0xD800, 0x110000, 1 << 40} {
			for n := first; n < first+maxAnnounced; n++ {
				tx.Ahead(query, n)
				var got int64
				err := tx.Rows(query, []any{n}, func(row Row) error { return row.Scan(&got) })
				if err != nil || got != n {
					return fmt.Errorf("%d is read as %d, %v", n, got, err)
				}
			}
		}
		if kept := len(tx.on.(*pipeline).announced); kept > maxAnnounced {
			return fmt.Errorf("%d early answers are kept", kept)
		}
		return nil
	}))
}

// TestConnectionsAreTakenInTurn makes eight goroutines take the only connection again and again: while one waits for
// it, the others get it only a few times.
func TestConnectionsAreTakenInTurn(t *testing.T) {
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, ""), "pool_max_conns=1"))
	var turns, late atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				began := turns.Load()
				err := db.View(t.Context(), func(tx *Tx) error {
					if turns.Add(1)-began > 48 {
						late.Add(1)
					}
					var n int
					return tx.get(`SELECT 1`, &n)
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := late.Load(); n > 3 { // the scheduler may stop a goroutine before it begins to wait
		t.Errorf("48 others came first %d times", n)
	}
}

// TestASchemaOfAnyName uses a schema whose name has to be quoted in SQL.
func TestASchemaOfAnyName(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	database := server.Database(t, "")
	usual := open(t, server.Address(database))
	runStatement(t, usual, `CREATE SCHEMA "an Other"`)
	address := server.Address(database, `search_path=%22an%20Other%22`)
	if err := open(t, address).Close(); err != nil {
		t.Error(err)
	}
	named := open(t, address)
	if faults, err := named.Faults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("faults: %v, %v", faults, err)
	}
	for _, db := range []DB{usual, named} {
		var tables []Table
		err := db.View(t.Context(), func(tx *Tx) (err error) {
			tables, err = tx.Tables()
			if err != nil {
				return err
			}
			strays, err := tx.StrayReferences()
			if err != nil {
				return err
			}
			return tx.Rows(strays, nil, func(row Row) error {
				t.Errorf("strays: %v", row)
				return nil
			})
		})
		if err != nil || len(tables) < 20 {
			t.Errorf("%d tables: %v", len(tables), err)
		}
	}
}

// TestRefusedTLSIsAnAnswerWhereAllTriesEndSo checks that a server which refuses TLS counts as reached, unless a try
// without TLS failed in another way.
func TestRefusedTLSIsAnAnswerWhereAllTriesEndSo(t *testing.T) {
	refused := errors.New("server refused TLS connection")
	for want, tries := range map[bool][]error{true: {io.EOF, refused}, false: {refused, refused}} {
		err := asServer(oneLine{fmt.Errorf("connect: %w", errors.Join(tries...))})
		if got := Unreached(err); got != want {
			t.Errorf("%v: unreached is %v", err, got)
		}
	}
}

// kindOf returns the kind of an error as a word, or "passing" and its text if a retry may help.
func kindOf(err error) string {
	switch {
	case errors.Is(err, ErrRefused):
		return "refused"
	case errors.Is(err, ErrDamaged):
		return "damaged"
	}
	return "passing: " + err.Error()
}

// check ends the test on an error.
var check = fakes.Check
