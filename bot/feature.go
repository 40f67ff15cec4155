package bot

// Features: what the rooms of the house add to the bot.

import (
	"slices"

	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// Feature is what a room adds to the bot: a value, made once at the start.
type Feature struct {
	// Commands are its commands.
	Commands []Command
	// Loops run while Run does.
	Loops []Loop
	// Solved is woken whenever perfect play of some rules has become known; nil: it
	// does not matter.
	Solved loop.Waker
	// Ended is called in the transaction in which a table's result is stored; nil:
	// nothing follows from it.
	Ended func(v *Visit, t store.Table, g games.Game) error
	// Result adds to the board of a table that is over, and reports whether it has been
	// reviewed; nil: nothing is added.
	Result func(s *BoardView) (reviewed bool, err error)
	// Zone is called where a chat gets another time zone; nil: nothing follows from it.
	Zone func(v *Visit, was, now Settings) error
}

// As makes a command's step on the visits of a room one on the bot's.
func As[V any](room func(*Visit) V, do func(V, Args) error) func(*Visit, Args) error {
	return func(v *Visit, w Args) error { return do(room(v), w) }
}

// Offers does the same with further values of an option.
func Offers[V any](room func(*Visit) V, more func(V) ([]Choice, error)) func(*Visit) ([]Choice, error) {
	return func(v *Visit) ([]Choice, error) { return more(room(v)) }
}

// Loop is what a feature does beside the events.
type Loop struct {
	Wake  loop.Waker // wakes it; nil: nothing does but the sweep
	Waits string     // what waits because of an error, for the log
	Look  loop.Look
	Ends  func() // waits for what was begun, once nothing is begun any more; nil: nothing is
}

// Add adds features before the bot does anything. menu is the order of all commands, by
// their names, in menus and in /help; those of games come first.
func (b *Bot) Add(menu []string, features ...Feature) {
	b.features = append(b.features, features...)
	for _, f := range features {
		b.commands = append(b.commands, f.Commands...)
	}
	for i, c := range b.commands {
		b.commands[i].aliases = b.called(c)
	}
	slices.SortStableFunc(b.commands, func(one, other Command) int {
		return slices.Index(menu, one.Name) - slices.Index(menu, other.Name)
	})
}

// solved wakes whoever waits for perfect play.
func (b *Bot) solved() {
	b.woken.Wake()
	for _, f := range b.features {
		f.Solved.Wake()
	}
}

// finished has the features do what follows from the end of a table.
func (v *Visit) finished(t store.Table, g games.Game) error {
	for _, f := range v.bot.features {
		if f.Ended == nil {
			continue
		}
		if err := f.Ended(v, t, g); err != nil {
			return err
		}
	}
	return nil
}

// zoneChanged does what follows from another time zone.
func (v *Visit) zoneChanged(was, now Settings) error {
	for _, f := range v.bot.features {
		if f.Zone == nil {
			continue
		}
		if err := f.Zone(v, was, now); err != nil {
			return err
		}
	}
	return v.quietChanged(was, now)
}
