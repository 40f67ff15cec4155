package table_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
)

func TestGameFromFirstPressToLast(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")

	anna.Writes("/coin 10")
	bare.Want(t, anna.Board(), `
Anna opens a table: Coin.
Anna
Alone it is practice: the stake of 10 chips counts from two on.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)

	bare.Told(t, ben.Presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
	anna.Presses("+ House")
	bare.Refused(t, ben.Presses("▶ Start"), "Anna decides that. In 5 minutes you may, too.")
	bare.Want(t, anna.Board(), `
Anna opens a table: Coin for 10 chips.
Anna
Ben
House random
Anna added a house player. The pool is now 30 chips.
Pool 30 chips
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)
	anna.Presses("▶ Start")
	bare.Want(t, anna.Board(), `
Anna is to throw.
Anna
Ben
House
[Throw]`)

	throw := anna.Button("Throw")
	bare.Refused(t, ben.Sends(throw.Press), "It is Anna's turn; the board says when it is yours.")
	bare.Refused(t, h.Person("Clara").Sends(throw.Press), "You are watching this game. Join the next one.")
	anna.Sends(throw.Press)
	bare.Refused(t, anna.Sends(throw.Press), "The table has moved on. Look at the newest board.")
	ben.Presses("Throw")
	bare.Refused(t, anna.Sends(throw.Press), "This game is over. ↻ Rematch plays the next.")

	table := anna.Table()
	if table.State != store.Over || table.Turn != 3 || table.Thrown != 3 {
		t.Errorf("%s after %d moves and %d dice", table.State, table.Turn, table.Thrown)
	}
	over := anna.Board()
	if !strings.Contains(over.Head, "chips") || !strings.HasSuffix(over.Said(), " House threw 2.") {
		t.Errorf("the end is told as %q", over.Said())
	}
	h.Sound()
}

