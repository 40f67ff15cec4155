package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
	"knobel/store"
)

// Opening, starting and playing tables. Every move, by a person or the computer, is made in this file.

// usualStake returns the stake of a table that an event opens without one: none on a platform with pages, whose
// newcomers do not know units of stakes, else 10.
func usualStake(ev chat.Event) int64 {
	if ev.Pages {
		return 0
	}
	return 10
}

// openTable stores a new table in the event's chat or thread, posts its board and returns its ID.
func (v *Visit) openTable(t store.Table) (int64, error) {
	t.Place = string(v.Event.Place)
	t, err := v.addTable(t)
	if err != nil {
		return 0, err
	}
	return t.ID, v.repostBoard(t)
}

// addTable stores t as a new lobby with a new seed, opened by the person. The caller sets the game, the rules, the
// place and the seats of t. If the person had left the chat, its leaderboards show them again, unless the bot opens the
// table by itself.
func (v *Visit) addTable(t store.Table) (store.Table, error) {
	if t.Occasion == "" {
		if err := v.Returned(v.Event.User); err != nil {
			return t, err
		}
	}
	for i := range t.Seats {
		if s := &t.Seats[i]; s.House == "" && s.Confirmed && s.Worded == 0 {
			if err := v.drawWord(s); err != nil {
				return t, err
			}
		}
	}
	seed, err := dice.NewSeed(v.bot.Rand)
	if err != nil {
		return t, err
	}
	t.Chat = string(v.Event.Chat)
	t.Unit = v.Unit()
	t.Opener = string(v.Event.User)
	t.State = store.Lobby
	t.Dice.Seed, t.Dice.Commitment = seed[:], seed.Commitment()
	t.Opened, t.Changed, t.Version, t.Board.Tapper = v.At, v.At, 1, -1
	if v.Event.Perishable {
		t.Board.Expires = store.Expired // only the answer to the event posts the board
	}
	v.noteTap(&t)
	t.ID, err = v.Tx.Tables.AddTable(t)
	return t, err
}

// newSeat returns a seat of the person, without a word, who agrees to these terms.
func (v *Visit) newSeat(terms int64) store.Seat {
	return store.Seat{Player: string(v.Event.User), Name: v.Player.Name, Confirmed: true, Agreed: terms}
}

// drawWord sets the word of a seat, text from which the dice are computed, to a new random one.
func (v *Visit) drawWord(s *store.Seat) (err error) {
	s.Worded = v.At
	s.Entropy, err = dice.NewEntropy(v.bot.Rand)
	return err
}

