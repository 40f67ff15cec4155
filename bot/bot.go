// Package bot is what the bot does, on no platform in particular: tables with
// a life, commands, presses, boards. Handle is the only door in; boards go out
// by drawing stored state, never by telling what changed.
package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/outbox"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// Config is what a bot is made of.
type Config struct {
	// Store keeps everything. The caller opens and closes it.
	Store *store.Store
	// Games are the games that can be played; each is a command.
	Games []games.Game
	// Words are the sentences of the bot and of all games.
	Words *words.Words
	// Clock is the time that deadlines, loops and pauses keep; nil: the clock of
	// the system. Only what bounds one request to the outside is real time always.
	Clock chat.Clock
	// Zone is whose clock evenings keep; nil: that of the system.
	Zone *time.Location
	// Rand is where seeds come from; nil: the operating system.
	Rand io.Reader
	// Same reports whether two people are at the same device: of several who press
	// at one browser, any may be the same one. nil: nobody is.
	Same func(one, other chat.User) bool
	// Signs are what stands before commands as people write them, by platform, where
	// that is no slash: sentences say it so.
	Signs map[string]string
	// KeepMoves is how long the moves of games that have ended are kept, LeastKept
	// at least; 0: for ever.
	KeepMoves time.Duration
	// Meter hears what is done; nil: nobody counts.
	Meter Meter
	// Version is which one this is, for /doctor; "" is not told.
	Version string
	// Log hears of errors that are ours; nil: the default log.
	Log *slog.Logger
	// Sweep is how often boards that lag behind their tables are looked for;
	// 0: every 15 seconds.
	Sweep time.Duration
	// Solutions is how many bytes of memory perfect play may take, for all
	// tables together; one solution is kept, however large. 0: 256 MB.
	Solutions int
}

// Bot plays games with people.
type Bot struct {
	Config
	AllCommands []Command
	features    []Feature
	edition     int             // of what is new
	reserved    map[string]bool // what nobody is called

	Outbox *outbox.Outbox
	admins admins // who may change a chat, for a while
}

// New makes a bot. It plays as soon as events are handled; its boards are
// drawn while Run runs.
func New(c Config) *Bot {
	b := &Bot{Config: c}
	if b.Clock == nil {
		b.Clock = chat.SystemClock{}
	}
	if b.Same == nil {
		b.Same = func(chat.User, chat.User) bool { return false }
	}
	if b.Zone == nil {
		b.Zone = time.Local
	}
	if b.Rand == nil {
		b.Rand = rand.Reader
	}
	if b.Log == nil {
		b.Log = slog.Default()
	}
	if b.Sweep == 0 {
		b.Sweep = 15 * time.Second
	}
	b.Outbox = outbox.New(outbox.Config{Store: b.Store, Clock: b.Clock, Log: b.Log, Render: b.render})
	b.AllCommands = b.commandTable()
	b.edition = b.newest()
	b.reserved = reservedNames(b.Words)
	return b
}

// Now is the present time in Unix milliseconds.
func (b *Bot) Now() int64 { return b.Clock.Now().UnixMilli() }

// handleWithin bounds one event, also while its adapter is shutting down.
const handleWithin = 10 * time.Second

// Handle carries out what a person did and returns what to tell them. It
// never fails: an error of ours is logged once, and the person reads one fixed
// sentence. It does not speak to a platform. What was accepted is carried
// out, even when ctx ends meanwhile.
func (b *Bot) Handle(ctx context.Context, ev chat.Event) chat.Reply {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	defer cancel()
	began := b.Clock.Now()
	reply, err := b.handle(ctx, ev)
	b.measure(ev, reply, err, b.Clock.Now().Sub(began))
	switch {
	case err != nil && reply.Toast != "":
		b.Log.ErrorContext(ctx, "event was carried out, its answer was not", "platform", ev.Platform(), "did", b.gist(ev), "error", err)
	case err != nil:
		b.Log.ErrorContext(ctx, "event was not carried out", "platform", ev.Platform(), "did", b.gist(ev), "error", err)
		return chat.Reply{Refused: true, Toast: b.Words.Say(b.languageOf(ev, ""), games.Say("bot.sorry", nil), words.Context{})}
	}
	return reply
}

// measure tells the meter what came of an event.
func (b *Bot) measure(ev chat.Event, reply chat.Reply, err error, took time.Duration) {
	if b.Meter == nil {
		return
	}
	came := Done
	switch {
	case err != nil:
		came = Failed
	case reply.Refused:
		came = Refused
	}
	b.Meter.Handled(ev.Platform(), deedOf(ev), came, took)
}

// handle runs the event's transaction, and runs it again where it has asked for
// something that is not known inside. With an error the reply is empty, unless the
// transaction had been committed by then.
func (b *Bot) handle(ctx context.Context, ev chat.Event) (reply chat.Reply, err error) {
	defer loop.Rescue(&err)
	answers := answers{}
	for {
		var v *Visit
		err := b.Store.Update(ctx, func(tx *store.Tx) error {
			v = &Visit{bot: b, Tx: tx, Event: ev, At: b.Now(), work: &work{answers: answers}}
			if err := loop.Safely(v.run); err != nil {
				return err
			}
			v.complete()
			return nil
		})
		if err != nil && v != nil && v.work.claimed != 0 {
			b.Outbox.Release(ctx, v.work.claimed)
		}
		if asked, asks := errors.AsType[*question](err); asks {
			if err = asked.put(ctx, answers); err == nil {
				continue
			}
		}
		if r, refused := games.Refused(err); refused {
			return v.refusal(r), b.remember(ctx, ev, v.At)
		}
		if err != nil {
			return chat.Reply{}, err
		}
		if err := v.conclude(ctx); err != nil {
			return v.broken(), err
		}
		return v.Reply, nil
	}
}

