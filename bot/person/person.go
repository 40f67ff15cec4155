// Package person is what is stored of persons, and how they are forgotten.
package person

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/table"
	"knobel/games"
)

// People are what is stored of persons, and how they are forgotten.
type People struct {
	*table.Tables
	forgetting loop.Waker // the file may still hold data of forgotten people
}

// New returns what a bot stores of persons.
func New(b *table.Tables) *People { return &People{b, loop.NewWaker()} }

// Feature returns what they add to the bot.
func (b *People) Feature() bot.Feature {
	return bot.Feature{
		Loops: []bot.Loop{{Wake: b.forgetting, Waits: "what was forgotten cannot be erased", Look: b.forgets()}},
		Commands: []bot.Command{
			{Name: "privacy", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.privacyCommand)},
			{Name: "mydata", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.mydataCommand)},
			{Name: "forget", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.forgetCommand),
				How: "bot.forget.how",
				Subs: []bot.Command{
					{Name: "no", Run: bot.As(b.Visit, b.keepMe)},
					{Name: "yes", Needs: 1, Options: []bot.Option{{Name: "word", Type: chat.TypeWord}},
						Run: bot.As(b.Visit, b.forget)},
				}},
		},
	}
}

// keepMe leaves everything as it is.
func (b *People) keepMe(v *table.Visit, _ bot.Args) error {
	v.Private(games.Say("bot.forget.kept", nil))
	return nil
}

// ownWord is a word that marks a button as one person's: in some places all people can press it.
func ownWord(user chat.User) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(user))
	return fmt.Sprintf("%08x", h.Sum32())
}

// forgetCommand explains what being forgotten means, and asks.
func (b *People) forgetCommand(v *table.Visit, _ bot.Args) error {
	m := v.Private(games.Say("bot.forget.head", nil), games.Say("bot.forget.name", nil),
		games.Say("bot.forget.sums", nil),
		games.Say("bot.forget.seats", nil), games.Say("bot.forget.chat", nil), games.Say("bot.forget.back", nil))
	m.Buttons = [][]chat.Button{{
		v.Button(games.Say("bot.forget.no", nil), "/forget no", games.Primary),
		v.Button(games.Say("bot.forget.yes", nil), "/forget yes "+ownWord(v.Event.User), games.Danger),
	}}
	return nil
}

// forget replaces the person whose own word the button carries everywhere, in this transaction: afterwards nothing in
// it may meet them again. Where they sat, the house plays for what is left. The tables of their own chats end, with
// their stakes given back, and their boards are not drawn again, because these chats are about to be unknown.
func (b *People) forget(v *table.Visit, w bot.Args) error {
	if w.Text("word") != ownWord(v.Event.User) {
		return games.Refuse("bot.forget.not-yours", nil)
	}
	user := string(v.Event.User)
	if err := v.Tx.Upkeep.KeepPlayer(user); err != nil {
		return err
	}
	own, err := v.Tx.Upkeep.Own(user)
	if err != nil {
		return err
	}
	for _, chat := range own {
		tables, err := v.Active(chat)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if err := v.Abandon(&t); err != nil {
				return err
			}
			v.Undrawn(t.ID)
		}
	}
	if err := v.Withdraw(user, ""); err != nil {
		return err
	}
	v.Forgets()
	left, err := v.Tx.Upkeep.Forget(user)
	if err != nil {
		return err
	}
	shown, err := v.Tx.Upkeep.TablesShowing(left)
	if err != nil {
		return err
	}
	for _, id := range shown {
		if err := v.LeaveTable(id, left); err != nil {
			return fmt.Errorf("table %d: %w", id, err)
		}
	}
	name, err := v.Tx.Chats.Player(left)
	if err != nil {
		return err
	}
	v.Reply.Toast = ""
	v.Private(games.Say("bot.forget.done", games.Args{"Name": b.ShownName(name.Name, v.Lang)}))
	v.Wake(b.forgetting)
	return nil
}

// The file rests after it was cleaned of forgotten people: restsAfter times as long as the cleaning took, because
// presses wait meanwhile, for seconds if the file is large, and one person must not make all others wait again and
// again. After a failure, as while a backup reads, it rests retryAfter times as long.
const (
	restsAfter = 200
	retryAfter = 20
)

// forgets takes out of the file what people had forgotten.
func (b *People) forgets() bot.Look {
	var rests time.Time // until then
	return func(ctx context.Context, _ *bot.Core) (time.Duration, error) {
		began := b.Clock.Now()
		if rest := rests.Sub(began); rest > 0 {
			return rest, nil
		}
		swept, err := b.Store.Sweep(ctx)
		switch now := b.Clock.Now(); {
		case swept:
			rests = now.Add(restsAfter * now.Sub(began))
		case err != nil:
			rests = now.Add(retryAfter * now.Sub(began))
		}
		return 0, err
	}
}
