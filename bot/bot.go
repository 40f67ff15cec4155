// Package bot holds the part of the bot that is the same on all platforms: commands, button presses, tables and boards.
// Core.Handle runs each event in one transaction; boards are always drawn from stored state.
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

// Config holds the dependencies and options of a bot.
type Config struct {
	// Store is the database. The caller opens and closes it.
	Store *store.Store
	// Leases divide the chats between replicas; nil: this is the only replica and does all work.
	Leases *lease.Holder
	// Games are the games that can be played. Each has a command that opens a table.
	Games []games.Game
	// GameCommands maps a game, or a variant with its own command, to its command's name. The command of a game that is
	// not in it has the game's name.
	GameCommands map[string]string
	// Words are the sentences of the bot and of all games.
	Words *words.Words
	// Clock is the clock for deadlines, loops and pauses; nil: the system's. Timeouts of single requests to platforms
	// always use real time.
	Clock chat.Clock
	// Zone is the time zone of chats that have set none, for the ends of their evenings; nil: the system's.
	Zone *time.Location
	// Rand is the source of random bytes for dice seeds and the seats' luck words; nil: the operating system.
	Rand io.Reader
	// Same reports whether two people share a device, such as one browser, and one can press for the other; nil: none
	// do.
	Same func(one, other chat.User) bool
	// Spellings maps a platform to the function that writes a command in a sentence as people type it there. Platforms
	// without one show a slash and the text.
	Spellings map[string]chat.Spelling
	// Picks means that boards that all people share have a chat.Message.Pick, too, for people who type their moves.
	Picks bool
	// KeepMoves is how long the moves of finished games are kept, at least review.LeastKept; 0: for ever.
	KeepMoves time.Duration
	// Meter counts events; nil: nothing is counted.
	Meter Meter
	// Version is the program's version, for /doctor; "" is left out there.
	Version string
	// Log receives errors of the program; nil: the default log.
	Log *slog.Logger
	// Sweep is the longest pause between two passes of a loop, such as the search for stale boards; 0: 15 seconds.
	Sweep time.Duration
	// Solutions is the most memory in bytes for cached solutions (perfect play) of all tables together. The newest
	// solution stays even if it is larger. 0: 256 MB.
	Solutions int
}

// Bot holds the configuration and the state that all features share. It has no access to platforms, so that
// transactions may use it.
type Bot struct {
	Config
	AllCommands []Command
	features    []Feature
	tables      Feature         // the feature with a Board
	puzzles     Feature         // the feature with a Puzzle
	settings    []Setting       // the settings of a chat, in the order in which they are shown
	reserved    map[string]bool // forbidden names of people (chat.Skeleton); true: forbidden only with a number behind

	traits sync.Map                  // the method Traits of each platform that has run, by name
	admins admins                    // cached answers of platforms: who may change a chat
	paired chat.Recent[[2]chat.Chat] // pairs of an alias and its chat that are stored
}

// Core is the Bot together with its outbox, which draws boards on platforms. It handles events and runs loops.
// Transactions get only the Bot, so that they cannot reach a platform.
type Core struct {
	*Bot
	Outbox *outbox.Outbox
}

// Now returns the current time in Unix milliseconds.
func (b *Bot) Now() int64 { return b.Clock.Now().UnixMilli() }

// languageOf returns the language of a private answer to ev: that of the person's client, else chatLang (the chat's),
// else the default. Unsupported languages and "" are skipped.
func (b *Bot) languageOf(ev chat.Event, chatLang string) string {
	if lang := b.Words.Match(ev.Locale, chatLang); lang != "" {
		return lang
	}
	return words.Default
}

// SharedLanguage returns the language of a message that the whole chat reads: the chat's, else that of about, the
// person that the message is about, else the default.
func (b *Bot) SharedLanguage(chat store.Chat, about store.Player) string {
	return cmp.Or(b.Words.Match(chat.Language, chat.Locale, about.Language), words.Default)
}

// TableLanguage returns the language of a table's board: the chat's, else the one stored when the game started. A lobby
// without either uses the language of most seated people; after a tie, or if none is known, the opener's.
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
	speakers := map[string]int{}
	for _, s := range t.Seats {
		if lang := b.Words.Match(languages[s.Player]); lang != "" && s.Confirmed {
			speakers[lang]++
		}
	}
	best, tied := "", false
	for _, lang := range b.Words.Languages() { // the default language first
		switch n := speakers[lang]; {
		case n > speakers[best]:
			best, tied = lang, false
		case n == speakers[best]:
			tied = true
		}
	}
	if best == "" || tied {
		best = cmp.Or(b.Words.Match(opener.Language), best, words.Default)
	}
	return best, nil
}

