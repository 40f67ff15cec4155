package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

const oldChat, newChat = "test:chat", "test:super"

// newPlaceOf returns the id of a place of the old chat in the new chat.
func newPlaceOf(place string) string { return strings.Replace(place, "test:old", "test:new", 1) }

// migrateChat moves the old chat to the new one.
func migrateChat(t *testing.T, s *store.Store) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error { return tx.Upkeep.Migrate(oldChat, newChat, newPlaceOf) })
	wantNoFaults(t, s)
}

// tableOf returns the stored table with a number.
func tableOf(t *testing.T, s *store.Store, id int64) store.Table {
	t.Helper()
	return viewResult(t, s, func(tx *store.Tx) (store.Table, error) { return tx.Tables.Table(id) })
}

func TestAChatMovesWithEverything(t *testing.T) {
	s := openNew(t)
	over := addFinished(t, s, "test:old 1")
	lagging := addFinished(t, s, "test:old 2")
	playing := addPlaying(t, s, "test:old 1")
	update(t, s, func(tx *store.Tx) error {
		playing.Board.Away = true
		return errors.Join(
			tx.Chats.SaveChat(store.Chat{ID: oldChat, Language: "de", Unit: "coffees", Away: true}),
			giveBox(tx, oldChat, "chips", "test:anna", 5, 2),
			tx.Tables.SaveTable(playing), drawAs(tx, playing, playing.Version, "test:message"),
			drawAs(tx, over, over.Version, "test:over"), drawAs(tx, lagging, 1, "test:lagging"))
	})
	migrateChat(t, s)
	for _, want := range []struct {
		table          store.Table
		place          string
		drawn, version int64
	}{
		{over, "test:new 1", over.Version, over.Version},
		{lagging, "test:new 2", 1, lagging.Version},
		{playing, "test:new 1", 0, playing.Version + 1},
	} {
		got := tableOf(t, s, want.table.ID)
		if got.Chat != newChat || got.Place != want.place || got.Board.Drawn != want.drawn ||
			got.Version != want.version ||
			got.Board.Message != "" || got.Board.Away || got.State != want.table.State {
			t.Errorf("table %d: %+v", want.table.ID, got)
		}
	}
	view(t, s, func(tx *store.Tx) error {
		chat, err1 := tx.Chats.Chat(newChat)
		old, err2 := tx.Chats.Chat(oldChat)
		box, err3 := tx.Books.Box(newChat, "chips")
		if chat != (store.Chat{ID: newChat, Language: "de", Unit: "coffees"}) ||
			old != (store.Chat{ID: oldChat, News: store.NotTold}) {
			t.Errorf("the chats are %+v and %+v", chat, old)
		}
		if box != (store.Box{Chat: newChat, Unit: "chips", Holder: "test:anna", Since: 5, Times: 2}) {
			t.Errorf("the box is %+v", box)
		}
		return errors.Join(err1, err2, err3)
	})
	if sum := balance(t, s, newChat, "player:test:anna"); sum != 30 {
		t.Errorf("Anna has %d", sum)
	}
	if sum := balance(t, s, oldChat, "player:test:anna"); sum != 0 {
		t.Errorf("Anna still has %d in the old chat", sum)
	}

	migrateChat(t, s) // repeated: a no-op
	if got := tableOf(t, s, playing.ID); got.Version != playing.Version+1 {
		t.Errorf("moved twice: %+v", got)
	}
	update(t, s, func(tx *store.Tx) error { // play continues in the new chat
		table, err := tx.Tables.TableAt("test:new 1")
		if err != nil {
			return err
		}
		_, err = finish(tx, table)
		return err
	})
	wantNoFaults(t, s)
}

func TestTwoChatsBecomeOne(t *testing.T) {
	s := openNew(t)
	addFinished(t, s, "test:old 1")
	there := newTable(t, s, "test:new 1", store.Over)
	update(t, s, func(tx *store.Tx) error {
		for _, chat := range []string{oldChat, newChat} {
			rules := store.HouseRules{Chat: chat, Game: "shutbox", Name: "friday"}
			if _, err := tx.Chats.KeepHouseRules(rules); err != nil {
				return err
			}
		}
		return errors.Join(
			tx.Chats.SaveChat(store.Chat{ID: oldChat, Language: "de", Unit: "coffees"}),
			tx.Chats.SaveChat(store.Chat{ID: newChat, Language: "en"}),
			giveBox(tx, oldChat, "chips", "test:anna", 5, 2),
			tx.Books.GiveBox(newChat, "chips", []string{"test:ben"}, 6),
			tx.Books.GiveBox(oldChat, "coffees", []string{"test:anna"}, 8),
			tx.Books.GiveBox(newChat, "coffees", []string{"test:ben"}, 7),
		)
	})
	migrateChat(t, s)
	if sum := balance(t, s, newChat, "player:test:anna"); sum != 40 {
		t.Errorf("Anna has %d of both chats", sum)
	}
	if got := tableOf(t, s, there.ID); got.Chat != newChat || got.Place != "test:new 1" {
		t.Errorf("the table there: %+v", got)
	}
	view(t, s, func(tx *store.Tx) error {
		chat, err1 := tx.Chats.Chat(newChat)
		chips, err2 := tx.Books.Box(newChat, "chips")
		coffees, err3 := tx.Books.Box(newChat, "coffees")
		if chat != (store.Chat{ID: newChat, Language: "en", Unit: "coffees"}) {
			t.Errorf("the chat is %+v", chat)
		}
		rules, err4 := tx.Chats.AllHouseRules(newChat) // the newest version, which is that of the new chat, comes first
		if len(rules) != 2 || !rules[0].Kept || rules[1].Kept {
			t.Errorf("the house rules are %+v", rules)
		}
		if chips.Holder != "test:ben" || coffees.Holder != "test:anna" {
			t.Errorf("the boxes are %+v and %+v", chips, coffees)
		}
		return errors.Join(err1, err2, err3, err4)
	})
}

