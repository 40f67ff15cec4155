// Package review contains the commands for finished games: reviews, puzzles, past games and records.
package review

import (
	"context"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/notice"
	"knobel/bot/standings"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Reviews is the part of the bot that reviews the finished games of all chats.
type Reviews struct {
	*standings.Standings
	wake    loop.Waker       // wakes the loop that computes reviews
	puzzles *notice.Posts    // posts and edits the messages of puzzles
	stored  reviewSignal     // wakes goroutines that wait for a review
	faulty  standings.Faulty // tables whose moves are never dropped, because counting their moves failed
}

// New returns the reviews for the games and chats of s. It sets hooks on s so that tables are reviewed when they end.
func New(s *standings.Standings) *Reviews {
	b := &Reviews{Standings: s, wake: loop.NewWaker()}
	b.puzzles = b.newPosts()
	s.Result = drawReview
	s.Ended = append(s.Ended, func(v *table.Visit, t store.Table, g games.Game) error {
		_, err := b.Visit(v.Visit).requestReview(t, g)
		return err
	})
	return b
}

// visit is the handling of one event, with the methods of Reviews.
type visit struct {
	*standings.Visit
	bot *Reviews
}

// Visit returns v with the methods of Reviews.
func (b *Reviews) Visit(v *bot.Visit) *visit { return &visit{b.Standings.Visit(v), b} }

// Feature returns the commands, loops and hooks of reviews.
func (b *Reviews) Feature() bot.Feature {
	f := bot.Feature{
		Solved: b.wake,
		Soon:   b.awaitQuickReview,
		Puzzle: func(tx *store.Tx, puzzle int64, lang string) (m chat.Message, err error) {
			drawn, err := b.renderPuzzle(tx, puzzle, lang)
			if err == nil {
				m = *drawn
			}
			return m, err
		},
		DrawPuzzle: func(ctx context.Context, _ *bot.Core, puzzle int64, draw chat.Drawer) error {
			return b.puzzles.Post(ctx, store.OfPuzzle(puzzle), puzzle,
				func(ctx context.Context, _ chat.Place, m chat.Message, ref chat.Ref) (chat.Ref, error) {
					ref, _, err := draw(ctx, m, ref)
					return ref, err
				})
		},
		Loops: []bot.Loop{
			{Wake: b.wake, Waits: "compute reviews failed", Look: b.computeReviews,
				Ends: func() { b.stored.setRunning(false) }},
			{Wake: b.puzzles.Waker, Waits: "draw puzzles failed", Look: b.updatePuzzles, Ends: b.puzzles.Wait},
		},
		Commands: []bot.Command{
			{Name: "review", Subject: bot.ToTrust, OnBoard: "bot.menu.review",
				Run: bot.As(b.Visit, (*visit).reviewCommand),
				How: "bot.review.how",
				Options: []bot.Option{
					{Name: "game", Type: chat.TypeNumber, Min: 1, About: games.Say("bot.option.reviewed-game", nil),
						More: bot.Offers(b.Visit, (*visit).endedGames)},
					{Name: "page", Type: chat.TypeChoice,
						Choices: []bot.Choice{bot.TextChoice("moves"), bot.TextChoice("line")}},
					{Name: "from", Type: chat.TypeNumber},
				}},
			{Name: "history", Subject: bot.ToTrust, Run: bot.Reads(bot.As(b.Visit, (*visit).historyCommand)),
				How: "bot.history.how",
				Options: []bot.Option{
					{Name: "game", Type: chat.TypeNumber, Min: 1, About: games.Say("bot.option.past-game", nil),
						More: bot.Offers(b.Visit, (*visit).endedGames)},
					{Name: "move", Type: chat.TypeWord},
				},
				Subs: []bot.Command{{Name: "before", Needs: 1,
					Run:     bot.Reads(bot.As(b.Visit, (*visit).listGames)),
					Options: []bot.Option{{Name: "game", Type: chat.TypeNumber, Min: 1}}},
					{Name: "seasons", Aliases: b.WordsFor("bot.season.word.seasons"),
						Run:     bot.Reads(bot.As(b.Standings.Visit, (*standings.Visit).SeasonsPage)),
						Options: []bot.Option{{Name: "game", Type: chat.TypeNumber, Min: 1}}}}},
			{Name: "puzzle", Subject: bot.ToTrust, Run: bot.As(b.Visit, (*visit).puzzleCommand),
				How: "bot.puzzle.how",
				Options: []bot.Option{
					{Name: "move", Type: chat.TypeNumber},
					{Name: "play", Type: chat.TypeText},
				},
				Subs: []bot.Command{{Name: "of", Needs: 1, Run: bot.As(b.Visit, (*visit).puzzleOfGame),
					Options: []bot.Option{{Name: "game", Type: chat.TypeNumber, Min: 1}}}}},
			{Name: "skill", Hidden: true, PageOf: "stats", Run: bot.As(b.Visit, (*visit).skillCommand),
				Options: []bot.Option{b.PeriodOption()}},
		},
	}
	if b.KeepMoves > 0 {
		f.Loops = append(f.Loops, bot.Loop{Waits: "drop old moves failed", Look: b.dropMoves})
	}
	return f
}
