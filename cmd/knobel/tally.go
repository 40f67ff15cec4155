package main

import (
	"math"
	"slices"

	"knobel/games"
	"knobel/games/record"
)

// tally adds up the games of a series, and is a simulation's JSON. The balances of the seats and the box add to zero.
type tally struct {
	Game  string      `json:"game"`
	Rules games.Rules `json:"rules"`
	Stake int64       `json:"stake"`
	Games int         `json:"games"`
	Seed  int64       `json:"seed"`
	Seats []seatTally `json:"seats"`
	Box   int64       `json:"box"`
}

// seatTally adds up the results of a seat. Its shares and the standard error are set by finish.
type seatTally struct {
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

	spread float64 // of the scores: the sum of squared differences to the mean
	wins   int
	pools  float64
}

func newTally(t record.Terms, seed int64) *tally {
	all := &tally{Game: t.Game.Name(), Rules: t.Rules, Stake: t.Stake, Seed: seed}
	for i, s := range t.Seats {
		all.Seats = append(all.Seats, seatTally{Seat: i, Name: s.Name})
	}
	return all
}

// add adds the result of one game, whose winners share the pool.
func (t *tally) add(r record.Record, winners []games.Seat) {
	t.Games++
	for i, row := range r.Result {
		s := &t.Seats[i]
		if points, scored := row.Points(); scored {
			s.score(float64(points))
		}
		if row.Place == 1 {
			s.wins++
		}
		if slices.Contains(winners, row.Seat) {
			s.pools += 1 / float64(len(winners))
		}
		s.Balance += row.Amount()
	}
	if r.Box != nil {
		t.Box += r.Box.Out - r.Box.In
	}
}

// score adds one score to mean and spread (Welford's recurrence, which keeps
// its digits over any number of games).
func (s *seatTally) score(x float64) {
	s.Scored++
	d := x - s.MeanScore
	s.MeanScore += d / float64(s.Scored)
	s.spread += d * (x - s.MeanScore)
}

// finish sets the shares and standard errors, and returns errUneven if the balances do not add to zero.
func (t *tally) finish() error {
	sum := t.Box
	for i := range t.Seats {
		s := &t.Seats[i]
		s.WinShare, s.PoolShare = float64(s.wins)/float64(t.Games), s.pools/float64(t.Games)
		if s.Scored > 1 {
			s.StandardError = math.Sqrt(s.spread / float64(s.Scored-1) / float64(s.Scored))
		}
		sum += s.Balance
	}
	if sum != 0 {
		return errUneven
	}
	return nil
}
