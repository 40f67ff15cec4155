package bot

// Answers that concern one person alone, in chats where all read them: which they are, and how a
// platform has them taken away. What is to go stands in the store; fadeloop.go takes it away.

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The values of the setting "answers", as they are stored and written. Quiet is the default.
const (
	answersQuiet = "quiet"
	answersOpen  = "open"
)

// answersSetting is whether answers for one person fade.
func answersSetting() Setting {
	return Setting{
		Name: "answers", Label: "bot.settings.answers", About: "bot.settings.answers-about",
		How: "bot.settings.answers-how", Elsewhere: "bot.settings.answers-elsewhere", Fades: true, Named: true,
		Reads: readAnswers, Says: sayAnswers, Offers: []string{answersQuiet, answersOpen},
	}
}

func readAnswers(b *Bot, said string) (string, bool) {
	switch {
	case strings.EqualFold(said, answersQuiet) || b.Means("bot.settings.answers-quiet", said):
		return "", true
	case strings.EqualFold(said, answersOpen) || b.Means("bot.settings.answers-open", said):
		return answersOpen, true
	}
	return "", false
}

func sayAnswers(_ *Bot, value string) games.Line {
	if value == answersOpen {
		return games.Say("bot.settings.answers-open", nil)
	}
	return games.Say("bot.settings.answers-quiet", nil)
}

// knowFading reads whether an answer for the person alone is to fade, where there may be one.
func (v *Visit) knowFading() error {
	if !v.Event.Fades || v.Chat.ID == "" {
		return nil
	}
	_, _, asks := v.work.pressed.Command()
	if v.Event.Press != "" && !asks && v.Reply.Private == nil && v.work.later == nil {
		return nil // it is answered by a toast
	}
	set, err := v.Settings(v.Chat.ID)
	v.work.fades = set["answers"] != answersOpen
	return err
}

// fading returns a reply that reports whether it fades.
func (v *Visit) fading(r chat.Reply) chat.Reply {
	r.Fades = v.work.fades && !r.Public && (r.Private == nil && r.Page == nil || !v.work.lasts)
	return r
}

// Fade has an answer taken away after a time.
func (c *Core) Fade(ctx context.Context, group chat.Chat, f chat.Fading, after time.Duration) error {
	due := c.Now() + after.Milliseconds()
	err := c.Store.Update(ctx, func(tx *store.Tx) error {
		return tx.SaveFading(&store.Fading{Chat: string(group), Message: string(f.Answer), Above: string(f.Above),
			Command: string(f.Command), Due: due})
	})
	c.fades.await(due)
	return err
}

// Refade has a fading answer go after another time.
func (c *Core) Refade(ctx context.Context, was chat.Ref, f chat.Fading, after time.Duration) error {
	due := c.Now() + after.Milliseconds()
	err := c.change(ctx, (*store.Tx).FadingAnswer, was, func(tx *store.Tx, found store.Fading) error {
		found.Message, found.Above = string(f.Answer), cmp.Or(string(f.Above), found.Above)
		found.Due, found.Tries = due, 0
		return tx.SaveFading(&found)
	})
	c.fades.await(due)
	return err
}

// Stay has an answer stay for good that was to fade, with its command.
func (c *Core) Stay(ctx context.Context, message chat.Ref) error {
	drop := func(tx *store.Tx, found store.Fading) error { return tx.DropFading(found.ID) }
	return errors.Join(c.change(ctx, (*store.Tx).FadingAnswer, message, drop),
		c.change(ctx, (*store.Tx).FadingAsked, message, drop))
}

// change changes a fading answer, if there is one: most messages are none, and cost no write.
func (c *Core) change(ctx context.Context, find func(*store.Tx, string) (store.Fading, error), message chat.Ref,
	do func(*store.Tx, store.Fading) error) error {
	if message == "" {
		return nil
	}
	err := c.Store.View(ctx, func(tx *store.Tx) error {
		_, err := find(tx, string(message))
		return err
	})
	if err == nil {
		err = c.Store.Update(ctx, func(tx *store.Tx) error {
			found, err := find(tx, string(message))
			if err != nil {
				return err
			}
			return do(tx, found)
		})
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
