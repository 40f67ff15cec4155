package bot

import (
	"cmp"
	"fmt"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// maxToast is the largest number of characters of a toast.
const maxToast = 200

// ShortToast is how long a toast should be: longer ones are cut by platforms.
const ShortToast = 60

// Visit is one event, or one step of a loop, inside the transaction that carries it
// out. Its methods read, decide and write; none of them speaks to a platform.
type Visit struct {
	bot    *Bot
	Tx     *store.Tx
	Event  chat.Event
	At     int64 // Unix milliseconds
	Chat   store.Chat
	Player store.Player
	Lang   string   // of what the person reads alone
	Names  []string // of the people at the table in hand, for what is said of it
	Reply  chat.Reply
	work   *work // what it has left to be done, and what it knows already
}

// Seasons are those of the chat, the newest first.
func (v *Visit) Seasons() ([]store.Season, error) {
	return Cached(v, "seasons", func() ([]store.Season, error) { return v.Tx.Seasons(v.Chat.ID) })
}

// Totals are the standings of everybody in the chat, in all games of all time.
func (v *Visit) Totals() ([]store.Standing, error) {
	return Cached(v, "totals", func() ([]store.Standing, error) { return v.Tx.Standings(store.Wanted{Chat: v.Chat.ID}) })
}

// run carries out the event, unless it has been carried out before.
func (v *Visit) run() error {
	seen, err := v.Tx.Seen(v.Event.ID, v.At)
	if err != nil || seen {
		return err
	}
	if len(v.Event.Joined)+len(v.Event.Left) > 0 {
		return v.comings()
	}
	if v.Event.Renamed {
		return v.renamed()
	}
	if err := v.meet(); err != nil {
		return err
	}
	if v.Event.Press == "" {
		return v.command(v.Event.Command, v.Event.Options, v.Event.Text)
	}
	p, ok := chat.ParsePress(v.Event.Press)
	if !ok {
		return games.Refuse("bot.no-such-button", nil)
	}
	return v.press(p)
}

// meet reads the chat and the person, and remembers what is new about them.
func (v *Visit) meet() (err error) {
	if v.Chat, err = v.Tx.Chat(string(v.Event.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if err := v.knowNews(); err != nil {
		return err
	}
	v.Lang = v.bot.languageOf(v.Event, v.Chat.Language)
	if v.Player, err = v.Tx.Player(string(v.Event.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if v.Event.Own && v.Chat.Owner != string(v.Event.User) {
		return v.meetAlone()
	}
	return v.meetPlayer()
}

// meetAlone remembers that the chat is a conversation with the person alone.
func (v *Visit) meetAlone() error {
	if err := v.meetPlayer(); err != nil {
		return err
	}
	v.Chat.Owner = string(v.Event.User)
	return v.Tx.SaveChat(v.Chat)
}

func (v *Visit) meetPlayer() error {
	now := v.Player
	now.ID = string(v.Event.User)
	now.Name = v.bot.ownName(v.Event.Name)
	if lang := v.bot.Words.Match(v.Event.Locale); lang != "" {
		now.Language = lang
	} else if now.Language != "" && v.Event.Locale == "" {
		v.Lang = now.Language
	}
	if now == v.Player {
		return nil
	}
	was := v.Player.Name
	v.Player = now
	if err := v.Tx.SavePlayer(now); err != nil || now.Name == was {
		return err
	}
	return v.bot.follow(func(f Feature) error {
		if f.Renamed == nil {
			return nil
		}
		return f.Renamed(v)
	})
}

// renamed has somebody whom the bot has met be called otherwise. Of others it keeps
// nothing.
func (v *Visit) renamed() (err error) {
	if v.Chat, err = v.Tx.Chat(string(v.Event.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if v.Player, err = v.Tx.Player(string(v.Event.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if v.Player.Name == "" && v.Player.Language == "" {
		return nil
	}
	return v.meetPlayer()
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