// newTable adds a table in a state at a place of the new chat.
func newTable(t *testing.T, s *store.Store, place, state string) store.Table {
	t.Helper()
	table := lobby(place)
	table.Chat, table.Opened = newChat, 2000
	update(t, s, func(tx *store.Tx) (err error) {
		if table.ID, err = tx.Tables.AddTable(table); err != nil || state == store.Lobby {
			return err
		}
		table.State, table.Match = store.Playing, []byte("match")
		if err := errors.Join(tx.Books.Post(stakes(table)), tx.Tables.SaveTable(table)); err != nil ||
			state == store.Playing {
			return err
		}
		table, err = finish(tx, table)
		return err
	})
	return table
}

func TestOneOfTwoActiveTablesStays(t *testing.T) {
	for _, test := range []struct {
		old, new string
		oldStays bool
	}{
		{store.Lobby, store.Lobby, false},
		{store.Playing, store.Playing, false},
		{store.Lobby, store.Playing, false},
		{store.Playing, store.Lobby, true},
	} {
		t.Run(test.old+" meets "+test.new, func(t *testing.T) {
			s := openNew(t)
			moving := addLobby
			if test.old == store.Playing {
				moving = addPlaying
			}
			stays, goes := newTable(t, s, "test:new 1", test.new), moving(t, s, "test:old 1")
			if test.oldStays {
				stays, goes = goes, stays
			}
			migrateChat(t, s)
			if got := tableOf(t, s, stays.ID); got.State != stays.State || got.Place != "test:new 1" {
				t.Errorf("the one that stays: %+v", got)
			}
			if got := tableOf(t, s, goes.ID); got.State != goes.State || got.Chat != newChat || !got.Board.Away ||
				got.Place == "test:new 1" {
				t.Errorf("the one that is kept: %+v", got)
			}
			update(t, s, func(tx *store.Tx) error { return tx.Tables.MoveTable(goes.ID, "test:new 2") })
			if got := tableOf(t, s, goes.ID); got.Board.Away || got.Place != "test:new 2" || got.Board.Drawn != 0 {
				t.Errorf("brought back: %+v", got)
			}
			wantNoFaults(t, s)
		})
	}
}

// TestWhoIsKnownMovesWithTheChat checks that the times of Meet move with the chat; the earlier of two is kept.
func TestWhoIsKnownMovesWithTheChat(t *testing.T) {
	s := openNew(t)
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Chats.Hide(oldChat, "test:anna", true), tx.Chats.Meet(oldChat, "test:anna", 5),
			tx.Chats.Meet(oldChat, "test:anna", 3), tx.Chats.Meet(oldChat, "test:ben", 9), tx.Chats.Meet(newChat,
				"test:ben", 7),
			tx.Chats.Meet(oldChat, "test:clara", 7), tx.Chats.Meet(newChat, "test:clara", 9),
			tx.Chats.Meet(oldChat, "test:dora", 4), tx.Chats.Leave(newChat, "test:dora", true))
	})
	view(t, s, func(tx *store.Tx) error {
		known, err := tx.Chats.MetBefore(newChat, "test:anna", 100)
		if known {
			t.Error("Anna is known where she has done nothing")
		}
		return err
	})
	migrateChat(t, s)
	view(t, s, func(tx *store.Tx) (err error) {
		for player, met := range map[string]int64{"anna": 5, "ben": 7, "clara": 7, "dora": 4} {
			at, err1 := tx.Chats.MetBefore(newChat, "test:"+player, met)
			after, err2 := tx.Chats.MetBefore(newChat, "test:"+player, met+1)
			if err = errors.Join(err, err1, err2); at || !after {
				t.Errorf("%s is known before %d: %t, and %d: %t", player, met, at, met+1, after)
			}
		}
		return err
	})
}

