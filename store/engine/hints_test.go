package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// hintChannel returns a channel that gets all hints which db receives until the test ends.
func hintChannel(t *testing.T, db *Server) chan string {
	t.Helper()
	heard := make(chan string, 1000)
	t.Cleanup(db.Hints(func(text string) { heard <- text }))
	return heard
}

// sendHint sends texts as hints of one change.
func (d *Server) sendHint(t *testing.T, texts ...string) {
	t.Helper()
	err := d.Update(t.Context(), "", func(tx *Tx) error {
		for _, text := range texts {
			tx.Hint(text)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// waitForHint sends hints from one database until heard, the channel of another, gets one.
func waitForHint(t *testing.T, from *Server, heard chan string) {
	t.Helper()
	for i, began := 0, time.Now(); time.Since(began) < fakes.Patience; i++ {
		from.sendHint(t, fmt.Sprint("until ", i))
		for again := time.After(10 * time.Millisecond); again != nil; {
			select {
			case <-heard:
				return
			case <-again:
				again = nil
			}
		}
	}
	t.Fatal("nothing is heard")
}

// TestHintsReachOthers sends hints between replicas. The sending process gets them before Update returns. Hints of
// changes that are not committed and hints that are too long are not sent; other schemas and databases get none.
func TestHintsReachOthers(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	database := server.Database(t, "")
	address := server.Address(database)
	one, other := open(t, address, shared), open(t, address, shared)
	if _, err := one.exec(t.Context(), `CREATE SCHEMA "an Other"`); err != nil {
		t.Fatal(err)
	}
	apart := open(t, server.Address(database, `search_path=%22an%20Other%22`), shared)
	elsewhere := open(t, emptyDatabase(t), shared)
	own, others := hintChannel(t, one), hintChannel(t, other)
	strange := []chan string{hintChannel(t, apart), hintChannel(t, elsewhere)}
	waitForHint(t, other, others) // other gets its hints, too
	for _, pair := range []struct {
		from  *Server
		heard chan string
	}{{one, others}, {other, own}, {apart, strange[0]}, {elsewhere, strange[1]}} {
		waitForHint(t, pair.from, pair.heard)
	}
	long := strings.Repeat("x", 7000)
	no := errors.New("no")
	err := one.Update(t.Context(), "", func(tx *Tx) error {
		tx.Hint("never")
		return no
	})
	if err != no {
		t.Error(err)
	}
	ran := 0
	err = one.Update(t.Context(), "", func(tx *Tx) error {
		tx.Hint(fmt.Sprint("run ", ran))
		if ran++; ran < 3 {
			return ErrAgain
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	one.sendHint(t, "a", "b ü 'c", "", long, long+"x", "\xff", "zero\x00")
	want := []string{"run 2", "a", "b ü 'c", long}
	if got := receivedHints(own); !slices.Equal(got, want) {
		t.Errorf("its own process has heard %q when the change returns", got)
	}
	var got []string
	for len(got) < len(want) {
		if text := <-others; !strings.HasPrefix(text, "until") {
			got = append(got, text)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q is heard", got)
	}
	for _, heard := range strange {
		if got := receivedHints(heard); len(got) > 0 {
			t.Errorf("elsewhere %q is heard", got)
		}
	}
}

// receivedHints returns the hints received until now, except those that waitForHint has sent.
func receivedHints(heard chan string) (all []string) {
	for len(heard) > 0 {
		if text := <-heard; !strings.HasPrefix(text, "until") {
			all = append(all, text)
		}
	}
	return all
}

// TestHintsComeAgain cuts the connection of a listener: it listens again by itself, and no change waits meanwhile.
func TestHintsComeAgain(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""))
	proxy := server.Proxy(t)
	one, cut := open(t, address, shared), open(t, proxy.Address(address), shared)
	heard := hintChannel(t, cut)
	stop := cut.Hints(func(string) { t.Error("it does not listen any longer") })
	stop()
	waitForHint(t, one, heard)
	for range 2 {
		proxy.Off()
		one.sendHint(t, "not heard")
		proxy.On()
		waitForHint(t, one, heard)
	}
	if err := errors.Join(cut.Close(), one.Close()); err != nil {
		t.Error(err)
	}
}

// TestNobodySaysAnythingForLong sends no hint for long: the listener pings the server and keeps its connection.
func TestNobodySaysAnythingForLong(t *testing.T) {
	needs.Long(t)
	address := emptyDatabase(t)
	one, other := open(t, address, shared), open(t, address, shared)
	other.hints.silence = time.Millisecond
	heard := hintChannel(t, other)
	waitForHint(t, one, heard)
	listening := func() string {
		all, err := one.queryTexts(t.Context(), `SELECT pid::TEXT FROM pg_stat_activity
			WHERE datname = current_database() AND query = '-- ping'`)
		if err != nil {
			t.Error(err)
		}
		return strings.Join(all, " ")
	}
	before := ""
	for before == "" {
		before = listening()
	}
	waitForHint(t, one, heard)
	for after := ""; after != before; {
		if after = listening(); after != "" && after != before {
			t.Fatalf("it was connection %s, and is %s", before, after)
		}
	}
}

// TestHintsNeedNoServer checks that a process gets its hints if it has the database alone, and behind a pooler.
func TestHintsNeedNoServer(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	pooled := fmt.Sprintf("postgres://knobel@127.0.0.1:%d/%s", server.Pooler(t), server.Database(t, ""))
	for _, test := range []struct {
		address string
		options Options
	}{{emptyDatabase(t), Options{}}, {pooled, shared}} {
		db := open(t, test.address, test.options)
		heard := hintChannel(t, db)
		db.sendHint(t, "a")
		if len(heard) != 1 || <-heard != "a" {
			t.Error("it does not hear what it says")
		}
		if ended := make(chan struct{}); test.options.Shared {
			go func() {
				db.hints.listening.Wait()
				close(ended)
			}()
			<-ended // listening ends because of the pooler
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
