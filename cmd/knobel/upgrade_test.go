package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/bot/review"
	"knobel/cmd/wiring"
	"knobel/games/record"
	"knobel/migrations"
	"knobel/store"
)

// TestDatabasesOfSchemasBefore migrates databases with games of the third and the fifth schema, and plays on.
func TestDatabasesOfSchemasBefore(t *testing.T) {
	t.Parallel()
	for statements, finished := range map[string]int{"testdata/schema3.sql": 2, "testdata/schema5.sql": 7} {
		t.Run(statements, func(t *testing.T) {
			ctx := t.Context()
			st, b := migratedDatabase(t, statements)
			checkSound(t, st, b, finished)
			check(t, b.CatchUp(ctx))
			checkSound(t, st, b, finished)
			group := &gathering{bot: b, chat: "telegram:-1001", place: "telegram:-1001", table: 4}
			group.play(ctx, 1000)
			if group.err != nil {
				t.Fatal(group.err)
			}
			checkSound(t, st, b, finished+1)
		})
	}
}

// migratedDatabase migrates an older database, created by the SQL file at path statements, and returns it and its bot.
func migratedDatabase(t *testing.T, statements string) (*store.Store, *wiring.Bot) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "knobel.db")
	executeSQL(t, file, document(t, statements))
	if _, err := store.OpenReadOnly(t.Context(), file); err == nil || !strings.Contains(err.Error(), "older version") {
		t.Fatalf("read as it is: %v", err)
	}
	st, err := store.Open(t.Context(), file)
	check(t, err)
	t.Cleanup(func() {
		closeOrFail(t, st)
	})
	checkBackup(t, st, statements)
	b := quietBot(t, st)
	return st, b
}

// checkBackup fails unless migrating st left a copy of the database that the SQL file at path statements creates.
func checkBackup(t *testing.T, st *store.Store, statements string) {
	t.Helper()
	kept := st.Upgraded()
	if kept.From == 0 || kept.From >= kept.To || filepath.Dir(kept.Backup) != filepath.Dir(st.File()) {
		t.Fatalf("what was before the upgrade: %+v", kept)
	}
	original := filepath.Join(t.TempDir(), "original.db")
	executeSQL(t, original, document(t, statements))
	if was, is := dump(t, original), dump(t, kept.Backup); was != is {
		t.Errorf("the copy holds\n%s\nand the database was\n%s", is, was)
	}
	r, err := store.Restore(t.Context(), kept.Backup, filepath.Join(t.TempDir(), "again.db"), false)
	if err != nil {
		t.Fatalf("what was kept cannot be restored: %v", err)
	}
	if faults, err := r.Store.Check(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("restored: %v, %v", faults, err)
	}
	if _, err := r.Finish(); err != nil {
		t.Error(err)
	}
}

// dump returns the schema of a database and the rows of its most important tables.
func dump(t *testing.T, file string) string {
	t.Helper()
	return queryText(t, file, `SELECT (SELECT GROUP_CONCAT(name || COALESCE(sql, ''), ';' ORDER BY name) FROM sqlite_master)
		|| (SELECT GROUP_CONCAT(version_id, ',' ORDER BY version_id) FROM migrations)
		|| (SELECT GROUP_CONCAT(table_id || ' ' || number || ' ' || seat || ' ' || move || ' ' || dice, ';' ORDER BY table_id, number) FROM moves)
		|| (SELECT GROUP_CONCAT(posting_id || ' ' || account_id || ' ' || amount, ';' ORDER BY posting_id, line) FROM entries)
		|| (SELECT GROUP_CONCAT(id || state || HEX(seed) || HEX(COALESCE(saved, '')), ';' ORDER BY id) FROM tables)`)
}

