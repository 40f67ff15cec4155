package board_test

import (
	"testing"

	"knobel/bot/board"
	"knobel/store"
)

// The version of house rules is told only where a name has had several, and everywhere else those of
// before are told apart in words.
func TestHouseRulesAreCalled(t *testing.T) {
	kept := store.HouseRules{ID: 2, Game: "shutbox", Name: "Friday", Version: "b", Kept: true}
	first := store.HouseRules{ID: 1, Game: "shutbox", Name: "friday", Version: "a"}
	third := store.HouseRules{ID: 3, Game: "shutbox", Name: "Friday", Version: "c"}
	other := store.HouseRules{ID: 4, Game: "pile", Name: "Friday", Version: "d", Kept: true}
	dropped := store.HouseRules{ID: 5, Game: "pile", Name: "Monday", Version: "e"}
	for _, c := range []struct {
		all          []store.HouseRules
		h            store.HouseRules
		called, aged string
	}{
		{[]store.HouseRules{kept, other}, kept, "bot.text", "bot.text"},
		{[]store.HouseRules{kept, other}, other, "bot.text", "bot.text"},
		{[]store.HouseRules{other, dropped}, dropped, "bot.text", "bot.text"},
		{[]store.HouseRules{first, kept}, kept, "bot.house-rules.version", "bot.text"},
		{[]store.HouseRules{first, kept}, first, "bot.house-rules.version", "bot.house-rules.earlier"},
		{[]store.HouseRules{first, kept, third}, first, "bot.house-rules.version", "bot.house-rules.earlier-nth"},
	} {
		if called := board.VersionLabel(c.all, c.h).Key; called != c.called {
			t.Errorf("%s %s of %d is called by %s", c.h.Game, c.h.Version, len(c.all), called)
		}
		if aged := board.AgeLabel(c.all, c.h).Key; aged != c.aged {
			t.Errorf("%s %s of %d is called by %s among others", c.h.Game, c.h.Version, len(c.all), aged)
		}
	}
	all := []store.HouseRules{first, kept, third}
	if nth := board.AgeLabel(all, first).Args["N"]; nth != 2 {
		t.Errorf("the oldest is number %v of before", nth)
	}
}
