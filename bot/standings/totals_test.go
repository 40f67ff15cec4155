package standings_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"knobel/bot/bare"
	"knobel/bot/fakes/needs"
	"knobel/bot/review"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/store"
)

// TestTotalsAreWhatTheRecordsAddUpTo plays random games of groups of 2 to 6 people on several evenings, with computer
// players, practice, ties, games ended early, voided games, changing units and seasons. For each group, all
// leaderboards, comparisons of two players and opponents must equal the sums over the records.
func TestTotalsAreWhatTheRecordsAddUpTo(t *testing.T) {
	circles, voided := 4, 0
	if needs.IsLong() {
		circles = 60
	}
	for n := range circles {
		h := bare.New(t, shutbox.Game{}, bare.Tally{})
		c := &circle{House: h, chance: rand.New(rand.NewPCG(uint64(n), 7)), ended: map[string]endTime{}}
		for i := range 2 + c.chance.IntN(5) {
			c.people = append(c.people, h.Person(fmt.Sprint("P", i)))
			c.people[i].Admin = true
		}
		c.people[0].Writes("/settings alone=counts")
		for range 4 + c.chance.IntN(4) {
			c.evening()
		}
		voided += c.compare()
		h.Sound()
	}
	if voided == 0 {
		t.Error("no game was voided")
	}
}

// circle is a group of people in one chat who play on several evenings.
type circle struct {
	*bare.House
	chance  *rand.Rand
	people  []*bare.Person
	seasons int                // number of seasons started
	ended   map[string]endTime // when each game ended, by table number as in records
}

// endTime is the evening and the season in which a game ended.
type endTime struct {
	evening store.Day
	season  int // number of the season, 0 before the first
}

// evening plays a few games after some days. It sometimes starts a season, changes the unit or voids a game.
func (c *circle) evening() {
	c.Wait(time.Duration(1+c.chance.IntN(20)) * 24 * time.Hour)
	host := c.people[0]
	if c.chance.IntN(4) == 0 {
		host.Sends(bare.PressOn(c.T, host.Writes(fmt.Sprint("/season S", c.seasons)), "Start the season"))
		c.seasons++
	}
	if c.chance.IntN(4) == 0 {
		host.Writes("/unit " + []string{"chips", "coffees"}[c.chance.IntN(2)])
	}
	for range 1 + c.chance.IntN(3) {
		c.game()
	}
	asked := host.Writes(fmt.Sprint("/void ", 1+c.chance.IntN(2*len(c.ended)+1)))
	if !asked.Refused && strings.Contains(bare.Show(*asked.Private), "to agree.") {
		for _, p := range c.people {
			p.Sends(bare.PressOn(c.T, asked, "Void it"))
		}
	}
}

// game plays one game with random moves, sometimes with a computer player, or ends it early.
func (c *circle) game() {
	line := []string{"/shutbox tiles=2 dice=1d6 5", "/shutbox tiles=4 match=rounds:2 0", "/shutbox lucky-seven 10",
		"/shutbox tiles=1-2,7 ties=roll-off shut=pays-double 5", "/tally", "/tally point=1", "/tally point=2",
		"/shutbox tiles=2 dice=1d6 5", "/shutbox tiles=2 dice=1d6 5"}[c.chance.IntN(9)]
	var names []string
	for _, i := range c.chance.Perm(len(c.people))[:1+c.chance.IntN(len(c.people))] {
		names = append(names, c.people[i].Name)
	}
	people := c.Gather(line, names...)
	opener := people[0]
	id := opener.Table().ID
	if c.chance.IntN(3) == 0 {
		house := map[bool]string{true: "meek", false: "random"}[line[1] == 't']
		opener.Sends(fmt.Sprintf("1:%d:0:!house %s", id, house))
	}
	c.Agree(people[1:]...)
	opener.Sends(fmt.Sprintf("1:%d:0:!start", id))
	stops := c.chance.IntN(8) == 0
	for ; opener.Table().State == store.Playing; stops = false {
		if stops {
			opener.Writes("/abandon")
			for _, p := range people {
				p.Sends(fmt.Sprintf("1:%d:0:!end yes", id))
				p.Sends(fmt.Sprintf("1:%d:0:!vote yes", id))
			}
			continue
		}
		// The board of the test game Tally has no buttons, so its moves are spelled here.
		press := fmt.Sprintf("1:%d:%d:say %d", id, opener.Table().Turn, c.chance.IntN(15)-2)
		if m := opener.Board(); len(m.Buttons) > 0 {
			press = bare.Onward(m).Press
		}
		if !slices.ContainsFunc(people, func(p *bare.Person) bool { return !p.Sends(press).Refused }) {
			c.T.Fatalf("nobody may press %s", press)
		}
	}
	if opener.Table().State == store.Over {
		c.ended[fmt.Sprint(id)] = endTime{store.DayOf(c.Time()), c.seasons}
	}
}

