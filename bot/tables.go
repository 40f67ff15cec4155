package bot

// Tables: what this room keeps beside what is stored.

import (
	"context"
	"sync/atomic"

	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// Tables are the tables of all chats, and what is done at them.
type Tables struct {
	*Bot
	Solutions *solutions
	// Notifier calls people to their tables.
	Notifier Notifier
	// Ended are called in the transaction in which a table's result is stored.
	Ended []func(v *TableVisit, t store.Table, g games.Game) error
	// Result add to the board of a table that is over, and report whether it has been
	// reviewed.
	Result []func(s *BoardView) (reviewed bool, err error)

	woken  loop.Waker   // tables may wait for the house
	due    loop.Waker   // a turn may have to be over sooner than the loop looks
	awake  atomic.Int64 // when that loop looks next at the latest, in Unix milliseconds
	opened opened       // threads of events that may come again
}

// NewTables returns the tables of a bot. Nobody is called to them until there is a
// Notifier.
func NewTables(b *Bot) *Tables {
	t := &Tables{Bot: b, Notifier: silent{}, woken: loop.NewWaker(), due: loop.NewWaker()}
	t.Solutions = newSolutions(b.Config.Solutions, b.Log, func() {
		t.woken.Wake()
		b.solved()
	})
	return t
}

// TableVisit is a visit at tables.
type TableVisit struct {
	*Visit
	bot *Tables

	Begun   bool // a turn at the table in hand has begun
	playing bool // the person plays a move
}

// Visit makes a visit one at tables.
func (b *Tables) Visit(v *Visit) *TableVisit { return &TableVisit{Visit: v, bot: b} }

// Step carries out a step that no event has asked for.
func (b *Tables) Step(ctx context.Context, step func(v *TableVisit) error) error {
	return b.Bot.Step(ctx, func(v *Visit) error { return step(b.Visit(v)) })
}

// StepAt carries out a step at each of some tables, in a transaction of its own.
func (b *Tables) StepAt(ctx context.Context, tables []int64, label string, step func(v *TableVisit, table int64) error) error {
	return b.Bot.StepAt(ctx, tables, label, func(v *Visit, id int64) error { return step(b.Visit(v), id) })
}

// Notifier calls people to their tables. All of it is done in the transaction of a
// visit, and sent after the commit.
type Notifier interface {
	// Next has whoever is to move now called in time, and nobody else.
	Next(v *TableVisit, t store.Table, m games.Match) error
	// Nobody takes back what calls to a table.
	Nobody(v *TableVisit, t store.Table) error
	// Sooner has a call looked at soon that waits for long: what it waits for is
	// another moment by now, or past.
	Sooner(v *TableVisit, t store.Table) error
	// Remind calls whoever is to move once more, and says that others wait.
	Remind(v *TableVisit, t store.Table, m games.Match) error
}

// silent calls nobody.
type silent struct{}

func (silent) Next(*TableVisit, store.Table, games.Match) error   { return nil }
func (silent) Nobody(*TableVisit, store.Table) error              { return nil }
func (silent) Sooner(*TableVisit, store.Table) error              { return nil }
func (silent) Remind(*TableVisit, store.Table, games.Match) error { return nil }

// finished does what follows from the end of a table.
func (v *TableVisit) finished(t store.Table, g games.Game) error {
	for _, follows := range v.bot.Ended {
		if err := follows(v, t, g); err != nil {
			return err
		}
	}
	return nil
}

// Chores is how much the loops beside the presses have to do.
type Chores struct {
	Drawing map[string]int // places with boards on their lists, by platform
	Solving int            // problems of perfect play that are being worked out or wait for it
}

// Chores tells how much is to be done, as far as it is known in memory; what
// is stored, store.Figures tells.
func (b *Tables) Chores() Chores {
	return Chores{Drawing: b.Boards.Queued(), Solving: b.Solutions.open()}
}
