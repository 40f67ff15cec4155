package store_test

import (
	"errors"
	"slices"
	"testing"

	"knobel/store"
)

// boardAt2 returns a new store and a table of it in version 4, whose board shows version 2 in the message "m".
func boardAt2(t *testing.T) (s *store.Store, at store.Table) {
	t.Helper()
	s, at = openNew(t), lobby("test:1/1")
	at.Version, at.Board.Drawn, at.Board.Message = 4, 2, "m"
	at.ID = updateResult(t, s, func(tx *store.Tx) (int64, error) { return tx.Tables.AddTable(at) })
	return s, at
}

// TestTwoDrawOneBoard checks two drawings made from the same stored board, of which the platform may show either one:
// the board stays stale, or the second message is ignored.
func TestTwoDrawOneBoard(t *testing.T) {
	type drawing struct {
		version int64
		message string
	}
	for _, c := range []struct {
		first, second, stands drawing
		stored                bool // the second drawing is stored
	}{
		{drawing{3, "m"}, drawing{4, "m"}, drawing{3, "m"}, true},
		{drawing{4, "m"}, drawing{3, "m"}, drawing{3, "m"}, true},
		{drawing{4, "m"}, drawing{4, "m"}, drawing{4, "m"}, true}, // the same drawing twice
		{drawing{3, "m"}, drawing{4, "new"}, drawing{4, "new"}, true},
		{drawing{4, "new"}, drawing{4, "m"}, drawing{4, "new"}, false},
		{drawing{4, "new"}, drawing{4, "newer"}, drawing{4, "new"}, false},
		{drawing{3, "new"}, drawing{4, "new"}, drawing{3, "new"}, true}, // the second edits the message of the first
	} {
		for _, known := range []bool{false, true} { // whether the table is in the cache
			s, at := boardAt2(t)
			draws := func(d drawing) (stored, lags bool) {
				update(t, s, func(tx *store.Tx) (err error) {
					if known {
						_, err = tx.Tables.Table(at.ID)
					}
					of := store.Drawing{Table: at.ID, Version: d.version, Place: at.Place, Ref: d.message,
						Was: store.Board{Drawn: 2, Message: "m"}}
					return errors.Join(err, tx.Tables.Drawn(of, func(behind bool) { stored, lags = true, behind }))
				})
				return stored, lags
			}
			if stored, lags := draws(c.first); !stored || lags != (c.first.version < 4) {
				t.Errorf("%v: the first is stored: %v, lags: %v", c, stored, lags)
			}
			if stored, lags := draws(c.second); stored != c.stored || lags != (stored && c.stands.version < 4) {
				t.Errorf("%v: the second is stored: %v, lags: %v", c, stored, lags)
			}
			update(t, s, func(tx *store.Tx) error {
				now, err := tx.Tables.Table(at.ID)
				if (drawing{now.Board.Drawn, now.Board.Message}) != c.stands {
					t.Errorf("%v: stored is version %d in %s", c, now.Board.Drawn, now.Board.Message)
				}
				return err
			})
		}
	}
}

// TestABoardThatWasPostedAnew checks that a reposted board is at its new message and is not reposted again, and that a
// drawing for a place that the table has left changes nothing.
func TestABoardThatWasPostedAnew(t *testing.T) {
	s, at := boardAt2(t)
	at.Board.Repost = true
	is := store.Drawing{Table: at.ID, Version: 4, Place: at.Place, Ref: "new", Was: at.Board, Posted: 1_700_000_000_077}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Tables.SaveTable(at), tx.Tables.Drawn(is, func(bool) {}))
	})
	now := func() (now store.Table) {
		view(t, s, func(tx *store.Tx) (err error) {
			now, err = tx.Tables.Table(at.ID)
			return err
		})
		return now
	}
	if b := now().Board; b.Message != "new" || b.Posted != is.Posted || b.Repost || b.Drawn != 4 {
		t.Errorf("the board is %+v", b)
	}
	update(t, s, func(tx *store.Tx) error {
		is.Was = now().Board
		return errors.Join(tx.Tables.MoveTable(at.ID, "test:1/2"), tx.Tables.Drawn(is, func(bool) {
			t.Error("a drawing is stored of a table that has left the place")
		}))
	})
	if b := now().Board; b.Message != "" || b.Drawn != 0 {
		t.Errorf("the board is %+v", b)
	}
}

