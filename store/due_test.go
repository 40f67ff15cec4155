package store_test

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

func TestTurnsThatAreDue(t *testing.T) {
	s := openNew(t)
	var ids []int64
	for place, due := range map[string]int64{"test:a": 5000, "test:b": 0, "test:c": 4000, "test:d": 3000} {
		table := addPlaying(t, s, place)
		table.Clock.Due, table.Board.Away = due, place == "test:d" // the bot cannot write there
		update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(table) })
		if due > 0 && !table.Board.Away {
			ids = append(ids, table.ID)
		}
	}
	view(t, s, func(tx *store.Tx) error {
		first, err := tx.Tables.NextDue(0)
		if err != nil || first != 4000 {
			t.Errorf("the next is due at %d, %v", first, err)
		}
		if second, err := tx.Tables.NextDue(4000); err != nil || second != 5000 {
			t.Errorf("the one behind it is due at %d, %v", second, err)
		}
		for _, c := range []struct {
			by    int64
			limit int
			many  int
		}{{3999, 9, 0}, {4000, 9, 1}, {5000, 9, 2}, {5000, 1, 1}} {
			found, err := tx.Tables.Due(c.by, store.Row{}, c.limit)
			if err != nil || len(found) != c.many {
				t.Errorf("by %d at most %d: %v, %v", c.by, c.limit, found, err)
			}
			for i, turn := range found {
				if !slices.Contains(ids, turn.ID) {
					t.Errorf("by %d: table %d", c.by, turn.ID)
				}
				if rest, err := tx.Tables.Due(c.by, turn, 9); err != nil || len(rest) != c.many-i-1 && c.limit > 1 {
					t.Errorf("by %d behind %v: %v, %v", c.by, turn, rest, err)
				}
			}
		}
		return nil
	})
	wantNoFaults(t, s)
}

// TestCallsComeBack checks that calls are read as stored, listed when they are due or over, and deleted.
func TestCallsComeBack(t *testing.T) {
	s := openNew(t)
	table := addPlaying(t, s, "test:place")
	due := store.Call{Table: table.ID, Seat: 1, Since: 3, Due: 50, Again: true}
	stands := store.Call{Table: table.ID, Seat: 0, Sent: true, Message: "test:place 9", Over: true, Past: true}
	lost := store.Call{Table: table.ID, Sent: true, Past: true}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Calls.SaveCall(&stands), tx.Calls.SaveCall(&lost), tx.Calls.SaveCall(&due))
	})
	if err := s.Update(t.Context(), func(tx *store.Tx) error {
		return tx.Calls.SaveCall(&store.Call{Table: table.ID, Due: 1})
	}); err == nil {
		t.Error("a table has two present calls")
	}
	wantCalls := func(at int64, wantDue, wantOver []int64, wantNext int64) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			gotDue, err1 := idsOf(tx.Calls.DueCalls("test:", at, 9))
			gotOver, err2 := idsOf(tx.Calls.OverCalls("", 9))
			if elsewhere, err := tx.Calls.DueCalls("other:", at, 9); err != nil || len(elsewhere) > 0 {
				t.Errorf("of another platform: %v, %v", elsewhere, err)
			}
			next, err3 := tx.Calls.NextCall(at)
			if !slices.Equal(gotDue, wantDue) || !slices.Equal(gotOver, wantOver) || next != wantNext {
				t.Errorf("at %d: due %v, over %v, next %d", at, gotDue, gotOver, next)
			}
			return errors.Join(err1, err2, err3)
		})
	}
	wantCalls(49, nil, []int64{stands.ID}, 50)
	wantCalls(50, []int64{due.ID}, []int64{stands.ID}, 0)
	update(t, s, func(tx *store.Tx) error {
		now, err := tx.Calls.CallAt(table.ID)
		if !reflect.DeepEqual(now, due) {
			t.Errorf("read back %+v, want %+v", now, due)
		}
		now.Due, now.Sent, now.Message = 0, true, "test:place 10"
		return errors.Join(err, tx.Calls.SaveCall(&now), tx.Calls.DropCall(stands.ID), tx.Calls.DropCall(lost.ID))
	})
	wantCalls(50, nil, nil, 0)
	view(t, s, func(tx *store.Tx) error {
		for _, gone := range []int64{stands.ID, lost.ID} {
			if _, err := tx.Calls.Call(gone); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("call %d: %v", gone, err)
			}
		}
		now, err := tx.Calls.Call(due.ID)
		if now.Message != "test:place 10" || !now.Sent {
			t.Errorf("it is %+v", now)
		}
		return err
	})
	wantNoFaults(t, s)
}

