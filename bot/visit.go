package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// The API of a visit for features: the person, the chat and the answer.

// maxToast is the largest number of characters of a toast.
const maxToast = 200

// ShortToast is the largest number of characters of a toast that all platforms show whole.
const ShortToast = 60

// Seasons returns the seasons of the chat, the newest first. It reads them once per visit.
func (v *Visit) Seasons() ([]store.Season, error) {
	return Cached(v.work.read, "seasons", func() ([]store.Season, error) { return v.Tx.Chats.Seasons(v.Chat.ID) })
}

// Totals returns the standings of all players of the chat, in all games and of all time, read once per visit.
func (v *Visit) Totals() ([]store.Standing, error) {
	return Cached(v.work.read, "totals", func() ([]store.Standing, error) {
		return v.Tx.Scores.Standings(store.Wanted{Chat: v.Chat.ID})
	})
}

// Renamed returns a copy of the table with the current names of its people, not those stored with the game.
func (v *Visit) Renamed(t store.Table) (store.Table, error) {
	names, err := v.Tx.Chats.NamesAt(t.ID)
	t.Seats = slices.Clone(t.Seats)
	for i, s := range t.Seats {
		if name := names[s.Player]; name != "" {
			t.Seats[i].Name = name
		}
	}
	return t, err
}

// Spell returns the function that writes a command as people type it in a place (channel or thread); nil: with a slash.
func (b *Bot) Spell(place chat.Place) func(typed string) string {
	spell := b.Spellings[chat.PlatformOf(string(place))]
	if spell == nil {
		return nil
	}
	return func(typed string) string { return spell(b.Typed(typed)) }
}

// Say returns a line in the language of the visit.
func (v *Visit) Say(line games.Line) string {
	return v.bot.Words.Say(v.Lang, line, words.Context{Name: v.name, Spell: v.bot.Spell(v.Event.Place)})
}

// Columns returns the sentences of keys, for the columns of a chat.Grid.
func (v *Visit) Columns(keys ...string) []string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = v.Say(games.Say(key, nil))
	}
	return names
}

// Number formats a number in the language of the visit.
func (v *Visit) Number(n games.Number) string { return v.bot.Words.Number(v.Lang, n) }

// name returns the name of seat s from v.Names, or a placeholder.
func (v *Visit) name(s games.Seat) string {
	if int(s) < 0 || int(s) >= len(v.Names) {
		return v.bot.ShownName("", v.Lang)
	}
	return v.Names[s]
}

// Toast sets the reply's toast, a short sentence, by its key.
func (v *Visit) Toast(key string, args games.Args) {
	v.Reply.Toast = v.Say(games.Say(key, args))
}

// Receipt sets a toast that only confirms the request, and marks the reply as a receipt.
func (v *Visit) Receipt(key string, args games.Args) {
	v.Toast(key, args)
	v.Reply.Receipt = true
}

// Overheard reports whether other people in the place (channel or thread) read the answer.
func (v *Visit) Overheard() bool { return v.Reply.Public || v.Event.Aloud }

// Unit returns the unit of the chat's stakes, by default chips.
func (v *Visit) Unit() string { return cmp.Or(v.Chat.Unit, money.DefaultUnit) }

// QuietVisit returns a visit to a chat (group) without an event, in the chat's language, else that of a player (about).
func (b *Bot) QuietVisit(tx *store.Tx, group store.Chat, about store.Player) *Visit {
	return &Visit{bot: b, Tx: tx, At: b.Now(), Chat: group, Lang: b.SharedLanguage(group, about),
		work: &work{read: Cache{}}}
}

