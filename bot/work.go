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

// Pressed returns what the pressed button carried, the zero press for a command.
func (v *Visit) Pressed() chat.Press { return v.work.pressed }

// After registers a function to run once the transaction is committed. The functions run in order;
// an error of one does not stop the others.
func (v *Visit) After(do func(context.Context, *Core) error) { v.work.after = append(v.work.after, do) }

// AfterAnswer is After for what is added to the private answer, if there is one.
func (v *Visit) AfterAnswer(add func(context.Context, *Core, *chat.Message) error) {
	v.After(func(ctx context.Context, c *Core) error {
		if v.Reply.Private == nil {
			return nil
		}
		return add(ctx, c, v.Reply.Private)
	})
}

// DueBy notes that loops of the chat have something to do by a moment, in Unix milliseconds: where another replica runs
// them, it is told, unless it looks by itself before.
func (v *Visit) DueBy(at int64) { v.work.wakes = v.work.wakes || at-v.At < sharedSweep.Milliseconds() }

// Wake wakes a loop once the transaction is committed, wherever it runs.
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

// Cache holds what has been read, by key.
type Cache map[any]any

// Cached returns the value of read, which runs once for each key. The value must not be changed.
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

// Cache returns what the visit has read by Cached.
func (v *Visit) Cache() Cache { return v.work.read }

// question is the error by which a transaction ends that needs an answer of the platform: it is
// asked outside, and the event's transaction runs again.
type question struct {
	about string
	ask   Ask
}

// Ask asks the platform of an event, which is as the platform gave it.
type Ask func(ctx context.Context, c *Core, ev chat.Event) (any, error)

// Error names what the question is about.
func (q *question) Error() string { return "the platform must be asked about " + q.about }

// Ask returns what the platform answers about something. If it was not asked yet, the error ends
// the transaction, ask runs outside of it, and the transaction runs again.
func (v *Visit) Ask(about string, ask Ask) (any, error) {
	if answer, known := v.work.answers[about]; known {
		return answer, nil
	}
	return nil, &question{about, ask}
}

// Condition returns how the platform of a place was before the transaction began. One that does not run counts as
// connected.
func (v *Visit) Condition(place chat.Place) chat.Condition {
	if was, runs := v.work.was[chat.PlatformOf(string(place))]; runs {
		return was
	}
	return chat.Condition{Link: chat.Link{Up: true}}
}

// Room reports whether the place of the event has room for a drawing that could as well be left out: always where
// drawing is cheap.
func (v *Visit) Room() bool {
	is := v.Condition(v.Event.Place)
	return is.Budget == nil || !v.bot.Traits(v.Event.Place).Sparing || is.Budget(v.Event.Place).Room()
}

// Draw has the board of a table drawn after the commit.
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

// Undrawn takes back that the board of a table is to be drawn.
func (v *Visit) Undrawn(table int64) {
	v.work.boards = slices.DeleteFunc(v.work.boards, func(j outbox.Job) bool { return j.Table == table })
}

// complete completes the reply, within the transaction. The board whose button was pressed, if it has changed, is the
// reply's; all other changed boards go to the outbox, and the replica that runs the loops of the chat is told of them.
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

// conclude runs what was registered for after the commit.
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
	m := cmp.Or(v.Reply.Private, v.Reply.Page) // the page that turns is as private as it was
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

// refusal returns the reply that tells the person why nothing was changed.
func (v *Visit) refusal(r *games.Refusal) chat.Reply {
	return chat.Reply{Toast: chat.Shorten(v.Say(r.Line), maxToast), Refused: true, Slip: r.Key == "bot.tapped-twice"}
}

// Illustrate has a picture drawn after the commit, for the private answer. If it cannot be drawn, the answer goes
// without: nothing stands in a picture alone. more is what alt says and the answer's lines do not.
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
