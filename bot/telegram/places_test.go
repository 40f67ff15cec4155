package telegram

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
	"knobel/store"
)

// refused counts the requests that Telegram has refused with a text.
func (e *evening) refused(text string) int {
	n := 0
	for _, c := range e.server.Calls() {
		if strings.Contains(c.Error, text) {
			n++
		}
	}
	return n
}

// Somebody deletes the topic in which a game goes on; who sits there brings it
// to another, and it is played to the end. Telegram tells nobody of that.
func TestTheTopicIsDeleted(t *testing.T) {
	e := newEvening(t)
	forum := e.server.Supergroup("Dice", true)
	games, more := forum.Topic("Games"), forum.Topic("More games")
	there := e.in(forum, games)
	there.sit("/coin 10", anna, ben)
	there.turn("")
	forum.DeleteTopic(games)

	here := e.in(forum, more)
	forum.SayIn(more, clara, "/table")
	here.reads("There is no table here")
	forum.SayIn(more, anna, "/table")
	offer := here.reads("Tisch 1, Münze: Anna · Ben")
	if e.refused("message thread not found") != 1 {
		t.Error("Telegram was not asked for the topic")
	}
	if _, ok := offer.Data("Tisch 1 herholen"); !ok {
		t.Fatalf("offered %q", offer.Labels())
	}
	one, two := here.pressAsync(anna, "/bring 1"), here.pressAsync(ben, "/bring 1")
	here.answered(one, two)
	here.play(anna, ben)
}

// away reports whether a table has lost its place.
func (e *evening) away(table int64) bool {
	e.t.Helper()
	var t store.Table
	err := e.store.View(context.Background(), func(tx *store.Tx) (err error) {
		t, err = tx.Table(table)
		return err
	})
	if err != nil {
		e.t.Error(err)
	}
	return t.Away
}

// settled waits until every board is posted and remembered.
func (e *evening) settled() {
	e.t.Helper()
	e.until("all boards are up to date", func() bool {
		var lagging []int64
		err := e.store.View(context.Background(), func(tx *store.Tx) (err error) {
			lagging, err = tx.Lagging("telegram:", 1)
			return err
		})
		if err != nil {
			e.t.Error(err)
		}
		return len(lagging) == 0
	})
}

// A topic that is closed keeps its table: who presses reads what is missing, and
// when the topic is open again the board is drawn.
func TestTheTopicIsClosed(t *testing.T) {
	e := newEvening(t)
	forum := e.server.Supergroup("Dice", true)
	topic := forum.Topic("Games")
	there := e.in(forum, topic)
	there.sit("/coin 10", anna, ben)
	m, data, _ := there.turn("")
	forum.CloseTopic(topic, true)
	there.answered(forum.PressData(anna, m.ID, data))
	there.until("the board cannot be drawn, and the bot knows", func() bool { return there.refused("TOPIC_CLOSED") > 0 && e.away(1) })
	q := forum.PressData(anna, m.ID, "1:1:1:!show sheet")
	there.answered(q)
	told := there.answer(forum.PressData(ben, m.ID, strings.Replace(data, ":0:", ":1:", 1))).Text
	if !strings.Contains(told, "Missing here: Manage Topics.") {
		t.Errorf("told %q", told)
	}
	forum.CloseTopic(topic, false)
	forum.SayIn(topic, ben, "/table")
	there.until("the last board", func() bool { _, _, over := there.present(); return over })
}

// The general topic of a forum has no number: what happens there is answered
// there, also where an update tells its number.
func TestTheGeneralTopic(t *testing.T) {
	e := newEvening(t)
	forum := e.server.Supergroup("Dice", true)
	there := e.in(forum, 0)
	there.sit("/coin 10", anna, ben)
	e.server.Inject(func(id int64) string {
		return fmt.Sprintf(`{"update_id":%d,"message":{"message_id":99,"message_thread_id":1,"is_topic_message":true,"date":1,"text":"/rules",
			"chat":{"id":%d,"type":"supergroup","is_forum":true},"from":{"id":12,"is_bot":false,"first_name":"Ben","language_code":"en"}}}`, id, forum.ID())
	})
	there.reads("Coin")
	there.play(anna, ben)
}

