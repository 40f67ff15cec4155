package table

// The pace of a chat: playing forced moves with a press.

import (
	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

// maxThrows is the largest number of throws of one press: they have to fit on one line.
const maxThrows = 3

// goOn plays the forced moves of the same seat and turn after a person's move, if the chat plays quickly. They are
// moves like any others.
func (v *Visit) goOn(t *store.Table, m games.Match, seat games.Seat, events []games.Event, threw int64) (games.Match,
	[]games.Event, error) {
	set, err := v.Settings(t.Chat)
	if err != nil || !board.IsQuick(v.bot.Bot, set, t.Place) {
		return m, events, err
	}
	throws := 0
	if t.Dice.Thrown > threw {
		throws++
	}
	for throws < maxThrows {
		move, ok := games.Follows(m, seat)
		if !ok {
			break
		}
		before := t.Dice.Thrown
		next, more, err := v.apply(t, m, seat, move, false)
		if err != nil {
			return m, events, err
		}
		if t.Dice.Thrown > before {
			throws++
		}
		m, events, v.wentOn = next, append(events, more...), true
	}
	return m, events, nil
}

// paceTold is the chat's key for having shown how to play calmly.
const paceTold = "pace-told"

// tellPace tells the first person in a chat whose press played a forced move how to change that, and reports whether it
// did.
func (v *Visit) tellPace(t *store.Table) (bool, error) {
	set, err := v.Settings(t.Chat)
	if err != nil || set[paceTold] != "" {
		return false, err
	}
	v.Toast("bot.pace-told", nil)
	return true, v.Remember(t.Chat, paceTold, "yes")
}

func usualPace(b *bot.Bot, chat string) string {
	if board.IsQuick(b, nil, chat) {
		return board.Quick
	}
	return board.Calm
}
