package store_test

import (
	"errors"
	"slices"
	"testing"

	"knobel/store"
)

// shared is a table whose board several replicas draw.
type shared struct {
	t  *testing.T
	s  *store.Store
	of store.Table
}

// sharedTable is a new one, in a version.
func sharedTable(t *testing.T, version int64) *shared {
	t.Helper()
	d := &shared{t: t, s: fresh(t), of: lobby("test:1/1")}
	d.of.Version = version
	update(t, d.s, func(tx *store.Tx) (err error) {
		d.of.ID, err = tx.Tables.AddTable(d.of)
		return err
	})
	return d
}

// now is the table as it is stored.
func (d *shared) now() (t store.Table) {
	d.t.Helper()
	view(d.t, d.s, func(tx *store.Tx) (err error) {
		t, err = tx.Tables.Table(d.of.ID)
		return err
	})
	return t
}

func (d *shared) claims(by string, until int64) {
	d.t.Helper()
	update(d.t, d.s, func(tx *store.Tx) error { return tx.Tables.ClaimDrawing(d.of.ID, by, until) })
}

// draws has a replica say that it has drawn a version, and wants the newest version told.
func (d *shared) draws(by string, version int64, still bool) {
	d.t.Helper()
	is := store.Drawing{Table: d.of.ID, Version: version, Place: d.of.Place, Ref: "test:m1", By: by, Still: still}
	for _, known := range []bool{false, true} {
		var newest int64
		update(d.t, d.s, func(tx *store.Tx) (err error) {
			if known { // the cache of a file knows it
				_, err = tx.Tables.Table(d.of.ID)
			}
			if err == nil {
				err = tx.Tables.Drawn(is, func(now int64, _ string) { newest = now })
			}
			return err
		})
		if newest != d.of.Version {
			d.t.Errorf("the newest version is %d, not %d", newest, d.of.Version)
		}
		if !still {
			return // by then the claim is gone
		}
	}
}

// is checks which version counts as drawn, and who is to draw.
func (d *shared) is(drawn int64, drawer string) {
	d.t.Helper()
	if t := d.now(); t.Board.Drawn != drawn || t.Board.Drawer != drawer {
		d.t.Errorf("version %d counts as drawn, not %d; %q draws, not %q", t.Board.Drawn, drawn, t.Board.Drawer, drawer)
	}
}

func TestWhoHasClaimedABoardDrawsIt(t *testing.T) {
	const version = 4
	d := sharedTable(t, version)
	d.claims("a", 5000)
	d.is(0, "a")
	at := d.now()
	if !at.DrawnBy("b", 4999) || at.DrawnBy("a", 4999) || at.DrawnBy("b", 5000) {
		t.Errorf("it is drawn by %q until %d", at.Board.Drawer, at.Board.Drawing)
	}
	if d.claims("a", 100_000); d.now().DrawnBy("b", 5000) {
		t.Error("one whose clock is wrong keeps others from drawing for long")
	}
	d.claims("a", 5000)
	d.draws("a", version, true)
	d.is(version, "a") // who draws it once more
	d.draws("a", version, false)
	d.is(version, "")
	if d.now().DrawnBy("b", 4999) {
		t.Error("somebody is about to draw what is drawn")
	}
	update(t, d.s, func(tx *store.Tx) error { // what is written of a table leaves the claim as it is
		at, err := tx.Tables.Table(d.of.ID)
		if err != nil {
			return err
		}
		if err := tx.Tables.ClaimDrawing(at.ID, "b", 7000); err != nil {
			return err
		}
		return tx.Tables.SaveTable(at)
	})
	if at := d.now(); at.Board.Drawer != "b" || at.Board.Drawing != 7000 {
		t.Errorf("the claim is %q's until %d", at.Board.Drawer, at.Board.Drawing)
	}
}

