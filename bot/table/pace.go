package table

// The pace of a chat: playing forced moves with a press.

import (
	"strings"

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

// tellPace tells the first person in a chat for whom a move was played at once how to change that, and reports whether
// it did.
func (v *Visit) tellPace(t *store.Table) (bool, error) {
	set, err := v.Settings(t.Chat)
	if err != nil || set[paceTold] != "" {
		return false, err
	}
	v.Toast("bot.pace-told", nil)
	return true, v.Remember(t.Chat, paceTold, "yes")
}

func readPace(b *bot.Bot, said string) (string, bool) {
	said = strings.TrimSpace(said)
	for pace, key := range paceWords {
		if strings.EqualFold(said, pace) || b.Means(key, said) {
			return pace, true
		}
	}
	return "", b.MeansNone(said)
}

// paceWords are the keys of the paces' names.
var paceWords = map[string]string{board.Quick: "bot.settings.pace-quick", board.Calm: "bot.settings.pace-calm"}

func sayPace(_ *bot.Bot, value string) games.Line { return games.Say(paceWords[value], nil) }

func readAlone(b *bot.Bot, said string) (string, bool) {
	switch {
	case strings.EqualFold(said, board.AlonePractice) || b.Means("bot.settings.alone-practice", said):
		return "", true
	case strings.EqualFold(said, board.AloneCounts) || b.Means("bot.settings.alone-counts", said):
		return board.AloneCounts, true
	}
	return "", false
}

func sayAlone(_ *bot.Bot, value string) games.Line {
	if value == board.AloneCounts {
		return games.Say("bot.settings.alone-counts", nil)
	}
	return games.Say("bot.settings.alone-practice", nil)
}

func usualPace(b *bot.Bot, chat string) string {
	if board.IsQuick(b, nil, chat) {
		return board.Quick
	}
	return board.Calm
}