// TestListsOfSomeChats checks that Lagging returns only tables of chats that Only admits, as many as limit allows.
func TestListsOfSomeChats(t *testing.T) {
	s := openNew(t)
	update(t, s, func(tx *store.Tx) error {
		for _, of := range []string{"test:1", "test:2", "test:1", "test:3"} {
			at := lobby(of + "/1")
			at.Chat, at.Version = of, 2
			for at.Place = of + "/1"; ; at.Place += "1" {
				if _, err := tx.Tables.TableAt(at.Place); err != nil {
					break
				}
			}
			if _, err := tx.Tables.AddTable(at); err != nil {
				return err
			}
		}
		return nil
	})
	view(t, s, func(tx *store.Tx) error {
		tx.Only(func(chat string) bool { return chat == "test:1" })
		for limit, want := range map[int]int{1: 1, 2: 2, 10: 2} {
			lagging, err := tx.Tables.Lagging("test:", 0, limit)
			if err != nil {
				return err
			}
			if len(lagging) != want || lagging[0].Chat != "test:1" || lagging[want-1].Chat != "test:1" {
				t.Errorf("of %d there are %v", limit, lagging)
			}
		}
		tx.Only(nil)
		lagging, err := tx.Tables.Lagging("test:", 0, 10)
		if len(lagging) != 4 {
			t.Errorf("of all chats there are %v", lagging)
		}
		return err
	})
}

// TestLeasesOnBothEngines checks on files and servers that one replica holds a lease until it expires or is returned,
// and that its fence counts the holders.
func TestLeasesOnBothEngines(t *testing.T) {
	s := openNew(t)
	const minute = 60_000
	now := int64(1_000_000) // the present time for SQLite; a server uses its own clock
	is := func(holder string, fence int64, ended bool) store.Lease {
		t.Helper()
		var all []store.Lease
		view(t, s, func(tx *store.Tx) (err error) {
			all, err = tx.Leases.Leases(now)
			all = slices.DeleteFunc(all, func(l store.Lease) bool { return l.Name != "chats 1" })
			return err
		})
		if want := (store.Lease{Name: "chats 1", Holder: holder, Fence: fence, Ended: ended}); len(all) != 1 ||
			all[0] != want {
			t.Fatalf("the leases are %+v, not %+v", all, want)
		}
		return all[0]
	}
	take := func(by string, lasts int64) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error { return tx.Leases.TakeLease("chats 1", by, now, lasts) })
	}
	take("a", minute)
	take("b", minute)
	of := is("a", 1, false)
	write := func(under store.Lease) error {
		return s.UpdateOf(t.Context(), store.OfAll.Under(under), func(tx *store.Tx) error {
			return tx.Chats.SaveSetting("written", under.Holder)
		})
	}
	if err := write(of); err != nil {
		t.Error(err)
	}
	update(t, s, func(tx *store.Tx) error { return tx.Leases.RenewLeases("a", now, -1) }) // expired 1 ms ago
	is("a", 1, true)
	if err := write(of); err != nil {
		t.Errorf("nobody has taken it, yet: %v", err)
	}
	take("b", minute)
	by := is("b", 2, false)
	if err := write(of); err == nil || write(by) != nil {
		t.Errorf("under a lease that is lost: %v", err)
	}
	update(t, s, func(tx *store.Tx) error { return tx.Leases.ReturnLease(of, now, 0) }) // another holds it now
	is("b", 2, false)
	update(t, s, func(tx *store.Tx) error { return tx.Leases.ReturnLease(by, now, minute) })
	take("a", minute) // too early: the lease has not expired
	is("", 2, false)
	if err := write(by); err == nil {
		t.Error("it was written under a lease that was given back")
	}
	update(t, s, func(tx *store.Tx) error { return tx.Leases.DropLeases("chats", now, 0) })
	is("", 2, false)
	update(t, s, func(tx *store.Tx) error { return tx.Leases.RenewLeases("", now, -minute) })
	update(t, s, func(tx *store.Tx) error { return tx.Leases.DropLeases("here for ", now, 0) })
	is("", 2, true)
	update(t, s, func(tx *store.Tx) error { return tx.Leases.DropLeases("chats", now, 0) })
	update(t, s, func(tx *store.Tx) error { return tx.Leases.TakeLease("chats 1", "c", now, minute) })
	is("c", 1, false)
}

