package bot

// Chats in which the bot is a guest: their ids, places that are one message, and answers without the database.

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// pairedFor is how long a stored pair is not read again.
const pairedFor = time.Hour

// withPair returns ev in the chat that is paired with its alias. If ev names the chat, withPair stores the pair first,
// and what was stored for the alias moves to the chat.
func (c *Core) withPair(ctx context.Context, ev chat.Event) (chat.Event, error) {
	pair := [2]chat.Chat{ev.Alias, ev.Chat}
	if c.paired.Has(pair, c.Clock.Now()) {
		return ev, nil
	}
	var known string
	err := c.Store.View(ctx, func(tx *store.Tx) (err error) {
		known, err = tx.Chats.PairedWith(string(ev.Alias))
		return err
	})
	if ev.Alias == ev.Chat {
		ev.Chat = cmp.Or(chat.Chat(known), ev.Chat)
		return ev, err
	}
	if err == nil && known != string(ev.Chat) {
		err = c.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
			return tx.Upkeep.Pair(string(ev.Alias), string(ev.Chat))
		})
	}
	if err == nil {
		c.paired.Add(pair, c.Clock.Now(), pairedFor)
	}
	return ev, err
}

// InMessage reports whether the place of ev is one message (see chat.Ref), on which a button was pressed.
func InMessage(ev chat.Event) bool { return ev.On != "" && string(ev.On) == string(ev.Place) }

// readMessage reads the table of the message with the button p, which is the place of v. It refuses if another chat has
// that table. If p names a table but the message has none, readMessage offers a new game and reports done.
func readMessage(v *Visit, p chat.Press) (done bool, err error) {
	v.work.inMessage = true
	t, err := TableHere(v)
	switch {
	case errors.Is(err, store.ErrNotFound) && p.Table != 0:
		v.Private(games.Say("bot.guest.over", nil)).Row(
			v.Button(games.Say("bot.guest.new", nil), "/play", games.Primary))
		return true, nil
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case err == nil && t.Chat != v.Chat.ID:
		return false, games.Refuse("bot.guest.other-chat", nil)
	}
	v.work.covers = t
	return false, err
}

// addWayBack completes an answer that covers a message: with a button to show the board again or, before there is a
// table, the help. While a game is played there, the adapter also gets a sentence to show instead.
func addWayBack(v *Visit) {
	m, t := cmp.Or(v.Reply.Page, v.Reply.Private), v.work.covers
	if m == nil {
		return
	}
	label := v.Say(games.Say("bot.button.back", nil))
	returns := slices.ContainsFunc(m.Buttons, func(row []chat.Button) bool { // to the page before
		return slices.ContainsFunc(row, func(b chat.Button) bool { return b.Label == label })
	})
	if t.ID == 0 {
		if !returns && v.work.pressed.What != "/help" {
			m.Row(v.Button(games.Say("bot.button.back", nil), "/help", games.Plain))
		}
		return
	}
	if t.State == store.Playing {
		v.Reply.Short = v.Say(games.Say("bot.guest.too-long", nil))
	}
	if returns {
		label = v.Say(games.Say("bot.help.board", nil))
	}
	back := chat.Press{Table: t.ID, Turn: t.Turn, What: "!refresh"}
	m.Row(chat.Button{Label: label, Press: back.String(), Style: games.Primary})
}

// Brief answers a command or words without the database; see chat.Core.
func (b *Bot) Brief(ev chat.Event) chat.Message {
	v := &Visit{bot: b, Event: ev, At: b.Now(), Lang: b.languageOf(ev, ""), work: &work{read: Cache{}}}
	if len(ev.Missing.Permissions) > 0 {
		line := ev.Missing.Line("bot.missing-there")
		line.Args["Command"] = chat.Repeated(ev.Command, chat.MaxName)
		return *v.Private(line)
	}
	v.Player.Name = chat.OneLine(ev.Name, chat.MaxName)
	err := loop.Safely(func() error { return brief(v) })
	if r, refused := games.Refused(err); refused {
		return *v.Private(r.Line)
	}
	if err != nil {
		b.Log.Error("answer guest failed", "platform", ev.Platform(), "error", err)
		return *v.Private(games.Say("bot.sorry", nil))
	}
	return *v.Reply.Private
}

// brief sets the private answer to the words in the event's text, as Brief returns it.
func brief(v *Visit) error {
	c, text, err := briefCommand(v.bot, v.Event.Text)
	if err != nil {
		return err
	}
	if c.AnyGame || c.Name == "" { // no game is named
		m := v.Private(games.Say("bot.play.head", nil))
		var row []chat.Button
		for _, o := range v.bot.OpeningsOf(v.bot.Games, v.Lang) {
			row = append(row, v.Button(o.Label, "/"+o.Command, games.Primary))
		}
		m.Rows(chat.ChoiceRow, row...)
		return nil
	}
	_, given, err := v.bot.Read(c, chat.Event{Text: text, Locale: v.Lang, Mentions: v.Event.Mentions})
	if err != nil {
		return err
	}
	label := "bot.guest.show"
	switch {
	case c.Brief != nil:
		if err := c.Brief(v, given); err != nil || c.Game == nil {
			return err
		}
		label = "bot.button.join"
	default:
		v.Private(games.Say("bot.guest.press", nil))
	}
	press := v.Button(games.Say(label, nil), strings.TrimSpace("/"+c.Name+" "+escaped(text)), games.Primary)
	if _, fits := chat.ParsePress(press.Press); !fits {
		return games.Refuse("bot.guest.long", nil)
	}
	v.Reply.Private.Row(press)
	return nil
}

// briefCommand returns the command that text begins with and the rest of text. A name may stand without a slash, and
// that of a game may have several words. If other words begin the text, c.Name is "".
func briefCommand(b *Bot, text string) (c Command, rest string, err error) {
	name, rest := firstWord(strings.TrimPrefix(text, "/"))
	if c, err = b.Find(strings.ToLower(name)); err == nil && c.AnyGame {
		c, _, rest, err = b.findGame(c, nil, rest)
		return c, rest, err
	}
	if err == nil && !c.Hidden {
		return c, rest, nil
	}
	called, others := b.splitGame(wordsOf(text))
	if command, ok := b.gameCalled(called); ok {
		c, err = b.Find(command)
		return c, strings.Join(others, " "), err
	}
	near := games.Nearest(strings.ToLower(name), valuesOf(b.GameChoices()))
	if err != nil && (near != "" || strings.HasPrefix(text, "/")) {
		return c, "", err
	}
	return Command{}, "", nil
}
