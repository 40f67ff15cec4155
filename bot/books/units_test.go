package books_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/store"
)

// Among more than fit into an answer everybody still finds themselves.
func TestSettlingUpOfManyShowsTheAsker(t *testing.T) {
	h := bare.New(t)
	dora := h.Person("Dora")
	err := h.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		for unit, scale := range map[string]int64{"chips": 100, "wishes": 1} {
			p := store.Posting{Chat: "test:1", Unit: unit, Kind: store.Payout}
			for i := range int64(21) {
				p.Entries = append(p.Entries, store.Entry{Account: fmt.Sprintf("player:test:P%d", i),
					Amount: (i + 1) * scale})
				p.Entries = append(p.Entries, store.Entry{Account: fmt.Sprintf("player:test:M%d", i),
					Amount: -(i + 1) * scale})
			}
			p.Entries = append(p.Entries, store.Entry{Account: "player:test:Z", Amount: 5},
				store.Entry{Account: "player:test:Dora", Amount: -5})
			if err := tx.Books.Post(p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := dora.Writes("/settle")
	got := bare.Said(t, r)
	if strings.Count(got, " · … · Dora −5\n") != 2 || strings.Count(got, "\nDora → ") != 2 ||
		strings.Count(got, "[Paid: Dora → ") != 2 {
		t.Errorf("got\n%s", got)
	}
	told := dora.Sends(r.Private.Buttons[0][0].Press)
	if got := bare.Said(t, told); !strings.HasPrefix(got, "#1 Dora → ") {
		t.Errorf("got\n%s", got)
	}
}
