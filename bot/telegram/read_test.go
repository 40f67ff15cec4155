package telegram

import (
	"encoding/json"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/fakes"
)

func TestReadCommand(t *testing.T) {
	fakes.Cases(t, "commands.txt", func(text string) string {
		said, ok := readCommand(text)
		if !ok {
			return "none"
		}
		return said.Name + "|" + said.To + "|" + said.Text
	})
}

func FuzzReadCommand(f *testing.F) {
	f.Add("/shutbox@KnobelBot 10 golf")
	f.Add("/\x00")
	f.Fuzz(func(t *testing.T, text string) {
		if c, ok := readCommand(text); ok {
			if c.Name == "" || c.Name != strings.ToLower(c.Name) || !strings.Contains(text, c.Text) {
				t.Errorf("%q: %+v", text, c)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"update_id":5,"message":{"message_id":1,"chat":{"id":-7},"text":"x"}}`))
	f.Add([]byte(`{"update_id":6,"callback_query":{"id":"9","from":{},"message":null,"data":"x"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		u, err := decode(raw)
		if err == nil && u.Message != nil && u.chat() != u.Message.Chat.ID {
			t.Errorf("%q: chat %d", raw, u.chat())
		}
	})
}

func TestIDs(t *testing.T) {
	place := placeID(-1001234, 42)
	if chat, topic, err := parsePlace(place); chat != -1001234 || topic != 42 || err != nil {
		t.Errorf("%s: %d %d %v", place, chat, topic, err)
	}
	for _, bad := range []chat.Place{"", "telegram", "telegram:1", "discord:1:2", "telegram:x:2", "telegram:1:x",
		"telegram:1:2:3"} {
		if _, _, err := parsePlace(bad); err == nil {
			t.Errorf("%q passed", bad)
		}
	}
}

// Mentions have positions in UTF-16 and a person.
func TestMentionsAreReadByTheirPlaces(t *testing.T) {
	fakes.Cases(t, "mentions.txt", func(entities string) string {
		return string(message{Text: "/who 🎲 Ben", Entities: json.RawMessage(entities)}.mentions()["Ben"].User)
	})
}
