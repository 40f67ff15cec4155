package bot

// Work that a visit registers for after the commit, and questions to the platform outside of the transaction.

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

// After registers do to run after the commit. Registered functions run in order, even after an error of one.
func (v *Visit) After(do func(context.Context, *Core) error) { v.work.after = append(v.work.after, do) }

// AfterAnswer registers add to extend the private answer after the commit. Without a private answer it does not run.
func (v *Visit) AfterAnswer(add func(context.Context, *Core, *chat.Message) error) {
	v.After(func(ctx context.Context, c *Core) error {
		if v.Reply.Private == nil {
			return nil
		}
		return add(ctx, c, v.Reply.Private)
	})
}

// DueBy marks that the chat's loops have work at a time in Unix milliseconds. If another replica runs them and its next
// sweep may be too late, that replica gets a hint.
func (v *Visit) DueBy(at int64) { v.work.wakes = v.work.wakes || at-v.At < sharedSweep.Milliseconds() }

// Wake wakes the loop of w after the commit. If another replica runs the chat's loops, it gets a hint to wake them.
func (v *Visit) Wake(w loop.Waker) {
	v.DueBy(v.At)
	v.After(func(context.Context, *Core) error {
		w.Wake()
		return nil
	})
}

// Later runs read, which must only read, after the commit, so that the answer does not hold the write lock. If news
// must be added to the answer, read runs at once.
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

// Cache holds values that have been read, by key; see Cached.
type Cache map[any]any

// Cached returns the value of key in cache. If there is none, it runs read and stores its value, unless read fails. The
// value must not be changed.
func Cached[T any](cache Cache, key any, read func() (T, error)) (T, error) {
	if stored, known := cache[key]; known {
		return stored.(T), nil
	}
	value, err := read()
	if err == nil {
		cache[key] = value
	}
	return value, err
}

// Cache returns the cache of the visit, for Cached.
func (v *Visit) Cache() Cache { return v.work.read }

// question is the error that ends a transaction which needs a platform's answer. It then runs again with the answer.
type question struct {
	about string
	ask   Ask
}

// Ask requests an answer from the platform. Unlike Visit.Event, ev has the event's Functions, such as Admin.
type Ask func(ctx context.Context, c *Core, ev chat.Event) (any, error)

// Error returns a text with the subject of the question.
func (q *question) Error() string { return "the platform must be asked about " + q.about }

// Ask returns the platform's answer about a subject, such as "admin". If there is none yet, it returns an error that
// must end the transaction: ask then runs outside of it, and the transaction runs again with the answer.
func (v *Visit) Ask(subject string, ask Ask) (any, error) {
	if answer, known := v.work.answers[subject]; known {
		return answer, nil
	}
	return nil, &question{subject, ask}
}

// Condition returns the state of a place's platform before the transaction: connected if the platform does not run.
func (v *Visit) Condition(place chat.Place) chat.Condition {
	if condition, runs := v.work.conditions[chat.PlatformOf(string(place))]; runs {
		return condition
	}
	return chat.Condition{Link: chat.Link{Up: true}}
}

// Room reports whether an optional drawing in the event's place fits the write limits; true where drawing is cheap.
func (v *Visit) Room() bool {
	condition := v.Condition(v.Event.Place)
	return condition.Budget == nil || !v.bot.Traits(v.Event.Place).Sparing || condition.Budget(v.Event.Place).Room()
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

// Draw renders the newest state of a table and calls draw to post it, as an event's answer; fresh: as a new message.
func (c *Core) Draw(ctx context.Context, table int64, fresh bool, draw chat.Drawer) error {
	return c.Outbox.Draw(ctx, table, fresh, draw)
}

// Redraw posts the board of the current or last table of a place (channel or thread) again, as a new message.
func (c *Core) Redraw(ctx context.Context, place chat.Place) error {
	return c.Outbox.Redraw(ctx, place)
}

// DrawPuzzle renders a puzzle and calls draw to post it, as the answer to the event whose Reply named the puzzle.
func (c *Core) DrawPuzzle(ctx context.Context, puzzle int64, draw chat.Drawer) error {
	return c.puzzles.DrawPuzzle(ctx, c, puzzle, draw)
}

// Undrawn removes a table from the boards to be drawn.
func (v *Visit) Undrawn(table int64) {
	v.work.boards = slices.DeleteFunc(v.work.boards, func(j outbox.Job) bool { return j.Table == table })
}

// completeReply finishes the reply, inside the transaction. If the board of the pressed button has changed, it becomes
// the reply's board; the outbox draws all other changed boards. The replica that runs the chat's loops gets a hint.
func (v *Visit) completeReply() {
	w := v.work
	if v.Reply.Board == 0 && slices.ContainsFunc(w.boards, func(j outbox.Job) bool { return j.Table == w.onBoard }) {
		v.Reply.Board = w.onBoard
	}
	if len(v.Event.Missing.Permissions) > 0 && v.Reply.Board != 0 {
		v.addMissingPermissions()
	}
	if v.Event.Carries && v.Reply.Board != 0 {
		w.carried.Table = v.Reply.Board
		if i := slices.IndexFunc(w.boards, func(j outbox.Job) bool { return j.Table == v.Reply.Board }); i >= 0 {
			w.carried = w.boards[i]
			w.boards = slices.Delete(w.boards, i, i+1)
		}
	}
	hint, useful := v.bot.Leases.HintAt(cmp.Or(v.Chat.ID, string(v.Event.Chat)))
	if !useful {
		return
	}
	for _, j := range w.boards {
		hint.Tables = append(hint.Tables, j.Table)
	}
	if hint.Wake = w.wakes; hint.Wake || len(hint.Tables) > 0 {
		v.Tx.Hint(hint.String())
	}
}

// runAfterCommit runs the work that the visit has registered for after the commit, and returns all its errors joined.
func (v *Visit) runAfterCommit(ctx context.Context, c *Core) error {
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
			v.Reply, err = v.refusalReply(r), nil
		}
		errs = append(errs, err)
	}
	if v.work.inMessage {
		addWayBack(v)
	}
	m := cmp.Or(v.Reply.Private, v.Reply.Page) // only people who see the message that Page replaces see Page
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

// refusalReply returns the reply that shows why nothing was changed.
func (v *Visit) refusalReply(r *games.Refusal) chat.Reply {
	return chat.Reply{Toast: chat.Shorten(v.Say(r.Line), maxToast), Refused: true, Slip: r.Key == "bot.tapped-twice"}
}

// Illustrate adds a picture to the private answer: the PNG file called name that draw returns after the commit.
// If draw fails, there is no picture. alt describes it; more is the part of alt that the answer's lines do not say.
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
