package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// presses presses the newest board's button that carries this.
func (v *visitor) presses(t *testing.T, id, what string) {
	t.Helper()
	for _, row := range v.newest().Buttons {
		for _, b := range row {
			if b.Press == what || strings.HasSuffix(b.Press, ":"+what) {
				time.Sleep(leisure)
				if a, err := v.press(id, b.Press); err != nil || a.Refused {
					t.Fatalf("%s: %+v %v", what, a, err)
				}
				return
			}
		}
	}
	t.Fatalf("there is no button %s on %+v", what, v.newest().Buttons)
}

// thrownIn are the dice of a table so far.
func thrownIn(t *testing.T, db string, table int64) (dice []int) {
	t.Helper()
	for _, m := range read(t, db)[table] {
		dice = append(dice, m.Dice...)
	}
	return dice
}

// stateOf is a table as it is stored.
func stateOf(t *testing.T, db string, table int64) (stored store.Table) {
	t.Helper()
	st, err := store.OpenReadOnly(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.View(context.Background(), func(tx *store.Tx) (err error) {
		stored, err = tx.Tables.Table(table)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return stored
}

// A game that went on when a backup was made does not go on from it: its dice would
// fall again.
func TestDiceDoNotFallAgainAfterARestore(t *testing.T) {
	t.Parallel()
	program, listen := build(t), freePort(t)
	folder := t.TempDir()
	db, copied := filepath.Join(folder, "knobel.db"), filepath.Join(folder, "copy.db")
	env := []string{"KNOBEL_DB=" + db, "KNOBEL_LISTEN=" + listen}
	s := start(t, program, listen, db)
	v := visits(t, listen)
	v.opens(t, "/shutbox 7")
	done := make(chan struct{})
	go func() { defer close(done); v.follow(t.Context()) }()
	shows := func(what string) func() bool {
		return func() bool {
			return slices.ContainsFunc(v.newest().Buttons, func(row []chat.Button) bool {
				return slices.ContainsFunc(row, func(b chat.Button) bool {
					return strings.HasSuffix(b.Press, ":"+what)
				})
			})
		}
	}
	s.until("the lobby is there", shows("!start"))
	v.presses(t, "houses", "!page houses")
	s.until("the house can be asked", shows("!house fewest"))
	v.presses(t, "house", "!house fewest")
	s.until("the house sits", shows("!start"))
	v.presses(t, "start", "!start")
	s.until("the game is there", shows("throw 2"))
	v.presses(t, "throw", "throw 2")
	if out := runOnce(t, program, env, "backup", copied); !strings.Contains(out, "copy.db") {
		t.Errorf("backup says %s", out)
	}
	before := stateOf(t, copied, 1)
	if before.State != store.Playing || len(thrownIn(t, copied, 1)) != 2 {
		t.Fatalf("the table is %s with the dice %v", before.State, thrownIn(t, copied, 1))
	}
	s.kill()
	<-done

	out := runOnce(t, program, env, "restore", "--force", copied)
	if !strings.Contains(out, "Tables in play that were ended, all stakes given back: 1.") {
		t.Errorf("restore says\n%s", out)
	}
	if after := stateOf(t, db, 1); after.State != store.Abandoned {
		t.Errorf("the table is %s", after.State)
	}
	out = runOnce(t, program, env, "restore", "--done")
	if !strings.Contains(out, "ended, all stakes given back: 0.") {
		t.Errorf("restore --done says\n%s", out)
	}
	examine(t, program, db)
	s = start(t, program, listen, db)
	done = make(chan struct{})
	go func() { defer close(done); v.follow(t.Context()) }()
	s.until("the board says why", func() bool {
		return strings.Contains(fmt.Sprint(v.newest().Lines), "an older copy of its data")
	})
	v.presses(t, "rematch", "!rematch")
	s.until("the rematch is there", shows("!start"))
	if next := stateOf(t, db, 2); string(next.Dice.Seed) == string(before.Dice.Seed) {
		t.Error("the rematch throws the same dice")
	}
	s.kill()
	<-done
}

// runOnce runs a command of the program to its end, and returns what it says.
func runOnce(t *testing.T, program string, env []string, args ...string) string {
	t.Helper()
	s := launch(t, program, env, args...)
	<-s.ended
	if s.err != nil {
		t.Fatalf("%s: %v\n%s", args[0], s.err, s.said)
	}
	return s.said.String()
}

// TestOldCommandsNameTheNew has commands do what they did before they had other names.
func TestOldCommandsNameTheNew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "knobel.db")
	if s, err := store.Open(t.Context(), file); err != nil || s.Close() != nil {
		t.Fatalf("there is no database: %v", err)
	}
	altered(t, file, `
		INSERT INTO chats (id) VALUES ('test:1');
		INSERT INTO players (id, name) VALUES ('a', 'A');
		INSERT INTO totals VALUES ('test:1', 'season', 0, 'shutbox', '{}', 'chips', 'a', 1, 2520, 0, 0, 0, 0, 0, 0,
			NULL, NULL, 0, 0, 0)`)
	const wrong = "totals of test:1: 1 are not what the results add up to"
	for _, c := range []struct {
		line, says, names string
		code              int
	}{
		{"restored", "given back: 0.", "knobel restored is now called knobel restore --done\n", 0},
		{"rebuild --check", "WRONG  " + wrong, "knobel rebuild --check is now called knobel doctor\n", 1},
		{"rebuild", "mended " + wrong, "knobel rebuild is now called knobel doctor --mend\n", 0},
		{"doctor --mend", "All is well.", "", 0},
	} {
		code, out, complained := typed(t, map[string]string{"KNOBEL_DB": file}, nil, strings.Fields(c.line)...)
		if code != c.code || !strings.Contains(out, c.says) || !strings.HasPrefix(complained, c.names) {
			t.Errorf("knobel %s ends with %d: %s%s", c.line, code, out, complained)
		}
	}
}
