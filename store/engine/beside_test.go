package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// adds reads a number that is stored and stores the next one; the row is locked where others may do the same.
func adds(locks bool, read *int64) func(*Tx) error {
	return func(tx *Tx) error {
		note := func(row Row) error {
			var text string
			err := row.Scan(&text)
			*read, _ = strconv.ParseInt(text, 10, 64)
			return err
		}
		const query = `SELECT value FROM settings WHERE name = 'n'`
		var err error
		if locks {
			err = tx.Lock(query, nil, note)
		}
		if err == nil {
			err = tx.Rows(query, nil, note)
		}
		if err == nil {
			err = tx.Run(`UPDATE settings SET value = $1 WHERE name = 'n'`, fmt.Sprint(*read+1))
		}
		return err
	}
}

// TestNobodyWorksBesideWhoIsAlone has processes come and go by chance, to share the database or to have it alone. Some
// stop renewing their lease, as if paused, and continue to change rows when others have come. An exclusive holder
// finds only its own rows, and all stored rows are there at the end.
func TestNobodyWorksBesideWhoIsAlone(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""), "pool_max_conns=2")
	first := withServer(t, address, Options{})
	err := first.Update(t.Context(), "", func(tx *Tx) error {
		return tx.Run(`INSERT INTO settings (name, value) VALUES ('n', '0')`)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	var counted, alone, together, lost atomic.Int64
	process := func(o Options) {
		db, err := newServer(context.Background(), address, o, false)
		if err != nil {
			if !strings.Contains(err.Error(), "another instance") {
				t.Error(err)
			}
			return
		}
		defer db.Close()
		db.held.stop()
		<-db.held.stopped
		db.lives(t, 20*time.Millisecond)
		if o.Shared {
			together.Add(1)
		} else {
			alone.Add(1)
		}
		last := int64(-1)
		for i := range 30 {
			if i == 10 && rand.N(2) == 0 {
				db.dies(t, 0)
			}
			if i > 10 {
				time.Sleep(rand.N(20 * time.Millisecond)) // so that others come meanwhile
			}
			var read int64
			if err := db.Update(context.Background(), "", adds(o.Shared, &read)); err != nil {
				if db.There() == nil && o.Shared {
					t.Errorf("a change of a replica: %v", err)
				}
				lost.Add(1)
				return
			}
			counted.Add(1)
			if !o.Shared && last >= 0 && read != last+1 {
				t.Errorf("it was alone, has stored %d, and finds %d", last+1, read)
			}
			last = read
		}
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 12 {
				process(Options{Shared: rand.N(2) == 0})
			}
		})
	}
	all.Wait()
	end := withServer(t, address, shared)
	var n int64
	if err := end.ask(t.Context(), `SELECT value::BIGINT FROM settings WHERE name = 'n'`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	if n != counted.Load() {
		t.Errorf("%d changes were told to stand, %d do", counted.Load(), n)
	}
	t.Logf("%d were alone, %d together, %d were lost", alone.Load(), together.Load(), lost.Load())
}
