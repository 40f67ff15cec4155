package record_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// housesPlay returns a finished game between computer players with the strategies houses; n selects the dice.
func housesPlay(t *testing.T, g games.Game, n int, rules games.Rules, solutions *record.Solutions,
	houses ...string) *record.Sitting {
	t.Helper()
	terms := record.Terms{
		Table: strconv.Itoa(n + 1), Game: g, Rules: rules, Unit: "chips", Seed: dice.SeriesSeed(1, n),
		Solutions: solutions,
	}
	for _, house := range houses {
		terms.Seats = append(terms.Seats, record.Seat{House: house, Entropy: dice.HouseEntropy})
	}
	s, err := record.Sit(terms)
	for played := true; played && err == nil; {
		_, played, err = s.PlayHouse()
	}
	check(t, err)
	return s
}

// recordOf returns the record of a finished game.
func recordOf(t *testing.T, s *record.Sitting) record.Record {
	t.Helper()
	r, err := s.Record()
	check(t, err)
	return r
}

func TestPerfectHouseIsVerified(t *testing.T) {
	var solutions record.Solutions
	for _, c := range []struct {
		game  games.Game
		rules games.Rules
		other string
	}{
		{wuerfelpoker.New(), games.Rules{"hints": "yes", "point": "5"}, "greedy"},
		{shutbox.Game{}, games.Rules{"hints": "yes"}, "random"},
		{shutbox.Game{}, games.Rules{"match": "rounds:3", "hints": "yes"}, "fewest"},
	} {
		r := recordOf(t, housesPlay(t, c.game, 0, c.rules, nil, "perfect", c.other))
		if r.Rules["hints"] != "yes" {
			t.Errorf("the record's rules are %v", r.Rules)
		}
		for _, fault := range record.Verify(r, all, &record.Solutions{}) {
			t.Error(fault)
		}
		other := recordOf(t, housesPlay(t, c.game, 0, c.rules, nil, c.other, c.other))
		other.Seats[0].House = "perfect"
		faults := record.Verify(other, all, &solutions)
		if len(faults) == 0 || !strings.Contains(faults[0].String(), "seat 0: perfect play is ") {
			t.Errorf("a house that plays %s for a perfect one has the faults %v", c.other, faults)
		}
		if faults := record.Verify(other, all, nil); len(faults) > 0 {
			t.Errorf("nothing is to be solved, and yet: %v", faults)
		}
	}
}

func TestNoPerfectHouseWithoutPerfectPlay(t *testing.T) {
	_, err := record.Sit(record.Terms{
		Table: "1", Game: shutbox.Game{}, Rules: games.Rules{"variant": "canoga"}, Unit: "chips",
		Seats: []record.Seat{{House: "perfect", Entropy: dice.HouseEntropy},
			{House: "fewest", Entropy: dice.HouseEntropy}},
	})
	if _, refused := games.Refused(err); !refused {
		t.Errorf("a perfect house sits down at Canoga: %v", err)
	}
}

// isLong reports whether tests may take longer than a second or two: KNOBEL_TEST_LONG is set.
func isLong() bool { return os.Getenv("KNOBEL_TEST_LONG") != "" }

// boxTerms returns the terms of a game of Shut the Box between a computer player and a person.
func boxTerms(t *testing.T, variant string) record.Terms {
	t.Helper()
	rules, err := games.Choose(shutbox.Game{}, variant, nil)
	check(t, err)
	return record.Terms{
		Table: "12", Game: shutbox.Game{}, Rules: rules, Stake: 5, Box: 1, Unit: "chips", Seed: dice.SeriesSeed(4, 0),
		Seats: []record.Seat{
			{Name: "house fewest", House: "fewest", Entropy: "house"},
			{Name: "Anna", Entropy: "seven swans"},
		},
	}
}

func TestEveryVariantIsVerified(t *testing.T) {
	for _, v := range (shutbox.Game{}).Variants() {
		for i := range 10 {
			terms := boxTerms(t, v.Name)
			terms.Seed = dice.SeriesSeed(8, i)
			r := play(t, terms)
			if faults := record.Verify(r, all, &record.Solutions{}); len(faults) > 0 {
				t.Errorf("%s: %q", v.Name, faults)
			}
		}
	}
}

// TestAnExchangedMoveIsSeen replaces each played move by every other legal one and checks that Verify finds a fault.
// For a person's move there may be none if the new move leads to the same end.
func TestAnExchangedMoveIsSeen(t *testing.T) {
	exchanged, unseen := 0, 0
	for i := range 20 {
		terms := boxTerms(t, "classic")
		terms.Seed = dice.SeriesSeed(5, i)
		r := play(t, terms)
		m, err := terms.Game.New(r.Rules, len(r.Seats))
		check(t, err)
		fair := &dice.Fair{Seed: terms.Seed, Table: r.Table, Entropies: record.Entropies(r.Seats)}
		for j, played := range r.Moves {
			for _, other := range m.Moves(played.Seat) {
				if other == played.Move {
					continue
				}
				exchanged++
				r.Moves[j].Move = other
				faults := record.Verify(r, all, &record.Solutions{})
				if len(faults) == 0 && r.Seats[played.Seat].House != "" {
					t.Errorf("the house played %q, and %q was not seen", played.Move, other)
				}
				if len(faults) == 0 {
					unseen++
				}
			}
			r.Moves[j].Move = played.Move
			m, err = record.Replay(m, r.Moves[j:j+1], fair)
			check(t, err)
		}
	}
	if exchanged < 200 || unseen*3 > exchanged {
		t.Errorf("%d of %d exchanged moves were not seen", unseen, exchanged)
	}
}

// TestTheHouseIsHeldToItsStrategy checks that the moves reveal a record that names another strategy than the one
// played.
func TestTheHouseIsHeldToItsStrategy(t *testing.T) {
	terms := boxTerms(t, "classic")
	terms.Seats[0].House = "random"
	for i := range 20 {
		terms.Seed = dice.SeriesSeed(6, i)
		r := play(t, terms)
		r.Seats[0].House = "fewest"
		for _, fault := range record.Verify(r, all, &record.Solutions{}) {
			if strings.Contains(fault.String(), "computer fewest plays") {
				return
			}
		}
	}
	t.Error("random moves pass for those of fewest")
}