// checkSound fails unless the database has no faults and the given number of valid records.
func checkSound(t *testing.T, st *store.Store, b *wiring.Bot, finished int) {
	t.Helper()
	ctx := t.Context()
	books, err1 := st.Check(ctx)
	tables, err2 := b.Check(ctx, nil)
	if err := errors.Join(err1, err2); err != nil || len(books) > 0 || len(tables) > 0 {
		t.Fatalf("%v, %v, %v", books, tables, err)
	}
	exported := 0
	err := b.Export(ctx, review.Wanted{}, func(r record.Record) error {
		exported++
		if faults := record.Verify(r, allGames(), &record.Solutions{}); len(faults) > 0 {
			t.Errorf("table %s: %v", r.Table, faults)
		}
		return nil
	})
	if err != nil || exported != finished {
		t.Errorf("%d records, want %d (%v)", exported, finished, err)
	}
}

// Totals include games that ended before totals existed, with their turns and evenings once these are computed, but no
// practice games.
func TestTotalsOfGamesFromBefore(t *testing.T) {
	t.Parallel()
	st, b := migratedDatabase(t, "testdata/schema5.sql")
	const poker = "discord:13 1 0 0/0 43 0 -5040 -4, telegram:11 1 1 0/0 59 0 35280 28, telegram:12 1 0 0/0 33 0 " +
		"-30240 -24"
	checkResults(t, st, map[string]string{
		"rounds:9": "discord:13 1 1 0/0 40 5 0 0",
		"canoga":   "discord:13 1 0 0/0 0 -10 0 0, telegram:12 1 1 0/0 41 10 0 0",
		"point":    poker, `"tiles":"6"`: "",
	})
	check(t, b.CatchUp(t.Context()))
	checkResults(t, st, map[string]string{
		"rounds:9": "discord:13 1 1 2/9 40 5 0 0",
		"canoga":   "discord:13 1 0 0/2 0 -10 0 0, telegram:12 1 1 0/3 41 10 0 0",
		"lucky":    "discord:13 1 0 0/0 7 -10 0 0, telegram:11 1 0 0/0 7 -10 0 0, telegram:12 1 1 1/1 0 20 0 0",
		"point":    poker, `"tiles":"6"`: "",
	})
	evening := store.DayOf(time.UnixMilli(1795248269899).Add(-6 * time.Hour))
	err := st.View(t.Context(), func(tx *store.Tx) error {
		found, err := tx.Chats.EveningBefore("discord:77", evening+1)
		if found != evening {
			t.Errorf("the evening is %v, want %v", found.Time(), evening.Time())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// checkResults fails unless the results of a chat equal want. A key is part of the text of some rules. Its value lists,
// for each player with such rules: id, games, won, shut/turns, points, pool, shares and settled.
func checkResults(t *testing.T, st *store.Store, want map[string]string) {
	t.Helper()
	err := st.View(t.Context(), func(tx *store.Tx) error {
		all, err := tx.Scores.Standings(store.Wanted{Chat: "discord:77"})
		for rules, want := range want {
			var told []string
			for _, s := range all {
				if strings.Contains(s.Rules, rules) {
					told = append(told, fmt.Sprintf("%s %d %d %d/%d %d %d %d %d",
						s.Player, s.Games, s.Won, s.Shut, s.Turns, s.Points, s.Pool, s.Shares, s.Settled))
				}
			}
			if got := strings.Join(told, ", "); got != want {
				t.Errorf("%s: %s, want %s", rules, got, want)
			}
		}
		return err
	})
	check(t, err)
}

// quietBot returns the program's bot with a log that is discarded.
func quietBot(t *testing.T, st *store.Store) *wiring.Bot {
	t.Helper()
	b, err := newBot(st, slog.New(slog.DiscardHandler))
	check(t, err)
	return b
}

// Databases of every schema since the first release are migrated, and a copy of each is kept for its own version.
func TestDatabasesOfEverySchema(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	newest, err := migrations.Newest()
	check(t, err)
	taken := map[int64]bool{}
	for to := int64(3); to < newest; to++ {
		t.Run(strconv.FormatInt(to, 10), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "knobel.db")
			executeSQL(t, file, document(t, "testdata/schema3.sql"))
			version := migrateTo(t, file, to)
			if taken[version] {
				return // no migration has this number
			}
			taken[version] = true
			st, err := store.Open(t.Context(), file)
			check(t, err)
			defer st.Close()
			kept := st.Upgraded()
			if kept.From != version || kept.To != newest || migrateTo(t, kept.Backup, version) != version {
				t.Errorf("what was before is kept as %+v", kept)
			}
			b := quietBot(t, st)
			check(t, b.CatchUp(t.Context()))
			checkSound(t, st, b, 2)
		})
	}
}

// migrateTo migrates a database up to a schema number, and returns the number that it then has.
func migrateTo(t *testing.T, file string, to int64) int64 {
	t.Helper()
	db := openDirect(t, file)
	defer db.Close()
	scripts, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("../../migrations"),
		goose.WithTableName(migrations.Table), goose.WithLogger(goose.NopLogger()),
		goose.WithDisableGlobalRegistry(true))
	check(t, err)
	if _, err := scripts.UpTo(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	version, err := scripts.GetDBVersion(t.Context())
	check(t, err)
	return version
}

// If moves are kept for a limited time, older games lose only their moves: results, payments, totals and statistics
// stay, and commands that need moves reply that they are gone.
func TestMovesThatAreNotKept(t *testing.T) {
	t.Parallel()
	st, b := oldEvenings(t)
	told := func() string {
		return replyTo(t, b, "stats", "") + replyTo(t, b, "leaderboard", "") + replyTo(t, b, "settle", "") +
			replyTo(t, b, "history", "")
	}
	unasked := stats(t, func(st *store.Store, b *wiring.Bot) { dropAll(t, st, b) })
	if asked := stats(t, func(*store.Store, *wiring.Bot) {}); unasked != asked {
		t.Errorf("where nobody had asked before\n%s\nand with all moves\n%s", unasked, asked)
	}
	before := told()
	if !strings.Contains(before, "Würfelpoker: strongest on average in ") {
		t.Errorf("statistics do not tell of rows:\n%s", before)
	}
	dropAll(t, st, b)
	checkSound(t, st, b, 0)
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
		"review " + number: "no longer stored"} {
		name, text, _ := strings.Cut(command, " ")
		if got := replyTo(t, b, name, text); !strings.Contains(got, want) {
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

// stats returns the statistics of old games after done has changed their database.
func stats(t *testing.T, done func(*store.Store, *wiring.Bot)) string {
	t.Helper()
	st, b := oldEvenings(t)
	done(st, b)
	return replyTo(t, b, "stats", "")
}

// oldEvenings returns a database with games older than the time for which its bot keeps moves.
func oldEvenings(t *testing.T) (*store.Store, *wiring.Bot) {
	t.Helper()
	st, _ := migratedDatabase(t, "testdata/schema5.sql")
	executeSQL(t, st.File(), `UPDATE tables SET changed = 1000 WHERE state IN ('over', 'abandoned')`)
	b, err := settings{keep: review.LeastKept}.newBot(st, slog.New(slog.DiscardHandler), nil, nil)
	check(t, err)
	check(t, b.CatchUp(t.Context()))
	return st, b
}

// dropAll runs the bot until no finished table has moves.
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

// replyTo returns the reply to a command in the chat of the old games.
func replyTo(t *testing.T, b *wiring.Bot, command, text string) string {
	t.Helper()
	reply := b.Handle(t.Context(), chat.Event{
		Chat: "discord:77", Place: "discord:77/5", User: "discord:13", Name: "Clara", Locale: "en", Command: command,
		Text: text,
	})
	return reply.Toast + jsonOf(t, reply.Private)
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	b, err := json.Marshal(value)
	check(t, err)
	return string(b)
}
