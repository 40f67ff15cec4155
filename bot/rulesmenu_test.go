package bot_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

// chooses presses on a platform of menus, on a message.
func (p *person) chooses(on chat.Ref, press string) chat.Reply {
	ev := p.event()
	ev.Press, ev.On, ev.Menus, ev.Ephemeral = press, on, true, true
	return p.bot.Handle(context.Background(), ev)
}

// chosen is what a page of choices says.
func chosen(m *chat.Message) (said []string) {
	for _, c := range m.Choices {
		said = append(said, c.Said)
	}
	return said
}

// Where there are menus, the host has a page of their own for the rules, which follows what they choose there;
// the board stays as it is. What does not fit stands on a page behind it.
func TestRulesAreChosenOnAPageOfOnesOwn(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	ben.locale = "de"
	anna.writes("/shutbox 5 ties=roll-off")
	ben.presses("Sit down")
	board := anna.board().Buttons
	page := anna.chooses("", "1:1:0:!page rules").Private
	if page == nil || len(page.Choices) == 0 || len(page.Choices) > chat.MaxChoices || anna.table().Page != "" {
		t.Fatalf("the page is %+v", page)
	}
	proper(t, *page)
	if said := chosen(page); !slices.Equal(said[:4],
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
	more := press(t, page, "More rules (2 of 2)")
	second := anna.chooses("", more).Private
	proper(t, *second)
	if len(second.Choices) == 0 || slices.Contains(chosen(second), "Stake: 5 chips") {
		t.Errorf("the second page offers %q", chosen(second))
	}
	at := slices.IndexFunc(second.Choices, func(c chat.Choice) bool { return strings.HasPrefix(c.Said, "ties") })
	if at < 0 {
		t.Fatalf("no ties among %q", chosen(second))
	}
	r := anna.chooses("", second.Choices[at].Values[0].Press)
	if r.Private == nil || r.Board != 1 || r.Private.Choices[at].Said == second.Choices[at].Said {
		t.Errorf("after a choice on the second page: %+v", r)
	}
	if table := anna.table(); table.Page != "" || table.Rules["ties"] == "roll-off" {
		t.Errorf("the table is %+v", table)
	}
	r = anna.chooses("", "1:1:0:!stake 20")
	if said := chosen(r.Private); said[1] != "Stake: 20 chips" || anna.table().Stake != 20 {
		t.Errorf("the stake: %q", said)
	}
	refused(t, anna.chooses("", "1:1:0:!stake 9"), "That button is not known any more. /table brings new ones.")
	for _, b := range slices.Concat(anna.board().Buttons...) {
		known := func(old chat.Button) bool { return old.Label == b.Label }
		if b.Label != "Agree" && b.Label != "Waiting for Ben" && !slices.ContainsFunc(slices.Concat(board...), known) {
			t.Errorf("the board offers %s", b.Label)
		}
	}
	r = anna.chooses("", "1:1:0:!set absent=nobody") // which no menu offers
	if !r.Refused || r.Toast == "" || r.Page == nil || !slices.Contains(chosen(r.Page), "Then: the house plays") {
		t.Errorf("what cannot be chosen is answered %+v", r)
	}
	if r := ben.chooses("", "1:1:0:!page rules"); r.Private == nil || len(r.Private.Choices) > 0 {
		t.Errorf("who is no host gets %+v", r.Private)
	}
	if r := ben.chooses("", "1:1:0:!set tiles=12"); !r.Refused {
		t.Errorf("who is no host chooses: %+v", r)
	}
	h.sound()
}

// A board that shows the rules itself, as one of before does, goes back to the seats with the next choice.
func TestABoardWithRulesOnItGoesBack(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	anna.writes("/shutbox 5")
	for _, again := range []string{"1:1:0:!set tiles=12", "1:1:0:!stake more", "1:1:0:!page rules/tiles"} {
		anna.presses("⚙ Rules")
		r := anna.chooses(chat.Ref(anna.table().Board), again)
		if table := anna.table(); r.Refused || r.Board != 1 || table.Page != "" || table.State != store.Lobby {
			t.Errorf("%s: %+v, page %q", again, r, table.Page)
		}
	}
	h.sound()
}
