package bot_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// TestAGuestIsAnsweredWithoutTheDatabase checks the message that answers a mention, while the database is closed.
func TestAGuestIsAnsweredWithoutTheDatabase(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	if err := h.Store.Close(); err != nil {
		t.Fatal(err)
	}
	defer h.Open()
	fakes.Cases(t, "guests.txt", func(said string) string {
		lang, text, _ := strings.Cut(said, ":")
		m := h.Bot.Brief(chat.Event{User: "test:1", Name: "Anna", Locale: lang, Text: strings.TrimSpace(text)})
		all := []string{m.Head}
		if strings.HasPrefix(m.Head, "Anna ") {
			all = append(all, m.Lines...)
		}
		for _, row := range m.Buttons {
			for _, b := range row {
				all = append(all, "["+b.Label+"]"+strings.TrimPrefix(b.Press, "1:0:0:"))
			}
		}
		return strings.Join(all, " ")
	})
}