// start begins the match of t. It removes reserved seats, gives the holder of the box (jackpot) the first seat, and
// moves the stakes and the content of the box to the pool.
func (v *Visit) start(t *store.Table) error {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	t.Seats = slices.DeleteFunc(t.Seats, func(s store.Seat) bool { return !s.Confirmed })
	if least, _ := g.Seats(t.Rules); len(t.Seats) < least {
		return games.Refuse("bot.too-few-seats", games.Args{"N": least})
	}
	if err := v.preparePerfect(g, *t); err != nil {
		return err
	}
	if len(t.Seats) == 1 {
		t.Stake = 0 // a game alone is practice
	}
	board.ReplaceOut(t)
	set, err := v.Settings(t.Chat)
	if err != nil {
		return err
	}
	t.Practice = board.IsPractice(*t, set)
	box, err := v.Tx.Books.Box(t.Chat, t.Unit)
	if err != nil {
		return fmt.Errorf("box: %w", err)
	}
	moveHolderFirst(t.Seats, box.Holder)
	var pool money.Pool
	if g.Shape(t.Rules) == games.ShapePool {
		if t.Practice {
			box.Inside = 0
		}
		pool = money.Open(t.Stake, len(t.Seats), box.Inside)
		stake := func(int) int64 { return -t.Stake }
		if err := v.pay(t, store.Stakes, pool.Total(), -pool.Box, stake); err != nil {
			return err
		}
	}
	m, err := g.New(t.Rules, len(t.Seats))
	if err != nil {
		return err
	}
	clearVotes(t)
	if t.Language, err = v.bot.TableLanguage(v.Tx, store.Chat{}, *t); err != nil {
		return err
	}
	t.State, t.Board.Page, t.BoxIn, t.Clock.Moved = store.Playing, board.PageGame, pool.Box, v.At
	v.Begun = true
	v.After(func(context.Context, *bot.Core) error {
		v.bot.dueWaker.Wake() // the lobby's deadline no longer applies
		return nil
	})
	v.Names = v.bot.NamesAt(*t, v.Lang)
	if err := v.Tx.Tables.SaveTable(*t); err != nil { // stored moves refer to stored seats
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	return v.CarryOn(t, g, m)
}

// moveHolderFirst moves the seat of holder, the holder of the box (jackpot), to the front, unless holder has no seat.
func moveHolderFirst(seats []store.Seat, holder string) {
	for i, s := range seats {
		if holder != "" && board.Holder(s) == holder {
			copy(seats[1:i+1], seats[:i])
			seats[0] = s
			return
		}
	}
}

// applyMove plays one move of m. It returns the match after the move, and what happened (events). It adds the move and
// its dice to v.played, which CarryOn stores. auto: the computer makes the move for an absent person.
func (v *Visit) applyMove(t *store.Table, m games.Match, seat games.Seat, move games.Move, auto bool) (games.Match,
	[]games.Event, error) {
	fair := fairDice(*t)
	next, events, err := games.Play(m, seat, move, fair)
	if err != nil {
		return m, nil, err
	}
	t.Dice.Thrown, t.Draft, t.Clock.Moved = int64(fair.Next), "", v.At
	t.Turn++
	if !auto && t.Seats[seat].House == "" { // later moves of computer seats are shown as new until a person moves
		t.Board.Seen = t.Turn
	}
	v.played = append(v.played,
		store.Move{Seat: int(seat), Move: string(move), Dice: fair.Faces, Auto: auto, At: v.At})
	if s := &t.Seats[seat]; !auto && s.House == "" {
		s.Missed, s.Absence = 0, store.Present
	}
	turn, before := next.Turn(), m.Turn()
	for i := range t.Seats { // people are store.Late only during the turn that is played for them
		if s := &t.Seats[i]; s.Absence == store.Late && !slices.Contains(turn, games.Seat(i)) {
			s.Absence = store.Present
		}
	}
	v.Begun = v.Begun ||
		slices.ContainsFunc(turn, func(s games.Seat) bool { return !slices.Contains(before, s) })
	return next, events, nil
}

// CarryOn moves for computer players and absent people until a person has the turn or perfect play must be computed. If
// the match is over, it pays the winners. It then sets the deadline, schedules pings and stores the table.
func (v *Visit) CarryOn(t *store.Table, g games.Game, m games.Match) error {
	t.Waits = false
	unseen := false // the computer has played a seat that is not out
	for {
		seat, house, absent, ok := nextComputerTurn(*t, g, m)
		if !ok {
			break
		}
		move, waits := v.chooseMove(*t, g, m, seat, house)
		if waits {
			t.Waits = true
			break
		}
		next, _, err := v.applyMove(t, m, seat, move, absent)
		if err != nil {
			return Ours(fmt.Errorf("computer %s at table %d: %w", house.Name, t.ID, err))
		}
		unseen = unseen || t.Seats[seat].Absence != store.Out
		m = next
	}
	t.Draft = board.OpeningDraft(m.View())
	var err error
	if t.Match, err = m.Save(); err != nil {
		return fmt.Errorf("save the match of table %d: %w", t.ID, err)
	}
	result, over := m.Result()
	for _, m := range v.played {
		if err := v.Tx.Tables.AddMove(t.ID, m); err != nil {
			return err
		}
	}
	v.played = nil
	if over {
		clearVotes(t)
		if err := v.finish(t, g, result); err != nil {
			return err
		}
		if unseen {
			v.stageEnd(t)
		}
	}
	if v.Begun || over {
		v.withdrawAll(t)
	}
	if err := v.setDeadline(t, m); err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	if err := v.bot.Notifier.Next(v, *t, m); err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	return v.save(t)
}

// stageEnd makes the board of a finished table show for a moment the state before the last turn. It does nothing if the
// platform is not connected or cannot be sent two drawings. The result is stored at once in any case.
func (v *Visit) stageEnd(t *store.Table) {
	place := chat.Place(t.Place)
	if v.bot.Traits(place).Steps {
		return // a board that shows moves one by one already shows how the game ended
	}
	is := v.Condition(place)
	if is.Budget == nil || !is.Link.Up || t.Board.Away {
		return
	}
	if b := is.Budget(place); b.Limit > 0 && (b.Left < 1 || b.Waiting > 0) {
		return
	}
	t.Board.Page = store.PageStaged
	t.Outdate(v.At) // adds a version for the first of two drawings; saving adds the second
}

// fairDice returns the dice of a table. The next roll continues after the dice already thrown.
func fairDice(t store.Table) *dice.Fair {
	fair := &dice.Fair{Seed: dice.Seed(t.Dice.Seed), Table: strconv.FormatInt(t.ID, 10), Next: int(t.Dice.Thrown)}
	for _, s := range t.Seats {
		fair.Entropies = append(fair.Entropies, s.Entropy)
	}
	return fair
}

// Ours returns an error with the text of err, which then counts not as a refusal but as a fault of the bot.
func Ours(err error) error { return errors.New(err.Error()) }

// nextComputerTurn returns a seat for which the computer must move now, and the strategy h to use. absent: the seat
// belongs to an absent person, for whom h is perfect play if the terms say so, else a strategy without computed perfect
// play: the weakest for a seat that is out of the game, the best for others. ok is false if there is no such seat.
func nextComputerTurn(t store.Table, g games.Game, m games.Match) (seat games.Seat, h games.House, absent, ok bool) {
	for _, seat := range m.Turn() {
		if t.Seats[seat].House == "" {
			continue
		}
		if h, ok := findHouse(g, t.Seats[seat].House); ok {
			return seat, h, false, true
		}
	}
	if board.Paused(t) {
		return games.Nobody, h, false, false
	}
	for _, seat := range m.Turn() {
		absence := t.Seats[seat].Absence
		if absence == store.Present {
			continue
		}
		h, perfect := board.PerfectHouse(g)
		switch {
		case perfect && t.Clock.Absent == store.PlaysPerfect:
		case absence == store.Out:
			h = unsolvedHouses(g)[0] // the weakest strategy harms the others least
		default:
			h = fallbackHouse(g)
		}
		return seat, h, true, true
	}
	return games.Nobody, h, false, false
}

// findHouse returns the computer strategy of a game that has this name, and whether there is one.
func findHouse(g games.Game, name string) (games.House, bool) {
	for _, h := range g.Houses() {
		if h.Name == name {
			return h, true
		}
	}
	return games.House{}, false
}
