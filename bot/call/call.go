// Package call notifies people that it is their turn, and takes that away once it has passed.
package call

// Calls: what this room keeps beside what is stored.

import (
	"knobel/bot"
	"knobel/bot/loop"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Calls notify people that it is their turn. They are the Notifier of Tables.
type Calls struct {
	*table.Tables
	pings *pings
}

// New returns the calls of tables, and has these call by them.
func New(t *table.Tables) *Calls {
	b := &Calls{t, &pings{Tasks: loop.NewTasks(t.Clock, callAgain)}}
	t.Notifier = b
	return b
}

// visit is a visit that calls people.
type visit struct {
	*table.Visit
	bot *Calls
}

// Visit makes a visit one that calls people.
func (b *Calls) Visit(v *bot.Visit) *visit { return b.at(b.Tables.Visit(v)) }

func (b *Calls) at(v *table.Visit) *visit { return &visit{v, b} }

// Next is of the Notifier.
func (b *Calls) Next(v *table.Visit, t store.Table, m games.Match) error {
	return b.at(v).callNext(t, m)
}

// Cancel implements table.Notifier.
func (b *Calls) Cancel(v *table.Visit, t store.Table) error { return b.at(v).cancelCalls(t) }

// Sooner is of the Notifier.
func (b *Calls) Sooner(v *table.Visit, t store.Table) error { return b.at(v).callSooner(t) }

// Remind is of the Notifier.
func (b *Calls) Remind(v *table.Visit, t store.Table, m games.Match) error {
	return b.at(v).remind(t, m)
}

// Offers implements table.Notifier.
func (b *Calls) Offers(v *table.Visit, t store.Table) error { return b.at(v).offers(t) }
