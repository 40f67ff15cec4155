package table

import (
	"context"
	"strings"
	"testing"
	"time"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// Where everybody may change the chat, as in a room of the browser, nobody is
// above the others: an admin ends no table alone there, whoever is out least of
// all, and nobody is told of admins.
func TestAmongEqualsNobodyEndsATableAlone(t *testing.T) {
	b := watched(t, &drowsy{now: time.Date(2026, 11, 14, 22, 13, 0, 0, time.UTC)})
	seated(t, b)
	equal := func(who, locale string, ev chat.Event) chat.Reply {
		ev.User, ev.Name, ev.Locale, ev.Chat, ev.Place = chat.User("test:"+who), who, locale, "test:1", "test:1/1"
		ev.Equals, ev.Admin = true, func(context.Context) bool { return true }
		return b.Handle(t.Context(), ev)
	}
	for locale, want := range map[string]string{"en": "Ask Anna or those seated to end it.",
		"de": "Bitte Anna oder die am Tisch darum."} {
		if r := equal("Clara", locale, chat.Event{Command: "abandon"}); !r.Refused || r.Toast != want {
			t.Errorf("Clara is told %q", r.Toast)
		}
		r := equal("Clara", locale, chat.Event{Command: "settings"})
		if r.Private == nil || strings.Contains(r.Private.Small, "dmins") {
			t.Errorf("Clara reads %+v", r.Private)
		}
	}
	if r := equal("Clara", "en", chat.Event{Command: "settings", Text: "idle=3"}); r.Refused {
		t.Errorf("Clara is told %q", r.Toast)
	}
	change(t, b, func(table *store.Table) { table.Seats[1].Absence = store.Out })
	for _, ev := range []chat.Event{{Command: "abandon"}, {Press: chat.LobbyPress(1, "end")},
		{Press: chat.LobbyPress(1, "end yes")}} {
		if r := equal("Ben", "en", ev); !r.Refused || r.Toast != b.Words.Say("en", games.Say("bot.away.out", nil),
			words.Context{}) {
			t.Errorf("who is out is told %q", r.Toast)
		}
	}
	change(t, b, func(table *store.Table) { table.Opener = "gone:1" })
	for locale, want := range map[string]string{
		"en": "Those seated can end it. Ask them for their votes.",
		"de": "Das dürfen die am Tisch. Bitte sie um ihre Stimmen.",
	} {
		if r := equal("Clara", locale, chat.Event{Command: "abandon"}); !r.Refused || r.Toast != want {
			t.Errorf("Clara is told %q, while who opened the table is forgotten", r.Toast)
		}
	}
	if table, _ := b.first(t); table.State != store.Playing || table.Page == board.PageEnd {
		t.Errorf("the table is %s and shows %q", table.State, table.Page)
	}
}
