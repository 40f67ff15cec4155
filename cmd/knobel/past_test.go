package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// shownTable is a board that a page is shown.
type shownTable struct {
	table   int64
	buttons bool
	at      int64
}

// tables are the boards of the feed of the browser table in their order, once the newest has a number and buttons.
func (v *visitor) tables(t *testing.T, newest int64) (all []shownTable) {
	t.Helper()
	boards := map[chat.Ref]shownTable{}
	found := false
	err := v.feed(t.Context(), func(data []byte) bool {
		var news news
		check(t, json.Unmarshal(data, &news))
		for _, e := range news.Entries {
			boards[e.Ref] = shownTable{e.Message.Table, len(e.Message.Buttons) > 0, e.At}
		}
		all = nil
		for _, ref := range news.All {
			all = append(all, boards[ref])
		}
		n := len(all)
		found = n > 0 && all[n-1].table == newest && all[n-1].buttons
		return !found
	})
	if !found {
		t.Fatalf("%v, with %+v", err, all)
	}
	return all
}

// After a restart the games of before stand on the page again: the last five without buttons, and the board in play.
func TestGamesOfBeforeAreThereAfterARestart(t *testing.T) {
	t.Parallel()
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	st, err := store.Open(t.Context(), db)
	check(t, err)
	b := quietBot(t, st)
	room := &gathering{bot: b, chat: "web:room", place: "web:room"}
	const games = 7
	began := time.Now().Unix()
	for range games {
		room.open(t.Context(), "5", anna)
		room.play(t.Context(), 1000)
		check(t, b.Draw(t.Context(), room.table, false, func(_ context.Context, m chat.Message, _ chat.Ref) (chat.Ref,
			error) {
			return chat.Ref(fmt.Sprint("web:before-", m.Table)), nil // a message of a run before
		}))
	}
	if room.err != nil {
		t.Fatal(room.err)
	}
	closes(t, st)
	ended := time.Now().Unix()

	s := start(t, build(t), listen, db)
	v := visits(t, listen)
	shows := func(when string, newest int64, want ...int64) {
		t.Helper()
		var tables []int64
		for _, one := range v.tables(t, newest) {
			tables = append(tables, one.table)
			if one.table != newest && (one.buttons || one.at < began || one.at > ended) {
				t.Errorf("%s table %d has buttons: %v, and ended at %d", when, one.table, one.buttons, one.at)
			}
		}
		if !slices.Equal(tables, want) {
			t.Errorf("%s the page shows tables %v", when, tables)
		}
	}
	shows("after a restart", games, 2, 3, 4, 5, 6, 7)
	if a, err := v.post("/command", map[string]any{"id": "open", "as": 0, "text": "/shutbox"}); err != nil ||
		a.Board != games+1 {
		t.Fatalf("another table: %v %+v", err, a)
	}
	v.until(t, "Start")
	s.leave()

	s = start(t, build(t), listen, db)
	shows("with a lobby", games+1, 3, 4, 5, 6, 7, 8)
	s.leave()
}
