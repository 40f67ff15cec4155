package bot

// Features of the bot.

import (
	"context"
	"time"

	"knobel/store"
)

// As adapts a command's step from a feature's own visit type to the bot's.
func As[V any](room func(*Visit) V, do func(V, Args) error) func(*Visit, Args) error {
	return func(v *Visit, w Args) error { return do(room(v), w) }
}

// At adapts a step at a table in the same way.
func At[V any](room func(*Visit) V, step func(V, int64) error) func(*Visit, int64) error {
	return func(v *Visit, table int64) error { return step(room(v), table) }
}

// Reads makes a command's step one that only reads: its answer is read after the commit.
func Reads(do func(*Visit, Args) error) func(*Visit, Args) error {
	return func(v *Visit, w Args) error { return v.Later(func() error { return do(v, w) }) }
}

// Offers adapts the further values of an option in the same way.
func Offers[V any](room func(*Visit) V, more func(V) ([]Choice, error)) func(*Visit) ([]Choice, error) {
	return func(v *Visit) ([]Choice, error) { return more(room(v)) }
}

// Solved wakes the loops of features that wait for perfect play.
func (b *Bot) Solved() {
	for _, f := range b.features {
		f.Solved.Wake()
	}
}

// heard wakes the loops of features that wait for people to be heard again.
func (b *Bot) heard() {
	for _, f := range b.features {
		f.Heard.Wake()
	}
}

// await waits for the features' additions to the board of a table that has just ended.
func (c *Core) await(ctx context.Context, t store.Table, until time.Time) {
	for _, f := range c.features {
		if f.Soon != nil {
			f.Soon(ctx, c, t, until)
		}
	}
}

// take runs a hook of each feature that has it, and stops at the first error.
func (v *Visit) take(of func(Feature) Hook) error {
	for _, f := range v.bot.features {
		if step := of(f); step != nil {
			if err := step(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// zoneChanged runs after a change of the time zone.
func (v *Visit) zoneChanged(was, now Settings) error {
	for _, f := range v.bot.features {
		if f.Zone == nil {
			continue
		}
		if err := f.Zone(v, was, now); err != nil {
			return err
		}
	}
	return nil
}
