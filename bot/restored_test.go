package bot_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"knobel/bot/table"
	"knobel/games/shutbox"
	"knobel/store"
)

// restored does to the house's file what is done after an older one was put back.
func (h *house) restored() table.Restored {
	h.t.Helper()
	done, err := h.bot.Restored(context.Background())
	if err != nil {
		h.t.Fatal(err)
	}
	return done
}

func TestARestoredTableIsEndedWithItsStakesBack(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox 10")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	anna.presses("🎲 Throw")
	before := anna.table()
	h.balance("player:test:Anna", -10)

	if done := h.restored(); done != (table.Restored{Ended: 1}) {
		t.Errorf("done: %+v", done)
	}
	for _, account := range []string{"player:test:Anna", "player:test:Ben", "pool:1"} {
		h.balance(account, 0)
	}
	ended := anna.table()
	if ended.State != store.Abandoned || ended.Drawn == ended.Version {
		t.Errorf("the table is %s, and its board is as it was: %t", ended.State, ended.Drawn == ended.Version)
	}
	if text := show(anna.board()); !strings.Contains(text, "an older copy of its data") ||
		!strings.Contains(text, "[↻ Rematch]") ||
		!strings.Contains(text, "Everybody has their 10 chips again") {
		t.Errorf("the board says\n%s", text)
	}
	again := h.restored()
	if again != (table.Restored{}) {
		t.Errorf("again: %+v", again)
	}
	h.balance("player:test:Anna", 0)
	anna.presses("↻ Rematch")
	if next := anna.table(); next.ID == before.ID || bytes.Equal(next.Seed, before.Seed) {
		t.Error("the rematch throws the same dice")
	}
	ben.presses("Sit down")
	anna.presses("▶ Start")
	if next := anna.table(); next.State != store.Playing || len(next.Seats) != 2 {
		t.Errorf("the rematch is %s with %d seats", next.State, len(next.Seats))
	}
	h.sound()
}

func TestARestoredLobbyHasNewDiceAndIsAgreedToAgain(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox 10")
	ben.presses("Sit down")
	start, before := anna.button("▶ Start").Press, anna.table()

	if done := h.restored(); done != (table.Restored{Sealed: 1}) {
		t.Errorf("done: %+v", done)
	}
	after := anna.table()
	if bytes.Equal(after.Seed, before.Seed) || after.Commitment == before.Commitment || after.Drawn == after.Version {
		t.Errorf("sealed %s, before %s; its board is as it was: %t", after.Commitment, before.Commitment,
			after.Drawn == after.Version)
	}
	if !strings.Contains(anna.board().Small, after.Commitment[:12]) {
		t.Errorf("the board shows %q", anna.board().Small)
	}
	if r := anna.sends(start); !r.Refused || anna.table().State != store.Lobby {
		t.Errorf("it starts without anybody's word: %+v", r)
	}
	h.balance("player:test:Ben", 0)
	anna.presses("Agree")
	if r := anna.presses("Waiting for Ben"); !r.Refused || anna.table().State != store.Lobby {
		t.Errorf("it starts without Ben's word: %+v", r)
	}
	ben.presses("Agree")
	for i, s := range anna.table().Seats {
		if s.Entropy == before.Seats[i].Entropy {
			t.Errorf("the word of seat %d is older than the seed", i)
		}
	}
	anna.presses("▶ Start")
	if t2 := anna.table(); t2.State != store.Playing || len(t2.Seats) != 2 {
		t.Errorf("the table is %s with %d seats", t2.State, len(t2.Seats))
	}
	h.sound()
}

// Whoever starts agrees by that, and their word is new, too.
func TestARestoredLobbyIsStartedWithANewWord(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	anna.writes("/shutbox")
	before := anna.table().Seats[0].Entropy
	h.restored()
	anna.writes("/table")
	anna.presses("▶ Start")
	if after := anna.table(); after.State != store.Playing || after.Seats[0].Entropy == before {
		t.Errorf("the table is %s, its word %q, before %q", after.State, after.Seats[0].Entropy, before)
	}
}
