package evening

import (
	"context"
	"errors"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// The steps of evenings: the notice before the hour, and the lobby on the hour. One loop takes those that are due.

const (
	// lateAtMost is how late a lobby is opened if the bot was off at the hour.
	lateAtMost = 30 * time.Minute
	// waitsAtMost is how long a lobby waits for a table that is being played in its place.
	waitsAtMost = 2 * time.Hour
	// waitLook is how often a waiting lobby looks for that table.
	waitLook = 30 * time.Second
	// atOnce is how many evenings are taken in one pass.
	atOnce = 256
)

// look is one pass of the loop: it takes the step of each evening that is due. soon is the time until the next.
func (b *Evenings) look(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	now, next := b.Now(), int64(0)
	var due []store.Row
	err = b.Due(ctx, func(tx *store.Tx) (err error) {
		if due, err = tx.Calls.DueEvenings(now, atOnce); err == nil {
			next, err = tx.Calls.NextEvening(now)
		}
		return err
	})
	err = errors.Join(err, c.StepAt(ctx, store.OfEvening, due, "evening", bot.At(b.Visit, (*visit).step)))
	if next > 0 {
		soon = time.Duration(next-now) * time.Millisecond
	}
	if err == nil && len(due) == atOnce {
		soon = time.Millisecond
	}
	return soon, err
}

// checkFree refuses the time of e if another evening has it in the same place.
func (v *visit) checkFree(e store.Evening) error {
	all, err := v.Tx.Calls.EveningsOf(e.Chat)
	if slices.ContainsFunc(all, func(other store.Evening) bool {
		return other.ID != e.ID && other.Weekday == e.Weekday && other.Minute == e.Minute && other.Place == e.Place
	}) {
		return games.Refuse("bot.evening.taken", nil)
	}
	return err
}

// plan sets when an evening takes place next and when its next step is due, and stores it.
func (v *visit) plan(e *store.Evening) error {
	set, err := v.Settings(e.Chat)
	if err != nil {
		return err
	}
	e.Start, e.Waits, e.Synced = nextStart(*e, v.At, set.Zone(v.bot.Bot)), false, false
	return v.store(e)
}

// store stores an evening with the time of its next step, and has the notice posted if it is due.
func (v *visit) store(e *store.Evening) error {
	announced := false
	switch notice := noticeAt(*e); {
	case e.Waits:
		e.Due = v.At + waitLook.Milliseconds()
	case v.At < notice:
		e.Due = notice
	default:
		e.Due, announced = max(v.At, e.Start), v.At < e.Start
	}
	if err := v.Tx.Calls.SaveEvening(e); err != nil {
		return err
	}
	v.DueBy(e.Due)
	v.After(func(context.Context, *bot.Core) error {
		v.bot.wake.Wake()
		if !e.Synced {
			v.bot.events.Waker.Wake()
		}
		return nil
	})
	if !announced {
		return nil
	}
	return v.announce(*e)
}

// noticeAt returns when the notice of the next evening is due, in Unix milliseconds; without a notice, its start.
func noticeAt(e store.Evening) int64 { return e.Start - e.Notice*time.Minute.Milliseconds() }

// zoneChanged plans all evenings of the chat again after a change of its time zone.
func (v *visit) zoneChanged() error {
	all, err := v.Tx.Calls.EveningsOf(v.Chat.ID)
	for i := range all {
		if err == nil {
			err = v.say(all[i], stateMoved)
		}
		if err == nil {
			err = v.plan(&all[i])
		}
	}
	return err
}

// step takes the step of an evening that is due: the notice, the lobby, or neither if the bot was off for too long. If
// the clock was set, the evening is the next one by the present time.
func (v *visit) step(id int64) error {
	e, err := v.Tx.Calls.Evening(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && e.Over {
		return nil
	}
	if err != nil {
		return err
	}
	if v.Chat, err = v.Tx.Chats.Chat(e.Chat); err != nil {
		return err
	}
	set, err := v.Settings(e.Chat)
	if err != nil {
		return err
	}
	in := set.Zone(v.bot.Bot)
	if next := nextStart(e, v.At-lateAtMost.Milliseconds()+1, in); next != e.Start && !e.Waits {
		if e.Skipped != e.Start {
			err = v.say(e, stateMissed)
		}
		e.Start, e.Synced = next, false
		if err == nil && e.Skipped != next {
			err = v.say(e, stateAsks)
		}
		if err != nil {
			return err
		}
	}
	if v.At < e.Start {
		return v.store(&e)
	}
	state := stateSkipped
	if e.Skipped != e.Start {
		if state, err = v.open(&e, set); err != nil || state == stateAsks {
			return errors.Join(err, v.store(&e))
		}
	}
	if err := v.say(e, state); err != nil {
		return err
	}
	e.Opened, e.Waits = e.Start, false
	was := time.UnixMilli(e.Start).In(in)
	e.Start = nextStart(e, v.At, in)
	_, before := was.Zone()
	_, after := time.UnixMilli(e.Start).In(in).Zone()
	if before != after || e.Skipped == e.Opened || e.Event == "" {
		e.Skipped, e.Synced = 0, false // the event repeats by UTC, and leaves out what was skipped
	}
	return v.store(&e)
}

// open opens the lobby of an evening: that of a final which is due, unless its game is refused, else the usual one. It
// returns what the notice then says: stateAsks if the lobby has to wait.
func (v *visit) open(e *store.Evening, set bot.Settings) (state string, err error) {
	g, isFinal, err := v.final(*e)
	if err == nil && isFinal {
		state, err = v.gather(e, set, g)
	}
	if err != nil || isFinal && state != stateFailed {
		return state, err
	}
	g = table.Gathering{Place: chat.Place(e.Place), Opener: e.Setter}
	if g.Players, err = v.coming(*e); err != nil {
		return "", err
	}
	if e.Notice > 0 && len(g.Players) < 2 {
		return stateFew, nil
	}
	if g.Terms, err = v.termsOf(*e); err != nil {
		return "", err
	}
	return v.gather(e, set, g)
}

// gather opens the lobby g of an evening, and returns what the notice then says.
func (v *visit) gather(e *store.Evening, set bot.Settings, g table.Gathering) (state string, err error) {
	late := time.Duration(v.At-e.Start) * time.Millisecond
	occasion := board.OccasionOf(store.Table{Origin: store.Origin{Occasion: g.Occasion}})
	isFinal := occasion.Kind == board.AtFinal
	if !isFinal {
		occasion.Kind = board.AtEvening
		if !e.Waits {
			occasion.Number = int64(late.Minutes())
		}
	}
	now := time.UnixMilli(v.At)
	occasion.Calls = set["calls"] != "off" && !table.QuietOf(set, v.bot.Bot).After(now, 0).After(now)
	g.Occasion = occasion.String()
	_, err = v.bot.Gather(v.Visit.Visit.Visit, g)
	if blocked, ok := errors.AsType[*table.InTheWay](err); ok {
		switch {
		case !isFinal && blocked.Table.State == store.Lobby && seated(blocked.Table, g.Players) > 1:
			return stateBegun, nil
		case late >= waitsAtMost:
			return stateBusy, nil
		}
		e.Waits = true
		return stateAsks, nil
	}
	if _, refused := games.Refused(err); refused {
		return stateFailed, nil
	}
	if isFinal {
		return stateFinal, err
	}
	return stateOpen, err
}

// seated returns how many of players sit at a table.
func seated(t store.Table, players []string) (n int) {
	for _, player := range players {
		if i := board.SeatOf(t, chat.User(player)); i >= 0 && t.Seats[i].Confirmed {
			n++
		}
	}
	return n
}

// coming returns the people who come to the next evening, in the order of their answers.
func (v *visit) coming(e store.Evening) (players []string, err error) {
	answers, err := v.answers(e)
	for _, a := range answers {
		if a.Comes {
			players = append(players, a.Player)
		}
	}
	return players, err
}

// answers returns the answers to the next evening, without those of people who have left the chat or were forgotten.
func (v *visit) answers(e store.Evening) (answers []store.Answer, err error) {
	answers, err = v.Tx.Calls.Answers(e.ID, e.Start)
	if err != nil || len(answers) == 0 {
		return nil, err
	}
	off, err := v.Tx.Chats.Unlisted(e.Chat)
	return slices.DeleteFunc(answers, func(a store.Answer) bool {
		return off[a.Player].Gone || store.Forgotten(a.Player) > 0
	}), err
}
