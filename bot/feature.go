package bot

// Features: what the rooms of the house add to the bot.

import (
	"fmt"
	"slices"

	"knobel/bot/chat"
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
	// Settings are what it lets a chat set.
	Settings []Setting
	// Solved is woken whenever perfect play of some rules has become known; nil: it
	// does not matter.
	Solved loop.Waker
	// Press carries out a press that is no command, and Board renders a table: both are
	// of one room.
	Press func(v *Visit, p chat.Press) error
	Board func(tx *store.Tx, t store.Table) (chat.Message, error)

	// What follows from something that has happened, in its transaction; nil: nothing.
	Before  func(v *Visit) error                    // a command that is about to run
	Renamed func(v *Visit) error                    // the person is called otherwise
	Left    func(v *Visit, user, chat string) error // somebody has left a chat
	Zone    func(v *Visit, was, now Settings) error // a chat has got another time zone
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

// Add adds all features, once, before the bot does anything. menu is the order of all commands, by
// their names, in menus and in /help; those of games come first.
func (b *Bot) Add(menu []string, features ...Feature) {
	b.features = append(b.features, features...)
	for _, f := range features {
		b.AllCommands = append(b.AllCommands, f.Commands...)
	}
	b.AllCommands = append(b.AllCommands, Command{Name: "settings", Subject: OfChat, Run: (*Visit).settingsCommand, Options: b.settingOptions()})
	for i, c := range b.AllCommands {
		b.AllCommands[i].Aliases = b.called(c)
	}
	slices.SortStableFunc(b.AllCommands, func(one, other Command) int {
		return slices.Index(menu, one.Name) - slices.Index(menu, other.Name)
	})
}

// Solved wakes whoever waits for perfect play.
func (b *Bot) Solved() {
	for _, f := range b.features {
		f.Solved.Wake()
	}
}

// render renders the board of a table.
func (b *Bot) render(tx *store.Tx, t store.Table) (chat.Message, error) {
	for _, f := range b.features {
		if f.Board != nil {
			return f.Board(tx, t)
		}
	}
	return chat.Message{}, fmt.Errorf("table %d: no room has tables", t.ID)
}

// follow has the features do what follows from something.
func (b *Bot) follow(from func(Feature) error) error {
	for _, f := range b.features {
		if err := from(f); err != nil {
			return err
		}
	}
	return nil
}

// before does what has to be done before a command of the event's place runs.
func (v *Visit) before() error {
	return v.bot.follow(func(f Feature) error {
		if f.Before == nil {
			return nil
		}
		return f.Before(v)
	})
}

// zoneChanged does what follows from another time zone.
func (v *Visit) zoneChanged(was, now Settings) error {
	return v.bot.follow(func(f Feature) error {
		if f.Zone == nil {
			return nil
		}
		return f.Zone(v, was, now)
	})
}

// press carries out a pressed button.
func (v *Visit) press(p chat.Press) error {
	if v.Event.User == "" {
		return games.Refuse("bot.hidden", nil)
	}
	v.work.pressed = p
	if name, text, ok := p.Command(); ok {
		return v.command(name, nil, text)
	}
	v.work.onBoard = p.Table
	return v.bot.follow(func(f Feature) error {
		if f.Press == nil {
			return nil
		}
		return f.Press(v, p)
	})
}
