package telegram

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
)

// guests returns a stage whose bot has guest and inline mode, in a foreign chat. answer may be nil.
func guests(t *testing.T, answer func(chat.Event) chat.Reply) (*stage, *telegramtest.Foreign) {
	t.Helper()
	s := openWith(t, telegramtest.Options{Guest: true, Inline: true})
	s.core.answer = answer
	return s, s.server.Foreign(-1001)
}

// mentioned has Anna mention the bot and returns the inline id of its answer.
func (s *stage) mentioned(in *telegramtest.Foreign, text string) string {
	s.t.Helper()
	query := in.Mention(anna, text)
	s.until("the mention is answered", func() bool { return s.server.Sent(query) != "" })
	return s.server.Sent(query)
}

// TestKindsOfUpdates checks that mentions and queries are received exactly where getMe offers them, by webhook alike.
func TestKindsOfUpdates(t *testing.T) {
	for _, modes := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		for _, hooked := range []bool{false, true} {
			s := openWith(t, telegramtest.Options{Guest: modes[0], Inline: modes[1]})
			method := "getUpdates"
			if o := s.options(); hooked {
				method, o.Webhook = "setWebhook", "https://dice.example.org/telegram"
				s.tele = New(o)
			}
			s.end = s.begin(s.tele, s.core)
			s.until("updates are asked for", func() bool { return len(s.server.Calls(method)) > 0 })
			kinds := s.server.Calls(method)[0].Params["allowed_updates"]
			if found := s.tele.examine(t.Context()); modes[0] && modes[1] && len(found) != 2 {
				t.Errorf("found %v", found)
			}
			if strings.Contains(kinds, "guest_message") != modes[0] ||
				strings.Contains(kinds, "inline_query") != modes[1] ||
				strings.Contains(kinds, "chosen_inline_result") || !strings.Contains(kinds, "my_chat_member") {
				t.Errorf("%v by %s: %s", modes, method, kinds)
			}
			s.end()
			s.end = func() {}
		}
	}
}

// TestAMentionIsAnsweredByOneMessage checks that each form of a mention is answered with the words behind the bot's
// name and a button, and that the core's database is not used for that.
func TestAMentionIsAnsweredByOneMessage(t *testing.T) {
	s, there := guests(t, nil)
	s.run()
	for said, want := range map[string]string{
		"@KnobelBot shutbox 10": "shutbox 10", "@knobelbot /shutbox 10": "/shutbox 10",
		"/shutbox@KnobelBot 10": "/shutbox 10", "hey @KnobelBot": "hey",
		"who plays @KnobelBot shutbox 10": "shutbox 10", "so: /shutbox@KnobelBot 10 @KNOBELBOT": "/shutbox 10",
		"shutbox 10 @KnobelBot!": "shutbox 10", "@KnobelBot, shutbox": "shutbox",
	} {
		s.mentioned(there, said)
		all := there.Messages()
		if m := all[len(all)-1]; m.Text != "Anna says "+want || m.Keyboard[0][0].Data != "1:0:0:/"+want {
			t.Errorf("%q is answered by %q, %v", said, m.Text, m.Keyboard)
		}
	}
	if evs := s.core.seen(); len(evs) > 0 {
		t.Errorf("the core handled %v", evs)
	}
}

// TestAMentionThatComesTwice checks that a mention in a chat of the bot's own is handled once, whichever update comes
// first, but another one later is handled, too.
func TestAMentionThatComesTwice(t *testing.T) {
	for _, guestFirst := range []bool{true, false} {
		s, _ := guests(t, nil)
		s.clock = fakes.NewClock(false) // a fast one could leap over the minute
		s.tele = s.adapter()
		s.run()
		group := s.server.Group("Friends")
		handled := func() int { return len(s.server.Calls("answerGuestQuery")) + len(s.core.seen()) }
		for n := range 3 {
			group.MentionTwice(anna, "@KnobelBot coin", guestFirst)
			s.until("both are received", func() bool { return s.server.Pending() == 0 })
			if handled() != n+1 {
				t.Errorf("guest first: %v; %d mentions were handled %d times", guestFirst, n+1, handled())
			}
		}
	}
}

