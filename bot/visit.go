package bot

import (
	"cmp"
	"errors"
	"slices"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// The API of a visit for features: the person, the place and the answer.

// maxToast is the largest number of characters of a toast.
const maxToast = 200

// ShortToast is the number of characters that a toast should have at most: platforms cut longer ones.
const ShortToast = 60

// Seasons returns the seasons of the chat, the newest first.
func (v *Visit) Seasons() ([]store.Season, error) {
	return Cached(v.work.read, "seasons", func() ([]store.Season, error) { return v.Tx.Chats.Seasons(v.Chat.ID) })
}

// Totals returns the standings of all players of the chat, in all games and of all time.
func (v *Visit) Totals() ([]store.Standing, error) {
	return Cached(v.work.read, "totals", func() ([]store.Standing, error) {
		return v.Tx.Scores.Standings(store.Wanted{Chat: v.Chat.ID})
	})
}

// Renamed returns a table whose people are called as they are now, as leaderboards call them; the record of a game
// keeps the names of then.
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

// Spell returns how commands are written in a place.
func (b *Bot) Spell(place chat.Place) func(typed string) string {
	spell := b.Spellings[chat.PlatformOf(string(place))]
	if spell == nil {
		return nil
	}
	return func(typed string) string { return spell(b.Typed(typed)) }
}

// Say translates a line for the person.
func (v *Visit) Say(line games.Line) string {
	return v.bot.Words.Say(v.Lang, line, words.Context{Name: v.name, Spell: v.bot.Spell(v.Event.Place)})
}

// Columns returns the names of a table's columns, by their keys.
func (v *Visit) Columns(keys ...string) []string {
	said := make([]string, len(keys))
	for i, key := range keys {
		said[i] = v.Say(games.Say(key, nil))
	}
	return said
}

// Number formats a number for the person.
func (v *Visit) Number(n games.Number) string { return v.bot.Words.Number(v.Lang, n) }

func (v *Visit) name(s games.Seat) string {
	if int(s) < 0 || int(s) >= len(v.Names) {
		return v.bot.ShownName("", v.Lang)
	}
	return v.Names[s]
}

// Toast makes the reply one short sentence.
func (v *Visit) Toast(key string, args games.Args) {
	v.Reply.Toast = v.Say(games.Say(key, args))
}

// Receipt makes the reply one short confirmation.
func (v *Visit) Receipt(key string, args games.Args) {
	v.Toast(key, args)
	v.Reply.Receipt = true
}

// Overheard reports whether others in the place read the answer.
func (v *Visit) Overheard() bool { return v.Reply.Public || v.Event.Aloud }

// Unit returns the unit for which the chat plays.
func (v *Visit) Unit() string { return cmp.Or(v.Chat.Unit, money.DefaultUnit) }

// QuietVisit returns a visit without an event, in the language of the chat, or else of the person it is about.
func (b *Bot) QuietVisit(tx *store.Tx, group store.Chat, about store.Player) *Visit {
	return &Visit{bot: b, Tx: tx, At: b.Now(), Chat: group, Lang: b.SharedLanguage(group, about),
		work: &work{read: Cache{}}}
}

// Features of the bot.

// As adapts a command's step from a feature's own visit type to the bot's.
func As[V any](room func(*Visit) V, do func(V, Args) error) func(*Visit, Args) error {
	return func(v *Visit, w Args) error { return do(room(v), w) }
}

// At adapts a step at a table in the same way.
func At[V any](room func(*Visit) V, step func(V, int64) error) func(*Visit, int64) error {
	return func(v *Visit, table int64) error { return step(room(v), table) }
}

// Reads makes a command's step one that only reads: its answer is read after the commit.
func Reads(do func(*Visit, Args) error) func(*Visit, Args) error {
	return func(v *Visit, w Args) error { return v.Later(func() error { return do(v, w) }) }
}

// Offers adapts the further values of an option in the same way.
func Offers[V any](room func(*Visit) V, more func(V) ([]Choice, error)) func(*Visit) ([]Choice, error) {
	return func(v *Visit) ([]Choice, error) { return more(room(v)) }
}

// Solved wakes the loops of features that wait for perfect play.
func (b *Bot) Solved() {
	for _, f := range b.features {
		f.Solved.Wake()
	}
}

// take runs a hook of each feature that has it, and stops at the first error.
func (v *Visit) take(of func(Feature) Hook) error {
	for _, f := range v.bot.features {
		if step := of(f); step != nil {
			if err := step(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Private makes the reply's longer answer, which the person alone reads, in the person's language.
func (v *Visit) Private(head games.Line, lines ...games.Line) *chat.Message {
	m := &chat.Message{Lang: v.Lang, Head: v.Say(head), Accent: -1}
	for _, line := range lines {
		m.Lines = append(m.Lines, v.Say(line))
	}
	v.Reply.Private = m
	return m
}

// Public runs answer, which makes a private answer, and has all in the place read it instead, in
// the language that they share.
func (v *Visit) Public(answer func() error) (err error) {
	v.Reply.Public = true
	if v.Lang, err = v.sharedLanguage(); err != nil {
		return err
	}
	return answer()
}

// Button returns a button of a private answer: it carries a command.
func (v *Visit) Button(label games.Line, command string, style games.Style) chat.Button {
	p := chat.Press{Table: v.Pressed().Table, What: command}
	return chat.Button{Label: chat.Shorten(v.Say(label), chat.MaxButton), Press: p.String(), Style: style}
}

// TableHere returns the table of the place that is not over, or else the newest there, as it was when first asked for,
// or store.ErrNotFound.
func TableHere(v *Visit) (store.Table, error) {
	type here struct{}
	return Cached(v.work.read, here{}, func() (store.Table, error) {
		return v.Tx.Tables.TableHere(string(v.Event.Place))
	})
}

// sharedLanguage returns the language for all readers in a visit's place: the chat's, else that of the table there,
// else the person's.
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

// Private pages shown to all in the place, and notices to all beside a private answer.

// shown are the commands whose pages can be shown to all.
var shown = []string{"lb", "stats", "review", "settle"}

// Shows sets the command that repeats the private answer, as in a button: "stats #AbCd". If only the person sees that
// answer, it gets a button that shows it to all.
func (v *Visit) Shows(command string) { v.work.shows = command }

// showPage has all in the place read a page, without its buttons. Only buttons ask for it.
func (v *Visit) showPage(w Args) error {
	name, text := firstWord(w.Text("page"))
	c, err := v.bot.Find(name)
	if err != nil || !slices.Contains(shown, c.Name) || !v.Event.Whispers {
		return games.Refuse("bot.no-such-button", nil)
	}
	c, given, err := v.bot.Read(c, chat.Event{Text: text})
	if err != nil {
		return err
	}
	if c.Needs > 0 { // it changes something, and is no page
		return games.Refuse("bot.no-such-button", nil)
	}
	v.work.showing = true
	return v.Public(func() error { return c.Run(v, given) })
}

// Tell tells all in the place in one line about the person's change, in the shared language, if the answer is private.
func (v *Visit) Tell(what games.Line) {
	shared, err := v.sharedLanguage()
	if !v.Event.Whispers || err != nil {
		return
	}
	lang := v.Lang
	v.Lang = shared
	v.Reply.All = v.Say(games.Say("bot.changed-by",
		games.Args{"Who": v.bot.ShownName(v.Player.Name, v.Lang), "What": what}))
	v.Lang = lang
}

// News comes from the message files. After an upgrade the first admin who writes a command in a chat reads it, once; a
// chat that the bot has just met has none.

// edition numbers the sentences news.1 to news.3: a release that changes them raises it.
const edition = 2

// hasNews reports whether the person is about to read news.
func (v *Visit) hasNews() (bool, error) {
	if v.Chat.News >= edition || v.Event.Press != "" {
		return false, nil
	}
	return v.IsAdmin(false)
}

// tellNews adds to the answer to an admin's command, once a chat, that there is something new, with
// a button for all of it.
func (v *Visit) tellNews() error {
	if news, err := v.hasNews(); !news {
		return err
	}
	brief := games.Say("bot.news.brief", games.Args{"First": games.Say("news.1", nil)})
	if v.Event.Aloud {
		brief = games.Say("bot.news.behind", nil) // others are not to read of it
	}
	m := v.Reply.Private
	switch {
	case m != nil: // it has to be seen
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
	for _, key := range []string{"news.1", "news.2", "news.3"} {
		m.Lines = append(m.Lines, "• "+v.Say(games.Say(key, nil)))
	}
	return nil
}
