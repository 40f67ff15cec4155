package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// Moving tables. A table stays in its place, a chat or thread. If the place is deleted or closed to the bot, a person
// of the table can move the table to another place of the same chat.

// maxSought is the largest number of a person's tables whose boards the bot asks the platform to find.
const maxSought = 8

// lookWithin is how long, at most, the bot waits for the platform to find a board: a person waits for the answer.
const lookWithin = 4 * time.Second

// tableCommand posts the board of the table in this chat or thread again. If no table is running there, it lists the
// person's tables whose chat or thread was lost.
func (v *Visit) tableCommand(bot.Args) error {
	t, goesOn, err := v.GoesOn()
	if err != nil {
		return err
	}
	if goesOn {
		return v.repostBoard(t)
	}
	elsewhere, err := v.runningTables()
	if err != nil {
		return err
	}
	lost := slices.DeleteFunc(slices.Clone(elsewhere), func(t store.Table) bool { return !t.Board.Away })
	if len(lost) > 0 {
		return v.offerLost(lost)
	}
	t, err = v.Here()
	if _, none := games.Refused(err); none && len(elsewhere) > 0 {
		v.Toast("bot.lost.elsewhere", games.Args{"Table": elsewhere[0].ID})
		v.Reply.Refused, v.Reply.At = true, chat.Place(elsewhere[0].Place)
		return nil
	}
	if err != nil {
		return err
	}
	return v.repostBoard(t)
}

// runningTables returns the person's running tables in the chat, at most maxSought. It first asks the platform whether
// their boards still exist, so that tables in a lost chat or thread are marked as away.
func (v *Visit) runningTables() ([]store.Table, error) {
	active, err := v.Active(v.Chat.ID)
	if err != nil {
		return nil, err
	}
	var mine []store.Table
	var sought []int64
	for _, t := range active {
		if v.belongsTo(t) && len(mine) < maxSought {
			mine = append(mine, t)
			if !t.Board.Away {
				sought = append(sought, t.ID)
			}
		}
	}
	if len(sought) > 0 {
		_, err = v.Ask("boards", func(ctx context.Context, c *bot.Core, _ chat.Event) (any, error) {
			ctx, cancel := context.WithTimeout(ctx, lookWithin)
			defer cancel()
			var looking sync.WaitGroup
			for _, id := range sought { // redraws the board unchanged; a timeout counts as reachable
				looking.Go(func() {
					chat.LogFailure(ctx, c.Log.Info, "board not found", c.Outbox.Look(ctx, id), "table", id)
				})
			}
			looking.Wait()
			return nil, nil
		})
	}
	return mine, err
}

// belongsTo reports whether the person opened the table or has a seat there.
func (v *Visit) belongsTo(t store.Table) bool {
	return t.Opener == string(v.Event.User) || board.SeatOf(t, v.Event.User) >= 0
}

// offerLost answers with a list of tables whose chat or thread was lost. Each has a button that moves the table here.
func (v *Visit) offerLost(lost []store.Table) error {
	m := v.Private(games.Say("bot.lost.head", games.Args{"N": len(lost)}))
	for _, t := range lost {
		g, err := v.bot.Game(t.Game)
		if err != nil {
			return err
		}
		people := board.NamesOf(v.bot.NamesAt(t, v.Lang),
			board.SeatsWhere(t, func(_ int, s store.Seat) bool { return s.Player != "" }))
		m.Lines = append(m.Lines, v.Say(games.Say("bot.lost.table", games.Args{
			"Table": t.ID, "Game": v.bot.TableLabel(g, t.Rules), "People": strings.Join(people, " · "),
		})))
		m.Buttons = append(m.Buttons, []chat.Button{
			v.Button(games.Say("bot.button.bring", games.Args{"Table": t.ID}), fmt.Sprint("/bring ", t.ID),
				games.Primary),
		})
	}
	return nil
}

