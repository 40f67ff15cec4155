package bot_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/store"
)

// What is usual is not stored, and in a chat with the bot alone no admins are spoken of.
func TestUsualSettingsAreNotStored(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/settings quiet=22-8 zone=berlin idle=0")
	anna.Writes("/settings quiet=none zone=none idle=7")
	var set map[string]string
	if err := h.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		set, err = tx.Chats.ChatSettings("test:1")
		return err
	}); err != nil || len(set) != 0 {
		t.Errorf("what is usual is stored: %v, %v", set, err)
	}
	alone := anna.Event()
	alone.Chat, alone.Place, alone.Own, alone.Command = "test:own", "test:own", true, "settings"
	if r := h.Bot.Handle(t.Context(), alone); r.Private == nil || r.Private.Small != "" {
		t.Errorf("Anna reads alone: %+v", r)
	}
}
