package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/cmd/wiring"
	"knobel/games/record"
	"knobel/store"
)

// Where moves are kept for so long only, older games lose theirs, and nothing
// else: results, books, totals, statistics and faces stay as they were, and what
// can only be told from moves is said to be gone.
func TestMovesThatAreNotKept(t *testing.T) {
	t.Parallel()
	st, b := oldEvenings(t)
	told := func() string {
		return said(t, b, "stats", "") + said(t, b, "leaderboard", "") + said(t, b, "settle", "") + said(t, b,
			"history", "")
	}
	unasked := stats(t, func(st *store.Store, b *wiring.Bot) { dropAll(t, st, b) })
	if asked := stats(t, func(*store.Store, *wiring.Bot) {}); unasked != asked {
		t.Errorf("where nobody had asked before\n%s\nand with all moves\n%s", unasked, asked)
	}
	before := told()
	if !strings.Contains(before, "Würfelpoker: best rows on average ") {
		t.Errorf("statistics do not tell of rows:\n%s", before)
	}
	dropAll(t, st, b)
	well(t, st, b, 0)
	if after := told(); after != before {
		t.Errorf("before\n%s\nand after\n%s", before, after)
	}
	bare := int64(0)
	err := st.View(t.Context(), func(tx *store.Tx) error {
		return tx.Tables.Finished("discord:77", func(table int64) error { bare = max(bare, table); return nil })
	})
	check(t, err)
	number := json.Number(jsonOf(t, bare)).String()
	for command, want := range map[string]string{"history " + number: "this is how it ended",
		"review " + number: "not kept any longer"} {
		name, text, _ := strings.Cut(command, " ")
		if got := said(t, b, name, text); !strings.Contains(got, want) {
			t.Errorf("/%s: %s", command, got)
		}
	}
	if _, err := b.Record(t.Context(), "", bare); !errors.Is(err, review.ErrMovesDropped) {
		t.Errorf("its record: %v", err)
	}
	missing := 0
	err = b.Export(t.Context(), review.Wanted{Unrecorded: func(int64) { missing++ }},
		func(record.Record) error { return errors.New("a record") })
	if err != nil || missing != 7 {
		t.Errorf("%d games without a record: %v", missing, err)
	}
	if wrong, err := st.MendTotals(t.Context(), nil); err != nil || len(wrong) > 0 {
		t.Errorf("totals that differ: %v, %v", wrong, err)
	}
}

// stats is what statistics tell of old evenings after something was done.
func stats(t *testing.T, done func(*store.Store, *wiring.Bot)) string {
	t.Helper()
	st, b := oldEvenings(t)
	done(st, b)
	return said(t, b, "stats", "")
}

// oldEvenings are games older than moves may be kept, and a bot that keeps them no longer.
func oldEvenings(t *testing.T) (*store.Store, *wiring.Bot) {
	t.Helper()
	st, _ := upgraded(t, "testdata/schema5.sql")
	altered(t, st.File(), `UPDATE tables SET changed = 1000 WHERE state IN ('over', 'abandoned')`)
	b, err := settings{keep: review.LeastKept}.newBot(st, slog.New(slog.DiscardHandler), nil, nil)
	check(t, err)
	check(t, b.CatchUp(t.Context()))
	return st, b
}

// dropAll runs the bot until no moves are left that are too old.
func dropAll(t *testing.T, st *store.Store, b *wiring.Bot) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		b.Run(ctx)
		close(ended)
	}()
	defer func() {
		stop()
		<-ended
	}()
	eventually(t, "no table keeps its moves", func() bool {
		kept := 0
		err := st.View(t.Context(), func(tx *store.Tx) error {
			return tx.Tables.Finished("", func(id int64) error {
				table, err := tx.Tables.Table(id)
				if !table.Ending.MovesDropped {
					kept++
				}
				return err
			})
		})
		check(t, err)
		return kept == 0
	})
}

// said is what the bot answers to a command in the chat of the old evenings.
func said(t *testing.T, b *wiring.Bot, command, text string) string {
	t.Helper()
	reply := b.Handle(t.Context(), chat.Event{
		Chat: "discord:77", Place: "discord:77/5", User: "discord:13", Name: "Clara", Locale: "en", Command: command,
		Text: text,
	})
	return reply.Toast + jsonOf(t, reply.Private)
}

func jsonOf(t *testing.T, what any) string {
	t.Helper()
	b, err := json.Marshal(what)
	check(t, err)
	return string(b)
}