// A claim is stored with the table that was saved just before, or by itself, and what the transaction reads then is
// what it has written.
func TestAClaimIsSeenAtOnce(t *testing.T) {
	d := sharedTable(t, 4)
	other := lobby("test:1/2")
	update(t, d.s, func(tx *store.Tx) (err error) {
		other.ID, err = tx.Tables.AddTable(other)
		return err
	})
	for until, between := range []func(tx *store.Tx) error{
		func(*store.Tx) error { return nil },
		func(tx *store.Tx) error { return tx.Tables.SaveTable(other) },
		func(tx *store.Tx) error { return tx.Chats.SaveSetting("between", "yes") },
	} {
		update(t, d.s, func(tx *store.Tx) error {
			at, err := tx.Tables.Table(d.of.ID)
			if err != nil {
				return err
			}
			at.Turn++
			err = errors.Join(tx.Tables.SaveTable(at), between(tx), tx.Tables.ClaimDrawing(at.ID, "a", int64(until)))
			if err != nil {
				return err
			}
			now, err := tx.Tables.Table(at.ID)
			if now.Turn != at.Turn || now.Board.Drawer != "a" || now.Board.Drawing != int64(until) {
				t.Errorf("turn %d is drawn by %q until %d", now.Turn, now.Board.Drawer, now.Board.Drawing)
			}
			another, err2 := tx.Tables.DrawnBy(at.ID, "b", int64(until)-1)
			if !another {
				t.Error("nobody is about to draw it")
			}
			return errors.Join(err, err2)
		})
		if at := d.now(); at.Turn != int64(until)+1 || at.Board.Drawing != int64(until) {
			t.Errorf("stored is turn %d, drawn until %d", at.Turn, at.Board.Drawing)
		}
	}
}

// What another has claimed is known from what was read before, also once the table was written otherwise.
func TestWhoDrawsIsKnownFromWhatWasRead(t *testing.T) {
	d := sharedTable(t, 4)
	d.claims("a", 5000)
	update(t, d.s, func(tx *store.Tx) error {
		at, err := tx.Tables.Table(d.of.ID)
		if err == nil {
			err = tx.Tables.SaveTable(at)
		}
		if err != nil {
			return err
		}
		for by, want := range map[string]bool{"a": false, "b": true} {
			if another, err := tx.Tables.DrawnBy(at.ID, by, 4999); err != nil || another != want {
				t.Errorf("for %s: %v, %v", by, another, err)
			}
		}
		err = tx.Tables.Drawn(store.Drawing{Table: at.ID, Version: 4, Place: at.Place, Ref: "test:m1", By: "a"},
			func(int64, string) {})
		if err != nil {
			return err
		}
		if another, err := tx.Tables.DrawnBy(at.ID, "b", 4999); err != nil || another {
			t.Errorf("somebody is about to draw what was just drawn: %v", err)
		}
		return errors.Join(tx.Tables.ClaimDrawing(at.ID, "a", 5000), tx.Tables.MoveTable(at.ID, "test:1/3"))
	})
	update(t, d.s, func(tx *store.Tx) error {
		another, err := tx.Tables.DrawnBy(d.of.ID, "b", 4999)
		if !another {
			t.Error("who has claimed it is not known of a table that was not read")
		}
		return err
	})
}

