package store_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"knobel/store"
)

// TestChangesReadWhatIsStored checks that a change reads a table as a view without a cache does, after each write.
func TestChangesReadWhatIsStored(t *testing.T) {
	t.Parallel()
	next := func(table store.Table) store.Table {
		table.Rules = map[string]string{"tiles": "12"}
		table.Seats = append(table.Seats[:1:1], store.Seat{Player: "test:clara", Name: "Clara", Entropy: "c",
			Missed: 2})
		table.Match, table.Dice.Seed, table.Stake, table.Draft = []byte{}, []byte("another"), 20, ""
		table.Version, table.Board.Tapped, table.Turn, table.Clock.TurnLimit = 9, 3, 4, 60_000
		// SaveTable does not store these fields.
		table.Board.Drawn, table.Board.Message, table.Board.Posted = 3, "test:message", 5
		table.Opened, table.Ending.MovesDropped, table.Ending.Ended, table.Ending.Evening, table.Ending.Season = 1,
			true, 2, 3, 4
		return table
	}
	for what, do := range map[string]func(tx *store.Tx, table store.Table) error{
		"saved": func(tx *store.Tx, table store.Table) error { return tx.Tables.SaveTable(next(table)) },
		"saved twice": func(tx *store.Tx, table store.Table) error {
			return errors.Join(tx.Tables.SaveTable(next(table)), tx.Tables.SaveTable(table))
		},
		"drawn": func(tx *store.Tx, table store.Table) error {
			return drawAs(tx, table, table.Version, "test:new")
		},
		"drawn too late": func(tx *store.Tx, table store.Table) error { return drawAs(tx, table, -1, "test:late") },
		"moved": func(tx *store.Tx, table store.Table) error {
			return tx.Tables.MoveTable(table.ID, "test:elsewhere")
		},
		"lost":     func(tx *store.Tx, table store.Table) error { return tx.Tables.LosePlace(table.Chat, "") },
		"finished": func(tx *store.Tx, table store.Table) error { _, err := finish(tx, table); return err },
		"with its people": func(tx *store.Tx, _ store.Table) error {
			_,
				err := tx.Upkeep.Forget("test:ben")
			return err
		},
		"in another chat": func(tx *store.Tx, table store.Table) error {
			return tx.Upkeep.Migrate(table.Chat, "test:other", func(place string) string { return place + "2" })
		},
		"written into": func(tx *store.Tx, table store.Table) error {
			read, err := tx.Tables.Table(table.ID)
			again, err2 := tx.Tables.Table(table.ID)
			err = errors.Join(err, err2, tx.Tables.SaveTable(again))
			for _, t := range []store.Table{read, again} {
				t.Rules["tiles"], t.Seats[0].Name, t.Dice.Seed[0], t.Match[0] = "10", "Otto", 'x', 'x'
			}
			return err
		},
	} {
		for _, end := range []error{nil, errNo} {
			t.Run(what, func(t *testing.T) {
				s := openNew(t)
				table := addPlaying(t, s, "test:place")
				wantSameTable(t, s, table.ID)
				err := s.Update(t.Context(), func(tx *store.Tx) error { return errors.Join(do(tx, table), end) })
				if (err == nil) != (end == nil) {
					t.Fatal(err)
				}
				wantSameTable(t, s, table.ID)
			})
		}
	}
}

// TestTablesStayAtHand checks that a press leaves other tables in the cache.
func TestTablesStayAtHand(t *testing.T) {
	s := openNew(t)
	for i, place := range []string{"test:one", "test:two", "test:three"} {
		table := addPlaying(t, s, place)
		for n := range int64(2) {
			update(t, s, func(tx *store.Tx) error { return press(tx, table.ID, 10*table.ID+n) })
			update(t, s, func(tx *store.Tx) error { return drawAs(tx, table, table.Version, "test:message") })
		}
		if at := s.Cached(); at != i+1 {
			t.Errorf("%d tables are at hand, %d were pressed at", at, i+1)
		}
	}
}

// TestChangesReadWhatOthersHaveWritten checks that changes read what other programs have written to the database.
func TestChangesReadWhatOthersHaveWritten(t *testing.T) {
	s := openNew(t)
	table := addPlaying(t, s, "test:place")
	wantSameTable(t, s, table.ID)
	tamper(t, s, "UPDATE tables SET stake = 77", "UPDATE seats SET name = 'Otto' WHERE seat = 0")
	if read := wantSameTable(t, s, table.ID); read.Stake != 77 || read.Seats[0].Name != "Otto" {
		t.Errorf("read %+v", read)
	}
}

// TestChangesDoNotReadWhatWasRolledBack checks that no rolled-back table stays in the cache.
func TestChangesDoNotReadWhatWasRolledBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openNew(t)
		table := addPlaying(t, s, "test:place")
		l := blockQueue(t, s)
		for _, end := range []error{nil, errNo} {
			l.add(func() {
				_ = s.Update(context.Background(), func(tx *store.Tx) error {
					read, err := tx.Tables.Table(table.ID)
					read.Turn++
					return errors.Join(err, tx.Tables.SaveTable(read), end)
				})
			})
		}
		l.add(func() {
			update(t, s, func(tx *store.Tx) error {
				read, err := tx.Tables.Table(table.ID)
				if read.Turn != table.Turn+1 {
					t.Errorf("read turn %d", read.Turn)
				}
				return err
			})
		})
		l.run()
		wantSameTable(t, s, table.ID)
	})
}

// wantSameTable checks that a change and a view read the same table, and returns it.
func wantSameTable(t *testing.T, s *store.Store, id int64) (in store.Table) {
	t.Helper()
	beside := viewResult(t, s, func(tx *store.Tx) (store.Table, error) { return tx.Tables.Table(id) })
	update(t, s, func(tx *store.Tx) (err error) {
		in, err = tx.Tables.Table(id)
		return err
	})
	if diff := cmp.Diff(beside, in); diff != "" {
		t.Errorf("a change reads otherwise than a view: %s", diff)
	}
	return in
}
