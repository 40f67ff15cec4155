// Package table runs tables from opening to end: seats, moves, votes, absence and clocks.
package table

// The types of this package.

import (
	"sync"
	"sync/atomic"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// Tables runs the tables of all chats.
type Tables struct {
	*board.Boards
	Solutions *solutions
	// Notifier calls people to their tables.
	Notifier Notifier
	// Ended are called in the transaction that stores a table's result.
	Ended []func(v *Visit, t store.Table, g games.Game) error

	woken  loop.Waker   // tables may wait for the house
	due    loop.Waker   // a deadline may be earlier than the next round
	awake  atomic.Int64 // latest time of the next round, in Unix milliseconds
	opened opened       // threads of events that may be redelivered
}

// Visit is a visit at tables.
type Visit struct {
	*bot.Visit
	bot *Tables

	Begun    bool         // a turn at the present table has begun
	playing  bool         // the person plays a move
	withdrew bool         // the offer of a seat at the present table has ended
	wentOn   bool         // forced moves were played with the press
	played   []store.Move // moves of the present table to be stored
	history  []store.Move // all its moves, if its end needs them
}

// Visit returns v with the methods of this package.
func (b *Tables) Visit(v *bot.Visit) *Visit { return &Visit{Visit: v, bot: b} }

// Notifier calls people to their tables. It works in the transaction of a visit and sends after the commit.
type Notifier interface {
	// Next schedules the call of the mover and cancels calls of others.
	Next(v *Visit, t store.Table, m games.Match) error
	// Cancel cancels all calls to a table.
	Cancel(v *Visit, t store.Table) error
	// Sooner looks at a waiting call soon: its time has changed.
	Sooner(v *Visit, t store.Table) error
	// Remind calls the mover once more and says that others wait.
	Remind(v *Visit, t store.Table, m games.Match) error
	// Offers posts the seats that a table offers, for a minute. It deletes the previous post.
	Offers(v *Visit, t store.Table) error
}

// opened holds the threads opened for events: a redelivered event whose transaction failed gets the thread opened
// before. The zero value is empty.
type opened struct {
	mu      sync.Mutex
	threads map[string]chat.Place
}

// maxOpened is the largest number of remembered threads.
const maxOpened = 256
