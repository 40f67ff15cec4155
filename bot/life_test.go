package bot_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"knobel/bot"
	"knobel/store"
)

func TestGameFromFirstPressToLast(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")

	anna.writes("/coin 10")
	want(t, anna.board(), `
Anna opens a table: Coin for 10 chips.
Anna
Alone it is practice, without a stake.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)

	told(t, ben.presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
	anna.presses("+ House")
	want(t, anna.board(), `
Anna opens a table: Coin for 10 chips.
Anna
Ben
House random
Pool 30 chips
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)

	refused(t, ben.presses("▶ Start"), "Anna decides that.")
	anna.presses("▶ Start")
	want(t, anna.board(), `
Anna is to throw.
Anna
Ben
House
Pool 30 chips
[Throw]`)

	throw := anna.button("Throw")
	refused(t, ben.sends(throw.Press), "It is Anna's turn.")
	refused(t, h.person("Clara").sends(throw.Press), "You have no seat at this table.")
	anna.sends(throw.Press)
	refused(t, anna.sends(throw.Press), "The table has moved on.")
	ben.presses("Throw")
	refused(t, anna.sends(throw.Press), "This game is over.")

	table := anna.table()
	if table.State != store.Over || table.Turn != 3 || table.Thrown != 3 {
		t.Errorf("%s after %d moves and %d dice", table.State, table.Turn, table.Thrown)
	}
	over := anna.board()
	if !strings.Contains(over.Head, "House threw") || !strings.Contains(over.Head, "chips") {
		t.Errorf("the end is told as %q", over.Head)
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
	tables, err := h.bot.Check(context.Background())
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
[Rules: classic][size: 6 tiles]
[end: last][start: last]
[Stake −][Stake +][Close table][Back]`)
	refused(t, ben.presses("Stake +"), "Anna decides that.")
	anna.presses("Stake +")
	anna.presses("size: 6 tiles")
	want(t, anna.board(), `
Anna opens a table: Pile for 10 chips.
Anna
Ben
Pool 20 chips
[6 tiles]
[8 tiles]
[Back]`)
	anna.presses("8 tiles")
	anna.presses("Rules: big")
	want(t, anna.board(), `
Anna opens a table: Pile for 10 chips.
Anna
Ben
Pool 20 chips
[classic][big][duel]
[Back]`)
	anna.presses("duel")
	refused(t, h.person("Clara").sends("1:1:0:!join"), "All seats are taken.")
	anna.presses("Back")
	want(t, anna.board(), `
Anna opens a table: Pile for 10 chips.
Anna
Ben
Pool 20 chips
[Get up]
[▶ Start][⚙ Rules]`)

}

func TestLobbyIsChangedByItsHostsCommand(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/pile 5 duel")
	ben.presses("Sit down")
	told(t, anna.writes("/pile classic 0 size=8"), "Changed.")
	told(t, ben.writes("/pile 100"), "There is a table here already.")
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
[+ meek][+ any two]
[Back]`)
	anna.presses("+ meek")
	anna.presses("+ any two")
	want(t, anna.board(), `
Anna opens a table: Pile, for nothing but fun.
Anna
Ben
House 1 meek
House 2 any two
[− House][Back]`)
	refused(t, anna.sends("1:1:0:!set end=first"), "These rules are for 2 players, and more sit here.")
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
1 2 3 4 5 6 open 21
Anna 0
Ben 0
Pool 20 chips
[1][2][3][4][5]
[6]`)
	refused(t, ben.presses("6"), "It is Anna's turn.")
	told(t, anna.presses("6"), "Picked: 6.")
	refused(t, anna.sends("1:1:0:!play"), "That is not a whole move yet.")
	told(t, anna.presses("2"), "Picked: 6+2.")
	m := anna.board()
	want(t, m, `
Anna is to take two tiles.
1 2 3 4 5 6 open 21
Anna 0
Ben 0
Pool 20 chips
[2 ✓][6 ✓]
[Take them]`)
	if !m.Tiles[0].Tiles[5].Picked || m.Tiles[0].Tiles[4].Picked {
		t.Errorf("picked tiles are not shown: %v", m.Tiles)
	}
	refused(t, anna.sends("1:1:0:!pick 2"), "That does not go with what is picked.")
	for _, item := range []string{"6", "-1", "x", ""} {
		refused(t, anna.sends("1:1:0:!pick "+item), "The table has moved on.")
	}
	told(t, anna.presses("2 ✓"), "Picked: 6.")
	told(t, anna.presses("5"), "Picked: 6+5.")
	h.restart()
	told(t, anna.presses("Take them"), "Anna took 6+5.")
	refused(t, anna.sends("1:1:0:!play"), "The table has moved on.")
	refused(t, anna.sends("1:1:1:!play"), "That is not a whole move yet.")
	if table := anna.table(); table.Draft != "" || table.Turn != 1 {
		t.Errorf("draft %q after %d moves", table.Draft, table.Turn)
	}
	ben.sends("1:1:1:take 4+3")
	anna.sends("1:1:2:take 2+1")
	want(t, anna.board(), `
Anna takes 20 chips.
_ _ _ _ _ _ open 0
Anna 14 (+10)
Ben 7 (−10)
📦 Anna holds the box.
[↻ Rematch][Dice ✓]`)
	h.sound()
}

func TestPracticeCostsNothing(t *testing.T) {
	h := newHouse(t, pile{})
	anna := h.person("Anna")
	anna.writes("/pile 50")
	anna.presses("▶ Start")
	anna.sends("1:1:0:take 2+1")
	anna.sends("1:1:1:take 4+3")
	anna.sends("1:1:2:take 6+5")
	want(t, anna.board(), `
Anna took it all.
_ _ _ _ _ _ open 0
Anna 21
[↻ Rematch][Dice ✓]`)
	h.balance("player:test:Anna", 0)
	h.sound()
}

// balance fails unless an account of the chat stands at an amount of chips.
func (h *house) balance(account string, want int64) {
	h.t.Helper()
	err := h.store.View(context.Background(), func(tx *store.Tx) error {
		got, err := tx.Balance("test:1", "chips", account)
		if got != want {
			h.t.Errorf("%s has %d, want %d", account, got, want)
		}
		return err
	})
	if err != nil {
		h.t.Error(err)
	}
}

func TestBoxStaysAndIsWon(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	// Three share nothing evenly: 3 seats, stake 1, two winners of 8 tiles.
	anna.writes("/pile 1 big")
	ben.presses("Sit down")
	clara.presses("Sit down")
	anna.presses("▶ Start")
	anna.sends("1:1:0:take 6+3") // 9
	ben.sends("1:1:1:take 5+4")  // 9
	clara.sends("1:1:2:take 2+1")
	anna.sends("1:1:3:take 8+7")
	if table := anna.table(); table.State != store.Over {
		t.Fatalf("%s", table.State)
	}
	h.balance("player:test:Anna", 2)
	h.balance("box", 0)

	ben.presses("↻ Rematch")
	if first := ben.table().Seats[0].Player; first != "test:Anna" {
		t.Errorf("%s sits first, but Anna holds the box", first)
	}
	h.sound()
}

func TestPoolThatCannotBeShared(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.writes("/pile 1")
	ben.presses("Sit down")
	clara.presses("Sit down")
	anna.presses("▶ Start")
	anna.sends("1:1:0:take 6+2") // 8
	ben.sends("1:1:1:take 5+3")  // 8
	clara.sends("1:1:2:take 4+1")
	want(t, anna.board(), `
Anna and Ben share the pool, 1 chip each.
_ _ _ _ _ _ open 0
Anna 8 (0)
Ben 8 (0)
Clara 5 (−1)
Left in the box, as it could not be shared: 1 chip.
📦 Anna holds the box.
[↻ Rematch][Dice ✓]`)
	h.balance("box", 1)

	// Ben opens the next table, but Anna holds the box: she sits first, may
	// start, and the box joins the pool.
	ben.writes("/pile 10")
	anna.presses("Sit down")
	want(t, anna.board(), `
Ben opens a table: Pile for 10 chips.
Ben
Anna holds the box, sits first
Pool 21 chips
The box adds 1 chip.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)
	told(t, anna.presses("▶ Start"), "")
	h.balance("pool:2", 21)
	h.balance("box", 0)
	anna.sends("1:2:0:take 2+1")
	ben.sends("1:2:1:take 6+5")
	anna.sends("1:2:2:take 4+3")
	h.balance("player:test:Ben", 11)
	h.balance("player:test:Clara", -1)

	// And the third time in a row it is said.
	ben.presses("↻ Rematch")
	anna.presses("Sit down")
	ben.presses("▶ Start")
	ben.sends("1:3:0:take 6+5")
	anna.sends("1:3:1:take 2+1")
	ben.sends("1:3:2:take 4+3")
	if m := ben.board(); m.Lines[0] != "📦 Ben holds the box, 2 times in a row now." {
		t.Errorf("lines %q", m.Lines)
	}
	h.sound()
}

