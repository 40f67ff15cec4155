// Package table is tables with a life: opened, joined, played at, voted on, kept waiting, ended; and their clocks.
package table

// Tables: what this room keeps beside what is stored.

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// Tables are the tables of all chats, and what is done at them.
type Tables struct {
	*board.Boards
	Solutions *solutions
	// Notifier calls people to their tables.
	Notifier Notifier
	// Ended are called in the transaction in which a table's result is stored.
	Ended []func(v *Visit, t store.Table, g games.Game) error

	woken  loop.Waker   // tables may wait for the house
	due    loop.Waker   // a turn may have to be over sooner than the loop looks
	staged loop.Waker   // the end of a table is to be shown after a moment
	awake  atomic.Int64 // when that loop looks next at the latest, in Unix milliseconds
	opened opened       // threads of events that may come again
}

// Visit is a visit at tables.
type Visit struct {
	*bot.Visit
	bot *Tables

	Begun    bool         // a turn at the table in hand has begun
	playing  bool         // the person plays a move
	withdrew bool         // the offer of a seat at the table in hand has ended
	wentOn   bool         // more was played with the press, as it needed no decision
	played   []store.Move // moves of the table in hand that are still to be stored
	history  []store.Move // all of its moves, where its end needs them
}

// Visit returns a visit with what this feature adds to it.
func (b *Tables) Visit(v *bot.Visit) *Visit { return &Visit{Visit: v, bot: b} }

// Notifier calls people to their tables. All of it is done in the transaction of a
// visit, and sent after the commit.
type Notifier interface {
	// Next has the person who is now to move called in time, and takes back calls to others.
	Next(v *Visit, t store.Table, m games.Match) error
	// Cancel takes back all calls to a table.
	Cancel(v *Visit, t store.Table) error
	// Sooner has a call looked at soon that waits for long: what it waits for is
	// another moment by now, or past.
	Sooner(v *Visit, t store.Table) error
	// Remind calls the person who is to move once more, and says that others wait.
	Remind(v *Visit, t store.Table, m games.Match) error
	// Offers has a message show which seats of a table are offered now, until a minute later. What was shown before
	// is deleted.
	Offers(v *Visit, t store.Table) error
}

// silent is the Notifier that calls no person.
type silent struct{}

func (silent) Next(*Visit, store.Table, games.Match) error   { return nil }
func (silent) Cancel(*Visit, store.Table) error              { return nil }
func (silent) Sooner(*Visit, store.Table) error              { return nil }
func (silent) Remind(*Visit, store.Table, games.Match) error { return nil }
func (silent) Offers(*Visit, store.Table) error              { return nil }

// finished does what follows from the end of a table.
func (v *Visit) finished(t store.Table, g games.Game) error {
	for _, follows := range v.bot.Ended {
		if err := follows(v, t, g); err != nil {
			return err
		}
	}
	return nil
}

// opened are the threads that were opened for events, the oldest first: an event
// that comes again, since what it has asked for could not be committed, has the one
// that was opened for it. The zero value remembers none.
type opened struct {
	mu  sync.Mutex
	all []openedFor
}

type openedFor struct {
	event  string
	thread chat.Place
}

// maxOpened is how many threads are remembered by their events.
const maxOpened = 256

// solutions caches perfect play for all tables: computed in the background at the first request,
// kept within a bound of bytes, least recently used dropped first. Look never waits.
type solutions struct {
	most  int // bytes
	log   *slog.Logger
	ready func() // told whenever one is there, and there is room for another

	mu    sync.Mutex
	known map[string]*solution
	told  map[string]bool // what had no solution and was logged
	turn  chan struct{}   // held while one is being solved
	asked int             // that are being solved, or wait for it
	room  chan struct{}   // closed when these have become fewer
	size  int             // bytes of those that are there
	uses  int64           // so far
}

// solution is the perfect play of one problem.
type solution struct {
	done    chan struct{} // closed when it is there, or has failed
	perfect games.Perfect // nil where it failed
	err     error
	size    int
	used    int64 // the number of its last use
}
