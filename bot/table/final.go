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

// reserveAgain reserves the seat of a finalist who has left the lobby, and who may come back. If the remaining votes
// now suffice to end the table, it ends the table.
func reserveAgain(v *Visit, t *store.Table, seat int) error {
	s := &t.Seats[seat]
	s.Confirmed, s.Ends, s.Worded = false, false, 0
	if v.bot.VotesSuffice(*t) {
		return v.Abandon(t)
	}
	return v.save(t)
}

// checkFinal refuses terms of a final under which units can be won: it is played for the title alone.
func checkFinal(t store.Table) error {
	point := t.Rules[games.Point]
	if _, final := board.FinalOf(t); final && (t.Stake > 0 || point != "" && point != "0") {
		return games.Refuse("bot.final.no-stake", nil)
	}
	return nil
}