// TestBoardsBesideTheVersionBefore checks that this version and the one before, which stores boards in columns of
// tables, read each other's changes.
func TestBoardsBesideTheVersionBefore(t *testing.T) {
	t.Parallel()
	s := onServer(t)
	at := addPlaying(t, s, "test:1/1")
	before := func(statement string, want store.Board, place string) {
		t.Helper()
		store.Behind(t, s, statement)
		if table := tableOf(t, s, 1); table.Board != want || table.Place != place {
			t.Errorf("%s: this version reads %+v at %s, not %+v", statement, table.Board, table.Place, want)
		}
	}
	now := func(want string, change func(tx *store.Tx) error) {
		t.Helper()
		update(t, s, change)
		var got string
		err := openRaw(t, s.File()).QueryRow(`SELECT CONCAT_WS(' ', drawn, board, behind, away, posted, repost, page,
			seen_turn - 1, tapped, tapper, place, drawer) FROM tables WHERE id = 1 AND seen IS NULL`).Scan(&got)
		if err != nil || got != want {
			t.Errorf("the version before reads %q, not %q (%v)", got, want, err)
		}
	}
	at.Outdate(3000)
	at.Board.Page, at.Board.Seen, at.Board.Tapped, at.Board.Tapper = "end", 4, 2900, 1
	save := func(tx *store.Tx) error { return tx.Tables.SaveTable(at) }
	now("0  1000 f 900 f rules 0 0 0 test:1/1 ", save) // there is no replica of the previous version
	join := func(lease string) {
		store.Behind(t, s, `INSERT INTO leases (name, holder, fence, ends) VALUES ('`+lease+`', '', 1, 0)`)
	}
	join("replica boards x")
	now("0  1000 f 900 f rules 0 0 0 test:1/1 ", save)
	join("replica before")
	now("0  1000 f 900 f end 4 2900 1 test:1/1 ", func(*store.Tx) error { return nil })
	before(`UPDATE tables SET drawer = 'another', drawing = 5 WHERE id = 1`, at.Board, at.Place)
	now("0  1000 f 900 f end 4 2900 1 test:1/1 another", save)
	now("2 test:m 1000 f 900 f end 4 2900 1 test:1/1 ", func(tx *store.Tx) error { return drawAs(tx, at, 2, "test:m") })
	is := store.Board{Drawn: 2, Message: "test:m", Posted: 900, Behind: 5000, Tapped: 2900, Tapper: 1, Seen: 5}
	before(`UPDATE tables SET version = 3, page = '', behind = 5000, drawn = 2, board = 'test:m', away = FALSE,
		seen = NULL, seen_turn = 6 WHERE id = 1`, is, at.Place)
	is.Drawn, is.Message, is.Behind, is.Posted = 3, "test:n", 0, 6000
	before(`UPDATE tables SET drawn = 3, board = 'test:n', behind = changed, posted = 6000 WHERE id = 1`, is, at.Place)
	is.Away = true
	before(`UPDATE tables SET away = TRUE WHERE id = 1`, is, at.Place)
	is.Drawn, is.Message, is.Behind, is.Away = 0, "", 1000, false
	before(`UPDATE tables SET place = 'test:1/2', board = '', drawn = 0, version = version + 1, away = FALSE WHERE id = 1`,
		is, "test:1/2")
	const moved = "0  1000 f 6000 f  5 2900 1 test:1/3 "
	now(moved, func(tx *store.Tx) error { return tx.Tables.MoveTable(1, "test:1/3") })
	now(moved, func(tx *store.Tx) error { return tx.Upkeep.Migrate(at.Chat, "test:other", newPlaceOf) })
	store.Behind(t, s, `INSERT INTO tables (id, chat, place, game, rules, stake, unit, state, draft, commitment, seed,
		thrown, turn, box_in, box_out, version, changed, opened, page, drawn, board, away, behind, posted)
		VALUES (9, 'test:other', 'test:9', 'coin', '{}', 0, 'chips', 'lobby', '', '', '', 0, 0, 0, 0, 1, 7, 7, '', 0, '',
		FALSE, 7, 7)`)
	if table := tableOf(t, s, 9); table.Board != (store.Board{Posted: 7, Behind: 7, Tapper: -1}) {
		t.Errorf("added by the version before: %+v", table.Board)
	}
	versions := func() (all string) {
		check(t, openRaw(t, s.File()).QueryRow(`SELECT STRING_AGG(xmin::TEXT, ' ') FROM tables`).Scan(&all))
		return all
	}
	store.Behind(t, s, `DELETE FROM leases WHERE name = 'replica before'`)
	was := versions()
	if join("replica before"); versions() != was {
		t.Error("a replica that joins again and has missed nothing changes tables")
	}
	wantNoFaults(t, s)
}
