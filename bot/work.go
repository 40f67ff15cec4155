package bot

// Work that a visit registers for after the commit, and questions to the platform, which are asked
// outside of the transaction.

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/outbox"
	"knobel/games"
	"knobel/store"
)

// Pressed returns the data of the pressed button, or the zero press for a command.
func (v *Visit) Pressed() chat.Press { return v.work.pressed }

// After registers a function to run once the transaction is committed. The functions run in order;
// an error of one does not stop the others.
func (v *Visit) After(do func(context.Context, *Core) error) { v.work.after = append(v.work.after, do) }

// AfterAnswer registers a function that adds to the private answer after the commit. Without a private answer it is not
// run.
func (v *Visit) AfterAnswer(add func(context.Context, *Core, *chat.Message) error) {
	v.After(func(ctx context.Context, c *Core) error {
		if v.Reply.Private == nil {
			return nil
		}
		return add(ctx, c, v.Reply.Private)
	})
}

// DueBy notes that the chat's loops have work at a time in Unix milliseconds. If another replica runs them and its next
// sweep may be too late, it gets a hint.
func (v *Visit) DueBy(at int64) { v.work.wakes = v.work.wakes || at-v.At < sharedSweep.Milliseconds() }

// Wake wakes a loop after the commit, and with a hint the loops of the replica that runs them for the chat.
func (v *Visit) Wake(w loop.Waker) {
	v.DueBy(v.At)
	v.After(func(context.Context, *Core) error {
		w.Wake()
		return nil
	})
}

// Later runs read, which only reads, after the commit, so that the answer does not hold the write
// lock. If news are to be added to the answer, read runs at once.
func (v *Visit) Later(read func() error) error {
	news, err := v.hasNews()
	if err != nil {
		return err
	}
	if news {
		return read()
	}
	v.work.later = read
	return nil
}

// Cache holds values that have been read, by key.
type Cache map[any]any

// Cached returns the value of read, which runs once for each key unless it fails. The value must not be changed.
func Cached[T any](known Cache, key any, read func() (T, error)) (T, error) {
	if had, done := known[key]; done {
		return had.(T), nil
	}
	value, err := read()
	if err == nil {
		known[key] = value
	}
	return value, err
}

// Cache returns the cache of the visit, for Cached.
func (v *Visit) Cache() Cache { return v.work.read }

// question is the error of a transaction that needs an answer of the platform. The platform is asked outside of it, and
// then the event's transaction runs again.
type question struct {
	about string
	ask   Ask
}

// Ask asks the platform of an event; ev has its functions, such as Admin.
type Ask func(ctx context.Context, c *Core, ev chat.Event) (any, error)

// Error returns a text with the subject of the question.
func (q *question) Error() string { return "the platform must be asked about " + q.about }

// Ask returns the platform's answer about a subject. If there is none yet, it returns an error that must end the
// transaction: ask runs outside of it, and the transaction runs again with the answer.
func (v *Visit) Ask(about string, ask Ask) (any, error) {
	if answer, known := v.work.answers[about]; known {
		return answer, nil
	}
	return nil, &question{about, ask}
}

// Condition returns the state of a place's platform before the transaction. A platform that does not run counts as
// connected.
func (v *Visit) Condition(place chat.Place) chat.Condition {
	if was, runs := v.work.was[chat.PlatformOf(string(place))]; runs {
		return was
	}
	return chat.Condition{Link: chat.Link{Up: true}}
}

// Room reports whether the budget of the event's place allows an optional drawing. It is always true where drawing is
// cheap.
func (v *Visit) Room() bool {
	is := v.Condition(v.Event.Place)
	return is.Budget == nil || !v.bot.Traits(v.Event.Place).Sparing || is.Budget(v.Event.Place).Room()
}

// Draw registers the board of a table to be drawn after the commit; fresh: as a new message.
func (v *Visit) Draw(t store.Table, fresh bool) {
	job := outbox.JobOf(t, fresh)
	for i, j := range v.work.boards {
		if j.Table == t.ID {
			v.work.boards[i] = j.Join(job)
			return
		}
	}
	v.work.boards = append(v.work.boards, job)
}

