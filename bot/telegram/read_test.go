package telegram

import (
	"encoding/json"
	"strings"
	"testing"

	"knobel/bot/chat"
)

func TestReadCommand(t *testing.T) {
	for _, c := range []struct {
		text string
		want spoken
		ok   bool
	}{
		{"/shutbox", spoken{"shutbox", "", ""}, true},
		{"/shutbox 10", spoken{"shutbox", "", "10"}, true},
		{"/ShutBox@KnobelBot  stake=10 variant=golf\none-die=never ",
			spoken{"shutbox", "KnobelBot", "stake=10 variant=golf\none-die=never"}, true},
		{"/luck <b>*_[x](y)@everyone", spoken{"luck", "", "<b>*_[x](y)@everyone"}, true},
		{"/luck\u00a0x", spoken{}, false},
		{"/maxi-yatzy 5", spoken{"maxi-yatzy", "", "5"}, true},
		{"/Maxi_Yatzy", spoken{"maxi-yatzy", "", ""}, true}, // as the menu has it
		{"/", spoken{}, false},
		{" /help", spoken{}, false},
		{"help", spoken{}, false},
		{"/help@", spoken{}, false},
		{"/" + strings.Repeat("x", 33), spoken{}, false},
		{"", spoken{}, false},
	} {
		if got, ok := readCommand(c.text); got != c.want || ok != c.ok {
			t.Errorf("%q: %+v, %v", c.text, got, ok)
		}
	}
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

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		id, chat  int64
		wrong     string
	}{
		{"message", `{"update_id":5,"message":{"message_id":1,"chat":{"id":-7,"type":"group"},"from":{"id":1},"text":"x"}}`, 5, -7, ""},
		{"inaccessible", `{"update_id":6,"callback_query":{"id":"9","from":{"id":1},"message":{"chat":{"id":-7},"message_id":3,"date":0},"data":"x"}}`, 6, -7, ""},
		{"inline", `{"update_id":7,"callback_query":{"id":"9","from":{"id":1},"inline_message_id":"x","data":"x"}}`, 7,
			0, ""},
		{"unknown kind", `{"update_id":8,"teleport":{"x":[1]}}`, 8, 0, ""},
		{"unknown fields", `{"update_id":9,"message":{"message_id":1,"chat":{"id":-7,"x":{}},"from":{"id":1,"is_bot":"?"},"dice":[[]]}}`, 9, -7, ""},
		{"null", `{"update_id":10,"message":null,"callback_query":null}`, 10, 0, ""},
		{"odd message", `{"update_id":11,"message":[]}`, 11, 0, "update 11: message"},
		{"odd number", `{"update_id":12,"message":{"message_id":"one"}}`, 12, 0, "update 12: message"},
		{"no number", `{"message":{}}`, 0, 0, "without a number"},
		{"no object", `17`, 0, 0, "update"},
	} {
		u, err := decode(json.RawMessage(c.raw))
		if u.ID != c.id || u.chat() != c.chat {
			t.Errorf("%s: number %d, chat %d", c.name, u.ID, u.chat())
		}
		if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
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