// endedRecord is a record with the data that a leaderboard needs. Names identify people because they are all different.
type endedRecord struct {
	record.Record
	rules string
	turns []record.Turns
	endTime
}

// records returns the records of all games of the chat.
func (c *circle) records() (all []endedRecord) {
	err := c.Bot.Export(context.Background(), review.Wanted{Chat: "test:1"}, func(r record.Record) error {
		rules, err := json.Marshal(r.Rules)
		one := endedRecord{r, string(rules), make([]record.Turns, len(r.Seats)), c.ended[r.Table]}
		if err == nil && r.Game == "shutbox" {
			one.turns, err = record.TurnsOf(shutbox.Game{}, r.Rules, len(r.Seats), r.Moves)
		}
		all = append(all, one)
		return err
	})
	if err != nil || len(all) != len(c.ended) {
		c.T.Fatalf("%d records of %d games: %v", len(all), len(c.ended), err)
	}
	return all
}

// seatOf returns the seat of the person called name, -1 if they did not play.
func (r endedRecord) seatOf(name string) int {
	return slices.IndexFunc(r.Seats, func(s record.Seat) bool { return s.House == "" && s.Name == name })
}

// leaderboard returns the sums of the records for which counts returns true, by the result of keyOf.
func leaderboard(records []endedRecord, counts func(endedRecord) bool) map[string]store.Standing {
	all := map[string]store.Standing{}
	for _, r := range records {
		if len(r.Seats) < 2 || !counts(r) {
			continue
		}
		people := slices.DeleteFunc(slices.Clone(r.Seats), func(s record.Seat) bool { return s.House != "" })
		for i, seat := range r.Seats {
			if seat.House != "" {
				continue
			}
			s := store.Standing{Game: r.Game, Rules: r.rules, Unit: r.Unit, Name: seat.Name,
				Player: "test:" + seat.Name}
			key := keyOf(s)
			if known, is := all[key]; is {
				s = known
			}
			all[key] = addGame(s, r.Result[i], r.turns[i], int64(len(people)))
		}
	}
	return all
}

// keyOf returns the game, the rules, the unit and the name of s as the key of a map.
func keyOf(s store.Standing) string {
	return strings.Join([]string{s.Game, s.Rules, s.Unit, s.Name}, " | ")
}

// addGame returns s with one more game added, in which the player has the result row; people is the number of people in
// the game.
func addGame(s store.Standing, row record.Row, turns record.Turns, people int64) store.Standing {
	s.Games++
	s.Parts += store.PartsOfGame / people
	if row.Place == 1 {
		s.Won++
	}
	s.Turns += int64(turns.Turns)
	s.Shut += int64(turns.Shut)
	if points, scored := row.Points(); scored {
		n := int64(points)
		if s.Scored == 0 {
			s.Low, s.High = n, n
		}
		s.Low, s.High = min(s.Low, n), max(s.High, n)
		s.Scored++
		s.Points += n
	}
	s.Pool += row.Pool
	if row.Difference != nil {
		s.Shares += row.Difference.N * 2520 / row.Difference.D
	}
	if row.Settlement != nil {
		s.Settled += *row.Settlement
	}
	return s
}

