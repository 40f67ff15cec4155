package bot

import (
	"cmp"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// What a visit offers to features: who and where it is, and how it answers.

// maxToast is the largest number of characters of a toast.
const maxToast = 200

// ShortToast is how long a toast should be: longer ones are cut by platforms.
const ShortToast = 60

// Seasons are those of the chat, the newest first.
func (v *Visit) Seasons() ([]store.Season, error) {
	return Cached(v, "seasons", func() ([]store.Season, error) { return v.Tx.Seasons(v.Chat.ID) })
}

// Totals are the standings of everybody in the chat, in all games of all time.
func (v *Visit) Totals() ([]store.Standing, error) {
	return Cached(v, "totals", func() ([]store.Standing, error) { return v.Tx.Standings(store.Wanted{Chat: v.Chat.ID}) })
}

// Sign is what stands before commands in a place.
func (b *Bot) Sign(place chat.Place) string {
	return cmp.Or(b.Signs[chat.PlatformOf(string(place))], "/")
}

// Say puts a line into words for the person.
func (v *Visit) Say(line games.Line) string {
	return v.bot.Words.Say(v.Lang, line, words.Context{Name: v.name, Sign: v.bot.Sign(v.Event.Place)})
}

func (v *Visit) name(s games.Seat) string {
	if int(s) < 0 || int(s) >= len(v.Names) {
		return v.bot.Words.Say(v.Lang, games.Say("bot.somebody", nil), words.Context{})
	}
	return v.Names[s]
}

// Toast tells the person one short sentence, or nothing when it would be long.
func (v *Visit) Toast(key string, args games.Args) {
	v.Reply.Toast = v.Say(games.Say(key, args))
}

// Unit is what the chat plays for.
func (v *Visit) Unit() string {
	if v.Chat.Unit == "" {
		return money.DefaultUnit
	}
	return v.Chat.Unit
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