// remember notes that an event was answered with a refusal: delivered again
// later it could otherwise be carried out. A board that could not be drawn in
// its place is drawn there again.
func (b *Bot) remember(ctx context.Context, ev chat.Event, at int64) error {
	if ev.ID == "" {
		return nil
	}
	return b.carryOut(ctx, &Visit{Event: ev, At: at}, func(v *Visit) error {
		seen, err := v.Tx.Seen(ev.ID, at)
		if err != nil || seen {
			return err
		}
		return v.before()
	})
}

// carryOut carries out a step of a visit in a transaction, and then what it has left to be
// done.
func (b *Bot) carryOut(ctx context.Context, as *Visit, step func(v *Visit) error) error {
	var v Visit
	err := b.Store.Update(ctx, func(tx *store.Tx) error {
		v = *as
		v.bot, v.Tx, v.work = b, tx, &work{}
		return loop.Safely(func() error { return step(&v) })
	})
	if err != nil {
		return err
	}
	return v.conclude(ctx)
}

// Step carries out a step that no event has asked for.
func (b *Bot) Step(ctx context.Context, step func(v *Visit) error) error {
	return b.carryOut(ctx, &Visit{At: b.Now(), Lang: words.Default}, step)
}

// StepAt carries out a step at each of some tables, in a transaction of its own. An
// error at one table is collected under label and does not stop the others.
func (b *Bot) StepAt(ctx context.Context, tables []int64, label string, step func(v *Visit, table int64) error) error {
	var faults []error
	for _, id := range tables {
		if err := b.Step(ctx, func(v *Visit) error { return step(v, id) }); err != nil {
			faults = append(faults, fmt.Errorf("%s %d: %w", label, id, err))
		}
	}
	return errors.Join(faults...)
}

// QuietVisit returns a visit that no event has made, in a chat's language, else that of
// whom it is about.
func (b *Bot) QuietVisit(tx *store.Tx, group store.Chat, about store.Player) *Visit {
	return &Visit{bot: b, Tx: tx, At: b.Now(), Chat: group, Lang: b.SharedLanguage(group, about), work: &work{}}
}

// reads returns a visit of an event that only reads, in a transaction that does.
func (b *Bot) reads(tx *store.Tx, ev chat.Event) (*Visit, error) {
	v := &Visit{bot: b, Tx: tx, Event: ev, At: b.Now(), work: &work{}}
	var err error
	v.Chat, err = tx.Chat(string(ev.Chat))
	v.Lang = b.languageOf(ev, v.Chat.Language)
	return v, err
}

// languageOf is the language of what a person reads alone: their own, else
// the chat's.
func (b *Bot) languageOf(ev chat.Event, chat string) string {
	if lang := b.Words.Match(ev.Locale, chat); lang != "" {
		return lang
	}
	return words.Default
}

// SharedLanguage is the language of what everybody in a chat reads: the chat's, else
// that of whom it is about.
func (b *Bot) SharedLanguage(chat store.Chat, about store.Player) string {
	if lang := b.Words.Match(chat.Language, about.Language); lang != "" {
		return lang
	}
	return words.Default
}

// Game finds a game by its name.
func (b *Bot) Game(name string) (games.Game, error) {
	for _, g := range b.Games {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("no game %q is installed", name)
}

// Migrate moves a chat to a new id, with its tables, books and settings;
// place tells the new id of each of its places. Doing it twice does nothing.
func (b *Bot) Migrate(ctx context.Context, from, to chat.Chat, place func(chat.Place) chat.Place) error {
	err := b.Store.Update(ctx, func(tx *store.Tx) error {
		return tx.Migrate(string(from), string(to), func(p string) string { return string(place(chat.Place(p))) })
	})
	if err != nil {
		return fmt.Errorf("migrate %s to %s: %w", from, to, err)
	}
	return b.Outbox.Sweep(ctx)
}

// Draw draws the newest state of a table through an adapter's own means: the answer to
// the event whose Reply named the table.
func (b *Bot) Draw(ctx context.Context, table int64, fresh bool, by chat.Drawer) error {
	return b.Outbox.Draw(ctx, table, fresh, by)
}

// Redraw posts the board of a place's table, or of its last one, anew: for a platform
// that keeps its messages in memory and has started empty. A place without a table
// stays as it is.
func (b *Bot) Redraw(ctx context.Context, place chat.Place) error { return b.Outbox.Redraw(ctx, place) }

// Lost remembers that a place cannot be reached any more, "" for every place of
// the chat: it was deleted, or the bot was removed. Its tables are kept. They
// are drawn again when an event comes from there, or brought elsewhere.
func (b *Bot) Lost(ctx context.Context, chat chat.Chat, place chat.Place) error {
	err := b.Store.Update(ctx, func(tx *store.Tx) error { return tx.LosePlace(string(chat), string(place)) })
	if err != nil {
		return fmt.Errorf("lose %s of %s: %w", place, chat, err)
	}
	return nil
}