// TestACallWaitsAfterAMove checks that AddCall delays a call after the seat's own last move and replaces an unsent one.
func TestACallWaitsAfterAMove(t *testing.T) {
	s := openNew(t)
	table := addPlaying(t, s, "test:place")
	unsent := store.Call{}
	for seat, c := range []struct{ due, after, want int64 }{{100, 200, 205}, {100, 20, 100}, {100, 200, 100}} {
		call := store.Call{ID: unsent.ID, Table: table.ID, Seat: seat, Since: int64(3 + seat), Due: c.due}
		update(t, s, func(tx *store.Tx) error {
			if seat == 0 {
				err := errors.Join(tx.Tables.AddMove(table.ID, store.Move{Seat: 0, Move: "throw 2", At: 5}),
					tx.Tables.AddMove(table.ID, store.Move{Seat: 1, Move: "throw 2", At: 6}),
					tx.Tables.AddMove(table.ID, store.Move{Seat: 2, Move: "throw 2", Auto: true, At: 7}))
				if err != nil {
					return err
				}
			}
			return tx.Calls.AddCall(&call, c.after)
		})
		update(t, s, func(tx *store.Tx) error {
			now, err := tx.Calls.CallAt(table.ID)
			want := store.Call{ID: now.ID, Table: table.ID, Seat: seat, Since: int64(3 + seat), Due: c.want}
			if now != want || call != want || unsent.ID != 0 && now.ID != unsent.ID {
				t.Errorf("the call is %+v, and was added as %+v, not %+v (%v)", now, call, want, err)
			}
			unsent = now
			unsent.Again = true // a new call resets this
			return errors.Join(err, tx.Calls.SaveCall(&unsent))
		})
	}
}

func TestFiguresTellWhatThereIsToDo(t *testing.T) {
	s := openNew(t)
	addFinished(t, s, "test:one")
	addLobby(t, s, "test:two")
	lagging := addPlaying(t, s, "test:three")
	update(t, s, func(tx *store.Tx) error {
		lagging.Version, lagging.Changed = 5, 77
		lagging.Clock.Due = 80
		return tx.Tables.SaveTable(lagging)
	})
	f, err := s.Figures(t.Context(), 90, "test:", "other:")
	check(t, err)
	if f.Lobby != 1 || f.Playing != 1 || f.House != 0 || f.Clocks != 1 || f.Late != 1 {
		t.Errorf("there is to do: %+v", f)
	}
	if d := f.Lagging["test:"]; d.Boards == 0 || d.Since == 0 {
		t.Errorf("boards that are behind: %+v", d)
	}
	if d := f.Lagging["other:"]; d != (store.Delay{}) {
		t.Errorf("boards of another platform that are behind: %+v", d)
	}
	if storetest.OnPostgres() {
		if f.File < 1<<20 || f.Log != 0 { // an empty database on a server has about 8 MB
			t.Errorf("the database has %d bytes, its log %d", f.File, f.Log)
		}
		return
	}
	info, err := os.Stat(s.File())
	if err != nil || f.File != info.Size() || f.Log == 0 {
		t.Errorf("the file has %d bytes, its log %d: %v", f.File, f.Log, err)
	}
}

// TestAProbeNoticesAFullDisk checks that Probe fails on a full disk, and succeeds twice in a row once there is room.
func TestAProbeNoticesAFullDisk(t *testing.T) {
	full, file := false, storetest.Empty(t)
	storetest.Use(t, storetest.Disk{Write: func(bool) bool { return !full }})
	s, err := store.Open(t.Context(), file)
	check(t, err)
	defer closeDB(t, s)
	check(t, s.Probe(t.Context()))
	full = true
	if err := s.Probe(t.Context()); err == nil {
		t.Error("nothing was noticed")
	}
	if s.Commits().Failed == 0 {
		t.Error("no commit was counted as failed")
	}
	full = false
	if err := errors.Join(s.Probe(t.Context()), s.Probe(t.Context())); err != nil {
		t.Errorf("it does not recover: %v", err)
	}
}