func TestLobbyIsChangedByButtons(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/pile 5")
	ben.Presses("Sit down")
	anna.Presses("⚙ Rules")
	bare.Want(t, anna.Board(), `
Anna opens a table: Pile for 5 chips.
Anna
Ben
Pool 10 chips
[Sit down]
[Rules: classic][size: 6 tiles]
[end: last][start: last]
[A turn: 10 minutes][Then: the house plays]
[Stake −][Stake +][Close table][Back]`)
	bare.Refused(t, ben.Presses("Stake +"), "Anna decides that. In 5 minutes you may, too.")
	anna.Presses("Stake +")
	anna.Presses("size: 6 tiles")
	bare.Want(t, anna.Board(), `
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
	anna.Presses("8 tiles")
	anna.Presses("Rules: big")
	bare.Want(t, anna.Board(), `
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
	anna.Presses("duel")
	bare.Refused(t, h.Person("Clara").Sends(chat.LobbyPressOn(anna.Board(), "join")),
		"All seats are taken. One is free once somebody gets up.")
	anna.Presses("Back")
	bare.Want(t, anna.Board(), `
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
	h := bare.New(t, bare.Pile{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/pile 5 duel")
	ben.Presses("Sit down")
	bare.Told(t, anna.Writes("/pile classic 0 size=8"), "Changed.")
	bare.Refused(t, ben.Writes("/pile 100"), "You sit here already. “Get up” gives the seat back.")
	if table := anna.Table(); table.Stake != 0 || table.Rules["size"] != "8" || table.Rules["end"] != "" {
		t.Errorf("stake %d, rules %v", table.Stake, table.Rules)
	}
	if m := anna.Board(); m.Head != "Anna opens a table: Pile, for nothing but fun." {
		t.Errorf("a friendly table begins %q", m.Head)
	}

}

func TestHouseSeatsAreChosen(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/pile 0 big")
	ben.Presses("Sit down")
	anna.Presses("+ House")
	bare.Want(t, anna.Board(), `
Anna opens a table: Pile, for nothing but fun.
Anna
Ben
[Sit down]
[+ meek][+ any two]
[Back]`)
	anna.Presses("+ meek") // and back, to start
	anna.Presses("+ House")
	anna.Presses("+ any two")
	anna.Presses("+ House")
	bare.Want(t, anna.Board(), `
Anna opens a table: Pile, for nothing but fun.
Anna
Ben
House 1 meek
House 2 any two
Anna added a house player.
[− House][Back]`)
	bare.Refused(t, anna.Sends("1:1:0:!set end=first"), "These rules are for 2 players: somebody has to get up.")
	anna.Presses("− House")
	if m := anna.Board(); len(m.People) != 3 {
		t.Errorf("%d seats", len(m.People))
	}
}

func TestWhoIsNotTheHost(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/pile 0 big")
	ben.Presses("Sit down")

	// Who is not the host reads the rules alone.
	r := ben.Presses("⚙ Rules")
	if r.Private == nil || r.Private.Head != "Pile: big" || r.Board != 0 {
		t.Errorf("reply %+v", r)
	}

	// The host leaves, and somebody else starts.
	anna.Presses("Get up")
	bare.Told(t, ben.Presses("▶ Start"), "")
	if table := ben.Table(); table.State != store.Playing || table.Seats[0].Player != "test:Ben" {
		t.Errorf("%s with %v", table.State, table.Seats)
	}
	h.Sound()
}

func TestChoiceOfSeveralTiles(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/pile")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	bare.Want(t, anna.Board(), `
Anna is to take two tiles.
1 2 3 4 5 6
Anna 0
Ben 0
[1][2][3][4][5]
[6]`)
	bare.Refused(t, ben.Presses("6"), "It is Anna's turn; the board says when it is yours.")
	bare.Told(t, anna.Presses("6"), "Picked: 6.")
	bare.Refused(t, anna.Sends("1:1:0:!play"), "That is not a whole move yet. Pick more.")
	bare.Told(t, anna.Presses("2"), "Picked: 6+2.")
	m := anna.Board()
	bare.Want(t, m, `
Anna is to take two tiles.
1 2 3 4 5 6
Anna 0
Ben 0
[2✓][6✓]
[Take them]`)
	if !m.Tiles[0].Tiles[5].Picked || m.Tiles[0].Tiles[4].Picked {
		t.Errorf("picked tiles are not shown: %v", m.Tiles)
	}
	bare.Refused(t, anna.Sends("1:1:0:!pick 2"), "That does not go with what is picked. Put that back first.")
	for _, item := range []string{"6", "-1", "x", ""} {
		bare.Refused(t, anna.Sends("1:1:0:!pick "+item), "The table has moved on. Look at the newest board.")
	}
	bare.Told(t, anna.Presses("2✓"), "Picked: 6.")
	bare.Told(t, anna.Presses("5"), "Picked: 6+5.")
	h.Restart()
	bare.Told(t, anna.Presses("Take them"), "Anna took 6+5.")
	bare.Refused(t, anna.Sends("1:1:0:!play"), "The table has moved on. Look at the newest board.")
	bare.Refused(t, anna.Sends("1:1:1:!play"), "That is not a whole move yet. Pick more.")
	if table := anna.Table(); table.Draft != "" || table.Turn != 1 {
		t.Errorf("draft %q after %d moves", table.Draft, table.Turn)
	}
	ben.Sends("1:1:1:take 4+3")
	anna.Sends("1:1:2:take 2+1")
	bare.Want(t, anna.Board(), `
Anna takes 20 chips.
_ _ _ _ _ _
Anna 14 (+10)
Ben 7 (−10)
📦 Anna holds the box.
[↻ Rematch][Dice ✓]`)
	h.Sound()
}

func TestWholeGameInGerman(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Locale, ben.Locale = "de-DE", "de-DE"
	anna.Writes("/pile 10 groß")
	bare.Want(t, anna.Board(), `
Anna macht einen Tisch auf: Haufen.
Anna
Allein ist es Übung: Der Einsatz von 10 Chips gilt ab zwei.
[Mitspielen][Aufstehen]
[▶ Los][+ Haus][⚙ Regeln]`)
	anna.Presses("+ Haus")
	anna.Presses("+ sanft")
	bare.Refused(t, ben.Presses("▶ Los"), "Setz dich erst: „Mitspielen“ steht auf dem Brett.")
	anna.Presses("▶ Los")
	bare.Told(t, anna.Presses("8"), "Gewählt: 8.")
	anna.Presses("7")
	bare.Want(t, anna.Board(), `
Anna nimmt zwei Klappen.
1 2 3 4 5 6 7 8
Anna 0
Haus 0
[7✓][8✓]
[Nehmen]`)
	bare.Told(t, anna.Presses("Nehmen"), "Anna hat 8+7 genommen.")
	bare.Refused(t, ben.Sends("1:1:2:take 4+3"), "Du schaust hier zu. Spiel beim nächsten Mal mit.")
	anna.Sends("1:1:2:take 6+5")
	bare.Want(t, anna.Board(), `
Anna nimmt 20 Chips.
_ _ _ _ _ _ _ _
Anna 26 (+10)
Haus 10 (−10)
Haus → 10
Übung: Nur ein Mensch spielt mit, abgerechnet wird nichts.
[↻ Revanche][Würfel ✓]`)
	if small := anna.Board().Small; !strings.HasSuffix(small, " · groß") || !strings.HasPrefix(small, "Würfelsiegel ") {
		t.Errorf("small print %q", small)
	}
	anna.Presses("↻ Revanche")
	anna.Writes("/abandon")
	if m := anna.Board(); m.Said() != "Diesen Tisch schließen?" {
		t.Error(m.Head)
	}
	bare.Told(t, anna.Presses("Ja, beenden"), "Der Tisch ist geschlossen.")
	bare.Want(t, anna.Board(), `
Der Tisch von Anna ist zu; gespielt war noch nichts.
Anna
Haus
[↻ Revanche]`)
	h.Sound()
}

func TestFirstLineIsNeverEmpty(t *testing.T) {
	h := bare.New(t, bare.Pile{}) // which says nothing when several have played
	anna := h.Person("Anna")
	anna.Writes("/pile 0")
	anna.Sends("1:1:0:!house meek")
	anna.Presses("▶ Start")
	anna.Sends("1:1:0:take 6+5")
	anna.Sends("1:1:2:take 4+3")
	bare.Want(t, anna.Board(), `
This game is over. ↻ Rematch plays the next.
_ _ _ _ _ _
Anna 18
House 3
[↻ Rematch][Dice ✓]`)
}
