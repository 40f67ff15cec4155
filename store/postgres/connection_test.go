package postgres

import (
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"

	"knobel/store/engine"
	"knobel/store/postgres/postgrestest"
)

// asItIs turns nothing into columns.
type asItIs struct{}

func (asItIs) Encode(any) (driver.Value, bool, error) { return nil, false, nil }

func (asItIs) Decode(driver.Value, any) (bool, error) { return false, nil }

// TestAConnectionKeepsWhatItRemembers wants one converter for each connection, not for each transaction: what it has
// sealed and opened need not be sealed and opened again.
func TestAConnectionKeepsWhatItRemembers(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	var made atomic.Int64
	db := with(t, server.Address(server.Database(t, ""), "pool_max_conns=2"), engine.Options{
		Convert: func() engine.Converter {
			made.Add(1)
			return asItIs{}
		}})
	for range 20 {
		if err := errors.Join(db.Update(t.Context(), "", change), db.View(t.Context(), change)); err != nil {
			t.Fatal(err)
		}
	}
	const most = 2 + 3 // those of the pool, and those for leases
	if n := made.Load(); n < 1 || n > most {
		t.Errorf("%d converters were made for %d connections at most", n, most)
	}
}