func TestRematch(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.writes("/coin 2")
	ben.presses("Sit down")
	clara.presses("Sit down")
	anna.presses("+ House")
	anna.presses("▶ Start")
	anna.presses("Throw")
	ben.presses("Throw")
	clara.presses("Throw")
	rematch := anna.button("↻ Rematch").Press
	refused(t, h.person("Dora").sends(rematch), "You have no seat at this table.")

	r := ben.sends(rematch)
	if r.Board != 2 || !r.Fresh {
		t.Errorf("reply %+v", r)
	}
	if m := h.boardOf(1); strings.Contains(show(m), "Rematch") {
		t.Errorf("the old board offers another rematch\n%s", show(m))
	}
	told(t, anna.sends(rematch), "You are in again.") // the same table
	refused(t, anna.sends(rematch), "You sit here already.")
	confirmed := 0
	for _, s := range anna.table().Seats {
		if s.Confirmed {
			confirmed++
		}
	}
	if table := anna.table(); table.ID != 2 || confirmed != 3 || table.Stake != 2 {
		t.Errorf("table %d for %d with %d of %d confirmed", table.ID, table.Stake, confirmed, len(table.Seats))
	}
	refused(t, clara.presses("▶ Start"), "Ben decides that.")
	told(t, ben.presses("▶ Start"), "")
	if table := ben.table(); len(table.Seats) != 3 {
		t.Errorf("%d seats, Clara's should be free", len(table.Seats))
	}
	refused(t, clara.sends(rematch), "The game has begun already.")
	h.sound()
}