// bringCommand moves the table that w names, whose chat or thread was lost, to the chat or thread of the event.
func (v *Visit) bringCommand(w bot.Args) error {
	id, _ := w.Amount("table")
	t, err := v.Tx.Tables.Table(id)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && t.Chat != v.Chat.ID:
		return games.Refuse("bot.no-table", nil)
	case err != nil:
		return err
	case t.State != store.Lobby && t.State != store.Playing:
		return Gone(t)
	case !v.belongsTo(t):
		return games.Refuse("bot.lost.whose", nil)
	case t.Place == string(v.Event.Place):
		return v.repostBoard(t)
	case !t.Board.Away:
		return games.Refuse("bot.lost.found", nil)
	}
	if _, blocked, err := v.closeReplaceable(); err != nil {
		return err
	} else if blocked {
		return games.Refuse("bot.table-here", nil)
	}
	behind := chat.Ref(t.Board.Message) // deleted below, if it is still reachable

	if !v.Event.Perishable { // a guest cannot delete messages
		v.After(func(ctx context.Context, c *bot.Core) error {
			ctx, cancel := context.WithTimeout(ctx, lookWithin)
			defer cancel()
			c.Outbox.Retire(ctx, v.Event.Place, behind)
			return nil
		})
	}
	if err := v.Tx.Tables.MoveTable(id, string(v.Event.Place)); err != nil {
		return err
	}
	if t, err = v.Tx.Tables.Table(id); err != nil {
		return err
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	v.Toast("bot.lost.brought", nil)
	if err := v.setReached(&t); err != nil {
		return err
	}
	return v.repostBoard(t)
}

// markReached redraws the board in the event's chat or thread if that counted as unreachable: the event shows that it
// can be reached again. In a lobby it also stores that the person is active.
func (v *Visit) markReached() error {
	t, err := bot.TableHere(v.Visit)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil && t.State == store.Lobby {
		err = v.noteActivity(&t)
	}
	if err != nil || !t.Board.Away {
		return err
	}
	if err := v.setReached(&t); err != nil {
		return err
	}
	v.Draw(t, false)
	return v.Tx.Tables.SaveTable(t)
}

// openThread opens the table t in a new thread. All checks must be done before: a new thread cannot be rolled back.
func (v *Visit) openThread(t store.Table) error {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	name := v.Say(v.bot.TableLabel(g, t.Rules)) + " · " + v.Player.Name
	thread, err := v.Ask("thread", func(ctx context.Context, _ *bot.Core, ev chat.Event) (any, error) {
		return v.bot.threadOf(ctx, ev, v.At, name)
	})
	if err != nil {
		return err
	}
	v.Reply.At = thread.(chat.Place)
	t.Place = string(v.Reply.At)
	if t, err = v.addTable(t); err != nil {
		return err
	}
	v.Draw(t, true)
	v.Toast("bot.thread.opened", nil)
	return nil
}

// threadOf opens a thread named name for an event, or returns the thread that an earlier attempt at the event has
// opened. It first stores that it opens one: if the bot then crashes, the repeated event is refused, so that it opens
// no second thread. Missing permissions become a refusal. now is in Unix milliseconds.
func (b *Tables) threadOf(ctx context.Context, ev chat.Event, now int64, name string) (chat.Place, error) {
	if ev.Thread == nil {
		if ev.NoThread.Key != "" {
			return "", &games.Refusal{Line: ev.NoThread}
		}
		return "", games.Refuse("bot.thread.nowhere", nil)
	}
	if place := b.threads.Of(ev.ID); place != "" {
		return place, nil
	}
	if ev.ID != "" {
		var asked bool
		err := b.Store.Update(ctx, func(tx *store.Tx) (err error) {
			asked, err = tx.Chats.Seen(ev.ID+":thread", now)
			return err
		})
		if err != nil {
			return "", err
		}
		if asked {
			return "", games.Refuse("bot.thread.again", nil)
		}
	}
	var place chat.Place
	err := loop.Safely(func() (err error) {
		place, err = ev.Thread(ctx, name)
		return err
	})
	if missing, isMissing := errors.AsType[chat.MissingPermissions](err); isMissing {
		return "", &games.Refusal{Line: missing.Line("bot.thread.missing")}
	}
	if err == nil && ev.ID != "" {
		b.threads.Keep(ev.ID, place)
	}
	return place, err
}

// refresh has the board drawn as the answer to the press, which changes nothing else. Where the place is one message,
// it shows the newest table there.
func refresh(v *Visit, t *store.Table, _ string) error {
	if bot.InMessage(v.Event) {
		here, err := v.Here()
		if err != nil {
			return err
		}
		return v.repostBoard(here)
	}
	v.Reply.Board = t.ID
	return nil
}

// closeUnseen tells the person that others do not see the board that they have just posted, because the person may not
// write in that place. If the board was the table's first, it closes the table, which no other person can join.
func closeUnseen(v *Visit, t *store.Table, _ string) error {
	if t.Opener == string(v.Event.User) && t.Board.Message == "" {
		if _, err := v.closeTable(t, board.PageGivenUp); err != nil {
			return err
		}
	}
	v.Toast("bot.guest.unseen", nil)
	return nil
}
