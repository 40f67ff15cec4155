package telegram

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
)

// greets makes the core answer each command with its name, starts Run, and returns s.
func (s *stage) greets() *stage {
	s.core.answer = func(ev chat.Event) chat.Reply {
		return chat.Reply{Private: &chat.Message{Head: "Did " + ev.Command + ".", Accent: -1}, Public: true}
	}
	return s.run()
}

// TestAGroupIsGreetedOnce checks that a group is greeted once, even if the link that adds the bot also sends /start.
func TestAGroupIsGreetedOnce(t *testing.T) {
	s := open(t).greets()
	group := s.server.Group("Friends")
	group.Reopen()
	group.Say(anna, "/start@"+s.server.Username()+" hello")
	s.until("the greeting stands there", func() bool { return len(group.Messages()) == 1 && s.server.Pending() == 0 })
	evs := s.events(1)
	if got := fmt.Sprintln(len(evs), evs[0].Command, evs[0].Chat == chatID(group.ID()), evs[0].User); got !=
		"1 hello true telegram:1\n" {
		t.Errorf("told %s", got)
	}
	if text := group.Messages()[0].Text; text != "Did hello." {
		t.Errorf("greeted with %q", text)
	}
	s.clock.Advance(2 * greetedFor)
	group.Say(anna, "/start@"+s.server.Username()+" hello")
	s.until("a later /start is answered", func() bool { return len(group.Messages()) == 2 })
}

// TestWordsToTheBot checks that messages to the bot are answered and other messages are ignored.
func TestWordsToTheBot(t *testing.T) {
	s := open(t).greets()
	group, own := s.server.Group("Friends"), s.server.Private(anna)
	me := "@" + s.server.Username()
	group.Say(anna, "hello everybody, "+me[1:]+" is here")
	group.Say(anna, "/other hello")
	group.Say(anna, "/rules@AnotherBot")
	group.Say(anna, "see @ana or @KnobelBotany")
	said := group.Say(ben, "🎲 "+strings.ToLower(me)+" hello")
	own.Say(anna, "hello")
	s.until("both are answered", func() bool { return len(group.Messages()) == 1 && len(own.Messages()) == 1 })
	if m := group.Messages()[0]; m.ReplyTo != said || m.Text != "Did hello." {
		t.Errorf("answered %d with %q", m.ReplyTo, m.Text)
	}
	if evs := s.events(2); len(evs) != 2 {
		t.Errorf("events: %v", evs)
	}
	for _, ev := range s.core.seen() {
		want := ""
		if ev.Own {
			want = "https://t.me/" + s.server.Username() + "?startgroup=hello"
		}
		if ev.Invite != want {
			t.Errorf("invited by %q, want %q", ev.Invite, want)
		}
	}
}

// TestWhoStaysIsNotGreeted checks that the bot does not greet a person who unblocks it in a private chat.
func TestWhoStaysIsNotGreeted(t *testing.T) {
	s := open(t).greets()
	own := s.server.Private(anna)
	own.Reopen()
	own.Say(anna, "/help")
	s.until("the command is answered", func() bool { return len(own.Messages()) == 1 })
	if evs := s.events(1); len(evs) != 1 || evs[0].Command != "help" {
		t.Errorf("events: %v", evs)
	}
}

// TestTheProfile checks that the profile is written if it is empty or an old one of Knobel; an operator's texts stay.
func TestTheProfile(t *testing.T) {
	s := open(t)
	s.server.Describe("short_description", "de", "Unser Würfelknecht.")
	s.run()
	description := func(key, lang, want string) {
		t.Helper()
		s.until(want, func() bool { return s.server.Description(key, lang) == want })
	}
	description("description", "", "Dice for all.")
	description("description", "de", "Würfel für alle.")
	description("short_description", "", "Dice.")
	s.until("the button lists the commands", func() bool { return s.server.MenuButton() == `{"type":"commands"}` })
	s.end()
	s.server.Describe("description", "", "Dice at Anna's.")
	s.server.Describe("short_description", "de", "")
	s.core.renamed = true
	s.begin(s.adapter(), s.core)
	description("description", "de", "Neue Würfel für alle.")
	description("short_description", "", "New dice.")
	description("short_description", "de", "Neue Würfel.")
	description("description", "", "Dice at Anna's.")
}

