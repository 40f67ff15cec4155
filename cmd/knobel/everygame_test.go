package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
	"knobel/store"
	"knobel/store/storetest"
)

// Each game of the program is played by two people on Discord and on Telegram, whose
// servers refuse what is beyond their limits: anything that is legal, by the buttons
// that its board has for it.
func TestEachGameIsPlayedOnThePlatforms(t *testing.T) {
	for name, open := range map[string]func(*testing.T, *company) venue{"Discord": onDiscord, "Telegram": onTelegram} {
		for _, g := range played() {
			t.Run(name+"/"+g.Name(), func(t *testing.T) {
				t.Parallel()
				c := &company{T: t, kept: storetest.Empty(t), clock: &leap{}}
				c.venue = open(t, c)
				c.begin()
				t.Cleanup(func() { c.end() })
				c.sit("/" + g.Name())
				random := rand.New(rand.NewPCG(1, 2))
				for range 24 {
					if c.table().State == store.Playing {
						c.plays(g, random)
					}
				}
				if moves, _ := c.first(); len(moves) < 2 {
					t.Errorf("%d moves have been played", len(moves))
				}
			})
		}
	}
}

// plays plays one legal move of whoever is to move, and waits until it is stored.
func (c *company) plays(g games.Game, random *rand.Rand) {
	c.Helper()
	t := c.table()
	m, err := g.Load(t.Rules, t.Match)
	if err != nil {
		c.Fatal(err)
	}
	seat := m.Turn()[0]
	who := 0
	if t.Seats[seat].Player != c.id(0) {
		who = 1
	}
	legal := m.Moves(seat)
	move := legal[random.IntN(len(legal))]
	view := m.View()
	if p := view.Pick; p != nil {
		i := slices.IndexFunc(p.Choices, func(choice games.Choice) bool { return choice.Move == move })
		if i >= 0 {
			c.picks(who, t.Turn, p, p.Choices[i])
		} else if p.Rest.Key != "" {
			c.press(who, ":!show write")
		}
		if i >= 0 && p.Choices[i].Label.Key == "" || i >= 0 && p.Refusal.Key != "" {
			move = "!play"
		}
	}
	c.press(who, fmt.Sprintf(":%d:%s", t.Turn, move))
	c.until("the move is stored", func() bool { now := c.table(); return now.Turn > t.Turn || now.State != store.Playing })
}

// picks picks what a choice is made of, from what is picked to begin with.
func (c *company) picks(who int, turn int64, p *games.Pick, choice games.Choice) {
	c.Helper()
	for _, wanted := range []bool{false, true} { // what is put back goes first
		for item := range p.Items {
			has := slices.Contains(p.Picked, item)
			if slices.Contains(choice.Items, item) == wanted && has != wanted {
				c.press(who, fmt.Sprintf(":%d:!pick %d", turn, item))
			}
		}
	}
}

// Records of each game are verified, and one in which anything is changed is caught.
func TestRecordsOfEachGameAreVerified(t *testing.T) {
	for _, g := range played() {
		t.Run(g.Name(), func(t *testing.T) {
			rules, err := games.Choose(g, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			terms := record.Terms{Game: g, Rules: rules, Unit: "chips", Solutions: &record.Solutions{}}
			if games.HasStake(g) {
				terms.Stake = 10
			}
			for _, h := range g.Houses()[:2] {
				terms.Seats = append(terms.Seats, record.Seat{Name: h.Name, House: h.Name, Entropy: dice.HouseEntropy})
			}
			r, _, err := playOut(context.Background(), terms, 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			if faults := record.Verify(r, played()); len(faults) > 0 {
				t.Fatalf("%v", faults)
			}
			for what, change := range map[string]func(*record.Record){
				"a place": func(r *record.Record) { r.Result[0].Place += 1 },
				"a move":  func(r *record.Record) { r.Moves[0].Move = "nothing" },
				"a die":   func(r *record.Record) { r.Moves[0].Dice = []int{7 - r.Moves[0].Dice[0]} },
				"points": func(r *record.Record) {
					points := 77
					if r.Result[0].Total != nil {
						r.Result[0].Total = &points
					} else {
						r.Result[0].Score = &points
					}
				},
				"the last move": func(r *record.Record) { r.Moves = r.Moves[:len(r.Moves)-1] },
				"the seed":      func(r *record.Record) { r.Dice.Seed = dice.SeriesSeed(2, 2).String() },
			} {
				changed := r
				changed.Moves, changed.Result = slices.Clone(r.Moves), slices.Clone(r.Result)
				if change(&changed); len(record.Verify(changed, played())) == 0 {
					t.Errorf("%s is changed, and nobody notices", what)
				}
			}
		})
	}
}
