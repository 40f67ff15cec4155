package store

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// columnsOfText are all columns of the schema that hold text, and those of no
// type, as "table.column".
func columnsOfText(t *testing.T) []string {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all []string
	err = s.View(context.Background(), func(tx *Tx) error {
		all, err = collect[string](tx, `
			SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_table_info(t.name) c
			WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name <> 'migrations' AND c.type
				NOT IN ('INTEGER', 'REAL', 'BLOB')
			ORDER BY 1`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 40 {
		t.Fatalf("only %d columns of text were found: %v", len(all), all)
	}
	return all
}

func TestEveryColumnOfTextIsSealedOrNot(t *testing.T) {
	known := map[string]bool{}
	for _, column := range columnsOfText(t) {
		known[column] = true
		_, sealed := sealedColumns[column]
		_, open := others[column]
		if sealed == open {
			t.Errorf("%s has to be in columns.go or here: does it tell who somebody is, or where?", column)
		}
	}
	for column, holds := range sealedColumns {
		if holds == isSeed {
			continue // bytes
		}
		if _, owned := namedBy[column]; owned != (holds == isName) {
			t.Errorf("%s is a name, or is none, and Forget has to know whose: see namedBy", column)
		}
		if !known[column] {
			t.Errorf("a list has %s, which is no column of text", column)
		}
	}
	for column := range others {
		if !known[column] {
			t.Errorf("a list has %s, which is no column of text", column)
		}
	}
}

// offBoards are the columns that tell who somebody is and by which no table's board
// names them, and why.
var offBoards = map[string]string{
	"accounts.name":   "books are told to who asks",
	"boxes.holder":    "who holds the box is marked where they sit",
	"chats.owner":     "a conversation of theirs is theirs alone, and ends with them",
	"fading.above":    "a message",
	"fading.command":  "a message",
	"guesses.player":  "who has found it is told once a puzzle is closed, in a message that stays",
	"payments.asker":  "books are told to who asks",
	"payments.payee":  "books are told to who asks",
	"payments.payer":  "books are told to who asks",
	"payments.teller": "books are told to who asks",
	"players.id":      "by it the names are found",
	"tables.voider":   "who asks for a game to be voided is told in a message that stays",
	"players.name":    "by the ids of others",
	"puzzles.asker":   "a puzzle does not say who asked for it",
	"seasons.starter": "told when it began",
	"web_rooms.host":  "no board says who is host",
	"seats.name":      "that of seats.player",
	"totals.player":   "leaderboards are told to who asks",
	"unlisted.player": "who is not listed is named nowhere",
}

// Boards that name somebody who was forgotten are drawn anew: a new column of ids or
// names has to say whether one does.
func TestEveryColumnOfPeopleIsOnBoardsOrNot(t *testing.T) {
	places := []string{"chat", "place", "message", "board"}
	for column, holds := range sealedColumns {
		_, name, _ := strings.Cut(column, ".")
		_, off := offBoards[column]
		_, on := onBoards[column]
		if !holds.tells() || slices.Contains(places, name) || column == "chats.id" || column == "updates.id" {
			continue
		}
		if on == off {
			t.Errorf("%s has to be in onBoards, so that boards that name somebody forgotten are drawn anew, or in "+
				"offBoards", column)
		}
	}
}

// Who only asks for a seat, or has opened a table and sits there no more, is named by
// its board, too.
func TestTablesThatShowSomebody(t *testing.T) {
	t.Parallel()
	for column, number := range onBoards {
		file := filepath.Join(t.TempDir(), "knobel.db")
		s, err := Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Update(t.Context(), func(tx *Tx) error {
			for _, id := range []string{"test:anna", "test:ben"} {
				if err := tx.Chats.SavePlayer(Player{ID: id, Name: id}); err != nil {
					return err
				}
			}
			shown, err := tx.Tables.AddTable(Table{Chat: "test:chat", Place: "test:place", Game: "coin", Unit: "chips",
				State: Lobby, Opener: "test:ben", Seed: make([]byte, 32),
				Match: []byte("{}"), Seats: []Seat{{Player: "test:ben", Name: "Ben", Entropy: "b"}}})
			if err != nil {
				return err
			}
			table, name, _ := strings.Cut(column, ".")
			if err := tx.run(`UPDATE `+table+` SET `+name+` = $1 WHERE `+number+` = $2`, sealedID("test:anna"),
				shown); err != nil {
				return err
			}
			if all, err := tx.Upkeep.TablesShowing("test:anna"); err != nil || !slices.Equal(all, []int64{shown}) {
				t.Errorf("by %s the boards %v name her (%v)", column, all, err)
			}
			return nil
		})
		if err := errors.Join(err, s.Close()); err != nil {
			t.Error(err)
		}
	}
}

// What a person asks for is all there is: every table is told of, or holds
// nothing of anybody.
func TestEveryTableIsToldOf(t *testing.T) {
	told := map[string]bool{}
	for _, a := range abouts {
		told[a.what] = true
	}
	tables := map[string]bool{}
	for _, table := range tablesOf(t) {
		tables[table] = true
		_, none := nobodys[table]
		if told[table] == none {
			t.Errorf("about.go has to say what %s holds of a person, or why it holds nothing", table)
		}
	}
	for table := range nobodys {
		if !tables[table] {
			t.Errorf("about.go speaks of %s, which is no table", table)
		}
	}
}

func tablesOf(t *testing.T) (all []string) {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.View(t.Context(), func(tx *Tx) error {
		all, err = collect[string](tx,
			`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'migrations'`)
		return err
	})
	if err != nil || len(all) < 20 {
		t.Fatalf("%d tables, %v", len(all), err)
	}
	return all
}

// others are the columns of text that are not sealed, and what they hold.
var others = map[string]string{
	"accounts.unit":       "the word of a chat for what it counts in",
	"boxes.unit":          "the word of a chat for what it counts in",
	"chat_settings.name":  "a word of ours",
	"chat_settings.value": "a value of ours",
	"chats.language":      "a language",
	"chats.locale":        "a language",
	"chats.unit":          "the word of a chat for what it counts in",
	"faces.counts":        "numbers",
	"guesses.move":        "a move",
	"house_rules.game":    "a game",
	"house_rules.name":    "the word of a chat for rules",
	"house_rules.rules":   "options of a game",
	"house_rules.version": "a fingerprint of rules",
	"leases.holder":       "chance",
	"leases.name":         "what a replica of the program does",
	"menus.edition":       "a fingerprint of the program's commands",
	"menus.fault":         "a word of ours",
	"menus.games":         "games",
	"moves.dice":          "faces",
	"moves.move":          "a move",
	"payments.state":      "a state",
	"payments.unit":       "the word of a chat for what it counts in",
	"players.language":    "a language",
	"postings.kind":       "a kind",
	"postings.unit":       "the word of a chat for what it counts in",
	"reviews.choices":     "moves and seats by number",
	"reviews.measure":     "a word of ours",
	"reviews.state":       "a state",
	"reviews.steps":       "moves and seats by number",
	"seals.proof":         "sealed by itself",
	"seasons.name":        "the word of a chat for a season",
	"seals.secrets":       "a state",
	"seats.absence":       "a state",
	"seats.house":         "a strategy",
	"seats.vouch":         "who is asked",
	"settings.name":       "a word of ours",
	"tables.absent":       "what happens when a turn takes too long",
	"tables.altered":      "words of ours, and seats by number",
	"tables.commitment":   "a proof of the dice",
	"tables.draft":        "dice or tiles",
	"tables.drawer":       "chance",
	"tables.language":     "a language",
	"tables.game":         "a game",
	"tables.page":         "a word of ours",
	"tables.rules":        "options of a game",
	"tables.state":        "a state",
	"tables.unit":         "the word of a chat for what it counts in",
	"tallies.counts":      "numbers",
	"totals.game":         "a game",
	"totals.kind":         "a kind",
	"totals.rules":        "options of a game",
	"totals.unit":         "the word of a chat for what it counts in",
	"web_moves.print":     "a fingerprint of what is not stored",
	"web_moves.sealed":    "sealed by what is not stored",
	"web_outs.who":        "a fingerprint of a browser, other in each room",
	"web_rooms.print":     "a fingerprint of what is not stored",
	"ways.code":           "a fingerprint of what is not stored",
	"ways.owner":          "a fingerprint of what is not stored",
	"ways.sealed":         "sealed by what is not stored",
}

// nobodys lists the tables that hold nothing of a person, with the reason.
var nobodys = map[string]string{
	"chat_settings": "of a chat",
	"fading":        "ids of messages; versions before have written it",
	"forgotten":     "that somebody was forgotten, not who",
	"house_rules":   "of a chat",
	"leases":        "what replicas of the program do",
	"menus":         "of a chat",
	"postings":      "their lines are told",
	"reviews":       "of a table; what a seat has done is told",
	"seals":         "of the installation",
	"settings":      "of the installation",
	"updates":       "ids of what a platform has delivered, which tell of nobody, for a day",
	"web_moves":     "addresses of rooms, sealed by what is not stored",
	"web_outs":      "fingerprints of browsers",
	"web_said":      "what all in a room were told, for an hour",
	"ways":          "sealed by links that are not stored",
}