// TestAServerWithoutProfiles checks that the bot works with a server that has no profiles.
func TestAServerWithoutProfiles(t *testing.T) {
	s := open(t)
	s.server.Fail(telegramtest.Fault{On: "getMyDescription", Status: 404, Message: "Not Found"})
	s.run()
	s.until("it was asked", func() bool { return len(s.server.Calls("getMyDescription")) == 1 })
	s.end()
	if n := len(s.server.Calls("setMyDescription")); n != 0 || len(s.server.Calls("getMyDescription")) != 1 {
		t.Errorf("written %d times", n)
	}
	if strings.Contains(s.log.String(), "profile") {
		t.Errorf("the log speaks of it: %s", s.log)
	}
}

// TestComingsAndGoings checks that the core learns of people who join and leave, and the bot does not answer.
func TestComingsAndGoings(t *testing.T) {
	s := open(t)
	s.run()
	group := s.server.Group("Friends")
	group.Join(anna, ben, clara)
	group.Leave(anna, ben)
	group.Leave(clara, clara)
	var told []string
	for _, ev := range s.events(3) {
		told = append(told, fmt.Sprint(ev.Chat == chatID(group.ID()), ev.Command, ev.Press, ev.Joined, ev.Left))
	}
	want := "[true[telegram:12 telegram:13] [] true[] [telegram:12] true[] [telegram:13]]"
	if got := fmt.Sprint(told); got != want {
		t.Errorf("told %s, want %s", got, want)
	}
	s.end()
	if n := len(group.Messages()); n != 0 {
		t.Errorf("%d answers", n)
	}
}

// TestConsult checks the findings of Consult, which the command doctor shows.
func TestConsult(t *testing.T) {
	s := open(t)
	group := s.server.Group("Friends")
	at := placeID(group.ID(), 0)
	consult := func(want ...string) {
		t.Helper()
		found, err := s.tele.Consult(t.Context(), chatID(group.ID()), []chat.Place{at})
		var keys []string
		for _, f := range found {
			keys = append(keys, fmt.Sprint(f.Line.Key, " ", f.Wrong))
		}
		if err != nil || !slices.Equal(keys, want) {
			t.Errorf("found %q, %v, want %q", keys, err, want)
		}
	}
	consult("bot.stands.well false", "bot.stands.privacy false")
	group.NoPins()
	consult("bot.stands.well false", "bot.stands.evening.pins false", "bot.stands.privacy false")
	group.Quiet(true)
	consult("bot.stands.lacks-here true", "bot.stands.privacy false")
	group.Quiet(false)
	group.Restrict(true)
	consult("bot.stands.lacks-here true", "bot.stands.privacy false")
	group.Restrict(false)
	s.tele.mutes.noteMissing(at, noTopic)
	consult("bot.stands.lacks-here true", "bot.stands.privacy false")
	group.Admin(anna)
	for besides, want := range map[int64]bool{anna.ID: false, ben.ID: true} {
		if got, err := s.tele.OtherAdmin(t.Context(), chatID(group.ID()), userID(besides)); err != nil || got != want {
			t.Errorf("another admin than %d: %v, %v", besides, got, err)
		}
	}
	group.Close()
	consult("bot.stands.gone true")
	if found, err := s.tele.Consult(t.Context(), chatID(-5), nil); err != nil ||
		found[0].Line.Key != "bot.stands.gone" {
		t.Errorf("of no chat: %v, %v", found, err)
	}
	if _, err := s.tele.Consult(t.Context(), "discord:1", nil); err == nil {
		t.Error("another platform's chat is consulted about")
	}
}

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

// TestMentionsAreReadByTheirPlaces checks that people without a user name are found by positions in UTF-16 units.
func TestMentionsAreReadByTheirPlaces(t *testing.T) {
	fakes.Cases(t, "mentions.txt", func(entities string) string {
		return string(message{Text: "/who 🎲 Ben", Entities: json.RawMessage(entities)}.mentions()["Ben"].User)
	})
}
