package bot_test

import (
	"context"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/store"
)

func TestGameFromFirstPressToLast(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")

	anna.writes("/coin 10")
	want(t, anna.board(), `
Anna opens a table: Coin.
Anna
Alone it is practice: the stake of 10 chips counts from two on.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)

	told(t, ben.presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
	anna.presses("+ House")
	refused(t, ben.presses("▶ Start"), "Anna decides that. In 5 minutes you may, too.")
	want(t, anna.board(), `
Anna opens a table: Coin for 10 chips.
Anna
Ben
House random
Anna added a house player. The pool is now 30 chips.
Pool 30 chips
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)
	anna.presses("▶ Start")
	want(t, anna.board(), `
Anna is to throw.
Anna
Ben
House
[Throw]`)

	throw := anna.button("Throw")
	refused(t, ben.sends(throw.Press), "It is Anna's turn; the board says when it is yours.")
	refused(t, h.person("Clara").sends(throw.Press), "You are watching this game. Join the next one.")
	anna.sends(throw.Press)
	refused(t, anna.sends(throw.Press), "The table has moved on. Look at the newest board.")
	ben.presses("Throw")
	refused(t, anna.sends(throw.Press), "This game is over. ↻ Rematch plays the next.")

	table := anna.table()
	if table.State != store.Over || table.Turn != 3 || table.Thrown != 3 {
		t.Errorf("%s after %d moves and %d dice", table.State, table.Turn, table.Thrown)
	}
	over := anna.board()
	if !strings.Contains(over.Head, "chips") || !strings.HasSuffix(over.Said(), " House threw 2.") {
		t.Errorf("the end is told as %q", over.Said())
	}
	h.sound()
}

// sound fails unless the whole database is right: books, results, replays.
func (h *house) sound() {
	h.t.Helper()
	books, err := h.store.Check(context.Background())
	if err != nil {
		h.t.Fatal(err)
	}
	tables, err := h.bot.Check(context.Background(), nil)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, fault := range books {
		h.t.Error(fault)
	}
	for _, fault := range tables {
		h.t.Error(fault)
	}
}

func TestLobbyIsChangedByButtons(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/pile 5")
	ben.presses("Sit down")
	anna.presses("⚙ Rules")
	want(t, anna.board(), `
Anna opens a table: Pile for 5 chips.
Anna
Ben
Pool 10 chips
[Sit down]
[Rules: classic][size: 6 tiles]
[end: last][start: last]
[A turn: 10 minutes][Then: the house plays]
[Stake −][Stake +][Close table][Back]`)
	refused(t, ben.presses("Stake +"), "Anna decides that. In 5 minutes you may, too.")
	anna.presses("Stake +")
	anna.presses("size: 6 tiles")
	want(t, anna.board(), `
Anna opens a table: Pile for 7 chips.
Anna
Ben to agree
Anna raised the stake to 7 chips.
Ben, all right? “Agree” keeps the seat, “Get up” frees it.
Pool 14 chips
[Sit down][Agree]
[6 tiles]
[8 tiles]
[Back]`)
	anna.presses("8 tiles")
	anna.presses("Rules: big")
	want(t, anna.board(), `
Anna opens a table: Pile for 7 chips.
Anna
Ben to agree
Anna raised the stake to 7 chips.
Anna chose big.
Ben, all right? “Agree” keeps the seat, “Get up” frees it.
Pool 14 chips
[Sit down][Agree]
[classic][big][duel]
[Back]`)
	anna.presses("duel")
	refused(t, h.person("Clara").sends(chat.LobbyPressOn(anna.board(), "join")),
		"All seats are taken. One is free once somebody gets up.")
	anna.presses("Back")
	want(t, anna.board(), `
Anna opens a table: Pile for 7 chips.
Anna
Ben to agree
Anna raised the stake to 7 chips.
Anna chose duel.
Ben, all right? “Agree” keeps the seat, “Get up” frees it.
Pool 14 chips
[Agree][Get up]
[Waiting for Ben][⚙ Rules]`)

}

func TestLobbyIsChangedByItsHostsCommand(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/pile 5 duel")
	ben.presses("Sit down")
	told(t, anna.writes("/pile classic 0 size=8"), "Changed.")
	refused(t, ben.writes("/pile 100"), "You sit here already. “Get up” gives the seat back.")
	if table := anna.table(); table.Stake != 0 || table.Rules["size"] != "8" || table.Rules["end"] != "" {
		t.Errorf("stake %d, rules %v", table.Stake, table.Rules)
	}
	if m := anna.board(); m.Head != "Anna opens a table: Pile, for nothing but fun." {
		t.Errorf("a friendly table begins %q", m.Head)
	}

}

func TestHouseSeatsAreChosen(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/pile 0 big")
	ben.presses("Sit down")
	anna.presses("+ House")
	want(t, anna.board(), `
Anna opens a table: Pile, for nothing but fun.
Anna
Ben
[Sit down]
[+ meek][+ any two]
[Back]`)
	anna.presses("+ meek") // and back, to start
	anna.presses("+ House")
	anna.presses("+ any two")
	anna.presses("+ House")
	want(t, anna.board(), `
Anna opens a table: Pile, for nothing but fun.
Anna
Ben
House 1 meek
House 2 any two
Anna added a house player.
[− House][Back]`)
	refused(t, anna.sends("1:1:0:!set end=first"), "These rules are for 2 players: somebody has to get up.")
	anna.presses("− House")
	if m := anna.board(); len(m.People) != 3 {
		t.Errorf("%d seats", len(m.People))
	}
}

