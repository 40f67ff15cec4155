package table_test

import (
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

// Where there are menus, the host has a page of their own for the rules, which follows what they choose there;
// the board stays as it is. What does not fit stands on a page behind it.
func TestRulesAreChosenOnAPageOfOnesOwn(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Locale = "de"
	anna.Writes("/shutbox 5 ties=roll-off")
	ben.Presses("Sit down")
	board := anna.Board().Buttons
	page := anna.Chooses("", "1:1:0:!page rules").Private
	if page == nil || len(page.Choices) == 0 || len(page.Choices) > chat.MaxChoices || anna.Table().Page != "" {
		t.Fatalf("the page is %+v", page)
	}
	bare.Proper(t, *page)
	if said := bare.Chosen(page); !slices.Equal(said[:4],
		[]string{"Rules: your own", "Stake: 5 chips", "A turn: 10 minutes", "Then: the house plays"}) {
		t.Errorf("it offers %q", said)
	}
	for _, c := range page.Choices {
		present := 0
		for _, b := range c.Values {
			if b.Style == games.Success {
				present++
			}
		}
		if own := c.Said == "Rules: your own"; own != (present == 0) || present > 1 {
			t.Errorf("%s: %d values are the present one", c.Said, present)
		}
	}
	more := bare.Press(t, page, "More rules (2 of 2)")
	second := anna.Chooses("", more).Private
	bare.Proper(t, *second)
	if len(second.Choices) == 0 || slices.Contains(bare.Chosen(second), "Stake: 5 chips") {
		t.Errorf("the second page offers %q", bare.Chosen(second))
	}
	at := slices.IndexFunc(second.Choices, func(c chat.Choice) bool { return strings.HasPrefix(c.Said, "ties") })
	if at < 0 {
		t.Fatalf("no ties among %q", bare.Chosen(second))
	}
	r := anna.Chooses("", second.Choices[at].Values[0].Press)
	if r.Private == nil || r.Board != 1 || r.Private.Choices[at].Said == second.Choices[at].Said {
		t.Errorf("after a choice on the second page: %+v", r)
	}
	if table := anna.Table(); table.Page != "" || table.Rules["ties"] == "roll-off" {
		t.Errorf("the table is %+v", table)
	}
	r = anna.Chooses("", "1:1:0:!stake 20")
	if said := bare.Chosen(r.Private); said[1] != "Stake: 20 chips" || anna.Table().Stake != 20 {
		t.Errorf("the stake: %q", said)
	}
	bare.Refused(t, anna.Chooses("", "1:1:0:!stake 9"), "That button is not known any more. /table brings new ones.")
	for _, b := range slices.Concat(anna.Board().Buttons...) {
		known := func(old chat.Button) bool { return old.Label == b.Label }
		if b.Label != "Agree" && b.Label != "Waiting for Ben" && !slices.ContainsFunc(slices.Concat(board...), known) {
			t.Errorf("the board offers %s", b.Label)
		}
	}
	r = anna.Chooses("", "1:1:0:!set absent=nobody") // which no menu offers
	if !r.Refused || r.Toast == "" || r.Page == nil || !slices.Contains(bare.Chosen(r.Page), "Then: the house plays") {
		t.Errorf("what cannot be chosen is answered %+v", r)
	}
	if r := ben.Chooses("", "1:1:0:!page rules"); r.Private == nil || len(r.Private.Choices) > 0 {
		t.Errorf("who is no host gets %+v", r.Private)
	}
	if r := ben.Chooses("", "1:1:0:!set tiles=12"); !r.Refused {
		t.Errorf("who is no host chooses: %+v", r)
	}
	h.Sound()
}

// A board that shows the rules itself, as one of before does, goes back to the seats with the next choice.
func TestABoardWithRulesOnItGoesBack(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox 5")
	for _, again := range []string{"1:1:0:!set tiles=12", "1:1:0:!stake more", "1:1:0:!page rules/tiles"} {
		anna.Presses("⚙ Rules")
		r := anna.Chooses(chat.Ref(anna.Table().Board), again)
		if table := anna.Table(); r.Refused || r.Board != 1 || table.Page != "" || table.State != store.Lobby {
			t.Errorf("%s: %+v, page %q", again, r, table.Page)
		}
	}
	h.Sound()
}
