package bare

// Leaderboards and statistics, and another way to count them.

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/store"
)

// Game plays a game from its opening to its end: who sits there, "house" a house
// seat, and what each of them plays: "Anna say 3".
func (h *House) Game(line string, names []string, moves ...string) {
	h.T.Helper()
	opener := h.Person(names[0])
	opener.Writes(line)
	id := opener.Table().ID
	for _, name := range names[1:] {
		if name == "house" {
			opener.Sends(fmt.Sprintf("1:%d:0:!house meek", id))
		} else {
			h.Person(name).Sends(chat.LobbyPress(opener.Board(), "join"))
		}
	}
	for _, name := range names[1:] {
		if name != "house" {
			h.Agree(h.Person(name))
		}
	}
	opener.Sends(fmt.Sprintf("1:%d:0:!start", id))
	for range moves {
		t := opener.Table()
		name := t.Seats[t.Turn%int64(len(t.Seats))].Name // whoever holds the box sits first
		i := slices.IndexFunc(moves, func(m string) bool { return strings.HasPrefix(m, name+" ") })
		h.Person(name).Sends(fmt.Sprintf("1:%d:%d:%s", id, t.Turn, strings.TrimPrefix(moves[i], name+" ")))
		moves = slices.Delete(slices.Clone(moves), i, i+1)
	}
	if t := opener.Table(); t.State != store.Over || t.ID != id {
		h.T.Fatalf("%s: table %d is %s", line, t.ID, t.State)
	}
}

// Reads fails unless an answer says this, buttons and all.
func Reads(t testing.TB, r chat.Reply, text string) {
	t.Helper()
	if got := Said(t, r); strings.TrimSpace(got) != strings.TrimSpace(text) {
		t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(text))
	}
}

// Begins fails unless an answer begins with these lines.
func Begins(t testing.TB, r chat.Reply, text string) {
	t.Helper()
	if got := Said(t, r); !strings.HasPrefix(got, strings.TrimSpace(text)+"\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(text))
	}
}

// ThreeEvenings plays in October, in November a week before, and today, the
// 14th of November 2023.
func ThreeEvenings(h *House) {
	h.Wait(-30 * 24 * time.Hour)
	h.Game("/pile 10", []string{"Ben", "Anna"}, "Ben take 6+5", "Anna take 2+1", "Ben take 4+3") // 18 : 3
	h.Wait(23 * 24 * time.Hour)
	h.Game("/tally point=1", []string{"Anna", "Ben", "Clara"}, "Anna say 10", "Ben say 10", "Clara say 11")
	h.Wait(7 * 24 * time.Hour)
	h.Game("/pile 5", []string{"Anna", "house", "Clara"}, "Anna take 6+5", "Clara take 4+3") // 11 : 3 : 7
	h.Game("/pile big 5", []string{"Anna", "Ben"}, "Anna take 8+1", "Ben take 7+2", "Anna take 6+3", "Ben take 5+4")
	h.Game("/pile 50", []string{"Anna"}, "Anna take 6+5", "Anna take 4+3", "Anna take 2+1") // alone, which is practice
	h.Sound()
}

// Counting is chance that gives other seeds every time, and the same in every
// run.
type Counting struct{ next byte }

func (c *Counting) Read(b []byte) (int, error) {
	for i := range b {
		c.next += 7
		b[i] = c.next
	}
	return len(b), nil
}

// TableOf reads a table.
func (h *House) TableOf(id int64) (t store.Table) {
	h.T.Helper()
	err := h.Store.View(context.Background(), func(tx *store.Tx) (err error) {
		t, err = tx.Tables.Table(id)
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return t
}

var pointsWithStar = regexp.MustCompile(`[0-9]\*`)

func StarShown(m chat.Message) bool {
	said := strings.Join(m.Lines, "\n")
	for _, b := range slices.Concat(m.Buttons...) {
		said += "\n" + b.Label
	}
	return pointsWithStar.MatchString(said)
}

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

// Counted is a record with what a leaderboard needs of it. People are known by
// their names, which are all different.
type Counted struct {
	record.Record
	rules string
	turns []record.Turns
}

func countedOf(r record.Record) (Counted, error) {
	rules, err := json.Marshal(r.Rules)
	c := Counted{Record: r, rules: string(rules), turns: make([]record.Turns, len(r.Seats))}
	if err == nil && r.Game == (shutbox.Game{}).Name() {
		c.turns, err = record.TurnsOf(shutbox.Game{}, r.Rules, len(r.Seats), r.Moves)
	}
	return c, err
}

// seatOf is where somebody sat, -1 where they did not.
func (c Counted) seatOf(name string) int {
	return slices.IndexFunc(c.Seats, func(s record.Seat) bool { return s.House == "" && s.Name == name })
}

// leaderboard adds up the records that count, by game, rules, unit and name.
func leaderboard(records []Counted, counts func(Counted) bool) map[string]line {
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

// opponents are the games of a person against each other one: better places and worse ones.
func opponents(records []Counted, name string) map[string][2]int64 {
	all := map[string][2]int64{}
	for _, r := range records {
		mine := r.seatOf(name)
		if mine < 0 {
			continue
		}
		for i, seat := range r.Seats {
			if i == mine || seat.House != "" {
				continue
			}
			n := all[seat.Name]
			switch me, them := r.Result[mine].Place, r.Result[i].Place; {
			case me < them:
				n[0]++
			case me > them:
				n[1]++
			}
			all[seat.Name] = n
		}
	}
	return all
}
