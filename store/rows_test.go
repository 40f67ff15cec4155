package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"knobel/store"
)

func TestChatsPlayersAndSettingsComeBack(t *testing.T) {
	s := openNew(t)
	for _, hostile := range []string{"", "Anna", "<b>*_[x](y)@everyone", "\u202eANNA", "👩‍👩‍👧",
		"'; DROP TABLE tables; --"} {
		chat := store.Chat{ID: "test:" + hostile, Language: "de", Unit: hostile, Away: hostile == ""}
		player := store.Player{ID: chat.ID, Person: chat.ID, Name: hostile, Language: "en"}
		for range 2 { // the first time inserts rows, the second updates them
			chat.Away = !chat.Away
			player.Name += "!"
			update(t, s, func(tx *store.Tx) error {
				return errors.Join(tx.Chats.SaveChat(chat), tx.Chats.SavePlayer(player),
					tx.Chats.SaveSetting("x"+hostile, player.Name))
			})
			view(t, s, func(tx *store.Tx) error {
				gotChat, err1 := tx.Chats.Chat(chat.ID)
				gotPlayer, err2 := tx.Chats.Player(player.ID)
				value, err3 := tx.Chats.Setting("x" + hostile)
				if gotChat != chat || gotPlayer != player || value != player.Name {
					t.Errorf("got %+v, %+v and %q", gotChat, gotPlayer, value)
				}
				return errors.Join(err1, err2, err3)
			})
		}
	}
}

// TestTextThatNoDatabaseTakes checks that every engine refuses texts that PostgreSQL cannot store.
func TestTextThatNoDatabaseTakes(t *testing.T) {
	for _, text := range []string{"a\x00b", "\x00", "a\xffb"} {
		s := openNew(t)
		err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.Chats.SaveSetting("x", text) })
		if err == nil || store.Passing(err) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAPlaceHasOneActiveTable(t *testing.T) {
	s := openNew(t)
	first := addLobby(t, s, "test:place")
	if err := s.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Tables.AddTable(lobby("test:place"))
		return err
	}); err == nil {
		t.Fatal("a second table stands at the place")
	}
	elsewhere := addLobby(t, s, "test:other")
	first.State = store.Abandoned
	update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(first) })
	second := addLobby(t, s, "test:place")
	if second.ID <= elsewhere.ID {
		t.Errorf("numbers go back from %d to %d", elsewhere.ID, second.ID)
	}
	view(t, s, func(tx *store.Tx) error {
		at, err1 := tx.Tables.TableAt("test:place")
		last, err2 := tx.Tables.TableHere("test:place")
		if at.ID != second.ID || last.ID != second.ID {
			t.Errorf("there stand %d and %d, want %d", at.ID, last.ID, second.ID)
		}
		return errors.Join(err1, err2)
	})
	second.State = store.Abandoned
	update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(second) })
	view(t, s, func(tx *store.Tx) error {
		if _, err := tx.Tables.TableAt("test:place"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("TableAt: %v", err)
		}
		last, err := tx.Tables.TableHere("test:place")
		if last.ID != second.ID {
			t.Errorf("the last table is %d", last.ID)
		}
		return err
	})
}

func TestUpdatesCountOnceForADay(t *testing.T) {
	const hour = 60 * 60 * 1000
	s := openNew(t)
	seen := func(id string, at int64) (was bool) {
		update(t, s, func(tx *store.Tx) (err error) {
			was, err = tx.Chats.Seen(id, at)
			return err
		})
		return was
	}
	for range 2 {
		if seen("", 0) {
			t.Error("the empty id has been seen")
		}
	}
	if seen("test:1", 0) || !seen("test:1", 1) || seen("test:2", 2) {
		t.Error("an id counts other than once")
	}
	for i := range 500 {
		seen(fmt.Sprintf("test:early %d", i), hour)
	}
	for i := range 500 {
		if !seen(fmt.Sprintf("test:early %d", i), 24*hour) {
			t.Fatalf("update %d is forgotten within a day", i)
		}
	}
	for i := range 500 {
		seen(fmt.Sprintf("test:later %d", i), 26*hour)
	}
	if seen("test:1", 27*hour) {
		t.Error("an update is remembered forever")
	}
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Chats.Seen("test:undone", 0)
		return errors.Join(err, errors.New("no"))
	})
	if err == nil || seen("test:undone", 0) {
		t.Error("an update is remembered though its change was undone")
	}
}

func TestBoardsThatLag(t *testing.T) {
	s := openNew(t)
	var tables []store.Table
	for _, place := range []string{"test:a", "test:b", "other:c", "test:d", "test%e"} {
		tables = append(tables, addLobby(t, s, place))
	}
	lag := func(prefix string, limit int, want ...int64) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			got, err := idsOf(tx.Tables.Lagging(prefix, 0, limit))
			if !slices.Equal(got, want) {
				t.Errorf("%q lags with %v, want %v", prefix, got, want)
			}
			return err
		})
	}
	change := func(i int, at int64, away bool) {
		tables[i].Outdate(at)
		tables[i].Changed, tables[i].Board.Away = at, away
		update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(tables[i]) })
	}
	lag("test:", 10, 1, 2, 4)
	lag("test:", 2, 1, 2)
	lag("other:", 10, 3)
	lag("test%", 10, 5)
	lag("", 10, 1, 2, 3, 4, 5)

	change(0, 5000, false) // a further change does not move the table to the end of the list
	lag("test:", 10, 1, 2, 4)
	change(1, 5000, true)
	lag("test:", 10, 1, 4)

	shown := func(version int64, ref string) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error { return drawAs(tx, tables[0], version, ref) })
	}
	shown(1, "test:first")
	lag("test:", 10, 4, 1)
	shown(2, "test:second")
	lag("test:", 10, 4)
	view(t, s, func(tx *store.Tx) error {
		table, err := tx.Tables.Table(1)
		if table.Board.Message != "test:second" || table.Board.Drawn != 2 {
			t.Errorf("the board is %s with version %d", table.Board.Message, table.Board.Drawn)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error { // a new version makes the board stale again
		table, err := tx.Tables.Table(1)
		table.Version++
		return errors.Join(err, tx.Tables.SaveTable(table))
	})
	lag("test:", 10, 1, 4)
	if err := s.Update(t.Context(), func(tx *store.Tx) error { return drawAs(tx, tables[0], 99, "x") }); err == nil {
		t.Error("a board shows what is still to come")
	}
}

func TestManyTablesAreListedOnceEach(t *testing.T) {
	s := openNew(t)
	const many = 234
	update(t, s, func(tx *store.Tx) error {
		for i := range many {
			if _, err := tx.Tables.AddTable(store.Table{Chat: "test:chat", Place: fmt.Sprintf("test:%d", i),
				State: store.Lobby}); err != nil {
				return err
			}
		}
		return nil
	})
	next := int64(1)
	view(t, s, func(tx *store.Tx) error {
		return tx.Tables.Tables(func(table int64) error {
			if table != next {
				t.Errorf("table %d follows %d", table, next-1)
			}
			next++
			return nil
		})
	})
	if next != many+1 {
		t.Errorf("%d tables are listed", next-1)
	}
}