// Browse runs read in a read-only transaction on a visit of the person and the chat of ev, in the language of a private
// answer. Nothing is stored, and the platform is not asked: ev.Functions are ignored.
func (b *Bot) Browse(ctx context.Context, ev chat.Event, read func(v *Visit) error) error {
	ev.Functions = chat.Functions{}
	return b.Store.View(ctx, func(tx *store.Tx) error {
		return loop.Safely(func() (err error) {
			v := &Visit{bot: b, Tx: tx, Event: ev, At: b.Now(), work: &work{read: Cache{}}}
			if v.Chat, err = tx.Chats.Chat(string(ev.Chat)); err != nil {
				return err
			}
			if v.Player, err = tx.Chats.Player(string(ev.User)); err != nil {
				return err
			}
			v.Event.User = chat.User(v.Player.Person)
			v.Lang = b.languageOf(ev, v.Chat.Language)
			return read(v)
		})
	})
}

// IsOwn reports whether a person (by id) is the acting person of ev, or uses the same device.
func (b *Bot) IsOwn(ev chat.Event, player string) bool {
	user := chat.User(player)
	return user == ev.User || b.Same(user, ev.User)
}

// Adapters between a feature's visit type and the bot's, and calls of features' hooks.

// As returns run as the Run function of a Command. convert returns a feature's own visit, of type V, for the bot's.
func As[V any](convert func(*Visit) V, run func(V, Args) error) func(*Visit, Args) error {
	return func(v *Visit, w Args) error { return run(convert(v), w) }
}

// At returns run as a function of the bot's Visit and a row's number, for Core.StepAt. convert is as in As.
func At[V any](convert func(*Visit) V, run func(V, int64) error) func(*Visit, int64) error {
	return func(v *Visit, table int64) error { return run(convert(v), table) }
}

// Reads returns a Run function that calls run after the commit (see Visit.Later). run must only read.
func Reads(run func(*Visit, Args) error) func(*Visit, Args) error {
	return func(v *Visit, w Args) error { return v.Later(func() error { return run(v, w) }) }
}

// Offers returns more as the More function of an Option. convert is as in As.
func Offers[V any](convert func(*Visit) V, more func(V) ([]Choice, error)) func(*Visit) ([]Choice, error) {
	return func(v *Visit) ([]Choice, error) { return more(convert(v)) }
}

// Solved wakes the loops of features that wait for a solution (perfect play).
func (b *Bot) Solved() {
	for _, f := range b.features {
		f.Solved.Wake()
	}
}

