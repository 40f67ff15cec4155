package bot

import (
	"fmt"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// mostToast is the largest number of characters of a toast.
const mostToast = 200

// shortToast is how long a toast should be: longer ones are cut by platforms.
const shortToast = 60

// visit is one event, or one step of a loop, inside the transaction that carries it
// out. Its methods read, decide and write; none of them speaks to a platform.
type visit struct {
	bot    *Bot
	tx     *store.Tx
	ev     chat.Event
	at     int64 // Unix milliseconds
	chat   store.Chat
	player store.Player
	lang   string   // of what the person reads alone
	names  []string // of the people at the table in hand, for what is said of it
	reply  chat.Reply
	work   *work // what it has left to be done, and what it knows already

	begun   bool // a turn at the table has begun
	playing bool // the person plays a move
}

// seasons are those of the chat, the newest first.
func (v *visit) seasons() ([]store.Season, error) {
	return cached(v, "seasons", func() ([]store.Season, error) { return v.tx.Seasons(v.chat.ID) })
}

// totals are the standings of everybody in the chat, in all games of all time.
func (v *visit) totals() ([]store.Standing, error) {
	return cached(v, "totals", func() ([]store.Standing, error) { return v.tx.Standings(store.Wanted{Chat: v.chat.ID}) })
}

// run carries out the event, unless it has been carried out before.
func (v *visit) run() error {
	seen, err := v.tx.Seen(v.ev.ID, v.at)
	if err != nil || seen {
		return err
	}
	if len(v.ev.Joined)+len(v.ev.Left) > 0 {
		return v.comings()
	}
	if v.ev.Renamed {
		return v.renamed()
	}
	if err := v.meet(); err != nil {
		return err
	}
	if v.ev.Press == "" {
		return v.command(v.ev.Command, v.ev.Options, v.ev.Text)
	}
	p, ok := chat.ParsePress(v.ev.Press)
	if !ok {
		return games.Refuse("bot.no-such-button", nil)
	}
	return v.press(p)
}

// meet reads the chat and the person, and remembers what is new about them.
func (v *visit) meet() (err error) {
	if v.chat, err = v.tx.Chat(string(v.ev.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if err := v.knowNews(); err != nil {
		return err
	}
	v.lang = v.bot.languageOf(v.ev, v.chat.Language)
	if v.player, err = v.tx.Player(string(v.ev.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if v.ev.Own && v.chat.Owner != string(v.ev.User) {
		return v.meetAlone()
	}
	return v.meetPlayer()
}

// meetAlone remembers that the chat is a conversation with the person alone.
func (v *visit) meetAlone() error {
	if err := v.meetPlayer(); err != nil {
		return err
	}
	v.chat.Owner = string(v.ev.User)
	return v.tx.SaveChat(v.chat)
}

func (v *visit) meetPlayer() error {
	now := v.player
	now.ID = string(v.ev.User)
	now.Name = v.bot.ownName(v.ev.Name)
	if lang := v.bot.words.Match(v.ev.Locale); lang != "" {
		now.Language = lang
	} else if now.Language != "" && v.ev.Locale == "" {
		v.lang = now.Language
	}
	if now == v.player {
		return nil
	}
	was := v.player.Name
	v.player = now
	if err := v.tx.SavePlayer(now); err != nil || now.Name == was {
		return err
	}
	return v.renameSeats()
}

// renamed has somebody whom the bot has met be called otherwise. Of others it keeps
// nothing.
func (v *visit) renamed() (err error) {
	if v.chat, err = v.tx.Chat(string(v.ev.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if v.player, err = v.tx.Player(string(v.ev.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if v.player.Name == "" && v.player.Language == "" {
		return nil
	}
	return v.meetPlayer()
}

// say puts a line into words for the person.
func (v *visit) say(line games.Line) string {
	return v.bot.words.Say(v.lang, line, words.Context{Name: v.name})
}

func (v *visit) name(s games.Seat) string {
	if int(s) < 0 || int(s) >= len(v.names) {
		return v.bot.words.Say(v.lang, games.Say("bot.somebody", nil), words.Context{})
	}
	return v.names[s]
}

// toast tells the person one short sentence, or nothing when it would be long.
func (v *visit) toast(key string, args games.Args) {
	v.reply.Toast = v.say(games.Say(key, args))
}
