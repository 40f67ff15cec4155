package bot

// What a visit leaves to be done once its transaction is committed, and what it has to
// know of a platform, which is asked outside of it.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/outbox"
	"knobel/games"
	"knobel/store"
)

// Pressed returns what the pressed button carried, the zero press for a command.
func (v *Visit) Pressed() chat.Press { return v.work.pressed }

// After has something done once the transaction is committed, in the order in which it
// was registered. An error of one keeps no other from being done.
func (v *Visit) After(do func(context.Context) error) { v.work.after = append(v.work.after, do) }

// Wake wakes a loop once the transaction is committed.
func (v *Visit) Wake(w loop.Waker) {
	v.After(func(context.Context) error {
		w.Wake()
		return nil
	})
}

// Later has an answer read that changes nothing: after the commit, so that it does not
// hold the write lock. One that something is to be added to and stored is read at once.
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

// Cached reads something that a visit may ask for several times, once. Nobody changes
// what it returns.
func Cached[T any](v *Visit, key any, read func() (T, error)) (T, error) {
	if had, done := v.work.read[key]; done {
		return had.(T), nil
	}
	value, err := read()
	if err == nil {
		v.knows(key, value)
	}
	return value, err
}

// knows keeps what was read, or has just been stored, for cached.
func (v *Visit) knows(key, value any) {
	if v.work.read == nil {
		v.work.read = map[any]any{}
	}
	v.work.read[key] = value
}

// question is what a transaction ends with that has to know more of the platform: it
// is asked outside, and the event starts over.
type question struct {
	about string
	ask   func(context.Context) (any, error)
}

// Error says what is asked about.
func (q *question) Error() string { return "the platform must be asked about " + q.about }

// put asks, and keeps the answer.
func (q *question) put(ctx context.Context, known answers) error {
	return loop.Safely(func() error {
		answer, err := q.ask(ctx)
		if err == nil {
			known[q.about] = answer
		}
		return err
	})
}

// Ask returns what a platform says about something. Where it was not asked yet, the
// error ends the transaction, ask is called outside of it, and the event starts over.
func (v *Visit) Ask(about string, ask func(context.Context) (any, error)) (any, error) {
	if answer, known := v.work.answers[about]; known {
		return answer, nil
	}
	return nil, &question{about, ask}
}

// Draw has a board drawn after the commit.
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

// Undrawn has the board of a table not drawn after all.
func (v *Visit) Undrawn(table int64) {
	v.work.boards = slices.DeleteFunc(v.work.boards, func(j outbox.Job) bool { return j.Table == table })
}

// complete completes the reply. The board whose own button was pressed is the
// reply's; other boards that have changed are drawn by the outbox. A board that the
// adapter draws is claimed for it, before the commit shows it to the outbox.
func (v *Visit) complete() {
	w := v.work
	if v.Reply.Board == 0 && slices.ContainsFunc(w.boards, func(j outbox.Job) bool { return j.Table == w.onBoard }) {
		v.Reply.Board = w.onBoard
	}
	v.lacks()
	if !v.Event.Carries || v.Reply.Board == 0 {
		return
	}
	w.claimed = v.Reply.Board
	v.bot.Outbox.Claim(w.claimed)
	v.Undrawn(w.claimed)
}

// conclude does what is left once the transaction is committed.
func (v *Visit) conclude(ctx context.Context) error {
	for _, j := range v.work.boards {
		v.bot.Outbox.Enqueue(j)
	}
	errs := []error{v.readLater(ctx)}
	for i := 0; i < len(v.work.after); i++ { // reading may have registered more
		do := v.work.after[i]
		errs = append(errs, loop.Safely(func() error { return do(ctx) }))
	}
	return errors.Join(errs...)
}

// readLater reads the answer that was left for after the commit.
func (v *Visit) readLater(ctx context.Context) error {
	if v.work.later == nil {
		return nil
	}
	err := v.bot.Store.View(ctx, func(tx *store.Tx) error {
		v.Tx = tx
		return loop.Safely(v.work.later)
	})
	if r, refused := games.Refused(err); refused {
		v.Reply = v.refusal(r)
		return nil
	}
	return err
}

// broken is the answer in place of one that could not be finished: what the event
// has changed stands, and its board is drawn.
func (v *Visit) broken() chat.Reply {
	return chat.Reply{Toast: v.Say(games.Say("bot.sorry-late", nil)), Board: v.Reply.Board, Fresh: v.Reply.Fresh}
}

// refusal tells the person why nothing comes of what they wanted.
func (v *Visit) refusal(r *games.Refusal) chat.Reply {
	return chat.Reply{Toast: chat.Shorten(v.Say(r.Line), maxToast), Refused: true}
}

// Illustrate has a picture of the private answer drawn after the commit. An answer that
// cannot have one stands without: its picture says nothing that cannot be asked for in
// words.
func (v *Visit) Illustrate(name, alt string, draw func() ([]byte, error)) {
	v.After(func(ctx context.Context) error {
		if v.Reply.Private == nil {
			return nil
		}
		png, err := draw()
		if err != nil {
			v.bot.Log.ErrorContext(ctx, "picture was not drawn", "error", err)
			return nil
		}
		v.Reply.Private.Picture = &chat.Picture{Name: name, PNG: png, Alt: chat.Shorten(alt, maxAlt)}
		return nil
	})
}

// Attach has the file of the private answer made after the commit: it may be long.
func (v *Visit) Attach(file func(context.Context) (*chat.File, error)) {
	v.After(func(ctx context.Context) error {
		if v.Reply.Private == nil {
			return nil
		}
		f, err := file(ctx)
		if err != nil {
			return fmt.Errorf("file: %w", err)
		}
		v.Reply.Private.File = f
		return nil
	})
}

// maxAlt is the largest number of characters of a picture's words.
const maxAlt = 1024
