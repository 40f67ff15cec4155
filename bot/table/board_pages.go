package table

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/store"
	"strconv"
	"time"
)

// The pages that a board can show.

// The pages that a board can show. A page of one option is pageRules with the
// option's name behind a slash.
const (
	PageGame     = ""
	pageRules    = "rules"
	pageVariants = "variants"
	pageHouses   = "houses"
	pageOffer    = "offer"  // the game, and a button to end it
	pageEnd      = "end"    // the game, and the question whether to end it
	pageWaited   = "waited" // of a table that was ended: for whom it had waited
	pageWrite    = "write"  // the moves of the match beside a choice of dice
	PageSheet    = "sheet"  // the game, and its whole sheet
)

func openerSits(t store.Table) bool {
	i := SeatOf(t, chat.User(t.Opener))
	return i >= 0 && t.Seats[i].Confirmed
}

// pageRestored is the page of a table that was ended because its file was put back.
const pageRestored = "restored"

const (
	// idleSweep is how often idle tables are looked for.
	idleSweep = time.Hour
	// idleGrace is how long none is closed after the bot was away: nobody could
	// keep theirs meanwhile.
	idleGrace = 10 * time.Minute
	// idleWarning is how long a table stands after it was announced.
	idleWarning = 24 * time.Hour
	// idleAtOnce is how many are looked at together.
	idleAtOnce = 64
)

// After how many days an idle table is closed, and after how many at most.
const (
	usualIdle = 7
	mostIdle  = 365
)

// idleDays is after how many days a table at which nothing moves is closed, 0:
// never.
func idleDays(set bot.Settings) int {
	value, given := set["idle"]
	if !given || value == "" {
		return usualIdle
	}
	days, err := strconv.Atoi(value)
	if err != nil {
		return usualIdle
	}
	return days
}
