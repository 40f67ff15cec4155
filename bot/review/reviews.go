// Package review looks at games that are over: what was luck and what was decided, puzzles, records, and how long
// moves are kept.
package review

import (
	"knobel/bot"
	"knobel/bot/loop"
	"knobel/bot/standings"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Reviews are games that are over, looked at again: what was luck and what was decision,
// puzzles made of decisions, records, and how long moves are kept.
type Reviews struct {
	*standings.Standings
	wake    loop.Waker       // tables may wait for their review
	puzzles *loop.Tasks      // puzzles that are drawn
	kept    kept             // whenever one is stored
	faulty  standings.Faulty // tables that keep their moves, as these cannot be counted
}

// New returns the reviews of a bot. Its tables are reviewed when they end.
func New(s *standings.Standings) *Reviews {
	b := &Reviews{Standings: s, wake: loop.NewWaker(), puzzles: loop.NewTasks(s.Clock, s.Sweep)}
	s.Result = append(s.Result, drawReview)
	s.Ended = append(s.Ended, func(v *table.Visit, t store.Table, g games.Game) error {
		_, err := b.Visit(v.Visit).wantReview(t, g)
		return err
	})
	return b
}

// visit is a visit that looks at games again.
type visit struct {
	*standings.Visit
	bot *Reviews
}

// Visit makes a visit one that looks at games again.
func (b *Reviews) Visit(v *bot.Visit) *visit { return &visit{b.Standings.Visit(v), b} }
