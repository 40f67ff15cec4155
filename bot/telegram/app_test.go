package telegram

import (
	"slices"
	"strings"
	"testing"

	"knobel/bot/telegram/telegramtest"
	"knobel/bot/words/wordstest"
)

// withApp gives s an adapter for a bot with a Mini App of this name.
func (s *stage) withApp(app string) *stage {
	o := s.options()
	o.App = App{Name: app, URL: "https://dice.example.org/embed/telegram", Words: wordstest.Of(s.t)}
	s.tele = New(o)
	return s
}

// TestBoardsOpenTheApp checks that a board's last row opens the Mini App: by a link in groups, by a button that shows
// the page in private chats.
func TestBoardsOpenTheApp(t *testing.T) {
	for app, link := range map[string]string{"dice": "https://t.me/KnobelBot/dice?startapp=t7",
		MainApp: "https://t.me/KnobelBot?startapp=t7"} {
		s := open(t).withApp(app).run()
		group, own := s.server.Supergroup("Friends", false), s.server.Private(ben)
		m := lobby("Sit down.")
		m.Lang = "de"
		ref, err := s.tele.Post(t.Context(), placeID(group.ID(), 0), m)
		check(t, err)
		wantLast := func(c *telegramtest.Chat, want telegramtest.Button) {
			t.Helper()
			rows := c.Messages()[0].Keyboard
			if last := rows[len(rows)-1]; !slices.Equal(last, []telegramtest.Button{want}) {
				t.Errorf("the last row is %+v", last)
			}
		}
		wantLast(group, telegramtest.Button{Text: "▶ Tisch öffnen", URL: link})
		m.Buttons = nil
		check(t, s.tele.Edit(t.Context(), placeID(group.ID(), 0), ref, m))
		wantLast(group, telegramtest.Button{Text: "▶ Tisch öffnen", URL: link})
		m.Lang = "en"
		_, err = s.tele.Post(t.Context(), placeID(ben.ID, 0), m)
		check(t, err)
		wantLast(own, telegramtest.Button{Text: "▶ Open the table",
			App: telegramtest.App{URL: "https://dice.example.org/embed/telegram"}})
		s.end()
	}
}

// TestTheMenuOpensTheApp checks the button beside the text field: it opens the Mini App, unless an operator has set it
// otherwise, and lists the commands again once there is no app.
func TestTheMenuOpensTheApp(t *testing.T) {
	const ours = `{"type":"web_app","text":"Open the table",` +
		`"web_app":{"url":"https://dice.example.org/embed/telegram"}}`
	const commands, theirs = `{"type":"commands"}`, `{"type":"web_app","text":"Shop","web_app":{"url":"https://shop.test"}}`
	for _, c := range []struct{ before, app, after string }{
		{"", "dice", ours}, {commands, "dice", ours}, {ours, "dice", ours}, {theirs, "dice", theirs},
		{strings.Replace(ours, "dice.example", "old.example", 1), "dice", ours},
		{ours, "", commands}, {theirs, "", theirs}, {"", "", commands},
	} {
		s := open(t).withApp(c.app)
		s.server.SetMenuButton(c.before)
		check(t, s.tele.writeMenuButton(t.Context()))
		if got := s.server.MenuButton(); got != c.after {
			t.Errorf("with the app %q %s becomes %s", c.app, c.before, got)
		}
	}
}

// TestTheAppIsExamined checks what doctor says of the Mini App.
func TestTheAppIsExamined(t *testing.T) {
	for _, c := range []struct {
		app  string
		url  string
		want string
	}{
		{"", "https://dice.example.org/embed/telegram", ""},
		{"dice", "", "KNOBEL_TELEGRAM_APP needs KNOBEL_PUBLIC_URL, the https address of this program!"},
		{"dice", "https://dice.example.org/embed/telegram", "the menu button of private chats does not open the Mini " +
			"App: knobel serve sets it, unless @BotFather has another one\n" +
			"try the Mini App: open https://t.me/KnobelBot/dice?startapp"},
		{MainApp, "https://dice.example.org/embed/telegram", "the bot has no main Mini App: set it with @BotFather, " +
			"Bot Settings, or name another one in KNOBEL_TELEGRAM_APP!\n" +
			"the menu button of private chats does not open the Mini App: knobel serve sets it, unless @BotFather " +
			"has another one\ntry the Mini App: open https://t.me/KnobelBot?startapp"},
	} {
		s := open(t).withApp(c.app)
		s.tele.options.App.URL = c.url
		found, err := s.tele.Consult(t.Context(), "", nil)
		check(t, err)
		var got []string
		for _, f := range found {
			if strings.Contains(f.Text, "App") || strings.Contains(f.Text, "APP") {
				got = append(got, f.Text+map[bool]string{true: "!"}[f.Wrong])
			}
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("of the app %q it says %q", c.app, text)
		}
	}
	if _, err := ParseApp("no/app"); err == nil {
		t.Error("a wrong name is valid")
	}
	for _, name := range []string{"", "dice", MainApp} {
		_, err := ParseApp(name)
		check(t, err)
	}
}
