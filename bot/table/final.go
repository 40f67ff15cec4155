package table

import (
	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

// Finals of seasons, which only the people play for whom the bot has reserved the seats.

// waitForFinalists refuses to start a final while people are missing whose seats are reserved, for board.ReservedFor.
func waitForFinalists(v *Visit, t store.Table) error {
	until := t.Opened + board.ReservedFor.Milliseconds()
	if _, final := board.FinalOf(t); final && v.At < until && firstReserved(t) >= 0 {
		return games.Refuse("bot.final.wait", games.Args{"N": v.minutesUntil(until)})
	}
	return nil
}

// checkFinal refuses terms of a final under which units can be won: it is played for the title alone.
func checkFinal(t store.Table) error {
	point := t.Rules[games.Point]
	if _, final := board.FinalOf(t); final && (t.Stake > 0 || point != "" && point != "0") {
		return games.Refuse("bot.final.no-stake", nil)
	}
	return nil
}
