package bot_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/store"
)

// line is a line of a leaderboard as it is added up from records, in fractions
// and by nothing that the totals are made with.
type line struct {
	games, won, turns, shut, scored int64
	points, shares                  *big.Rat
	low, high                       int64
	pool, settled                   int64
	parts                           *big.Rat
}

// String spells a line so that it can be compared with a standing.
func (l line) String() string {
	return fmt.Sprintf("%d games (%s), %d won, %d of %d shut, %d scored %s from %d to %d, pool %d, shares %s, "+
		"settled %d",
		l.games, l.parts.RatString(), l.won, l.shut, l.turns, l.scored, l.points.RatString(), l.low, l.high, l.pool,
		l.shares.RatString(), l.settled)
}

// standingSaid is a standing in the same words.
func standingSaid(s store.Standing) string {
	return fmt.Sprintf("%d games (%s), %d won, %d of %d shut, %d scored %d from %d to %d, pool %d, shares %s, "+
		"settled %d",
		s.Games, big.NewRat(s.Parts, store.PartsOfGame).RatString(), s.Won, s.Shut, s.Turns, s.Scored, s.Points, s.Low,
		s.High, s.Pool,
		big.NewRat(s.Shares, 2520).RatString(), s.Settled)
}

// counted is a record with what a leaderboard needs of it. People are known by
// their names, which are all different.
type counted struct {
	record.Record
	rules string
	turns []record.Turns
}

func countedOf(r record.Record) (counted, error) {
	rules, err := json.Marshal(r.Rules)
	c := counted{Record: r, rules: string(rules), turns: make([]record.Turns, len(r.Seats))}
	if err == nil && r.Game == (shutbox.Game{}).Name() {
		c.turns, err = record.TurnsOf(shutbox.Game{}, r.Rules, len(r.Seats), r.Moves)
	}
	return c, err
}

// seatOf is where somebody sat, -1 where they did not.
func (c counted) seatOf(name string) int {
	return slices.IndexFunc(c.Seats, func(s record.Seat) bool { return s.House == "" && s.Name == name })
}

// leaderboard adds up the records that count, by game, rules, unit and name.
func leaderboard(records []counted, counts func(counted) bool) map[string]line {
	all := map[string]line{}
	for _, r := range records {
		if len(r.Seats) < 2 || !counts(r) {
			continue
		}
		people := int64(0)
		for _, seat := range r.Seats {
			if seat.House == "" {
				people++
			}
		}
		for i, seat := range r.Seats {
			if seat.House != "" {
				continue
			}
			key := strings.Join([]string{r.Game, r.rules, r.Unit, seat.Name}, " | ")
			l, known := all[key]
			if !known {
				l = line{points: new(big.Rat), shares: new(big.Rat), parts: new(big.Rat)}
			}
			l.parts.Add(l.parts, big.NewRat(1, people))
			all[key] = l.with(r.Result[i], r.turns[i])
		}
	}
	return all
}

// with is the line with another game.
func (l line) with(row record.Row, turns record.Turns) line {
	l.games++
	if row.Place == 1 {
		l.won++
	}
	l.turns += int64(turns.Turns)
	l.shut += int64(turns.Shut)
	if points, scored := row.Points(); scored {
		if n := int64(points); l.scored == 0 {
			l.low, l.high = n, n
		} else {
			l.low, l.high = min(l.low, n), max(l.high, n)
		}
		l.scored++
		l.points.Add(l.points, big.NewRat(int64(points), 1))
	}
	l.pool += row.Pool
	if row.Difference != nil {
		l.shares.Add(l.shares, big.NewRat(row.Difference.N, row.Difference.D))
	}
	if row.Settlement != nil {
		l.settled += *row.Settlement
	}
	return l
}

// differing says what differs between a leaderboard from records and standings,
// "" when nothing does.
func differing(want map[string]line, got []store.Standing) string {
	var wrong []string
	left := maps.Clone(want)
	for _, s := range got {
		key := strings.Join([]string{s.Game, s.Rules, s.Unit, s.Name}, " | ")
		if l, there := left[key]; !there || l.String() != standingSaid(s) {
			wrong = append(wrong, fmt.Sprintf("%s: the totals say %s, the records %v", key, standingSaid(s), l))
		}
		delete(left, key)
	}
	for key := range left {
		wrong = append(wrong, key+": the totals lack it")
	}
	return strings.Join(wrong, "\n")
}

// opponents are the games of somebody against everybody else: common games,
// better places, worse places.
func opponents(records []counted, name, game string) map[string][3]int64 {
	all := map[string][3]int64{}
	for _, r := range records {
		mine := r.seatOf(name)
		if mine < 0 || game != "" && r.Game != game {
			continue
		}
		for i, seat := range r.Seats {
			if i == mine || seat.House != "" {
				continue
			}
			n := all[seat.Name]
			n[0]++
			switch me, them := r.Result[mine].Place, r.Result[i].Place; {
			case me < them:
				n[1]++
			case me > them:
				n[2]++
			}
			all[seat.Name] = n
		}
	}
	return all
}
