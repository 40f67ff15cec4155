// Package bot is the bot without any platform: tables, commands, presses and boards. Handle takes all events; boards
// are always drawn from stored state.
package bot

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/bot/lease"
	"knobel/bot/loop"
	"knobel/bot/outbox"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// Config holds the parts of a bot.
type Config struct {
	// Store keeps everything. The caller opens and closes it.
	Store *store.Store
	// Leases are this replica's leases; nil: it is the only one and does everything.
	Leases *lease.Holder
	// Games are the games that can be played; each is a command.
	Games []games.Game
	// GameCommands are the commands of games, and of variants with commands of their own, that are not called by their
	// names, by these names.
	GameCommands map[string]string
	// Words are the sentences of the bot and of all games.
	Words *words.Words
	// Clock is the time that deadlines, loops and pauses follow; nil: the system's clock. Limits on
	// a single request to the outside always follow real time.
	Clock chat.Clock
	// Zone is the time zone by which evenings end; nil: the system's.
	Zone *time.Location
	// Rand is where seeds and the words that seats are given come from; nil: the operating system.
	Rand io.Reader
	// Same reports whether two people use the same device, such as one browser, where one person
	// can press for the other. nil: no two people do.
	Same func(one, other chat.User) bool
	// Spellings say how commands are written, by platform, where it is not as a text behind a
	// slash; sentences that name commands use them.
	Spellings map[string]chat.Spelling
	// Picks says that boards that all share have a Pick, too, for people who type what they press.
	Picks bool
	// KeepMoves is how long the moves of finished games are kept, at least LeastKept; 0: for ever.
	KeepMoves time.Duration
	// Meter counts events; nil: nothing is counted.
	Meter Meter
	// Version is the program's version, for /doctor; "" is left out there.
	Version string
	// Log receives errors of the program; nil: the default log.
	Log *slog.Logger
	// Sweep is the interval at which boards that lag behind their tables are looked for; 0: 15 seconds.
	Sweep time.Duration
	// Solutions is the memory in bytes that cached perfect play may take, for all tables together;
	// the newest solution is kept whatever its size. 0: 256 MB.
	Solutions int
}

// Bot is the state shared by all features, also in a transaction: it reaches no platform.
type Bot struct {
	Config
	AllCommands []Command
	features    []Feature
	tables      Feature         // the one with tables
	puzzles     Feature         // the one with puzzles
	settings    []Setting       // of a chat, in the order in which they are shown
	reserved    map[string]bool // skeletons of names that no person may have; true: only with a number behind

	traits sync.Map // of the platforms that have run, by name
	admins admins   // who may change a chat, for a while
}

// Core is the bot for platforms: events, loops and the outbox. No transaction holds it, so that none can reach a
// platform.
type Core struct {
	*Bot
	Outbox *outbox.Outbox
}

// Now returns the present time in Unix milliseconds.
func (b *Bot) Now() int64 { return b.Clock.Now().UnixMilli() }

// languageOf returns the language of a message for one person alone: the person's, or else the chat's.
func (b *Bot) languageOf(ev chat.Event, chat string) string {
	if lang := b.Words.Match(ev.Locale, chat); lang != "" {
		return lang
	}
	return words.Default
}

// SharedLanguage returns the language of a message to a whole chat: the chat's, or else that of the person it is about.
func (b *Bot) SharedLanguage(chat store.Chat, about store.Player) string {
	return cmp.Or(b.Words.Match(chat.Language, chat.Locale, about.Language), words.Default)
}

