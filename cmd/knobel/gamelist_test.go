package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest/either"
	"knobel/games/record"
	"knobel/store"
	"knobel/store/storetest"
)

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Fünferwurf": "fuenferwurf", "Große Straße": "grosse-strasse", "  Yam's & Co. ": "yams-co",
		"Éclair-Øre":   "eclair-ore",
		"Maxi Yatzy 2": "maxi-yatzy-2", "U\u0308ber": "ueber", "骰子": "",
	} {
		if got := slug(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

// botOf returns a bot with the games of a value of KNOBEL_GAMES, and its database.
func botOf(t *testing.T, value string) (*wiring.Bot, *store.Store, error) {
	t.Helper()
	list, err := parseGameList(value)
	check(t, err)
	st := storetest.Open(t)
	b, err := settings{games: list}.newBot(st, slog.New(slog.DiscardHandler), nil, nil)
	return b, st, err
}

// A game that is left out appears nowhere, and a renamed one has its title everywhere.
func TestGamesAreLeftOutAndRenamed(t *testing.T) {
	none := "-" + strings.Join(gameNames(allGames()), ",-")
	if _, err := parseGameList(none); err == nil || err.Error() != "games: no game is left" {
		t.Error(err)
	}
	b, _, err := botOf(t, "-shutbox,wuerfelpoker=Fünferwurf")
	check(t, err)
	writes := func(id, line string) chat.Reply {
		name, text, _ := strings.Cut(line, " ")
		return b.Handle(context.Background(), chat.Event{ID: "test:" + id, Chat: "test:1", Place: "test:1/1",
			User: "test:1", Name: "Anna", Locale: "de", Command: name, Text: text})
	}
	for _, line := range []string{"shutbox", "play shutbox", "wuerfelpoker"} {
		if r := writes(line, line); !r.Refused {
			t.Errorf("/%s is answered with %+v", line, r)
		}
	}
	for _, line := range []string{"help", "help playing", "play", "rules fünferwurf", "rules fuenferwurf",
		"help fuenferwurf"} {
		m := writes(line, line).Private
		if m == nil {
			t.Errorf("/%s is not answered", line)
			continue
		}
		all := strings.Join(append([]string{m.Head, m.Small}, m.Lines...), "\n")
		for _, button := range slices.Concat(m.Buttons...) {
			all += "\n" + button.Label
		}
		if strings.Contains(all, "Würfelpoker") || strings.Contains(all, "Shut the Box") ||
			line != "help playing" && !strings.Contains(strings.ToLower(all), "fünferwurf") && line[:4] != "help" {
			t.Errorf("/%s says\n%s", line, all)
		}
	}
	if r := writes("opens", "play fünferwurf"); r.Refused || r.Board == 0 {
		t.Errorf("%+v", r)
	}
	for said, command := range map[string]string{"zehntausend=Farkle": "farkle", "zehntausend=Macke": "macke"} {
		b, _, err := botOf(t, said) // settings from before Farkle was a variant work, too
		if err != nil {
			t.Fatalf("%s: %v", said, err)
		}
		if c, err := b.Find(command); err != nil || c.Variant != "" || c.Game.Name() != "zehntausend" {
			t.Errorf("%s: /%s opens %+v, %v", said, command, c.Game, err)
		}
	}
	for _, title := range []string{"Help", "Tisch", "Zehntausend", "Yahtzee"} {
		_, _, err := botOf(t, "wuerfelpoker="+title)
		if err == nil || !strings.Contains(err.Error(), " already exists; choose another title") {
			t.Errorf("%s: %v", title, err)
		}
	}
}

// A variant with its own command can be left out or renamed like a game; the game to which it belongs stays as it is.
func TestVariantsAreLeftOutAndRenamed(t *testing.T) {
	for said, want := range map[string]struct{ open, refused, label string }{
		"":                                 {"yahtzee", "", "Yahtzee"},
		"-yahtzee":                         {"kniffel", "yahtzee", ""},
		"yahtzee=Alle Fünfe":               {"alle-fuenfe", "yahtzee", "Alle Fünfe"},
		"kniffel=Fünfer,yahtzee=Alle Neun": {"alle-neun", "kniffel", "Alle Neun"},
	} {
		t.Run(said, func(t *testing.T) {
			b, st, err := botOf(t, said)
			check(t, err)
			writes := func(id, command, text string) chat.Reply {
				return b.Handle(context.Background(), chat.Event{ID: "test:" + id, Chat: "test:1", Place: "test:1/1",
					User: "test:1", Name: "Anna", Locale: "de", Command: command, Text: text})
			}
			if want.refused != "" && !writes("refused", want.refused, "").Refused {
				t.Errorf("/%s is known", want.refused)
			}
			if m := writes("family", "play", "sheet").Private; m == nil ||
				strings.Contains(fmt.Sprint(m), "Yahtzee") != (want.label == "Yahtzee") ||
				!strings.Contains(fmt.Sprint(m), want.label) {
				t.Errorf("the family is shown as %+v", m)
			}
			r := writes("open", want.open, "")
			if r.Refused {
				t.Fatalf("/%s is refused", want.open)
			}
			var table store.Table
			check(t, st.View(t.Context(), func(tx *store.Tx) (err error) {
				table, err = tx.Tables.Table(r.Board)
				return err
			}))
			if table.Game != "kniffel" || want.label != "" && table.Rules["joker"] != "forced" {
				t.Errorf("/%s opens %s, %v", want.open, table.Game, table.Rules)
			}
		})
	}
}

// Titles that contain or swap each other's names are printed as given.
func TestTitlesThatHoldEachOther(t *testing.T) {
	for said, want := range map[string][2]string{
		"kniffel=Yahtzee Deluxe,yahtzee=Kniffel USA": {"Yahtzee Deluxe", "Kniffel USA"},
		"kniffel=Yahtzee,yahtzee=Kniffel":            {"Yahtzee", "Kniffel"},
	} {
		list, err := parseGameList(said)
		check(t, err)
		all, err := readMessages()
		check(t, err)
		check(t, list.setTitles(all))
		for _, lang := range all.Languages() {
			for i, key := range []string{"kniffel.name", "kniffel.variant.yahtzee.name"} {
				if got := all.Say(lang, games.Say(key, nil), words.Context{}); got != want[i] {
					t.Errorf("%s: %s is %q in %s", said, key, got, lang)
				}
			}
			if got := all.Say(lang, games.Say("kniffel.listed", nil), words.Context{}); got != want[0] {
				t.Errorf("%s: the game is listed as %q in %s", said, got, lang)
			}
			bonus := all.Say(lang, games.Say("kniffel.sum.further", nil), words.Context{})
			if !strings.HasPrefix(bonus, want[0]) {
				t.Errorf("%s: the bonus is called %q in %s", said, bonus, lang)
			}
		}
	}
}

// A stake selects the pool, and a rule that contradicts the pool is refused with its own message.
func TestAStakeBesideARuleThatDoesNotFit(t *testing.T) {
	a := matchFlags{game: either.Game{}, stake: 7, staked: func() bool { return true }}
	point := "5"
	a.rules = map[string]*string{"point": &point}
	_, err := a.chosenRules()
	if r, _ := games.Refused(err); r.Key != "either.refuse.point" {
		t.Errorf("%v", err)
	}
}

// The minutes of each game are those of simulated games: moves of three seats at 6 seconds each. They may differ by a
// fifth or by 3 minutes.
func TestMinutesAreThoseOfSimulatedGames(t *testing.T) {
	const matches, perMove = 12, 6.0 / 60
	for _, g := range allGames() {
		for _, variant := range append([]string{""}, commandVariants(g)...) {
			rules, err := games.Choose(g, variant, nil)
			check(t, err)
			usual := slices.DeleteFunc(g.Houses(), func(h games.House) bool { return h.Solved })
			house := record.Seat{Name: "house", House: usual[len(usual)-1].Name, Entropy: dice.HouseEntropy}
			terms := record.Terms{Game: g, Rules: rules, Unit: "chips", Solutions: &record.Solutions{},
				Seats: []record.Seat{house, house, house}}
			moves := 0
			for n := range matches {
				r, _, err := playOut(t.Context(), terms, n, 1)
				check(t, err)
				moves += len(r.Moves)
			}
			simulated, said := perMove*float64(moves)/matches, float64(games.MinutesOf(g))
			if math.Abs(simulated-said) > max(3, said/5) {
				t.Errorf("%s %s: %.0f minutes, %.1f in simulated games", g.Name(), variant, said, simulated)
			}
		}
	}
}

// commandVariants returns the names of the variants of g that have their own command.
func commandVariants(g games.Game) (names []string) {
	for _, v := range g.Variants() {
		if v.Command {
			names = append(names, v.Name)
		}
	}
	return names
}

// Each command that opens a game has a complete card. The first games of lists differ by language, and Yahtzee comes
// before Kniffel in English.
func TestEachOpeningHasACard(t *testing.T) {
	b, _, err := botOf(t, "")
	check(t, err)
	for lang, first := range map[string][]string{
		"en": {"Shut the Box", "Würfelpoker", "Yahtzee"}, "de": {"Shut the Box", "Würfelpoker", "Kniffel"},
	} {
		var cards []chat.Card
		for _, c := range b.Commands() {
			if c.Opens == nil {
				continue
			}
			card := c.Opens[lang]
			cards = append(cards, card)
			all := fmt.Sprintf("%s %s %s %s %s", card.Game, card.Subtitle, card.About, card.Players, card.Minutes)
			if card.Picture != c.Name || card.About == "" || card.Family == "" || card.FamilyName == "" ||
				!strings.HasPrefix(card.Players, "1–10 ") || card.Minutes == "" || utf8.RuneCountInString(all) > 250 {
				t.Errorf("/%s in %s: %+v", c.Name, lang, card)
			}
		}
		slices.SortStableFunc(cards, func(a, b chat.Card) int { return cmp.Compare(a.Place, b.Place) })
		var order []string
		for _, card := range cards {
			order = append(order, card.Game)
		}
		if !slices.Equal(order[:3], first) || lang == "en" &&
			slices.Index(order, "Yahtzee") > slices.Index(order, "Kniffel") {
			t.Errorf("%s: %v", lang, order)
		}
	}
}