func TestEndBeforeTheEnd(t *testing.T) {
	h := newHouse(t)
	anna, ben, mod := h.person("Anna"), h.person("Ben"), h.person("Mod")
	mod.admin = true
	anna.writes("/coin 10")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	h.balance("player:test:Ben", -10)
	refused(t, ben.writes("/abandon"), "Anna or an admin can end it, players after a quiet hour.")
	if r := mod.writes("/abandon"); r.Board != 1 || !r.Fresh {
		t.Errorf("reply %+v", r)
	}
	want(t, anna.board(), `
End this table? All stakes go back. Anna is to throw.
Anna
Ben
Pool 20 chips
[Throw]
[Yes, end it][No, go on]`)
	stale := anna.button("Yes, end it").Press
	anna.presses("Throw") // the question is gone
	refused(t, anna.sends(stale), "The table has moved on.")

	h.wait(59 * time.Minute)
	refused(t, ben.sends("1:1:1:!end"), "Anna or an admin can end it, players after a quiet hour.")
	h.wait(time.Minute)
	ben.writes("/coin")
	ben.presses("Close table")
	refused(t, h.person("Dora").presses("Yes, end it"), "Anna or an admin can end it, players after a quiet hour.")
	ben.presses("No, go on")
	ben.writes("/abandon")
	told(t, ben.presses("Yes, end it"), "The table is closed.")
	want(t, anna.board(), `
The table was ended before its time. Everybody has their 10 chips again.
Anna +10 back
Ben +10 back
[↻ Rematch][Dice ✓]`)
	h.balance("player:test:Anna", 0)
	h.balance("player:test:Ben", 0)
	h.balance("pool:1", 0)
	refused(t, anna.writes("/abandon"), "This table was closed.")
	refused(t, anna.sends("1:1:1:throw"), "This table was closed.")
	anna.presses("↻ Rematch")
	if table := anna.table(); table.ID != 2 || table.State != store.Lobby {
		t.Errorf("table %d is %s", table.ID, table.State)
	}
	h.sound()
}

func TestOneTableInAPlace(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin")
	r := ben.writes("/coin 99")
	told(t, r, "There is a table here already.")
	if r.Board != 1 || !r.Fresh {
		t.Errorf("reply %+v", r)
	}
	if strings.Contains(show(ben.board()), "Close table") {
		t.Error("Ben, who may not end it, is offered to")
	}
	anna.writes("/coin")
	told(t, anna.presses("Close table"), "")
	anna.presses("Yes, end it")
	elsewhere := h.person("Anna")
	elsewhere.place = "test:1/2"
	elsewhere.writes("/coin")
	if id := elsewhere.table().ID; id != 2 {
		t.Errorf("table %d", id)
	}
	refused(t, ben.sends("1:2:0:!join"), "That table is not here any more.")
	r = ben.writes("/coin")
	if r.Board != 3 {
		t.Errorf("after the end of the first, table %d", r.Board)
	}
}