// runHooks runs the hook that hookOf selects of each feature, nil for none. It stops at the first error.
func (v *Visit) runHooks(hookOf func(Feature) Hook) error {
	for _, f := range v.bot.features {
		if hook := hookOf(f); hook != nil {
			if err := hook(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Private sets and returns the reply's private answer, in the visit's language. The caller may change it.
func (v *Visit) Private(head games.Line, lines ...games.Line) *chat.Message {
	m := &chat.Message{Lang: v.Lang, Head: v.Say(head), Accent: -1}
	for _, line := range lines {
		m.Lines = append(m.Lines, v.Say(line))
	}
	v.Reply.Private = m
	return m
}

// Public runs answer and shows its private answer to all people in the channel or thread, in their shared language.
func (v *Visit) Public(answer func() error) (err error) {
	v.Reply.Public = true
	if v.Lang, err = v.sharedLanguage(); err != nil {
		return err
	}
	return answer()
}

// Button returns a button for a private answer. It runs a command such as "/rules golf".
func (v *Visit) Button(label games.Line, command string, style games.Style) chat.Button {
	p := chat.Press{Table: v.Pressed().Table, What: command}
	return chat.Button{Label: chat.Shorten(v.Say(label), chat.MaxButton), Press: p.String(), Style: style}
}

// TableHere returns the running table of the event's place (channel or thread), else its newest table. It reads it once
// per visit. The error wraps store.ErrNotFound if there is none.
func TableHere(v *Visit) (store.Table, error) {
	type here struct{}
	return Cached(v.work.read, here{}, func() (store.Table, error) {
		return v.Tx.Tables.TableHere(string(v.Event.Place))
	})
}

// sharedLanguage returns the language of an answer to all people: the chat's, else the current table's, else the
// person's.
func (v *Visit) sharedLanguage() (string, error) {
	if lang := v.bot.Words.Match(v.Chat.Language, v.Chat.Locale); lang != "" {
		return lang, nil
	}
	t, err := TableHere(v)
	if errors.Is(err, store.ErrNotFound) {
		return v.bot.SharedLanguage(v.Chat, v.Player), nil
	}
	if err != nil {
		return "", err
	}
	return v.bot.TableLanguage(v.Tx, v.Chat, t)
}

// Private pages that are shown to all people in the place, and lines for all people beside a private answer.

// shown are the commands whose pages can be shown to all people.
var shown = []string{"lb", "stats", "review", "settle", "recap"}

// Shows sets the command that repeats the private answer, such as "stats #AbCd". If only the person sees that answer,
// it gets a button that shows it to all people.
func (v *Visit) Shows(command string) { v.work.shows = command }

// showPage shows a page to all people in the place, without its buttons. It runs only for the button that Shows adds.
func (v *Visit) showPage(args Args) error {
	name, text := firstWord(args.Text("page"))
	c, err := v.bot.Find(name)
	if err != nil || !slices.Contains(shown, c.Name) || !v.Event.Whispers {
		return games.Refuse("bot.no-such-button", nil)
	}
	c, given, err := v.bot.Read(c, chat.Event{Text: text})
	if err != nil {
		return err
	}
	if c.Needs > 0 { // it changes something, and is not a page
		return games.Refuse("bot.no-such-button", nil)
	}
	v.work.showing = true
	return v.Public(func() error { return c.Run(v, given) })
}

// Tell adds to a private answer a line for all people in the place, in their shared language: the person's name and
// change. It is a no-op where all people read the answer.
func (v *Visit) Tell(change games.Line) {
	shared, err := v.sharedLanguage()
	if !v.Event.Whispers || err != nil {
		return
	}
	lang := v.Lang
	v.Lang = shared
	v.Reply.All = v.Say(games.Say("bot.changed-by",
		games.Args{"Who": v.bot.ShownName(v.Player.Name, v.Lang), "What": change}))
	v.Lang = lang
}

// News of a release, from the message files. After an upgrade they are added to one answer in each chat, for the first
// admin who uses a command. New chats get none.

// edition is the number of the current news, the sentences news.1 to news.7. A release that changes them raises it.
const edition = 2

// hasNews reports whether the answer must contain news: to an admin's typed command in a chat that has not seen them.
func (v *Visit) hasNews() (bool, error) {
	if v.Chat.News >= edition || v.Event.Press != "" {
		return false, nil
	}
	return v.IsAdmin(false)
}

// tellNews announces the news in the answer, with a button to read them, and stores that the chat saw them, if hasNews.
func (v *Visit) tellNews() error {
	if news, err := v.hasNews(); !news {
		return err
	}
	brief := games.Say("bot.news.brief", games.Args{"First": games.Say("news.1", nil)})
	if v.Event.Aloud {
		brief = games.Say("bot.news.behind", nil) // others read this answer, too
	}
	m := v.Reply.Private
	switch {
	case m != nil: // the news must not be collapsed
		m.Lines, m.Folds = append(m.Lines, v.Say(brief)), false
	case v.Reply.Toast != "":
		m = v.Private(games.Say("bot.text", games.Args{"Text": v.Reply.Toast}), brief)
	default:
		m = v.Private(brief)
	}
	m.Buttons = append(m.Buttons, []chat.Button{v.Button(games.Say("bot.news.more", nil), "/news", games.Plain)})
	v.Chat.News = edition
	return v.Tx.Chats.SaveChat(v.Chat)
}

// newsCommand shows the news.
func (v *Visit) newsCommand(Args) error {
	m := v.Private(games.Say("bot.news.head", nil))
	for _, key := range []string{"news.1", "news.2", "news.3", "news.4", "news.5", "news.6", "news.7"} {
		m.Lines = append(m.Lines, "• "+v.Say(games.Say(key, nil)))
	}
	return nil
}