// Game returns the game with a name, or an error if it is not installed.
func (b *Bot) Game(name string) (games.Game, error) {
	for _, g := range b.Games {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("no game %q is installed", name)
}

// Under returns scope narrowed to the chat with this id; its transactions fail once this replica has lost the chat's
// lease. held reports whether the replica holds the lease now.
func (b *Bot) Under(scope store.Scope, chat string) (limited store.Scope, held bool) {
	chatLease, held := b.Leases.Share(chat)
	return scope.In(chat).Under(chatLease), held
}

// StillUnder returns nil while this replica holds the lease of scope, which Under returned, and an error if it is lost
// (see lease.Holder.Fenced). Call it before an action outside the database that must not be done twice.
func (b *Bot) StillUnder(ctx context.Context, scope store.Scope) error {
	if !b.Leases.Shared() {
		return nil
	}
	return b.Store.UpdateOf(ctx, scope, func(*store.Tx) error { return nil })
}

// Due runs read in a read-only transaction. Queries for due work in it return only chats leased by this replica.
func (b *Bot) Due(ctx context.Context, read func(tx *store.Tx) error) error {
	return b.Store.View(ctx, func(tx *store.Tx) error {
		tx.Only(b.Leases.Chats())
		return read(tx)
	})
}

// Visit handles one event, or one database row that a background loop has picked, inside one transaction. Its methods
// read, decide and write; none of them calls a platform.
type Visit struct {
	bot    *Bot
	Tx     *store.Tx
	Event  chat.Event
	At     int64 // time of the event, in Unix milliseconds
	Chat   store.Chat
	Player store.Player
	Lang   string   // language of the private answer
	Names  []string // names of the seats of the current table, by seat
	Reply  chat.Reply
	work   *work // registered work and cache of the visit
}

// work holds the tasks that a visit registers for after its commit, such as boards to draw, and its cache.
type work struct {
	unseen     bool                                 // the event's id is new: this is not a second delivery
	pressed    chat.Press                           // the data of the pressed button; zero for a command
	onBoard    int64                                // the table whose board has the pressed button; 0: none
	inMessage  bool                                 // the place is one message, on which a button was pressed
	covers     store.Table                          // the table whose board an answer would cover; ID 0: none
	boards     []outbox.Job                         // boards to draw after the commit
	wakes      bool                                 // the chat's loops have work before their next sweep
	forgets    bool                                 // the event erased the person from the database
	carried    outbox.Job                           // the board that the adapter draws in its answer; Table 0: none
	later      func() error                         // reads for the answer after the commit; see Visit.Later
	shows      string                               // command that repeats the private answer; see Visit.Shows
	showing    bool                                 // a private page is being shown to all people, without buttons
	after      []func(context.Context, *Core) error // run after the commit, in order
	answers    map[string]any                       // the platform's answers to Visit.Ask, by subject
	read       Cache                                // values read in this visit
	conditions map[string]chat.Condition            // of the running platforms before the transaction, by name
}

// Feature is an extension of the bot: commands, loops, settings and hooks. It is created once, at the start.
type Feature struct {
	// Commands are its commands.
	Commands []Command
	// Loops run in the background during Core.Run.
	Loops []Loop
	// Settings are its settings of a chat.
	Settings []Setting
	// Solved wakes the feature's loop when a solution (perfect play of some rules) is ready; nil: no loop waits for it.
	Solved loop.Waker
	// Heard wakes the feature's loop when a platform is connected again; nil: no loop waits for that.
	Heard loop.Waker
	// Press handles button presses that are not commands (see Visit.Pressed), Board renders a table. One feature has
	// both.
	Press Hook
	Board Board
	// Puzzle renders a puzzle in a language. Only one feature has it.
	Puzzle func(tx *store.Tx, puzzle int64, lang string) (chat.Message, error)
	// DrawPuzzle renders a puzzle and calls draw to post it. The feature with Puzzle has it.
	DrawPuzzle func(ctx context.Context, c *Core, puzzle int64, draw chat.Drawer) error
	// Soon waits until the feature's addition to the board of the ended table t is ready, or deadline; nil: it adds
	// none.
	Soon func(ctx context.Context, c *Core, t store.Table, deadline time.Time)

	// The hooks below run in the transaction of the event; nil: none.
	Before  Hook                                         // runs before a command
	Renamed Hook                                         // runs after a change of the person's name
	Left    func(v *Visit, user, chat string) error      // runs after a person has left a chat; with both ids
	Zone    func(v *Visit, before, after Settings) error // runs after a change of a chat's time zone
}

// Board renders a table for one viewer or, if viewer is nil, the board that all people share. Views of the returned
// message are the boards of others, without those that could not be rendered.
type Board func(tx *store.Tx, t store.Table, viewer *chat.Viewer, others ...chat.Viewer) (chat.Message, error)

// Hook is a function of a feature that runs in the transaction of a visit; nil: none.
type Hook func(v *Visit) error

// Loop is a background task of a feature.
type Loop struct {
	Wake  loop.Waker // wakes the loop; nil: only the sweep does
	Waits string     // the log message after a failed pass
	Look  Look       // one pass
	Ends  func()     // blocks until running work has stopped; nil: no such work
}

// Look is one pass of a loop, outside of transactions. soon is the time until the next pass; 0: the usual time.
type Look func(context.Context, *Core) (soon time.Duration, err error)

// Command describes a command, or a subcommand of one, for menus, /help, completion and Handle.
type Command struct {
	Name    string
	Aliases []string   // other names, in no menu; Bot.Add adds those of all languages
	Subject string     // one of Subjects, "" for a hidden command
	About   games.Line // description of at most 100 characters
	Hosted  string     // key of the About in a browser room with a host; "": as About
	Equals  string     // key of the About in a chat that all its people may change; "": as About
	Options []Option
	// Subs are the subcommands, chosen by the first word: "paid" in "/settle paid 7 Ben".
	Subs []Command
	// Bare is the name of the subcommand for the command alone, Else that for an unknown first word; "" for none.
	Bare, Else string
	// Word is the key of a subcommand's names in the message files; "": only buttons use the subcommand.
	Word string
	// Needs is the number of leading options that are required. How is the key of the refusal of unknown words; "" in a
	// subcommand: the How of its command.
	Needs int
	How   string
	// OnPerson and OnBoard are the keys of its labels in the context menus of a person and a board; "": not in that
	// menu.
	OnPerson, OnBoard string
	// Admins means that people who may not change the chat are refused.
	Admins bool
	// Hidden means that it is in no menu: only buttons use it, unless PageOf is set.
	Hidden bool
	PageOf string     // the command of which it is a page, and which lists it among its aliases; "": none
	Game   games.Game // the game whose table the command opens, else nil
	// Variant is the variant of Game that the command opens; "" for any.
	Variant string
	// AnyGame means that the first word names a game, and that the command of that game handles the rest.
	AnyGame bool
	Run     func(*Visit, Args) error
	// Brief prepares the answer of Core.Brief, without v.Tx, or refuses; nil: the database is needed.
	Brief func(*Visit, Args) error
}

// Option is an option of a command.
type Option struct {
	Name  string
	Type  chat.OptionType
	Label games.Line // the name that people see; zero: Name
	About games.Line
	// Min and Max bound an amount.
	Min, Max int64
	// Choices are the offered values, not always all valid ones; Also are other names of values.
	Choices, Also []Choice
	// Reads reports whether word is a valid value besides Choices; nil: there is no such check.
	Reads func(word string) bool
	// More returns further values that depend on the chat; nil: none.
	More func(*Visit) ([]Choice, error)
	// Refuse returns the error for an invalid input; nil: the error of the option's type or of the command is used.
	Refuse func(input string) error
}

// Choice is a value that an option offers.
type Choice struct {
	Value string
	Label games.Line
}

// Setting describes a setting that the admins of a chat can change, for /settings, its options and its pages.
type Setting struct {
	// Name is its name in "name=value" and in the store. The sentence bot.settings.NAME names it on a button,
	// NAME-about describes it, NAME-how is the refusal for a value that Reads rejects.
	Name string
	// Reads converts an admin's input to the value to store, "" for the default. ok is false if the input is invalid.
	Reads func(b *Bot, input string) (value string, ok bool)
	// Spaced means that a value may consist of several words.
	Spaced bool
	// Says returns the text for a stored value, including "", the default.
	Says func(b *Bot, value string) games.Line
	// Values are pairs of a value and the key of its name, from which Reads, Says and Offers are derived. Without
	// Usual, the first is the default.
	Values [][2]string
	// Usual returns the default in the chat with this id, "" for no chat; nil: the default is the same everywhere.
	Usual func(b *Bot, chat string) string
	// Offers lists the values that have a button, as an admin would type them.
	Offers []string
	// Changed runs after a change of the value, with all settings before and after it; nil: nothing runs.
	Changed func(v *Visit, before, after Settings) error
}

// Settings holds the stored settings of a chat by name. A setting without an entry has its default.
type Settings map[string]string

// admins caches for a short time which people may change which chats. The zero value is empty and ready.
type admins struct {
	mu      sync.Mutex
	answers map[[2]string]adminAnswer // by chat id and user id
}

// adminAnswer is a platform's answer to whether a person may change a chat.
type adminAnswer struct {
	admin bool
	until int64 // end of its validity, in Unix milliseconds
}