// TableLanguage returns the language of a table's board: the chat's, or else the one that the table keeps since its
// start; in a lobby that of most who sit, of several that of its opener, or else the first of all languages.
func (b *Bot) TableLanguage(tx *store.Tx, chat store.Chat, t store.Table) (string, error) {
	if lang := b.Words.Match(chat.Language, chat.Locale, t.Language); lang != "" {
		return lang, nil
	}
	opener, err := tx.Chats.Player(t.Opener)
	if err != nil {
		return "", err
	}
	languages, err := tx.Chats.LanguagesAt(t.ID)
	if err != nil {
		return "", err
	}
	sit := map[string]int{}
	for _, s := range t.Seats {
		if lang := b.Words.Match(languages[s.Player]); lang != "" && s.Confirmed {
			sit[lang]++
		}
	}
	best, tied := "", false
	for _, lang := range b.Words.Languages() { // the default language first
		switch n := sit[lang]; {
		case n > sit[best]:
			best, tied = lang, false
		case n == sit[best]:
			tied = true
		}
	}
	if best == "" || tied {
		best = cmp.Or(b.Words.Match(opener.Language), best, words.Default)
	}
	return best, nil
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

// Under returns a scope that is valid while this replica holds the chat's lease, and whether it does now.
func (b *Bot) Under(of store.Scope, chat string) (under store.Scope, held bool) {
	l, held := b.Leases.Share(chat)
	return of.In(chat).Under(l), held
}

// StillUnder reports whether a scope's lease is still held. Call it before an outside action that must not be done
// twice.
func (b *Bot) StillUnder(ctx context.Context, of store.Scope) error {
	if !b.Leases.Shared() {
		return nil
	}
	return b.Store.UpdateOf(ctx, of, func(*store.Tx) error { return nil })
}

// Due runs read on one consistent state, in which lists for loops hold only the chats whose loops this replica runs.
func (b *Bot) Due(ctx context.Context, read func(tx *store.Tx) error) error {
	return b.Store.View(ctx, func(tx *store.Tx) error {
		tx.Only(b.Leases.Chats())
		return read(tx)
	})
}

// Visit is one event, or one step of a loop, inside the transaction that carries it
// out. Its methods read, decide and write; none of them speaks to a platform.
type Visit struct {
	bot    *Bot
	Tx     *store.Tx
	Event  chat.Event
	At     int64 // Unix milliseconds
	Chat   store.Chat
	Player store.Player
	Lang   string   // of the person's private answers
	Names  []string // of the people at the present table
	Reply  chat.Reply
	work   *work // registered and cached by the visit
}

// work holds the callbacks that a visit has registered for after the commit, and its cache.
type work struct {
	unseen  bool         // it is known that the event was not carried out before
	pressed chat.Press   // the zero press for a command
	onBoard int64        // the table on whose board a button was pressed
	boards  []outbox.Job // to be drawn
	wakes   bool         // loops have something to do before they look by themselves
	forgets bool         // the person is stored no longer
	carried outbox.Job   // of the board that the adapter draws; without a Table: none
	later   func() error
	shows   string // command that repeats the private answer
	showing bool   // the answer is shown to all
	after   []func(context.Context, *Core) error
	answers map[string]any // of the platform for the event, by question
	read    Cache
	was     map[string]chat.Condition // the platforms that run, by name, before the transaction
}

// Feature is an extension of the bot, made once at the start.
type Feature struct {
	// Commands are its commands.
	Commands []Command
	// Loops run while Run does.
	Loops []Loop
	// Settings are its settings of a chat.
	Settings []Setting
	// Solved is woken when perfect play of some rules has become known; nil: nothing waits for it.
	Solved loop.Waker
	// Heard is woken when people on a platform are heard again; nil: nothing waits for them.
	Heard loop.Waker
	// Press carries out a press that is not a command (Visit.Pressed), and Board renders a table. One feature alone has
	// them.
	Press Hook
	Board Board
	// Puzzle renders a puzzle in a language: one of the features does.
	Puzzle func(tx *store.Tx, puzzle int64, lang string) (chat.Message, error)
	// DrawPuzzle draws a puzzle by an adapter's own means: the same feature does.
	DrawPuzzle func(ctx context.Context, c *Core, puzzle int64, by chat.Drawer) error
	// Soon waits, until a deadline, for the feature's addition to the board of a table that has just ended; nil:
	// nothing.
	Soon func(ctx context.Context, c *Core, t store.Table, until time.Time)

	// Hooks run in the transaction of the event; nil: none.
	Before  Hook                                    // a command that is about to run
	Renamed Hook                                    // the person is called otherwise
	Left    func(v *Visit, user, chat string) error // a person has left a chat
	Zone    func(v *Visit, was, now Settings) error // a chat has got another time zone
}

// Board renders a table for one who looks, nil: for all who share its board; and, as the Views of that message, for
// others, except those whose board fails.
type Board func(tx *store.Tx, t store.Table, by *chat.Viewer, others ...chat.Viewer) (chat.Message, error)

// Hook is a step of a feature in the transaction of a visit; nil: there is none.
type Hook func(v *Visit) error

// Loop is a background task of a feature.
type Loop struct {
	Wake  loop.Waker // wakes it; nil: nothing does but the sweep
	Waits string     // names the task in the log after an error
	Look  Look
	Ends  func() // waits for running work after the stop; nil: there is none
}

// Look is one pass of a loop, as loop.Look: outside of transactions.
type Look func(context.Context, *Core) (soon time.Duration, err error)

// Command is a row of the one table that all menus, /help, completion and Handle come from.
type Command struct {
	Name    string
	Aliases []string   // other names in all languages, in no menu; Add completes them
	Subject string     // one of subjects, "" for a hidden command
	About   games.Line // one line of at most 100 characters
	Hosted  string     // the key of the same for people in a room with a host; "": as About
	Equals  string     // the key of the same where all may change the chat; "": as About
	Options []Option
	// Subs are the rows for the first word: "paid" in "/settle paid 7 Ben".
	Subs []Command
	// Bare is the row for the command alone, Else the row for any other words; "" for none.
	Bare, Else string
	// Word is the key of the row's names, "" if only buttons use it.
	Word string
	// Needs is the number of leading options that are required. How is the key of the answer to unknown words; "": that
	// of the row above.
	Needs int
	How   string
	// OnPerson and OnBoard are the keys of its labels in the menus of a person and of a board; "": it is not there.
	OnPerson, OnBoard string
	// Admins says that it is refused to all who may not change the chat.
	Admins bool
	// Hidden is a command in no menu. It is of buttons alone, unless it is a page of the command that PageOf names.
	Hidden bool
	PageOf string
	Game   games.Game // of a command that opens a table
	// Variant is that of Game which the command opens a table of; "" for any.
	Variant string
	// AnyGame says that its first word names a game, whose command carries out the rest.
	AnyGame bool
	Run     func(*Visit, Args) error
}

// Option is an option of a command.
type Option struct {
	Name  string
	Type  chat.OptionType
	Label games.Line // its name for people; the zero line: Name
	About games.Line
	// Min and Max bound an amount.
	Min, Max int64
	// Choices are its values, or some of them that are offered; Also are other names for them.
	Choices, Also []Choice
	// Reads reports whether a word is one of the option's values that are not offered; nil: none is known to be.
	Reads func(word string) bool
	// More are further values that people may mean in a chat; nil: none.
	More func(*Visit) ([]Choice, error)
	// Refuse returns the error for a wrong value; nil: the type's or the command's.
	Refuse func(said string) error
}

// Choice is a value that an option offers.
type Choice struct {
	Value string
	Label games.Line
}

// Setting is a setting that the admins of a chat can change. /settings, its options and its pages come from this table.
type Setting struct {
	// Name is its name in "name=value" and in the store. The sentence bot.settings.NAME names it on a button,
	// NAME-about describes it, NAME-how is the refusal for a value that Reads rejects.
	Name string
	// Reads returns the value to store for an admin's input: "" for the default, and false if it makes no sense.
	Reads func(b *Bot, said string) (value string, ok bool)
	// Spaced says that a value may be of several words.
	Spaced bool
	// Says puts a stored value into words, "" included.
	Says func(b *Bot, value string) games.Line
	// Values are its values with the keys of their names: Reads, Says and Offers follow from these. Without Usual
	// the first is the default.
	Values [][2]string
	// Usual returns the default of a chat where that depends on its platform, "" included; nil: it does not.
	Usual func(b *Bot, chat string) string
	// Offers lists values that have a button, spelled as an admin would write them.
	Offers []string
	// Changed runs after a change of the value; nil: nothing.
	Changed func(v *Visit, was, now Settings) error
}

// Settings holds the stored settings of a chat by name. A missing setting has its default.
type Settings map[string]string

// admins caches for a short while which people may change which chats. The zero value is empty and ready.
type admins struct {
	mu      sync.Mutex
	answers map[[2]string]adminAnswer // by chat and person
}

type adminAnswer struct {
	admin bool
	until int64 // Unix milliseconds
}
