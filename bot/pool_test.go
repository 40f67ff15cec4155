package bot_test

import (
	"context"
	"strings"
	"testing"

	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/store"
)

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
_ _ _ _ _ _
Anna 21
[↻ Rematch][Dice ✓]`)
	h.balance("player:test:Anna", 0)
	h.sound()
}

// One person and house seats play for practice, unless the chat counts that when the game starts: nothing is booked,
// the box stays as it is, no list has it, and the record says what it was.
func TestAloneWithTheHouseIsPractice(t *testing.T) {
	h := newHouse(t, pile{})
	anna, people := h.person("Anna"), []string{"Anna", "house"}
	play := func(counts bool) {
		t.Helper()
		h.game("/pile 5", people, "Anna take 6+5", "Anna take 4+3")
		if table := anna.table(); table.Practice == counts {
			t.Errorf("practice is %t", table.Practice)
		}
	}
	lines := map[string]string{"/leaderboard all": "", "/leaderboard mean all house=with": "", "/settle": ""}
	for line := range lines {
		lines[line] = said(t, anna.writes(line))
	}
	play(false)
	for line, before := range lines {
		if now := said(t, anna.writes(line)); now != before {
			t.Errorf("%s said\n%s\nand says\n%s", line, before, now)
		}
	}
	text := page(t, anna.writes("/stats"))
	if !strings.Contains(text, "1 game alone, for practice") || strings.Contains(text, "won and lost") {
		t.Errorf("the statistics say\n%s", text)
	}
	h.balance("player:test:Anna", 0)
	h.balance("box", 0)
	if lines := h.export(review.Wanted{}); len(lines) != 1 || !strings.Contains(lines[0], `"pool":5`) {
		t.Errorf("recorded are %v", lines)
	}
	h.sound()

	anna.admin = true
	anna.writes("/settings alone=counts")
	play(true)
	if got := said(t, anna.writes("/leaderboard won all")); !strings.Contains(got, "\n1. Anna ") {
		t.Errorf("got\n%s", got)
	}
	h.sound()
}

// In practice no stake comes back, goes along with a seat, or asks others for their word.
func TestPracticePromisesNoStakes(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox 10")
	anna.sends("1:1:0:!house fewest")
	anna.presses("▶ Start")
	anna.writes("/handover")
	if text := show(ben.offers()); !strings.Contains(text, "Anna would hand the seat over, as it stands.") {
		t.Errorf("offered is\n%s", text)
	}
	told(t, ben.presses("Take Anna’s seat"), "The seat is yours.")
	ben.writes("/abandon")
	if text := show(ben.board()); !strings.Contains(text, "End this table?") || strings.Contains(text, "back") {
		t.Errorf("asked is\n%s", text)
	}
	told(t, ben.presses("Yes, end it"), "The table is closed.")
	if text := show(ben.board()); strings.Contains(text, "10 chips") {
		t.Errorf("ended is\n%s", text)
	}
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
_ _ _ _ _ _
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

// Of several seats that the same house takes, one holds its box.
func TestHouseThatHoldsTheBox(t *testing.T) {
	h := newHouse(t)
	anna := h.person("Anna")
	anna.writes("/coin 10")
	anna.presses("+ House")
	table := anna.table()
	err := h.store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		return tx.GiveBox(table.Chat, table.Unit, []string{"house:random"}, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	anna.presses("+ House")
	anna.presses("+ random")
	want(t, anna.board(), `
Anna opens a table: Coin for 10 chips.
Anna
House 1 holds the box, sits first
House 2 random
Pool 30 chips
Practice: one person plays, so nothing goes into the books.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)
}
