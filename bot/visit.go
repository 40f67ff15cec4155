package bot

import (
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
		return v.bot.Words.Say(v.Lang, games.Say("bot.somebody", nil), words.Context{})
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
func (v *Visit) Unit() string {
	if v.Chat.Unit == "" {
		return money.DefaultUnit
	}
	return v.Chat.Unit
}

// QuietVisit returns a visit without an event, in the language of the chat, or else of the person it is about.
func (b *Bot) QuietVisit(tx *store.Tx, group store.Chat, about store.Player) *Visit {
	return &Visit{bot: b, Tx: tx, At: b.Now(), Chat: group, Lang: b.SharedLanguage(group, about),
		work: &work{read: Cache{}}}
}

// reads returns a visit of an event in a transaction that only reads.
func (b *Bot) reads(tx *store.Tx, ev chat.Event) (*Visit, error) {
	v := &Visit{bot: b, Tx: tx, Event: ev.Plain(), At: b.Now(), work: &work{read: Cache{}}}
	var err error
	v.Chat, err = tx.Chats.Chat(string(ev.Chat))
	v.Lang = b.languageOf(ev, v.Chat.Language)
	return v, err
}
