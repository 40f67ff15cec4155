package review

import (
	"knobel/bot"
	"knobel/bot/loop"
	"knobel/games"
)

// Feature returns what they add to the bot.
func (b *Reviews) Feature() bot.Feature {
	f := bot.Feature{
		Solved: b.wake,
		Loops: []bot.Loop{
			{Wake: b.wake, Waits: "reviews wait", Look: loop.Always(b.lookReviews)},
			{Wake: b.puzzles.Waker, Waits: "puzzles wait", Look: b.lookPuzzles, Ends: b.puzzles.Wait},
		},
		Commands: []bot.Command{
			{Name: "review", Subject: bot.ToTrust, Run: bot.As(b.Visit, (*visit).reviewCommand), Text: "game",
				Options: []bot.Option{{Name: "game", About: games.Say("bot.option.reviewed-game", nil), Open: true}}},
			{Name: "history", Subject: bot.ToTrust, Run: bot.As(b.Visit, (*visit).historyCommand), Text: "game",
				Options: []bot.Option{{Name: "game", About: games.Say("bot.option.past-game", nil), Open: true}}},
			{Name: "puzzle", Subject: bot.ToTrust, Run: bot.As(b.Visit, (*visit).puzzleCommand), Text: "move",
				Options: []bot.Option{{Name: "move", About: games.Say("bot.option.puzzle", nil), Open: true}}},
			{Name: "skill", Subject: bot.ToCount, Run: bot.As(b.Visit, (*visit).skillCommand), Options: []bot.Option{b.PeriodOption()}},
		},
	}
	if b.KeepMoves > 0 {
		f.Loops = append(f.Loops, bot.Loop{Waits: "old moves stay", Look: b.dropMoves})
	}
	return f
}