// Threads are not Telegram's: who asks for one reads what to do.
func TestNoThreadsButTopics(t *testing.T) {
	e := newEvening(t)
	e.group.Say(ben, "/shutbox thread")
	e.reads("An admin can turn topics on in the group's settings")
	forum := e.server.Supergroup("Dice", true)
	topic := forum.Topic("Games")
	for _, at := range []int64{0, topic} {
		forum.SayIn(at, anna, "/coin 10 thread=ja")
		e.in(forum, at).reads("Öffne ein Thema und schreib den Befehl dort")
	}
	alone := e.server.Private(ben)
	alone.Say(ben, "/coin thread")
	e.in(alone, 0).reads("we two need none")
}

// Where the bot may not write, who asks reads in their own chat with the bot
// what is missing; whoever presses reads it above the board.
func TestTheBotMayNotWrite(t *testing.T) {
	for name, quiet := range map[string]func(*telegramtest.Chat, bool){
		"the bot alone": (*telegramtest.Chat).Restrict, "nobody may": (*telegramtest.Chat).Quiet,
	} {
		t.Run(name, func(t *testing.T) {
			e := newEvening(t)
			alone := e.server.Private(anna)
			e.sit("/coin 10", ben, anna)
			m, data, _ := e.turn("")
			quiet(e.group, true)
			e.group.Say(anna, "/rules")
			sent := e.in(alone, 0).reads("Auf /rules kann ich dort, wo du es geschrieben hast, nicht antworten.")
			want := "Dort fehlt: Nachrichten senden. Zu geben unter: Gruppe bearbeiten → Berechtigungen, oder mich zum Administrator machen."
			if !strings.HasSuffix(sent.Text, want) {
				t.Errorf("told %q", sent.Text)
			}
			told := e.answer(e.group.PressData(ben, m.ID, data)).Text
			if !strings.Contains(told, "The board cannot follow. Missing here: Send Messages.") {
				t.Errorf("told %q", told)
			}
			quiet(e.group, false)
			e.group.Say(anna, "/table")
			below := m.ID
			e.until("the board is below", func() bool { now, _, _ := e.present(); return now.ID > below })
			_, next, over := e.turn(data)
			if over {
				t.Fatal("over too soon")
			}
			m, _, _ = e.present()
			if told := e.answer(e.group.PressData(anna, m.ID, next)).Text; strings.Contains(told, "fehlt") {
				t.Errorf("told %q", told)
			}
			if n := len(alone.Messages()); n != 1 {
				t.Errorf("%d messages in her own chat", n)
			}
		})
	}
}

// Somebody who has never spoken to the bot alone cannot be told there; nothing
// comes of it.
func TestNobodyToTellAlone(t *testing.T) {
	e := newEvening(t)
	e.group.Quiet(true)
	e.group.Say(clara, "/shutbox")
	e.until("it was tried", func() bool { return e.refused("chat not found") > 0 })
	e.group.Quiet(false)
	e.group.Say(clara, "/table")
	e.reads("Clara opens a table")
}

// A bot that is removed hears of it, and its boards come back with the next
// command; a chat that is deleted takes nothing with it.
func TestRemovedBetweenTwoPresses(t *testing.T) {
	e := newEvening(t)
	e.sit("/coin 10", anna, ben)
	_, data, _ := e.turn("")
	e.group.Close()
	e.until("it is known", func() bool { return e.server.Pending() == 0 })
	e.group.Reopen()
	e.group.Say(ben, "/table")
	e.until("the board is new", func() bool {
		return len(e.messages()) > 0 && strings.Contains(e.messages()[len(e.messages())-1].Text, "Anna")
	})
	_, again, _ := e.turn("")
	if again != data {
		t.Errorf("the game is at %q, and was at %q", again, data)
	}
	e.play(anna, ben)
}