func TestTheSameEventTwiceDoesNothing(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	ev := anna.event()
	ev.Command, ev.Text = "coin", ""
	h.bot.Handle(context.Background(), ev)
	if r := h.bot.Handle(context.Background(), ev); r != (bot.Reply{}) {
		t.Errorf("the second time %+v", r)
	}
	join := ben.event()
	join.Press = "1:1:0:!start"
	refused(t, h.bot.Handle(context.Background(), join), "You have no seat at this table.")
	ben.presses("Sit down")
	anna.presses("Get up")
	h.restart()
	// Ben could start now, but this press was answered long ago.
	if r := h.bot.Handle(context.Background(), join); r != (bot.Reply{}) {
		t.Errorf("a refused press comes again: %+v", r)
	}
	if state := ben.table().State; state != store.Lobby {
		t.Errorf("the table is %s", state)
	}
}

func TestOldButtonsWorkAfterARestart(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin")
	sit := anna.button("Sit down").Press
	h.restart()
	ben.sends(sit)
	start := anna.button("▶ Start").Press
	h.restart()
	anna.sends(start)
	throw := anna.button("Throw").Press
	h.restart()
	if r := anna.sends(throw); r.Refused || r.Board != 1 {
		t.Errorf("reply %+v", r)
	}
	h.restart()
	ben.presses("Throw")
	if table := ben.table(); table.State != store.Over {
		t.Errorf("the table is %s", table.State)
	}
	h.sound()
}

func TestWholeGameInGerman(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.locale, ben.locale = "de-DE", "de-DE"
	anna.writes("/pile 10 groß")
	want(t, anna.board(), `
Anna macht einen Tisch auf: Haufen um 10 Chips.
Anna
Allein ist es Übung, ohne Einsatz.
[Mitspielen][Aufstehen]
[▶ Los][+ Haus][⚙ Regeln]`)
	anna.presses("+ Haus")
	anna.presses("+ sanft")
	anna.presses("Zurück")
	refused(t, ben.presses("▶ Los"), "Du hast keinen Platz an diesem Tisch.")
	anna.presses("▶ Los")
	told(t, anna.presses("8"), "Gewählt: 8.")
	anna.presses("7")
	want(t, anna.board(), `
Anna nimmt zwei Klappen.
1 2 3 4 5 6 7 8 offen 36
Anna 0
Haus 0
Topf 20 Chips
[7 ✓][8 ✓]
[Nehmen]`)
	told(t, anna.presses("Nehmen"), "Anna hat 8+7 genommen.")
	refused(t, ben.sends("1:1:2:take 4+3"), "Du hast keinen Platz an diesem Tisch.")
	anna.sends("1:1:2:take 6+5")
	want(t, anna.board(), `
Anna bekommt 20 Chips.
_ _ _ _ _ _ _ _ offen 0
Anna 26 (+10)
Haus 10 (−10)
📦 Anna hat die Box.
[↻ Revanche][Würfel ✓]`)
	if small := anna.board().Small; !strings.HasSuffix(small, " · groß") || !strings.HasPrefix(small, "Würfelsiegel ") {
		t.Errorf("small print %q", small)
	}
	anna.presses("↻ Revanche")
	anna.writes("/abandon")
	if m := anna.board(); !strings.HasPrefix(m.Head, "Diesen Tisch schließen? ") {
		t.Error(m.Head)
	}
	told(t, anna.presses("Ja, beenden"), "Der Tisch ist geschlossen.")
	want(t, anna.board(), `
Der Tisch wurde vor der Zeit geschlossen.
Anna
Haus
[↻ Revanche]`)
	h.sound()
}

func TestWhichBoardAReplyIsAbout(t *testing.T) {
	h := newHouse(t)
	anna := h.person("Anna")
	anna.admin = true
	anna.writes("/coin")
	if r := anna.writes("/language en"); r.Board != 0 {
		t.Errorf("a command that shows no board: %+v", r)
	}
	if r := anna.sends("1:1:0:/language de"); r.Board != 0 {
		t.Errorf("a button of a private answer: %+v", r)
	}
	if r := anna.sends("1:1:0:!stake more"); r.Board != 1 || r.Fresh {
		t.Errorf("a button of the board: %+v", r)
	}
}
