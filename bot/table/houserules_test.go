package table_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/store"
)

// Records are verified as their house rules say.
func TestHouseRulesThatHaveChanged(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/shutbox 0 tiles=4")
	anna.Writes("/house save quick")
	anna.Presses("▶ Start")
	h.PlayOn("quick", anna)
	r := h.RecordOf(1)
	if r.HouseRules == nil || r.HouseRules.Name != "quick" || len(record.Verify(r, h.Games, &record.Solutions{})) > 0 {
		t.Errorf("the record tells %+v", r.HouseRules)
	}
	if line := h.Export(review.Wanted{Anonymous: true})[0]; strings.Contains(line, "quick") ||
		!strings.Contains(line, `"house_rules":{"version":"`) {
		t.Errorf("without names the record is %s", line)
	}
	h.Sound()
	h.Tamper(`UPDATE house_rules SET version = '00000000'`)
	if faults, err := h.Bot.Check(context.Background(), nil); err != nil || len(faults) != 1 ||
		!strings.Contains(faults[0], "version") {
		t.Errorf("%v, %v", faults, err)
	}
	if anna.Table().State != store.Over {
		t.Error("the game goes on")
	}
}

// A board that shows the rules itself, as one of before does, goes back to the seats with the next choice.
func TestABoardWithRulesOnItGoesBack(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox 5")
	for _, again := range []string{"1:1:0:!set tiles=12", "1:1:0:!stake more", "1:1:0:!page rules/tiles"} {
		anna.Presses("⚙ Rules")
		ev := anna.Event()
		ev.Press, ev.On, ev.Menus = again, chat.Ref(anna.Table().Board.Message), true
		if r := h.Bot.Handle(t.Context(), ev); r.Refused || r.Board != 1 || anna.Table().Board.Page != "" {
			t.Errorf("%s: %+v, page %q", again, r, anna.Table().Board.Page)
		}
	}
}

func TestATableInAThreadOfItsOwn(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	opened := 0
	asks := func(place chat.Place, err error, text string) chat.Reply {
		ev := anna.Event()
		ev.Command, ev.Text = "coin", text
		ev.Thread = func(_ context.Context, name string) (chat.Place, error) {
			opened++
			if name != "Coin · Anna" {
				t.Errorf("the thread is called %q", name)
			}
			return place, err
		}
		return h.Bot.Handle(t.Context(), ev)
	}
	bare.Refused(t, anna.Writes("/coin thread"), "No threads here: leave that out to open it right here.")
	if r := asks("", nil, "thread 10 nonsense"); !r.Refused || opened != 0 {
		t.Errorf("a thread for a table that cannot be: %+v", r)
	}
	if r := asks("test:1/7", nil, "thread 5"); r.Refused || r.At != "test:1/7" || r.Board != 0 ||
		r.Toast != "Your table stands in a thread of its own." {
		t.Errorf("told %+v", r)
	}
	if table := h.TableAt("test:1/7"); table.Stake != 5 || table.Chat != "test:1" || opened != 1 {
		t.Errorf("%d threads, the table is %+v", opened, table)
	}
	anna.Writes("/coin 1") // the place itself is free
	if table := h.TableAt("test:1/1"); table.Stake != 1 {
		t.Errorf("here stands %+v", table)
	}
	if r := asks("test:1/8", nil, "thread=true"); r.At != "test:1/8" {
		t.Errorf("beside a table that is here: %+v", r)
	}
	anna.At("test:1/9").Writes("/coin 2 thread=no")
	h.TableAt("test:1/9")

	if r := asks("", errors.New("trouble"),
		"thread"); r.Toast != "Something broke on our side. Nothing changed; try again." {
		t.Errorf("told %+v", r)
	}
}