// periods returns all periods in which a game ended, each with a function that reports whether a record belongs to it.
func (c *circle) periods(tx *store.Tx) map[store.Period]func(endedRecord) bool {
	all := map[store.Period]func(endedRecord) bool{
		store.AllTime():   func(endedRecord) bool { return true },
		store.OfSeason(0): func(r endedRecord) bool { return r.season == 0 },
	}
	seasons, err := tx.Chats.Seasons("test:1")
	if err != nil || len(seasons) != c.seasons {
		c.T.Fatalf("%d seasons, %d were started: %v", len(seasons), c.seasons, err)
	}
	for i, season := range seasons { // newest first
		all[store.OfSeason(season.ID)] = func(r endedRecord) bool { return r.season == len(seasons)-i }
	}
	for _, e := range c.ended {
		date := e.evening.Time()
		monday := e.evening - store.Day((int(date.Weekday())+6)%7)
		first := time.Date(date.Year(), date.Month(), 1, 0, 0, 0, 0, time.UTC)
		for from, to := range map[store.Day]store.Day{e.evening: e.evening, monday: monday + 6,
			store.DayOf(first): store.DayOf(first.AddDate(0, 1, -1))} {
			all[store.Evenings(from, to)] = func(r endedRecord) bool { return from <= r.evening && r.evening <= to }
		}
	}
	return all
}

// compare fails the test unless the leaderboards of every period, game and unit equal the sums of the records. It
// returns the number of voided games.
func (c *circle) compare() (voided int) {
	all := c.records()
	records := slices.DeleteFunc(slices.Clone(all), func(r endedRecord) bool { return r.Voided })
	same := func(what string, want map[string]store.Standing, got []store.Standing, err error) {
		found := map[string]store.Standing{}
		for _, s := range got {
			found[keyOf(s)] = s
		}
		if d := gocmp.Diff(want, found); d != "" || err != nil {
			c.T.Errorf("%s: %v (-of the records +totals):\n%s", what, err, d)
		}
	}
	a, b := c.people[0].Name, c.people[1].Name
	err := c.Store.View(context.Background(), func(tx *store.Tx) error {
		for period, within := range c.periods(tx) {
			for _, w := range []store.Wanted{{}, {Game: "shutbox"}, {Game: "tally"}, {Unit: "coffees"},
				{Game: "tally", Unit: "chips"}} {
				w.Chat, w.Period = "test:1", period
				got, err := tx.Scores.Standings(w)
				same(fmt.Sprintf("%+v", w), leaderboard(records, func(r endedRecord) bool {
					return within(r) && (w.Game == "" || r.Game == w.Game) && (w.Unit == "" || r.Unit == w.Unit)
				}), got, err)
			}
			duel := leaderboard(records, func(r endedRecord) bool {
				return r.Game == "shutbox" && r.seatOf(a) >= 0 && r.seatOf(b) >= 0 && within(r)
			})
			maps.DeleteFunc(duel, func(_ string, s store.Standing) bool { return s.Name != a && s.Name != b })
			w := store.Wanted{Chat: "test:1", Period: period, Game: "shutbox"}
			got, err := tx.Scores.Duel(w, "test:"+a, "test:"+b)
			same(fmt.Sprintf("duel in %+v", period), duel, got, err)
		}
		met, err := tx.Scores.Opponents("test:1", "test:"+a)
		got := map[string][2]int64{}
		for _, o := range met {
			got[strings.TrimPrefix(o.Player, "test:")] = [2]int64{o.Ahead, o.Behind}
		}
		if d := gocmp.Diff(opponents(records, a), got); d != "" {
			c.T.Errorf("opponents of %s (-of the records +found):\n%s", a, d)
		}
		return err
	})
	if err != nil {
		c.T.Error(err)
	}
	return len(all) - len(records)
}

// opponents returns, by the name of every other person, in how many games the person called name had a better place and
// in how many a worse one.
func opponents(records []endedRecord, name string) map[string][2]int64 {
	all := map[string][2]int64{}
	for _, r := range records {
		mine := r.seatOf(name)
		for i, seat := range r.Seats {
			if mine < 0 || i == mine || seat.House != "" {
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
