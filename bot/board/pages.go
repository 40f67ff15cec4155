package board

import (
	"strconv"
	"strings"
	"time"

	"knobel/bot"
)

// The pages that a board can show.

// The pages that a board can show. A page of one option is pageRules with the option's name behind a slash.
const (
	PageGame     = ""
	PageRules    = "rules"
	pageVariants = "variants"
	pageHouses   = "houses"
	PageOffer    = "offer"  // the game, and a button to end it
	PageEnd      = "end"    // the game, and the question whether to end it
	PageWaited   = "waited" // of a table that was ended: for whom it had waited
	PageWrite    = "write"  // the moves of the match beside a choice of dice, or behind a slash a part of them
	PageStrike   = "strike" // the moves of the match that give something up, where they are apart
	PageSheet    = "sheet"  // the game, and its whole sheet
)

// WritePage returns the page of a part of the moves of a match, by its number in games.View.Groups; 0: of the moves.
func WritePage(group int) string {
	if group == 0 {
		return PageWrite
	}
	return PageWrite + "/" + strconv.Itoa(group)
}

// Writes reports whether a page is one of the moves of a match, and of which part of them by their groups, 0: of none.
func Writes(page string) (group int, ok bool) {
	if page == PageStrike {
		return 0, true
	}
	page, number, parted := strings.Cut(page, "/")
	if parted {
		group, _ = strconv.Atoi(number)
		parted = group <= 0
	}
	return group, page == PageWrite && !parted
}

// PageGivenUp is the page of a lobby that gave way to another table.
const PageGivenUp = "given up"

// PageRestored is the page of a table that was ended because its file was put back.
const PageRestored = "restored"

const (
	// IdleSweep is how often idle tables are looked for.
	IdleSweep = time.Hour
	// IdleGrace is how long no idle table is closed after the bot was away, when people could not keep theirs.
	IdleGrace = 10 * time.Minute
	// IdleWarning is the time between the announcement that an idle table will be closed and its end.
	IdleWarning = 24 * time.Hour
)

// After how many days an idle table is closed, and after how many at most.
const (
	UsualIdle = 7
	MaxIdle   = 365
)

// IdleDays returns after how many days a table at which nothing moves is closed, 0: never.
func IdleDays(set bot.Settings) int {
	value, given := set["idle"]
	if !given || value == "" {
		return UsualIdle
	}
	days, err := strconv.Atoi(value)
	if err != nil {
		return UsualIdle
	}
	return days
}