func TestWhoIsNotTheHost(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/pile 0 big")
	ben.presses("Sit down")

	// Who is not the host reads the rules alone.
	r := ben.presses("⚙ Rules")
	if r.Private == nil || r.Private.Head != "Pile: big" || r.Board != 0 {
		t.Errorf("reply %+v", r)
	}

	// The host leaves, and somebody else starts.
	anna.presses("Get up")
	told(t, ben.presses("▶ Start"), "")
	if table := ben.table(); table.State != store.Playing || table.Seats[0].Player != "test:Ben" {
		t.Errorf("%s with %v", table.State, table.Seats)
	}
	h.sound()
}

func TestChoiceOfSeveralTiles(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/pile")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	want(t, anna.board(), `
Anna is to take two tiles.
1 2 3 4 5 6
Anna 0
Ben 0
[1][2][3][4][5]
[6]`)
	refused(t, ben.presses("6"), "It is Anna's turn; the board says when it is yours.")
	told(t, anna.presses("6"), "Picked: 6.")
	refused(t, anna.sends("1:1:0:!play"), "That is not a whole move yet. Pick more.")
	told(t, anna.presses("2"), "Picked: 6+2.")
	m := anna.board()
	want(t, m, `
Anna is to take two tiles.
1 2 3 4 5 6
Anna 0
Ben 0
[2✓][6✓]
[Take them]`)
	if !m.Tiles[0].Tiles[5].Picked || m.Tiles[0].Tiles[4].Picked {
		t.Errorf("picked tiles are not shown: %v", m.Tiles)
	}
	refused(t, anna.sends("1:1:0:!pick 2"), "That does not go with what is picked. Put that back first.")
	for _, item := range []string{"6", "-1", "x", ""} {
		refused(t, anna.sends("1:1:0:!pick "+item), "The table has moved on. Look at the newest board.")
	}
	told(t, anna.presses("2✓"), "Picked: 6.")
	told(t, anna.presses("5"), "Picked: 6+5.")
	h.restart()
	told(t, anna.presses("Take them"), "Anna took 6+5.")
	refused(t, anna.sends("1:1:0:!play"), "The table has moved on. Look at the newest board.")
	refused(t, anna.sends("1:1:1:!play"), "That is not a whole move yet. Pick more.")
	if table := anna.table(); table.Draft != "" || table.Turn != 1 {
		t.Errorf("draft %q after %d moves", table.Draft, table.Turn)
	}
	ben.sends("1:1:1:take 4+3")
	anna.sends("1:1:2:take 2+1")
	want(t, anna.board(), `
Anna takes 20 chips.
_ _ _ _ _ _
Anna 14 (+10)
Ben 7 (−10)
📦 Anna holds the box.
[↻ Rematch][Dice ✓]`)
	h.sound()
}

func TestWholeGameInGerman(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.locale, ben.locale = "de-DE", "de-DE"
	anna.writes("/pile 10 groß")
	want(t, anna.board(), `
Anna macht einen Tisch auf: Haufen.
Anna
Allein ist es Übung: Der Einsatz von 10 Chips gilt ab zwei.
[Mitspielen][Aufstehen]
[▶ Los][+ Haus][⚙ Regeln]`)
	anna.presses("+ Haus")
	anna.presses("+ sanft")
	refused(t, ben.presses("▶ Los"), "Setz dich erst: „Mitspielen“ steht auf dem Brett.")
	anna.presses("▶ Los")
	told(t, anna.presses("8"), "Gewählt: 8.")
	anna.presses("7")
	want(t, anna.board(), `
Anna nimmt zwei Klappen.
1 2 3 4 5 6 7 8
Anna 0
Haus 0
[7✓][8✓]
[Nehmen]`)
	told(t, anna.presses("Nehmen"), "Anna hat 8+7 genommen.")
	refused(t, ben.sends("1:1:2:take 4+3"), "Du schaust hier zu. Spiel beim nächsten Mal mit.")
	anna.sends("1:1:2:take 6+5")
	want(t, anna.board(), `
Anna nimmt 20 Chips.
_ _ _ _ _ _ _ _
Anna 26 (+10)
Haus 10 (−10)
Haus → 10
Übung: Nur ein Mensch spielt mit, abgerechnet wird nichts.
[↻ Revanche][Würfel ✓]`)
	if small := anna.board().Small; !strings.HasSuffix(small, " · groß") || !strings.HasPrefix(small, "Würfelsiegel ") {
		t.Errorf("small print %q", small)
	}
	anna.presses("↻ Revanche")
	anna.writes("/abandon")
	if m := anna.board(); m.Said() != "Diesen Tisch schließen?" {
		t.Error(m.Head)
	}
	told(t, anna.presses("Ja, beenden"), "Der Tisch ist geschlossen.")
	want(t, anna.board(), `
Der Tisch von Anna ist zu; gespielt war noch nichts.
Anna
Haus
[↻ Revanche]`)
	h.sound()
}

func TestFirstLineIsNeverEmpty(t *testing.T) {
	h := newHouse(t, pile{}) // which says nothing when several have played
	anna := h.person("Anna")
	anna.writes("/pile 0")
	anna.sends("1:1:0:!house meek")
	anna.presses("▶ Start")
	anna.sends("1:1:0:take 6+5")
	anna.sends("1:1:2:take 4+3")
	want(t, anna.board(), `
This game is over. ↻ Rematch plays the next.
_ _ _ _ _ _
Anna 18
House 3
[↻ Rematch][Dice ✓]`)
}
