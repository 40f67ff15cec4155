package table_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/fakes"
	"knobel/bot/table"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
)

// howto returns the data on how to play that p reads.
func howto(p *bare.Person, query string) (h table.Howto, err error) {
	values, _ := url.ParseQuery(query)
	data, err := p.Bot.Pages()["howto"](p.T.Context(), p.Event(), values)
	if err == nil {
		h = *data.(*table.Howto)
	}
	return h, err
}

// TestHowtoTeachesEveryGame checks that each game has three steps, the sentences of /rules, and examples.
func TestHowtoTeachesEveryGame(t *testing.T) {
	all := []games.Game{shutbox.Game{}, wuerfelpoker.New(), zehntausend.New()}
	for _, g := range sets.All() {
		all = append(all, g)
	}
	h := bare.New(t, all...)
	for _, o := range h.Bot.OpeningsOf(all, "en") {
		for _, lang := range []string{"en", "de"} {
			anna := h.Person("Anna")
			anna.Locale = lang
			got, err := howto(anna, "game="+o.Command)
			fakes.Check(t, err)
			rules := o.Variant
			if rules == "" {
				rules = o.Game.Name()
			}
			r := anna.Writes("/rules " + rules).Private
			if got.Title != r.Head || !slices.Equal(got.Text, r.Lines) {
				t.Errorf("%s in %s: %q, %q are not what /rules says", o.Command, lang, got.Title, got.Text)
			}
			if len(got.Steps) != 3 || (len(got.Scoring) == 0) != (got.Tiles != nil) {
				t.Errorf("%s in %s teaches %+v", o.Command, lang, got)
			}
			for _, step := range got.Steps {
				if n := len([]rune(step)); n > 110 {
					t.Errorf("%s in %s: a step has %d characters: %s", o.Command, lang, n, step)
				}
			}
		}
	}
}

// TestHowtoExamples compares examples with the known points of the rules.
func TestHowtoExamples(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), sets.Kniffel(), sets.Crag(), sets.Yamb(),
		sets.MaxiYatzy())
	anna := h.Person("Anna")
	for _, c := range []struct{ query, want string }{
		{"game=kniffel", "Full house 33366 25"}, {"game=kniffel", "Small straight 13456 30"},
		{"game=kniffel", "Fours 44465 12"}, {"game=kniffel", "Chance 12456 18"},
		{"game=/yahtzee", "Large straight 23456 40"}, {"game=crag", "Crag 445 50"}, {"game=crag", "Fours 446 8"},
		{"game=wuerfelpoker", "Sixes 66665 6"}, {"game=yamb", "Straight 23456 56"},
		{"game=maxi-yatzy", "Small straight 123445 15"}, {"game=maxi-yatzy", "Sixes 666543 18"},
		{"game=zehntausend", "Three 1s 111 1000"}, {"game=farkle", "Three 1s 111 300"},
		{"game=farkle", "Four of a kind 4444 1000"}, {"game=farkle", "Two triplets 222666 2500"},
		{"game=zehntausend", "Straight 123456 1500"},
	} {
		got, err := howto(anna, c.query)
		fakes.Check(t, err)
		var said []string
		for _, s := range got.Scoring {
			said = append(said, s.Label+" "+strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Dice), " ", ""), "[]")+" "+
				fmt.Sprint(s.Points))
		}
		if !slices.Contains(said, c.want) {
			t.Errorf("%s: %q is not among %q", c.query, c.want, said)
		}
	}
}

// TestHowtoOfATable checks that the rules of a table are explained, not those of its game.
func TestHowtoOfATable(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, zehntausend.New())
	anna := h.Person("Anna")
	anna.Writes("/shutbox tiles=4-9 close=two-tiles match=rounds:9")
	got, err := howto(anna, "table=1")
	fakes.Check(t, err)
	if fmt.Sprint(got.Tiles) != "&{[4 5 6 7 8 9] [5 6] 6 [[7 4] [6 5]]}" ||
		!strings.Contains(got.Steps[2], "9 rounds") {
		t.Errorf("the table is explained by %+v, %+v", got, got.Tiles)
	}
	for query, want := range map[string]string{"game=lucky-seven": "refused", "game=": "refused", "table=2": "refused",
		"table=1&game=zehntausend": got.Title} {
		is, err := howto(anna, query)
		if _, refused := games.Refused(err); refused {
			is.Title = "refused"
		}
		if is.Title != want {
			t.Errorf("%s is %q, %v", query, is.Title, err)
		}
	}
	anna.Writes("/zehntausend dice=5 straight=0")
	got, err = howto(anna, "table=2")
	fakes.Check(t, err)
	if n := len(got.Scoring); n != 6 || !strings.Contains(got.Steps[0], "5 dice") {
		t.Errorf("five dice have %d sets: %+v", n, got)
	}
}