// TestEveryTableMovesWithItsChat checks for every table of the schema, also future ones, that each id of a chat or a
// place moves with the chat.
func TestEveryTableMovesWithItsChat(t *testing.T) {
	file := storetest.New(t)
	check(t, reopen(t, file).Close())
	db := openRaw(t, file)
	schema := columnsByTable(t, db)
	delete(schema, "seals") // it belongs to no chat, and a row would mark the database as encrypted
	addRowToEach(t, db, schema, func(_ string, c column) any {
		switch {
		case c.names && strings.Contains(c.name, "place"):
			return "test:old 1"
		case c.names:
			return oldChat
		}
		return nil
	})
	s := reopen(t, file)
	update(t, s, func(tx *store.Tx) error { return tx.Upkeep.Migrate(oldChat, newChat, newPlaceOf) })

	moved := 0
	for table, all := range schema {
		var rows int
		check(t, db.QueryRow(`SELECT COUNT(*) FROM "`+table+`"`).Scan(&rows))
		if rows != 1 {
			t.Errorf("%s has %d rows after the chat has moved", table, rows)
			continue
		}
		for _, c := range all {
			if !c.names || table == "fading" || table == "menus" { // no code reads these tables now
				continue
			}
			var value string
			check(t, db.QueryRow(`SELECT "`+c.name+`" FROM "`+table+`"`).Scan(&value))
			if !slices.Contains([]string{newChat, "test:new 1"}, value) {
				t.Errorf("%s.%s is still %q: Migrate has to move it", table, c.name, value)
			}
			moved++
		}
	}
	if moved < 12 {
		t.Errorf("only %d columns name a chat or a place", moved)
	}
}

// TestAPairMovesWhatItsAliasHas checks that a pair moves the books of the alias and leaves its boards as they are, that
// a second one changes nothing, and that pairs move with their chat.
func TestAPairMovesWhatItsAliasHas(t *testing.T) {
	s := openNew(t)
	played := addFinished(t, s, "test:inline")
	update(t, s, func(tx *store.Tx) error { return drawAs(tx, played, played.Version, "test:inline") })
	for range 2 {
		update(t, s, func(tx *store.Tx) error { return tx.Upkeep.Pair(oldChat, "test:group") })
	}
	got := tableOf(t, s, played.ID)
	if got.Chat != "test:group" || got.Place != "test:inline" || got.Board.Message != "test:inline" ||
		got.Version != played.Version {
		t.Errorf("the table is now %+v", got)
	}
	update(t, s, func(tx *store.Tx) error { return tx.Upkeep.Migrate("test:group", newChat, newPlaceOf) })
	chat := viewResult(t, s, func(tx *store.Tx) (string, error) { return tx.Chats.PairedWith(oldChat) })
	if chat != newChat || tableOf(t, s, played.ID).Board.Message != "test:inline" {
		t.Errorf("paired with %q", chat)
	}
	wantNoFaults(t, s)
}

// TestNoticesMoveWithTheChat checks that the notice of an evening that people can answer is posted and pinned again
// in the new chat, and that others have no message there.
func TestNoticesMoveWithTheChat(t *testing.T) {
	s := openNew(t)
	addFinished(t, s, "test:old 1")
	posted := store.Posted{Place: "test:old 1", Message: "test:m", Version: 2, Drawn: 2, Away: true}
	update(t, s, func(tx *store.Tx) error {
		evening := store.Evening{Chat: oldChat, Place: "test:old 1", Setter: "test:anna"}
		return errors.Join(tx.Calls.SaveEvening(&evening),
			tx.Calls.AddNotice(store.Notice{Chat: oldChat, Kind: "evening", Until: 9, Posted: posted, Pin: true,
				Pinned: true}),
			tx.Calls.AddNotice(store.Notice{Chat: oldChat, Kind: "evening", At: 1, Until: 9, Posted: posted,
				State: "open"}))
	})
	migrateChat(t, s)
	view(t, s, func(tx *store.Tx) error {
		all, err1 := tx.Calls.EveningsOf(newChat)
		if len(all) != 1 || all[0].Place != "test:new 1" {
			t.Errorf("the evenings are %+v", all)
		}
		open, err2 := tx.Calls.NoticeOf(newChat, "evening", 0, 0)
		if want := (store.Posted{Place: "test:new 1", Version: 2}); open.Posted != want || !open.Pin || open.Pinned {
			t.Errorf("the open one is %+v", open)
		}
		over, err3 := tx.Calls.NoticeOf(newChat, "evening", 0, 1)
		if want := (store.Posted{Place: "test:new 1", Version: 2, Drawn: 2}); over.Posted != want {
			t.Errorf("the other one is %+v", over)
		}
		return errors.Join(err1, err2, err3)
	})
}
