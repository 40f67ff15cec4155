package bot_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/store"
)

// TestSettingsOfBefore has a chat whose settings are gone since: what is stored of them is ignored, and an admin who
// sets one is told that there is no such setting.
func TestSettingsOfBefore(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	usual := bare.Said(t, anna.Writes("/settings"))
	for name, value := range map[string]string{"answers": "open", "tables": "rich", "follow": "0", "games": "lids"} {
		if err := h.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
			return tx.Chats.SaveChatSetting("test:1", name, value)
		}); err != nil {
			t.Fatal(err)
		}
		if is := bare.Said(t, anna.Writes("/settings")); is != usual {
			t.Errorf("with %s=%s the settings are\n%s", name, value, is)
		}
		if r := anna.Writes("/settings " + name + "=" + value); !r.Refused || !strings.Contains(r.Toast, name) {
			t.Errorf("%s=%s is answered by %+v", name, value, r)
		}
	}
}

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
