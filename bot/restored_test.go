package bot_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/table"
	"knobel/games/shutbox"
	"knobel/store"
)

// restored does to the house's file what is done after an older one was put back.
func restored(h *bare.House) table.Restored {
	h.T.Helper()
	done, err := h.Bot.Restored(context.Background())
	if err != nil {
		h.T.Fatal(err)
	}
	return done
}

func TestARestoredTableIsEndedWithItsStakesBack(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 10")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	anna.Presses("🎲 Throw")
	before := anna.Table()
	h.Balance("player:test:Anna", -10)

	if done := restored(h); done != (table.Restored{Ended: 1}) {
		t.Errorf("done: %+v", done)
	}
	for _, account := range []string{"player:test:Anna", "player:test:Ben", "pool:1"} {
		h.Balance(account, 0)
	}
	ended := anna.Table()
	if ended.State != store.Abandoned || ended.Board.Drawn == ended.Version {
		t.Errorf("the table is %s, and its board is as it was: %t", ended.State, ended.Board.Drawn == ended.Version)
	}
	if text := bare.Show(anna.Board()); !strings.Contains(text, "an older copy of its data") ||
		!strings.Contains(text, "[↻ Rematch]") ||
		!strings.Contains(text, "Everybody has their 10 chips again") {
		t.Errorf("the board says\n%s", text)
	}
	again := restored(h)
	if again != (table.Restored{}) {
		t.Errorf("again: %+v", again)
	}
	h.Balance("player:test:Anna", 0)
	anna.Presses("↻ Rematch")
	if next := anna.Table(); next.ID == before.ID || bytes.Equal(next.Dice.Seed, before.Dice.Seed) {
		t.Error("the rematch throws the same dice")
	}
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	if next := anna.Table(); next.State != store.Playing || len(next.Seats) != 2 {
		t.Errorf("the rematch is %s with %d seats", next.State, len(next.Seats))
	}
	h.Sound()
}

func TestARestoredLobbyHasNewDiceAndIsAgreedToAgain(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 10")
	ben.Presses("Sit down")
	start, before := anna.Button("▶ Start").Press, anna.Table()

	if done := restored(h); done != (table.Restored{Sealed: 1}) {
		t.Errorf("done: %+v", done)
	}
	after := anna.Table()
	if bytes.Equal(after.Dice.Seed, before.Dice.Seed) || after.Dice.Commitment == before.Dice.Commitment ||
		after.Board.Drawn == after.Version {
		t.Errorf("sealed %s, before %s; its board is as it was: %t", after.Dice.Commitment, before.Dice.Commitment,
			after.Board.Drawn == after.Version)
	}
	if !strings.Contains(anna.Board().Small, after.Dice.Commitment[:12]) {
		t.Errorf("the board shows %q", anna.Board().Small)
	}
	if r := anna.Sends(start); !r.Refused || anna.Table().State != store.Lobby {
		t.Errorf("it starts without anybody's word: %+v", r)
	}
	h.Balance("player:test:Ben", 0)
	anna.Presses("Agree")
	if r := anna.Presses("Waiting for Ben"); !r.Refused || anna.Table().State != store.Lobby {
		t.Errorf("it starts without Ben's word: %+v", r)
	}
	ben.Presses("Agree")
	for i, s := range anna.Table().Seats {
		if s.Entropy == before.Seats[i].Entropy {
			t.Errorf("the word of seat %d is older than the seed", i)
		}
	}
	anna.Presses("▶ Start")
	if t2 := anna.Table(); t2.State != store.Playing || len(t2.Seats) != 2 {
		t.Errorf("the table is %s with %d seats", t2.State, len(t2.Seats))
	}
	h.Sound()
}

// Whoever starts agrees by that, and their word is new, too.
func TestARestoredLobbyIsStartedWithANewWord(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox")
	before := anna.Table().Seats[0].Entropy
	restored(h)
	anna.Writes("/table")
	anna.Presses("▶ Start")
	if after := anna.Table(); after.State != store.Playing || after.Seats[0].Entropy == before {
		t.Errorf("the table is %s, its word %q, before %q", after.State, after.Seats[0].Entropy, before)
	}
}
