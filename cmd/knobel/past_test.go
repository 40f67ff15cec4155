package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/store"
)

// shownTable is a board that a page is shown first.
type shownTable struct {
	table   int64
	buttons bool
	at      int64
}

// shownFirst are the boards that the feed of the browser table begins with, until as many are there.
func (v *visitor) shownFirst(t *testing.T, many int) (all []shownTable) {
	t.Helper()
	resp, err := v.client.Get(v.base + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for len(all) < many && lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var news struct {
			Entries []struct {
				Message chat.Message
				At      int64
			}
		}
		if err := json.Unmarshal([]byte(data), &news); err != nil {
			t.Fatal(err)
		}
		for _, e := range news.Entries {
			all = append(all, shownTable{e.Message.Table, len(e.Message.Buttons) > 0, e.At})
		}
	}
	return all
}

// drawnAs draws a board as a message of a run before.
func drawnAs(_ context.Context, m chat.Message, _ chat.Ref) (chat.Ref, error) {
	return chat.Ref(fmt.Sprint("web:before-", m.Table)), nil
}

// After a restart the games of before stand on the page again: the last five without buttons, and the board in play.
func TestGamesOfBeforeAreThereAfterARestart(t *testing.T) {
	t.Parallel()
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBot(st, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	room := &gathering{bot: b, chat: "web:room", place: "web:room"}
	const games = 7
	for range games {
		room.open(t.Context(), "5", anna)
		room.play(t.Context(), 1000)
		if err := b.Draw(t.Context(), room.table, false, drawnAs); err != nil {
			t.Fatal(err)
		}
	}
	if room.err != nil {
		t.Fatal(room.err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}

	s := start(t, build(t), listen, db)
	v, err := visit(listen)
	if err != nil {
		t.Fatal(err)
	}
	shown := v.shownFirst(t, 6)
	var tables []int64
	for i, one := range shown {
		tables = append(tables, one.table)
		if last := i == len(shown)-1; one.buttons != last || one.at == 0 {
			t.Errorf("table %d has buttons: %v, and ended at %d", one.table, one.buttons, one.at)
		}
	}
	if !slices.Equal(tables, []int64{2, 3, 4, 5, 6, 7}) {
		t.Errorf("the page shows tables %v", tables)
	}
	if a, err := v.post("/command", map[string]any{"id": "open", "as": 0, "text": "/shutbox"}); err != nil ||
		a.Board != games+1 {
		t.Fatalf("another table: %v %+v", err, a)
	}
	v.until(t, "Start")
	s.leave()

	s = start(t, build(t), listen, db)
	tables = nil
	for _, one := range v.shownFirst(t, 6) {
		tables = append(tables, one.table)
	}
	if !slices.Equal(tables, []int64{3, 4, 5, 6, 7, 8}) {
		t.Errorf("with a lobby the page shows tables %v", tables)
	}
	s.leave()
}
