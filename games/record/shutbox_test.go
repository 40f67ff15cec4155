package record_test

import (
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
	"knobel/games/shutbox"
)

// box returns a game of Shut the Box between the house and a person.
func box(t *testing.T, variant string) record.Terms {
	t.Helper()
	rules, err := games.Choose(shutbox.Game{}, variant, nil)
	if err != nil {
		t.Fatal(err)
	}
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
			terms := box(t, v.Name)
			terms.Seed = dice.SeriesSeed(8, i)
			r := play(t, terms)
			if faults := record.Verify(r, all, &record.Solutions{}); len(faults) > 0 {
				t.Errorf("%s: %q", v.Name, faults)
			}
		}
	}
}

// TestAnExchangedMoveIsSeen puts every other legal move in the place of each that was played. The house plays one way
// only; a person's other move is seen unless it leads to the same end.
func TestAnExchangedMoveIsSeen(t *testing.T) {
	exchanged, unseen := 0, 0
	for i := range 20 {
		terms := box(t, "classic")
		terms.Seed = dice.SeriesSeed(5, i)
		r := play(t, terms)
		m, err := terms.Game.New(r.Rules, len(r.Seats))
		if err != nil {
			t.Fatal(err)
		}
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
			if m, err = record.Replay(m, r.Moves[j:j+1], fair); err != nil {
				t.Fatal(err)
			}
		}
	}
	if exchanged < 200 || unseen*3 > exchanged {
		t.Errorf("%d of %d exchanged moves were not seen", unseen, exchanged)
	}
}

// TestTheHouseIsHeldToItsStrategy: a change of the strategy shows in the moves.
func TestTheHouseIsHeldToItsStrategy(t *testing.T) {
	terms := box(t, "classic")
	terms.Seats[0].House = "random"
	for i := range 20 {
		terms.Seed = dice.SeriesSeed(6, i)
		r := play(t, terms)
		r.Seats[0].House = "fewest"
		for _, fault := range record.Verify(r, all, &record.Solutions{}) {
			if strings.Contains(fault.String(), "house fewest plays") {
				return
			}
		}
	}
	t.Error("random moves pass for those of fewest")
}
