// Package call sends calls, which notify people that it is their turn, and deletes them when it has passed.
package call

// Calls and their visits.

import (
	"knobel/bot"
	"knobel/bot/loop"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Calls notifies people that it is their turn. It implements table.Notifier.
type Calls struct {
	*table.Tables
	pings *pings
}

// New returns the Calls of tables and registers it as their notifier.
func New(t *table.Tables) *Calls {
	b := &Calls{t, &pings{Tasks: loop.NewTasks(t.Clock, callAgain)}}
	t.Notifier = b
	return b
}

// visit is a visit with calls.
type visit struct {
	*table.Visit
	bot *Calls
}

// Visit returns a visit with calls.
func (b *Calls) Visit(v *bot.Visit) *visit { return b.at(b.Tables.Visit(v)) }

func (b *Calls) at(v *table.Visit) *visit { return &visit{v, b} }

// Next implements table.Notifier.
func (b *Calls) Next(v *table.Visit, t store.Table, m games.Match) error {
	return b.at(v).callNext(t, m)
}

// Cancel implements table.Notifier.
func (b *Calls) Cancel(v *table.Visit, t store.Table) error { return b.at(v).cancelCalls(t) }

// Sooner implements table.Notifier.
func (b *Calls) Sooner(v *table.Visit, t store.Table) error { return b.at(v).callSooner(t) }

// Remind implements table.Notifier.
func (b *Calls) Remind(v *table.Visit, t store.Table, m games.Match) error {
	return b.at(v).remind(t, m)
}

// Offers implements table.Notifier.
func (b *Calls) Offers(v *table.Visit, t store.Table) error { return b.at(v).offers(t) }