// Undrawn removes a table from the boards to be drawn.
func (v *Visit) Undrawn(table int64) {
	v.work.boards = slices.DeleteFunc(v.work.boards, func(j outbox.Job) bool { return j.Table == table })
}

// complete finishes the reply, within the transaction. If the board of the pressed button has changed, it is the
// reply's board. The outbox draws all other changed boards, and the replica that runs the chat's loops gets a hint.
func (v *Visit) complete() {
	w := v.work
	if v.Reply.Board == 0 && slices.ContainsFunc(w.boards, func(j outbox.Job) bool { return j.Table == w.onBoard }) {
		v.Reply.Board = w.onBoard
	}
	if len(v.Event.Missing.Permissions) > 0 && v.Reply.Board != 0 {
		v.lacks()
	}
	if v.Event.Carries && v.Reply.Board != 0 {
		w.carried.Table = v.Reply.Board
		if i := slices.IndexFunc(w.boards, func(j outbox.Job) bool { return j.Table == v.Reply.Board }); i >= 0 {
			w.carried = w.boards[i]
			w.boards = slices.Delete(w.boards, i, i+1)
		}
	}
	hint, wanted := v.bot.Leases.HintAt(cmp.Or(v.Chat.ID, string(v.Event.Chat)))
	if !wanted {
		return
	}
	for _, j := range w.boards {
		hint.Tables = append(hint.Tables, j.Table)
	}
	if hint.Wake = w.wakes; hint.Wake || len(hint.Tables) > 0 {
		v.Tx.Hint(hint.String())
	}
}

// conclude runs the work that the visit has registered for after the commit, and returns all its errors.
func (v *Visit) conclude(ctx context.Context, c *Core) error {
	if v.work.carried.Table != 0 {
		c.Outbox.Carry(v.work.carried)
	}
	for _, j := range v.work.boards {
		c.Outbox.Enqueue(j)
	}
	var errs []error
	if v.work.later != nil {
		err := c.Store.View(ctx, func(tx *store.Tx) error {
			v.Tx = tx
			return loop.Safely(v.work.later)
		})
		if r, refused := games.Refused(err); refused {
			v.Reply, err = v.refusal(r), nil
		}
		errs = append(errs, err)
	}
	m := cmp.Or(v.Reply.Private, v.Reply.Page) // a page that replaces another is as private as that
	switch shows := v.work.shows; {
	case m == nil:
	case v.work.showing:
		m.Buttons = nil
	case shows != "" && v.Event.Whispers && !v.Reply.Public && !v.Reply.Secret:
		press := chat.Press{What: "/show " + strings.TrimSpace(shows)}.String()
		if _, fits := chat.ParsePress(press); fits {
			m.Row(chat.Button{Label: v.Say(games.Say("bot.button.show-all", nil)), Press: press, Style: games.Plain})
		}
	}
	for i := 0; i < len(v.work.after); i++ { // reading may have registered more
		do := v.work.after[i]
		errs = append(errs, loop.Safely(func() error { return do(ctx, c) }))
	}
	return errors.Join(errs...)
}

// refusal returns the reply with the reason why nothing was changed.
func (v *Visit) refusal(r *games.Refusal) chat.Reply {
	return chat.Reply{Toast: chat.Shorten(v.Say(r.Line), maxToast), Refused: true, Slip: r.Key == "bot.tapped-twice"}
}

// Illustrate adds a picture to the private answer, drawn after the commit. If draw fails, the answer has none: its
// lines hold all that the picture shows. more is the part of alt that the lines do not contain.
func (v *Visit) Illustrate(name, alt, more string, draw func() ([]byte, error)) {
	v.AfterAnswer(func(ctx context.Context, _ *Core, m *chat.Message) error {
		png, err := draw()
		if err != nil {
			v.bot.Log.ErrorContext(ctx, "draw picture failed", "error", err)
			return nil
		}
		m.Picture = &chat.Picture{Name: name, PNG: png, Alt: chat.Shorten(alt, maxAlt),
			More: chat.Shorten(more, maxAlt)}
		return nil
	})
}

// maxAlt is the largest number of characters of a picture's description.
const maxAlt = 1024
