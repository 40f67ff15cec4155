package bot

import (
	"context"

	"knobel/bot/loop"
)

// Reviews are games that are over, looked at again: what was luck and what was decision,
// puzzles made of decisions, records, and how long moves are kept.
type Reviews struct {
	*Standings
	wake    loop.Waker  // tables may wait for their review
	puzzles *loop.Tasks // puzzles that are drawn
}

// NewReviews returns the reviews of a bot.
func NewReviews(s *Standings) *Reviews {
	return &Reviews{Standings: s, wake: loop.NewWaker(), puzzles: loop.NewTasks(s.clock, s.sweep)}
}

// reviewVisit is a visit that looks at games again.
type reviewVisit struct {
	*standingsVisit
	bot *Reviews
}

// Visit makes a visit one that looks at games again.
func (b *Reviews) Visit(v *visit) *reviewVisit { return &reviewVisit{b.Standings.Visit(v), b} }

// alone carries out a step that no event has asked for.
func (b *Reviews) alone(ctx context.Context, step func(v *reviewVisit) error) error {
	return b.Bot.alone(ctx, func(v *visit) error { return step(b.Visit(v)) })
}

// aloneAt carries out a step at each of some tables, in a transaction of its own.
func (b *Reviews) aloneAt(ctx context.Context, tables []int64, label string, step func(v *reviewVisit, table int64) error) error {
	return b.Bot.aloneAt(ctx, tables, label, func(v *visit, id int64) error { return step(b.Visit(v), id) })
}
