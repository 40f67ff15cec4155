package books_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/store"
)

func TestPracticeCostsNothing(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna := h.Person("Anna")
	anna.Writes("/pile 50")
	anna.Presses("▶ Start")
	anna.Sends("1:1:0:take 2+1")
	anna.Sends("1:1:1:take 4+3")
	anna.Sends("1:1:2:take 6+5")
	bare.Want(t, anna.Board(), `
Anna took it all.
_ _ _ _ _ _
Anna 21
[↻ Rematch][Dice ✓]`)
	h.Balance("player:test:Anna", 0)
	h.Sound()
}

// One person and house seats play for practice, unless the chat counts that when the game starts: nothing is booked,
// the box stays as it is, no list has it, and the record says what it was.
func TestAloneWithTheHouseIsPractice(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, people := h.Person("Anna"), []string{"Anna", "house"}
	play := func(counts bool) {
		t.Helper()
		h.Game("/pile 5", people, "Anna take 6+5", "Anna take 4+3")
		if table := anna.Table(); table.Practice == counts {
			t.Errorf("practice is %t", table.Practice)
		}
	}
	lines := map[string]string{"/leaderboard all": "", "/leaderboard mean all house=with": "", "/settle": ""}
	for line := range lines {
		lines[line] = bare.Said(t, anna.Writes(line))
	}
	play(false)
	for line, before := range lines {
		if now := bare.Said(t, anna.Writes(line)); now != before {
			t.Errorf("%s said\n%s\nand says\n%s", line, before, now)
		}
	}
	text := bare.Page(t, anna.Writes("/stats"))
	if !strings.Contains(text, "1 game alone, for practice") || strings.Contains(text, "won and lost") {
		t.Errorf("the statistics say\n%s", text)
	}
	h.Balance("player:test:Anna", 0)
	h.Balance("box", 0)
	if lines := h.Export(review.Wanted{}); len(lines) != 1 || !strings.Contains(lines[0], `"pool":5`) {
		t.Errorf("recorded are %v", lines)
	}
	h.Sound()

	anna.Admin = true
	anna.Writes("/settings alone=counts")
	play(true)
	if got := bare.Said(t, anna.Writes("/leaderboard won all")); !strings.Contains(got, "\n1. Anna ") {
		t.Errorf("got\n%s", got)
	}
	h.Sound()
}

// In practice no stake comes back, goes along with a seat, or asks others for their word.
func TestPracticePromisesNoStakes(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 10")
	anna.Sends("1:1:0:!house fewest")
	anna.Presses("▶ Start")
	anna.Writes("/handover")
	if text := bare.Show(ben.Offers()); !strings.Contains(text, "Anna would hand the seat over, as it stands.") {
		t.Errorf("offered is\n%s", text)
	}
	bare.Told(t, ben.Presses("Take Anna’s seat"), "The seat is yours.")
	ben.Writes("/abandon")
	if text := bare.Show(ben.Board()); !strings.Contains(text, "End this table?") || strings.Contains(text, "back") {
		t.Errorf("asked is\n%s", text)
	}
	bare.Told(t, ben.Presses("Yes, end it"), "The table is closed.")
	if text := bare.Show(ben.Board()); strings.Contains(text, "10 chips") {
		t.Errorf("ended is\n%s", text)
	}
	h.Sound()
}

func TestBoxStaysAndIsWon(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	// Three share nothing evenly: 3 seats, stake 1, two winners of 8 tiles.
	anna.Writes("/pile 1 big")
	ben.Presses("Sit down")
	clara.Presses("Sit down")
	anna.Presses("▶ Start")
	anna.Sends("1:1:0:take 6+3") // 9
	ben.Sends("1:1:1:take 5+4")  // 9
	clara.Sends("1:1:2:take 2+1")
	anna.Sends("1:1:3:take 8+7")
	if table := anna.Table(); table.State != store.Over {
		t.Fatalf("%s", table.State)
	}
	h.Balance("player:test:Anna", 2)
	h.Balance("box", 0)

	ben.Presses("↻ Rematch")
	if first := ben.Table().Seats[0].Player; first != "test:Anna" {
		t.Errorf("%s sits first, but Anna holds the box", first)
	}
	h.Sound()
}

func TestPoolThatCannotBeShared(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Writes("/pile 1")
	ben.Presses("Sit down")
	clara.Presses("Sit down")
	anna.Presses("▶ Start")
	anna.Sends("1:1:0:take 6+2") // 8
	ben.Sends("1:1:1:take 5+3")  // 8
	clara.Sends("1:1:2:take 4+1")
	bare.Want(t, anna.Board(), `
Anna and Ben share the pool, 1 chip each.
_ _ _ _ _ _
Anna 8 (0)
Ben 8 (0)
Clara 5 (−1)
Left in the box, as it could not be shared: 1 chip.
📦 Anna holds the box.
[↻ Rematch][Dice ✓]`)
	h.Balance("box", 1)

	// Ben opens the next table, but Anna holds the box: she sits first, may
	// start, and the box joins the pool.
	ben.Writes("/pile 10")
	anna.Presses("Sit down")
	bare.Want(t, anna.Board(), `
Ben opens a table: Pile for 10 chips.
Ben
Anna holds the box, sits first
Pool 21 chips
The box adds 1 chip.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)
	bare.Told(t, anna.Presses("▶ Start"), "")
	h.Balance("pool:2", 21)
	h.Balance("box", 0)
	anna.Sends("1:2:0:take 2+1")
	ben.Sends("1:2:1:take 6+5")
	anna.Sends("1:2:2:take 4+3")
	h.Balance("player:test:Ben", 11)
	h.Balance("player:test:Clara", -1)

	// And the third time in a row it is said.
	ben.Presses("↻ Rematch")
	anna.Presses("Sit down")
	ben.Presses("▶ Start")
	ben.Sends("1:3:0:take 6+5")
	anna.Sends("1:3:1:take 2+1")
	ben.Sends("1:3:2:take 4+3")
	if m := ben.Board(); m.Lines[0] != "📦 Ben holds the box, 2 times in a row now." {
		t.Errorf("lines %q", m.Lines)
	}
	h.Sound()
}

// Of several seats that the same house takes, one holds its box.
func TestHouseThatHoldsTheBox(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin 10")
	anna.Presses("+ House")
	table := anna.Table()
	err := h.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		return tx.GiveBox(table.Chat, table.Unit, []string{"house:random"}, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	anna.Presses("+ House")
	anna.Presses("+ random")
	bare.Want(t, anna.Board(), `
Anna opens a table: Coin for 10 chips.
Anna
House 1 holds the box, sits first
House 2 random
Pool 30 chips
Practice: one person plays, so nothing goes into the books.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)
}
