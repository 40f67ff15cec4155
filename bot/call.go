package bot

// Calls: what this room keeps beside what is stored.

import (
	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// Calls notify people that it is their turn. They are the Notifier of Tables.
type Calls struct {
	*Tables
	callers *callers
}

// NewCalls returns the calls of tables, and has these call by them.
func NewCalls(t *Tables) *Calls {
	b := &Calls{t, &callers{Tasks: loop.NewTasks(t.Clock, callAgain)}}
	t.Notifier = b
	return b
}

// callVisit is a visit that calls people.
type callVisit struct {
	*TableVisit
	bot *Calls
}

// Visit makes a visit one that calls people.
func (b *Calls) Visit(v *Visit) *callVisit { return b.at(b.Tables.Visit(v)) }

func (b *Calls) at(v *TableVisit) *callVisit { return &callVisit{v, b} }

// Next is of the Notifier.
func (b *Calls) Next(v *TableVisit, t store.Table, m games.Match) error {
	return b.at(v).callNext(t, m)
}

// Nobody is of the Notifier.
func (b *Calls) Nobody(v *TableVisit, t store.Table) error { return b.at(v).callNobody(t) }

// Sooner is of the Notifier.
func (b *Calls) Sooner(v *TableVisit, t store.Table) error { return b.at(v).callSooner(t) }

// Remind is of the Notifier.
func (b *Calls) Remind(v *TableVisit, t store.Table, m games.Match) error {
	return b.at(v).remind(t, m)
}