// TestAnInlineQueryListsGames checks that a query lists the games whose names fit, in the order of lists, with options.
func TestAnInlineQueryListsGames(t *testing.T) {
	s, there := guests(t, nil)
	s.core.commands = menuOf("rules", "coin", "shutbox")
	for i, title := range map[int]string{1: "Münze", 2: "Shut the Box"} {
		card := chat.Card{Game: title, About: "About " + title, Place: 2 - i}
		s.core.commands[i].Opens = map[string]chat.Card{"de": card, "en": card}
	}
	s.run()
	for typed, want := range map[string][]string{
		"": {"Shut the Box", "Münze"}, "co": {"Münze"}, "SHUT": {"Shut the Box"}, "shut the box 10": {"Shut the Box"},
		"coin 5": {"Münze"}, "tomorrow": {"Anna says tomorrow"},
	} {
		query := there.Type(anna, typed)
		s.until("the query is answered", func() bool { _, ok := s.server.Results(query); return ok })
		if titles, _ := s.server.Results(query); !slices.Equal(titles, want) {
			t.Errorf("%q lists %q, want %q", typed, titles, want)
		}
		if typed == "shut the box 10" {
			_, err := there.Choose(query, want[0])
			check(t, err)
			if m := there.Messages()[0]; m.Text != "Anna says shutbox 10" {
				t.Errorf("sends %q", m.Text)
			}
		}
	}
	for _, c := range s.server.Calls("answerInlineQuery") {
		if c.Params["is_personal"] != "true" {
			t.Error("an answer names Anna to all")
		}
	}
}

// TestAPressOnAnInlineMessage checks the event of such a press: its chat is the instance, its place the message.
func TestAPressOnAnInlineMessage(t *testing.T) {
	s, there := guests(t, func(chat.Event) chat.Reply { return chat.Reply{Toast: "Done."} })
	s.run()
	at := s.mentioned(there, "@KnobelBot coin")
	if told := s.answer(there.PressData(ben, at, "1:0:0:/coin")); told.Text != "Done." {
		t.Errorf("answered %v", told)
	}
	ev := s.events(1)[0]
	if string(ev.Place) != "telegram:inline/"+at || string(ev.On) != string(ev.Place) || ev.User != userID(ben.ID) ||
		string(ev.Chat) != "telegram:instance/"+there.Instance() || ev.Alias != ev.Chat || ev.Press != "1:0:0:/coin" ||
		!ev.Guest || !ev.Equals || ev.Own || ev.Admin != nil || ev.Thread != nil ||
		ev.Invite != "https://t.me/KnobelBot?startgroup=hello" {
		t.Errorf("event: %+v", ev)
	}
	own := s.server.Supergroup("Own", false)
	own.SetInstance(there.Instance())
	own.PressData(ben, 1, "1:0:0:/coin")
	if ev := s.events(2)[1]; ev.Alias != instanceID(there.Instance()) || ev.Chat != chatID(own.ID()) {
		t.Errorf("event in the group: %+v", ev)
	}
	there.SetInstance("")
	s.answer(there.PressData(ben, at, "1:0:0:/coin"))
	there.SetInstance("a/b")
	s.answer(there.PressData(ben, at, "1:0:0:/coin"))
	there.SetInstance("7")
	s.answer(there.PressData(ben, strings.Repeat("x", 65), "1:0:0:/coin"))
	if n := len(s.core.seen()); n != 2 {
		t.Errorf("%d events, also for invalid ids", n)
	}
}

