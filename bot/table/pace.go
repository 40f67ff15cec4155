package table

// The pace of a chat, and what is played with a press because it needs no decision.

import (
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

// maxThrows is how many throws one press makes at most: whoever plays on sees what fell, on one line.
const maxThrows = 3

// goOn plays what follows a person's move without a decision, where the chat plays quickly: the only move of the
// same seat in the same turn, and so on. These are moves like any others.
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

// paceTold is what a chat remembers once somebody has read how to play calmly.
const paceTold = "pace-told"

// tellPace tells whoever is the first in a chat for whom something was played at once how to get that changed. It
// reports whether it has.
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

// paceWords are the paces as people call them.
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

func usualPace(b *bot.Bot, chat string) string { return board.UsualPace(b, chat) }
