package main

import (
	"math"
	"slices"

	"knobel/games"
	"knobel/games/record"
)

// tally adds up the games of a series.
type tally struct {
	terms record.Terms
	games int
	seats []seatTally
	box   int64
}

type seatTally struct {
	name         string
	scored       int     // games in which the seat threw
	mean, spread float64 // of the scores: mean, and sum of squared differences to it
	wins         int
	share        float64 // of the pools, in pools
	balance      int64
}

func newTally(t record.Terms) *tally {
	all := &tally{terms: t, seats: make([]seatTally, len(t.Seats))}
	for i, s := range t.Seats {
		all.seats[i].name = s.Name
	}
	return all
}

// add adds the result of one game, whose winners share the pool.
func (t *tally) add(r record.Record, winners []games.Seat) {
	t.games++
	for i, row := range r.Result {
		s := &t.seats[i]
		if points, scored := row.Points(); scored {
			s.score(float64(points))
		}
		if row.Place == 1 {
			s.wins++
		}
		if slices.Contains(winners, row.Seat) {
			s.share += 1 / float64(len(winners))
		}
		s.balance += row.Amount()
	}
	if r.Box != nil {
		t.box += r.Box.Out - r.Box.In
	}
}

// score adds one score to mean and spread (Welford's recurrence, which keeps
// its digits over any number of games).
func (s *seatTally) score(x float64) {
	s.scored++
	d := x - s.mean
	s.mean += d / float64(s.scored)
	s.spread += d * (x - s.mean)
}

// standardError is the standard error of the mean score.
func (s *seatTally) standardError() float64 {
	if s.scored < 2 {
		return 0
	}
	return math.Sqrt(s.spread / float64(s.scored-1) / float64(s.scored))
}

func (t *tally) sum() int64 {
	sum := t.box
	for _, s := range t.seats {
		sum += s.balance
	}
	return sum
}

// summary is what a simulation answers as JSON. The balances of the seats and
// the box add up to zero.
type summary struct {
	Game  string        `json:"game"`
	Rules games.Rules   `json:"rules"`
	Stake int64         `json:"stake"`
	Games int           `json:"games"`
	Seed  int64         `json:"seed"`
	Seats []seatSummary `json:"seats"`
	Box   int64         `json:"box"`
}

type seatSummary struct {
	Seat int    `json:"seat"`
	Name string `json:"name"`
	// MeanScore is over the games in which the seat threw: Scored of them.
	MeanScore     float64 `json:"mean_score"`
	StandardError float64 `json:"standard_error"`
	Scored        int     `json:"scored"`
	// WinShare is the share of games with the first place, alone or with
	// others; PoolShare the mean share of the pool.
	WinShare  float64 `json:"win_share"`
	PoolShare float64 `json:"pool_share"`
	Balance   int64   `json:"balance"`
}

func (t *tally) summary(seed int64) summary {
	all := summary{
		Game: t.terms.Game.Name(), Rules: t.terms.Rules, Stake: t.terms.Stake,
		Games: t.games, Seed: seed, Box: t.box,
	}
	for i, seat := range t.seats {
		all.Seats = append(all.Seats, seatSummary{
			Seat: i, Name: seat.name, MeanScore: seat.mean, StandardError: seat.standardError(), Scored: seat.scored,
			WinShare: float64(seat.wins) / float64(t.games), PoolShare: seat.share / float64(t.games),
			Balance: seat.balance,
		})
	}
	return all
}
