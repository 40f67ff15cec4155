package bare

// People of one chat who meet for evenings: what a bot would write of their games is written at once.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// Circle is people of one chat who meet for evenings: what a bot would write of
// their games is written into its store at once, a transaction an evening.
type Circle struct {
	*House
	Chance  *rand.Rand
	Chat    string
	People  []string // their names; their ids are "test:" and the name
	Day     store.Day
	at      int64 // Unix milliseconds
	Unit    string
	Seasons []int64            // that were started
	Ended   map[string]EndedIn // by table, as records spell it
}

// EndedIn is when a table was over.
type EndedIn struct {
	Evening store.Day
	Season  int64
}

// Evening lets some of them play a few games, and now and then agree on something new.
func (c *Circle) Evening() error {
	c.Day += store.Day(1 + c.Chance.IntN(20))
	c.at = c.Day.Time().UnixMilli()
	return c.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		if c.Chance.IntN(6) == 0 {
			season, err := tx.Chats.StartSeason(store.Season{Chat: c.Chat, Name: fmt.Sprint("S", len(c.Seasons)),
				Starter: "test:" + c.People[0], Started: c.at})
			if err != nil {
				return err
			}
			c.Seasons = append(c.Seasons, season)
		}
		if c.Chance.IntN(4) == 0 {
			c.Unit = []string{"chips", "coffees"}[c.Chance.IntN(2)]
		}
		if c.Chance.IntN(3) == 0 {
			if err := c.voids(tx); err != nil {
				return err
			}
		}
		for range 1 + c.Chance.IntN(3) {
			play := []func(*store.Tx) error{c.box, c.box, c.poker, c.poker, c.stops}[c.Chance.IntN(5)]
			if err := play(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// voids takes one of the last games off the standings, if no later pool has its remainder.
func (c *Circle) voids(tx *store.Tx) error {
	last, err := tx.Scores.LastFinished(c.Chat, 0, 20)
	if err != nil || len(last) == 0 {
		return err
	}
	t := last[c.Chance.IntN(len(last))]
	switch _, _, err := tx.Books.TookRemainder(t); {
	case err == nil || t.Voided:
		return nil
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	return tx.Books.Void(t, c.at)
}

// table opens a table of some of the people and some houses, its match begun.
func (c *Circle) table(tx *store.Tx, g games.Game, rules games.Rules, stake int64) (store.Table, error) {
	seed := dice.Seed{}
	for i := range seed {
		seed[i] = byte(c.Chance.IntN(256))
	}
	canonical, err := g.Check(rules)
	t := store.Table{
		Chat: c.Chat, Place: c.Chat, Game: g.Name(), Rules: canonical, Stake: stake, Unit: c.Unit, State: store.Playing,
		Seed: seed[:], Commitment: seed.Commitment(), Match: []byte{0}, Version: 1, Changed: c.at, Opened: c.at,
	}
	order := c.Chance.Perm(len(c.People))
	for _, i := range order[:1+c.Chance.IntN(len(order))] {
		t.Seats = append(t.Seats, store.Seat{Player: "test:" + c.People[i], Name: c.People[i],
			Entropy: fmt.Sprintf("%016x", c.Chance.Uint64()), Confirmed: true})
	}
	if len(t.Seats) < 10 && c.Chance.IntN(3) == 0 {
		t.Seats = append(t.Seats, store.Seat{Name: "house random", House: "random", Entropy: dice.HouseEntropy,
			Confirmed: true})
	}
	if len(t.Seats) == 1 {
		t.Stake = 0
	}
	if err == nil {
		t.ID, err = tx.Tables.AddTable(t)
	}
	return t, err
}

// staked puts the stakes and the box into the pool.
func (c *Circle) staked(tx *store.Tx, t *store.Table) (money.Pool, error) {
	box, err := tx.Books.Box(c.Chat, t.Unit)
	pool := money.Open(t.Stake, len(t.Seats), box.Inside)
	t.BoxIn = pool.Box
	entries := []store.Entry{{Account: fmt.Sprint("pool:", t.ID), Amount: pool.Total()},
		{Account: "box", Amount: -pool.Box}}
	for _, s := range t.Seats {
		entries = append(entries, store.Entry{Account: accountOf(s), Amount: -t.Stake})
	}
	return pool, errors.Join(err, c.post(tx, *t, store.Stakes, entries))
}

func accountOf(s store.Seat) string {
	if s.House != "" {
		return "house:" + s.House
	}
	return "player:" + s.Player
}

func (c *Circle) post(tx *store.Tx, t store.Table, kind string, entries []store.Entry) error {
	return tx.Books.Post(store.Posting{Chat: c.Chat, Unit: t.Unit, Table: t.ID, Kind: kind, At: c.at, Entries: entries})
}

// paidOut empties the pool.
func (c *Circle) paidOut(tx *store.Tx, t *store.Table, kind string, pool money.Pool, settled money.Settlement) error {
	entries := []store.Entry{{Account: fmt.Sprint("pool:", t.ID), Amount: -pool.Total()},
		{Account: "box", Amount: settled.Out}}
	for i, s := range t.Seats {
		entries = append(entries, store.Entry{Account: accountOf(s), Amount: settled.Amounts[i] + t.Stake})
	}
	return c.post(tx, *t, kind, entries)
}

// over ends a table.
func (c *Circle) over(tx *store.Tx, t store.Table, rows []store.Result) error {
	t.State = store.Over
	season := int64(0)
	if len(c.Seasons) > 0 {
		season = c.Seasons[len(c.Seasons)-1]
	}
	c.Ended[strconv.FormatInt(t.ID, 10)] = EndedIn{c.Day, season}
	return errors.Join(tx.Tables.SaveTable(t), tx.Tables.Finish(t.ID, c.at, c.Day, rows))
}

// box plays Shut the Box on a few tiles, every move of it.
func (c *Circle) box(tx *store.Tx) error {
	rules := []games.Rules{
		{"tiles": "3"}, {"tiles": "4", "match": "rounds:2"},
		{"tiles": "1-2,7", "ties": "roll-off", "shut": "pays-double"}, {"variant": "lucky-seven"},
	}[c.Chance.IntN(4)]
	t, err := c.table(tx, shutbox.Game{}, rules, int64(c.Chance.IntN(4)*5))
	if err != nil {
		return err
	}
	pool, err := c.staked(tx, &t)
	if err != nil {
		return err
	}
	played, result, err := c.played(tx, &t)
	if err != nil {
		return err
	}
	settled, err := pool.Settle(result.Winners, result.Doubles)
	if err != nil {
		return err
	}
	turns, err := record.TurnsOf(shutbox.Game{}, t.Rules, len(t.Seats), played.Moves)
	if err != nil {
		return err
	}
	rows := make([]store.Result, len(result.Rows))
	for i, r := range result.Rows {
		rows[i] = store.Result{Seat: i, Score: int64(r.Score), Threw: r.Threw, Place: r.Place, Pool: settled.Amounts[i],
			Turns: int64(turns[i].Turns), Shut: int64(turns[i].Shut)}
	}
	t.BoxOut = settled.Out
	return errors.Join(c.paidOut(tx, &t, store.Payout, pool, settled), c.over(tx, t, rows))
}

// played plays a table's game at random to its end and stores its moves.
func (c *Circle) played(tx *store.Tx, t *store.Table) (r record.Record, result games.Result, err error) {
	terms := record.Terms{Table: strconv.FormatInt(t.ID, 10), Game: shutbox.Game{}, Rules: t.Rules, Stake: t.Stake,
		Box: t.BoxIn, Unit: t.Unit, Seed: dice.Seed(t.Seed)}
	for _, s := range t.Seats {
		terms.Seats = append(terms.Seats, record.Seat{Name: s.Name, House: s.House, Entropy: s.Entropy})
	}
	s, err := record.Sit(terms)
	if err != nil {
		return r, result, err
	}
	for turn := s.Match().Turn(); len(turn) > 0; turn = s.Match().Turn() {
		moves := s.Match().Moves(turn[0])
		if _, err := s.Play(turn[0], moves[c.Chance.IntN(len(moves))]); err != nil {
			return r, result, err
		}
	}
	r, err1 := s.Record()
	for _, m := range r.Moves {
		if err := tx.Tables.AddMove(t.ID, store.Move{Seat: int(m.Seat), Move: string(m.Move), Dice: m.Dice,
			At: c.at}); err != nil {
			return r, result, err
		}
		t.Turn++
		t.Thrown += int64(len(m.Dice))
	}
	t.Match, err = s.Match().Save()
	result, _ = s.Match().Result()
	return r, result, errors.Join(err, err1)
}

// poker settles a game of Würfelpoker by what everybody has scored. Its moves
// are not asked for: what counts of them is the total.
func (c *Circle) poker(tx *store.Tx) error {
	point := c.Chance.IntN(3)
	t, err := c.table(tx, wuerfelpoker.New(), games.Rules{"point": fmt.Sprint(point)}, 0)
	if err != nil {
		return err
	}
	result := games.Result{Point: point, Rows: make([]games.Row, len(t.Seats))}
	for i := range result.Rows {
		result.Rows[i] = games.Row{Score: c.Chance.IntN(40) - 10, Threw: true, Place: 1}
	}
	for i := range result.Rows {
		for _, other := range result.Rows {
			if other.Score > result.Rows[i].Score {
				result.Rows[i].Place++
			}
		}
	}
	differences, err1 := money.DifferencesOf(result)
	settled, err2 := money.Round(differences, point, t.ID)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	rows := make([]store.Result, len(result.Rows))
	var entries []store.Entry
	for i, r := range result.Rows {
		rows[i] = store.Result{Seat: i, Score: int64(r.Score), Threw: true, Place: r.Place,
			Difference: store.Difference(differences[i])}
		if point > 0 {
			rows[i].Settlement = &settled.Amounts[i]
			entries = append(entries, store.Entry{Account: accountOf(t.Seats[i]), Amount: settled.Amounts[i]})
		}
	}
	return errors.Join(c.post(tx, t, store.Payout, entries), c.over(tx, t, rows))
}

// stops abandons a game of Shut the Box: all stakes go back.
func (c *Circle) stops(tx *store.Tx) error {
	t, err := c.table(tx, shutbox.Game{}, games.Rules{"tiles": "3"}, 7)
	if err != nil {
		return err
	}
	pool, err := c.staked(tx, &t)
	if err != nil {
		return err
	}
	t.State = store.Abandoned
	return errors.Join(c.paidOut(tx, &t, store.Refund, pool, pool.Refund()), tx.Tables.SaveTable(t))
}

// Records are those of the chat, counted.
func (c *Circle) Records() (all []Counted, err error) {
	err = c.Bot.Export(context.Background(), review.Wanted{Chat: chat.Chat(c.Chat)}, func(r record.Record) error {
		one, err := countedOf(r)
		all = append(all, one)
		return err
	})
	return all, err
}
