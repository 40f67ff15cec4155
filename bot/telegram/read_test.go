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
		{"/Maxi_Yatzy", spoken{"maxi-yatzy", "", ""}, true}, // as in the menu
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