// TestBoardsOfAnInlineMessage checks that a board is the message itself, within the limits of a group, and that the
// place is away once Telegram no longer knows the message.
func TestBoardsOfAnInlineMessage(t *testing.T) {
	s, there := guests(t, nil)
	s.run()
	at := s.mentioned(there, "@KnobelBot coin")
	place := chat.Place("telegram:inline/" + at)
	ref, err := s.tele.Post(t.Context(), place, lobby("A lobby."))
	check(t, err)
	if string(ref) != string(place) || there.Messages()[0].Text != "A lobby." {
		t.Errorf("%s shows %q", ref, there.Messages()[0].Text)
	}
	for range 2 { // the second edit changes nothing
		check(t, s.tele.Edit(t.Context(), place, ref, lobby("A game.")))
	}
	began := s.clock.Now()
	for i := range 40 {
		check(t, s.tele.Ready(t.Context(), place, chat.ToMove))
		check(t, s.tele.Edit(t.Context(), place, ref, lobby(strings.Repeat("x", i+1))))
	}
	if took := s.clock.Now().Sub(began); took < time.Minute {
		t.Errorf("40 edits took %v", took)
	}
	if b := s.tele.Budget(place); b.Limit != groupLimit || b.Edits == 0 {
		t.Errorf("budget: %+v", b)
	}
	check(t, s.tele.Retire(t.Context(), place, ref))
	if n, err := s.tele.Since(t.Context(), place, ref, 9); n != 0 || err != nil {
		t.Errorf("since: %d, %v", n, err)
	}
	if _, err := s.tele.Call(t.Context(), place, chat.Ping{}); !errors.Is(err, chat.ErrAway) {
		t.Errorf("call: %v", err)
	}
	if other, err := s.tele.OtherAdmin(t.Context(), "telegram:instance/7", "telegram:12"); other || err != nil {
		t.Errorf("other admin: %v, %v", other, err)
	}
	there.Delete(at)
	err = s.tele.Edit(t.Context(), place, ref, lobby("Gone."))
	if !errors.Is(err, chat.ErrAway) || errors.Is(err, chat.ErrGone) {
		t.Errorf("a deleted message: %v", err)
	}
	if err := s.tele.Edit(t.Context(), "telegram:inline/a:b", ref, lobby("x")); err == nil {
		t.Error("an invalid place is no error")
	}
	for _, c := range s.server.Calls() {
		if strings.HasPrefix(c.Method, "send") || strings.HasPrefix(c.Method, "delete") {
			t.Errorf("a guest called %s", c.Method)
		}
	}
}

// TestPrivateAnswersOverABoard checks how an answer for one person is shown: in a window if it is short, else in place
// of the board, except while people play.
func TestPrivateAnswersOverABoard(t *testing.T) {
	long := strings.Repeat("long ", 50)
	back := [][]chat.Button{{{Label: "Back", Press: "1:1:0:!refresh"}}}
	for name, c := range map[string]struct {
		reply chat.Reply
		toast string // the answer in a window or as a toast
		shown string // the message afterwards
	}{
		"toast":   {chat.Reply{Toast: "Yes."}, "Yes.", "Anna says coin"},
		"short":   {chat.Reply{Private: &chat.Message{Head: "Short."}}, "Short.", "Anna says coin"},
		"alone":   {chat.Reply{Private: &chat.Message{Head: "Short.", Buttons: back}}, "Short.", "Anna says coin"},
		"long":    {chat.Reply{Private: &chat.Message{Head: long, Buttons: back}}, "", strings.TrimSpace(long)},
		"page":    {chat.Reply{Page: &chat.Message{Head: "A page.", Buttons: back}}, "", "A page."},
		"playing": {chat.Reply{Private: &chat.Message{Head: long}, Short: "Too long."}, "Too long.", "Anna says coin"},
		"question": {chat.Reply{Private: &chat.Message{Head: "End?", Buttons: slices.Concat(back, back)},
			Short: "Too long."}, "End?", "Anna says coin"},
		"sheet": {chat.Reply{Private: &chat.Message{Head: "A sheet.", Sheet: &chat.Sheet{}}, Short: "Too long."},
			"Too long.", "Anna says coin"},
		"secret": {chat.Reply{Private: &chat.Message{Head: long}, Secret: true}, clip(strings.TrimSpace(long), 200),
			"Anna says coin"},
		"picture": {chat.Reply{Private: &chat.Message{Head: "A chart.", Buttons: back,
			Picture: &chat.Picture{PNG: []byte("x"), More: "It rises."}}}, "", "A chart.\n\nIt rises."},
	} {
		t.Run(name, func(t *testing.T) {
			s, there := guests(t, func(chat.Event) chat.Reply { return c.reply })
			s.run()
			at := s.mentioned(there, "@KnobelBot coin")
			if told := s.answer(there.PressData(anna, at, "1:0:0:/x")); told.Text != c.toast {
				t.Errorf("told %q, want %q", told.Text, c.toast)
			}
			s.until("the message shows "+c.shown, func() bool {
				return strings.TrimSpace(there.Messages()[0].Text) == c.shown
			})
		})
	}
}
