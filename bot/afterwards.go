package bot

import (
	"context"
	"fmt"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// What an event does once its transaction is committed, so that nobody's press
// waits for it: answers that only read, pictures, files.

// conclude does what is left once the transaction is committed.
func (v *visit) conclude(ctx context.Context) error {
	err := v.read(ctx)
	v.wake()
	if err != nil {
		return err
	}
	v.keepFaces(ctx)
	v.paint(ctx)
	if err := v.fill(ctx); err != nil {
		return err
	}
	v.consult(ctx)
	v.tidy(ctx)
	return nil
}

// broken is the answer in place of one that could not be finished: what the event
// has changed stands, and its board is drawn.
func (v *visit) broken() chat.Reply {
	return chat.Reply{Toast: v.say(games.Say("bot.sorry-late", nil)), Board: v.reply.Board, Fresh: v.reply.Fresh}
}

// afterwards has read and answered what a command asks that changes nothing: after
// the commit, for that may take long, and nobody's press is to wait for it. An
// answer that something is to be added to and remembered is read at once.
func (v *visit) afterwards(read func() error) error {
	news, err := v.hasNews()
	if err != nil {
		return err
	}
	if news {
		return read()
	}
	v.reads = read
	return nil
}

// read reads what was left for afterwards.
func (v *visit) read(ctx context.Context) error {
	if v.reads == nil {
		return nil
	}
	err := v.bot.store.View(ctx, func(tx *store.Tx) error {
		v.tx = tx
		return safely(v.reads)
	})
	if r, refused := games.Refused(err); refused {
		v.reply = v.refusal(r)
		return nil
	}
	return err
}

// refusal tells the person why nothing comes of what they wanted.
func (v *visit) refusal(r *games.Refusal) chat.Reply {
	return chat.Reply{Toast: chat.Shorten(v.say(r.Line), mostToast), Refused: true}
}

// paint draws the picture of the private answer, outside the transaction. An
// answer that cannot have one stands without: its picture says nothing that
// cannot be asked for in words.
func (v *visit) paint(ctx context.Context) {
	if v.paints == nil || v.reply.Private == nil {
		return
	}
	picture, err := v.paints()
	if err != nil {
		v.bot.log.ErrorContext(ctx, "picture was not drawn", "error", err)
		return
	}
	v.reply.Private.Picture = picture
}

// fill makes the file of the private answer, outside the transaction: it may be
// long.
func (v *visit) fill(ctx context.Context) error {
	if v.fills == nil || v.reply.Private == nil {
		return nil
	}
	file, err := v.fills(ctx)
	if err != nil {
		return fmt.Errorf("file: %w", err)
	}
	v.reply.Private.File = file
	return nil
}
