package telegram

import (
	"encoding/json"
	"testing"

	"knobel/bot/chat"
)

// Telegram says in UTF-16 where in a text somebody is mentioned, and who that is.
func TestMentionsAreReadByTheirPlaces(t *testing.T) {
	for entities, want := range map[string]chat.User{
		`[{"type":"bot_command","offset":0,"length":6},{"type":"text_mention","offset":8,"length":3,"user":{"id":8,"first_name":"Benno"}}]`: "telegram:8",
		`[{"type":"text_mention","offset":9,"length":3,"user":{"id":8}}]`:                                                                   "",
		`[{"type":"text_mention","offset":-1,"length":3,"user":{"id":8}}]`:                                                                  "",
		`[{"type":"text_mention","offset":8,"length":0,"user":{"id":8}}]`:                                                                   "",
		`[{"type":"mention","offset":8,"length":3}]`:                                                                                        "",
		`{"offset":1}`: "",
		``:             "",
	} {
		m := message{Text: "/who 🎲 Ben", Entities: json.RawMessage(entities)}
		if got := m.mentions()["Ben"].User; got != want {
			t.Errorf("%s mentions %q", entities, got)
		}
	}
}
