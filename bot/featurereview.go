package bot

import (
	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// Feature returns what they add to the bot.
func (b *Reviews) Feature() Feature {
	f := Feature{
		Solved: b.wake, Result: drawReview,
		Ended: func(v *visit, t store.Table, g games.Game) error {
			_, err := b.Visit(v).wantReview(t, g)
			return err
		},
		Loops: []Loop{
			{Wake: b.wake, Waits: "reviews wait", Look: loop.Always(b.lookReviews)},
			{Wake: b.puzzles.Waker, Waits: "puzzles wait", Look: b.lookPuzzles, Ends: b.puzzles.Wait},
		},
		Commands: []command{
			{name: "review", subject: toTrust, run: as(b.Visit, (*reviewVisit).reviewCommand), whole: "game",
				options: []option{{name: "game", about: games.Say("bot.option.reviewed-game", nil), open: true}}},
			{name: "history", subject: toTrust, run: as(b.Visit, (*reviewVisit).historyCommand), whole: "game",
				options: []option{{name: "game", about: games.Say("bot.option.past-game", nil), open: true}}},
			{name: "puzzle", subject: toTrust, run: as(b.Visit, (*reviewVisit).puzzleCommand), whole: "move",
				options: []option{{name: "move", about: games.Say("bot.option.puzzle", nil), open: true}}},
			{name: "skill", subject: toCount, run: as(b.Visit, (*reviewVisit).skillCommand), options: []option{b.periodOption()}},
		},
	}
	if b.keepMoves > 0 {
		f.Loops = append(f.Loops, Loop{Waits: "old moves stay", Look: b.dropMoves})
	}
	return f
}