// A board that was posted anew stands where it was posted, and is not to be posted again.
func TestABoardThatWasPostedAnew(t *testing.T) {
	for _, by := range []string{"", "a"} {
		d := sharedTable(t, 4)
		update(t, d.s, func(tx *store.Tx) error {
			at, err := tx.Tables.Table(d.of.ID)
			at.Board.Repost = true
			return errors.Join(err, tx.Tables.SaveTable(at), tx.Tables.ClaimDrawing(at.ID, by, 5000))
		})
		is := store.Drawing{Table: d.of.ID, Version: 4, Place: d.of.Place, Ref: "test:m1", By: by,
			Posted: 1_700_000_000_077}
		for _, ref := range []string{"test:m1", "test:m2"} {
			if ref == "test:m2" {
				is.Version, is.Ref, is.Posted = 3, ref, 1_700_000_000_088 // an older one that comes late
			}
			update(t, d.s, func(tx *store.Tx) error {
				return tx.Tables.Drawn(is, func(_ int64, board string) {
					if board != "test:m1" {
						t.Errorf("by %q: the board stands in %s", by, board)
					}
				})
			})
			if at := d.now(); at.Board.Message != "test:m1" || at.Board.Posted != 1_700_000_000_077 || at.Board.Repost {
				t.Errorf("by %q: it stands in %s since %d, to be posted: %v", by, at.Board.Message, at.Board.Posted,
					at.Board.Repost)
			}
		}
	}
}

// Nobody knows which of two drawings a platform has got last where a claim was lost: both draw again, and that is all.
func TestABoardOfALostClaimLagsBehind(t *testing.T) {
	const version = 4
	d := sharedTable(t, version)
	d.claims("a", 5000)
	d.claims("b", 9000) // a was slow
	d.draws("b", version, false)
	d.is(version, "")
	d.draws("a", version, false) // which had lost its claim: its older drawing may have come last
	d.is(version-1, "")
	view(t, d.s, func(tx *store.Tx) error {
		lagging, err := tx.Tables.Lagging("test:", 10)
		if len(lagging) != 1 || lagging[0] != (store.Row{ID: d.of.ID, Chat: d.of.Chat}) {
			t.Errorf("lagging are %v", lagging)
		}
		return err
	})
	d.claims("b", 12000)
	d.draws("a", version, false) // while b draws
	d.is(version-1, "")
	d.draws("b", version, false) // and loses its claim by that
	d.is(version-1, "")
	d.claims("b", 15000)
	d.draws("b", version, false)
	d.is(version, "")
	// Where the table has moved, nobody who drew it elsewhere has lost anything.
	d.claims("a", 20000)
	update(t, d.s, func(tx *store.Tx) error { return tx.Tables.MoveTable(d.of.ID, "test:1/2") })
	before := d.now().Board.Drawn
	d.of.Version = d.now().Version
	d.draws("b", version, false)
	d.is(before, "a")
}

// What is listed for loops is of some chats alone, however many others there are.
func TestListsOfSomeChats(t *testing.T) {
	s := fresh(t)
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
			lagging, err := tx.Tables.Lagging("test:", limit)
			if err != nil {
				return err
			}
			if len(lagging) != want || lagging[0].Chat != "test:1" || lagging[want-1].Chat != "test:1" {
				t.Errorf("of %d there are %v", limit, lagging)
			}
		}
		tx.Only(nil)
		lagging, err := tx.Tables.Lagging("test:", 10)
		if len(lagging) != 4 {
			t.Errorf("of all chats there are %v", lagging)
		}
		return err
	})
}

// A lease is one replica's until it ends or is given back, whatever the engine, and its fence counts the holders.
func TestLeasesOnBothEngines(t *testing.T) {
	s := fresh(t)
	const minute = 60_000
	now := int64(1_000_000) // of a file: a server has a clock of its own
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
	update(t, s, func(tx *store.Tx) error { return tx.Leases.RenewLeases("a", now, -1) }) // it has ended a moment ago
	is("a", 1, true)
	if err := write(of); err != nil {
		t.Errorf("nobody has taken it, yet: %v", err)
	}
	take("b", minute)
	by := is("b", 2, false)
	if err := write(of); err == nil || write(by) != nil {
		t.Errorf("under a lease that is lost: %v", err)
	}
	update(t, s, func(tx *store.Tx) error { return tx.Leases.ReturnLease(of, now, 0) }) // which is another's
	is("b", 2, false)
	update(t, s, func(tx *store.Tx) error { return tx.Leases.ReturnLease(by, now, minute) })
	take("a", minute) // too early
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