// What came to the new id before anything told of it stays there, and so does
// what was in the group: of two tables one waits to be brought.
func TestGroupBecomesSupergroupWhileSomebodyOpensATable(t *testing.T) {
	for _, how := range []telegramtest.Announcement{telegramtest.OldFirst, telegramtest.NewFirst, telegramtest.Silently} {
		t.Run(fmt.Sprint(how), func(t *testing.T) {
			e := newEvening(t)
			e.group.Admin(ben)
			e.group.Say(ben, "/unit coffees")
			e.reads("coffees")
			e.sit("/coin 10", anna, ben)
			m, data, _ := e.turn("")
			e.settled()
			next := e.group.Upgrade(telegramtest.Silently)
			there := e.in(next, 0)
			next.Say(clara, "/coin 5") // it is a new chat, as far as anybody knows
			there.reads("Clara opens a table")
			e.settled() // what is posted while the chat moves is taken away again
			if how == telegramtest.Silently {
				e.answered(e.group.PressData(anna, m.ID, data))
			} else {
				e.group.Announce(next, how)
			}
			there.until("one of them waits", func() bool { return e.away(2) })
			stale, old, _ := there.carries(":!join")
			if told := there.answer(next.PressData(ben, stale.ID, old)).Text; told != "That table has lost its place. /table brings it back." {
				t.Errorf("told %q", told)
			}
			next.Delete(stale.ID)          // the helpers below would take it for the present one
			board := there.play(anna, ben) // being played, it is the one that stays
			if !strings.Contains(board.Text, "coffees") {
				t.Errorf("the last board:\n%s", board.Text)
			}
			next.Say(clara, "/table")
			there.reads("Table 2, Coin: Clara")
			there.press(clara, "/bring 2")
			there.reads("Clara opens a table: Coin for 5")
		})
	}
}

// A command whose answer comes upon the new id is answered there.
func TestAnAnswerFollowsItsGroup(t *testing.T) {
	e := newEvening(t)
	next := e.group.Upgrade(telegramtest.Silently)
	e.group.Say(ben, "/rules shutbox")
	e.in(next, 0).reads("Shut the Box")
}

func TestDoctorOnTelegram(t *testing.T) {
	e := newEvening(t)
	e.group.Say(ben, "/coin 10")
	e.reads("opens a table")
	e.group.Say(ben, "/doctor")
	e.reads("That is for admins of this chat. Ask one of them.")
	e.group.Admin(anna)
	ask := func(parts ...string) {
		t.Helper()
		before := len(e.messages())
		e.group.Say(anna, "/doctor")
		e.until("the answer", func() bool { return len(e.messages()) > before })
		text := e.messages()[len(e.messages())-1].Text
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not in:\n%s", part, text)
			}
		}
	}
	ask("Wie es um mich in diesem Chat steht", "✓ Ich darf hier alles, was Tische brauchen.", "Privatsphäre-Modus", "von 20 (", "Hier läuft 1 Tisch; Bretter im Rückstand: 0.")
	e.server.Fail(telegramtest.Fault{Method: "getChat", Code: 500, Text: "Internal Server Error"})
	ask("Die Plattform sagt gerade nicht, was ich hier darf.")
	alone := e.server.Private(anna)
	alone.Say(anna, "/doctor")
	e.in(alone, 0).reads("Wir sind hier unter uns")
}

// What Telegram says of the bot, as doctor tells it.
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
	group.Quiet(true)
	consult("bot.stands.lacks-here true", "bot.stands.privacy false")
	group.Quiet(false)
	group.Restrict(true)
	consult("bot.stands.lacks-here true", "bot.stands.privacy false")
	group.Restrict(false)
	s.tele.mutes.learn(at, toTopic)
	consult("bot.stands.lacks-here true", "bot.stands.privacy false")
	group.Close()
	consult("bot.stands.gone true")
	if found, err := s.tele.Consult(t.Context(), chatID(-5), nil); err != nil || found[0].Line.Key != "bot.stands.gone" {
		t.Errorf("of no chat: %v, %v", found, err)
	}
	if _, err := s.tele.Consult(t.Context(), "discord:1", nil); err == nil {
		t.Error("another platform's chat is consulted about")
	}
}
