package main

import (
	"context"
	"time"

	"knobel/bot/discord"
	"knobel/store"
)

// settingEmoji is what is noted of Discord's emoji.
const settingEmoji = "discord-emoji"

// emojiNotes keep in the database what is known of Discord's emoji.
type emojiNotes struct{ *store.Store }

// emojiNotes are none where there is no database, as for doctor.
func (m *making) emojiNotes() discord.Notes {
	if m.store == nil {
		return nil
	}
	return emojiNotes{m.store}
}

// Change changes what is noted, in one transaction.
func (n emojiNotes) Change(ctx context.Context, change func(noted string) (string, error)) error {
	return n.UpdateOf(ctx, store.OfSetting(settingEmoji), func(tx *store.Tx) error {
		noted, err := tx.Chats.Setting(settingEmoji)
		if err != nil {
			return err
		}
		changed, err := change(noted)
		if err != nil || changed == noted {
			return err
		}
		return tx.Chats.SaveSetting(settingEmoji, changed)
	})
}

// Oldest is when the game last changed that has waited for the longest time.
func (n emojiNotes) Oldest(ctx context.Context) (at time.Time, err error) {
	err = n.View(ctx, func(tx *store.Tx) error {
		changed, err := tx.Tables.Unmoved((*discord.Discord)(nil).Name() + ":")
		if changed > 0 {
			at = time.UnixMilli(changed)
		}
		return err
	})
	return at, err
}
