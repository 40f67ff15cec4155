package scenario

// What concerns one person does not stay in a group on Telegram.

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/telegram/telegramtest"
	"knobel/store"
)

// quietly has a story happen in a group on Telegram where answers fade, and which lets the bot delete commands.
func quietly(t *testing.T, story func(s *Stage, g *Group)) {
	Setting{Quiet: true}.On(t, "Telegram", func(s *Stage) {
		g := s.Place.(*Group)
		g.Tidies(true)
		story(s, g)
	})
}

// stands returns the texts of the bot's messages in a group, in the order in which they were written.
func (g *Group) stands() (texts []string) {
	for _, m := range g.Chat.Messages() {
		texts = append(texts, m.Text)
	}
	return texts
}

// curious is what somebody curious writes after a game.
var curious = []string{
	"/privacy", "/forget", "/notify", "/notify off", "/notify on", "/settings", "/settings quiet=22-8", "/rules golf",
	"/rules", "/help", "/help shutbox", "/help settings", "/hint", "/luck fox", "/stats", "/stats Ben",
	"/leaderboard", "/leaderboard week", "/history", "/settle", "/settle why", "/skill", "/review", "/fair", "/doctor",
	"/news", "/language", "/language en", "/unit", "/unit coffees", "/house", "/season", "/mydata", "/handover",
	"/settle paid 5 Ben", "/weather@KnobelBot",
}

// Thirty-six commands after a game leave few messages of the bot's in the group beside what concerns all, and none of
// them is lost on whoever has asked.
func TestAnEveningOfCommandsLeavesLittle(t *testing.T) {
	quietly(t, func(s *Stage, g *Group) {
		anna, ben := s.Person("Anna", "en").Admin(), s.Person("Ben", "en")
		anna.Writes("/shutbox stake=5")
		ben.Presses("Sit down")
		anna.Presses(":!start")
		boards := len(g.Chat.Messages())
		answered := 0
		for _, line := range curious {
			command := g.SayIn(g.Thread, (*g.People)[anna.who], line)
			s.Until("an answer to "+line, func() bool {
				m, _ := g.Message(command)
				return m.Reaction != "" || slices.ContainsFunc(g.Chat.Messages(), func(m telegramtest.Message) bool {
					return m.ReplyTo == command
				})
			})
			answered++
			time.Sleep(10 * time.Second)
		}
		time.Sleep(5 * time.Minute)
		left := len(g.Chat.Messages()) - boards
		t.Logf("%d of %d commands were answered and left %d messages of the bot's beside %d boards: %q", answered,
			len(curious), left, boards, g.stands())
		if answered != 36 || left > 9 {
			t.Errorf("%d answers have left %d messages", answered, left)
		}
		liked := 0
		for _, m := range g.Written() {
			if m.From != 0 && m.Reaction == "" && strings.HasPrefix(m.Text, "/") && m.Text != "/shutbox stake=5" {
				t.Logf("a command stays: %s", m.Text)
			}
			if m.Reaction != "" {
				liked++
			}
		}
		if liked < 5 {
			t.Errorf("%d receipts are reactions", liked)
		}
		if v := g.Server.Violations(); len(v) > 0 {
			t.Errorf("violations: %v", v)
		}
	})
}

// A page that is paged stands longer; then it goes with its command, and a restart forgets none.
func TestAPageGoesAfterItsLastPress(t *testing.T) {
	quietly(t, func(s *Stage, g *Group) {
		anna := s.Person("Anna", "de").Admin()
		page := anna.Asks("/settings")
		for range 4 {
			time.Sleep(50 * time.Second)
			anna.Sends(page, "0:0:0:/settings answers=?")
		}
		if _, stands := g.Message(numberOf(page.ID)); !stands {
			t.Fatal("the page has gone while it was read")
		}
		s.Restart()
		time.Sleep(90 * time.Second)
		if left := g.Written(); len(left) != 0 {
			t.Errorf("there stand %v", left)
		}
		page = anna.Asks("/settings")
		s.Stop()
		time.Sleep(3 * time.Minute)
		s.Restart()
		s.Until("the page goes although its time passed without a bot", func() bool { return len(g.Written()) == 0 })
	})
}

// What somebody has replied to stays with its command, and so does a payment that waits for the other side.
func TestWhatIsTalkedAboutStays(t *testing.T) {
	quietly(t, func(s *Stage, g *Group) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		first, second := anna.Asks("/help"), ben.Asks("/privacy")
		time.Sleep(time.Second) // to read it
		g.Reply((*g.People)[ben.who], numberOf(first.ID), "Look at that.")
		time.Sleep(2 * time.Minute)
		if _, stands := g.Message(numberOf(first.ID)); !stands {
			t.Error("what Ben has replied to is gone")
		}
		if _, stands := g.Message(numberOf(second.ID)); stands {
			t.Error("what nobody has replied to stands")
		}
	})
}

// The setting: open is as it was, and without the right to delete commands their answers stay with them.
func TestAnswersStayWhereTheChatWantsThem(t *testing.T) {
	Setting{Quiet: true}.On(t, "Telegram", func(s *Stage) {
		g := s.Place.(*Group)
		anna, ben := s.Person("Anna", "en").Admin(), s.Person("Ben", "de")
		page := anna.Asks("/settings")
		if !strings.Contains(page.Text, "Answers: quiet") {
			t.Errorf("the settings are\n%s", page.Text)
		}
		if refusal := ben.Asks("/settings answers=offen"); !strings.Contains(refusal.Text, "nur Admins") {
			t.Errorf("Ben reads %q", refusal.Text)
		}
		time.Sleep(2 * time.Minute)
		if left := g.Written(); len(left) != 4 {
			t.Errorf("there stand %v", left)
		}
		anna.Asks("/settings answers=open")
		told := ben.Asks("/notify off")
		if told.Text == "" {
			t.Error("Ben is told nothing")
		}
		time.Sleep(3 * time.Minute)
		if _, stands := g.Message(numberOf(told.ID)); !stands {
			t.Error("an answer has gone that was to stay")
		}
		if page := ben.Asks("/settings"); !strings.Contains(page.Text, "Antworten: offen") {
			t.Errorf("the settings are\n%s", page.Text)
		}
	})
}

// A server of Bot API 6 knows neither reactions nor how to delete several messages at once.
func TestAnOldServerIsQuietToo(t *testing.T) {
	quietly(t, func(s *Stage, g *Group) {
		g.Server.Forgets("setMessageReaction", "deleteMessages")
		anna := s.Person("Anna", "en")
		for i, line := range []string{"/notify off", "/help", "/notify on"} {
			if answer := anna.Asks(line); answer.Text == "" {
				t.Errorf("command %d is not answered", i)
			}
		}
		time.Sleep(3 * time.Minute)
		if left := g.Written(); len(left) != 0 {
			t.Errorf("there stand %v", left)
		}
		if n := len(g.Server.Calls("setMessageReaction")); n != 1 {
			t.Errorf("%d reactions were tried", n)
		}
	})
}

// What Telegram does not delete is tried a few times more; then it stays, and nothing is left of it in the database.
func TestWhatCannotBeDeletedIsLeft(t *testing.T) {
	quietly(t, func(s *Stage, g *Group) {
		anna := s.Person("Anna", "en")
		fault := telegramtest.Fault{Method: "deleteMessages", Code: 500, Text: "Internal Server Error"}
		waiting := func() (due int64) {
			if err := s.Store.View(context.Background(), func(tx *store.Tx) (err error) {
				due, err = tx.NextFading(0)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return due
		}
		g.Server.Fail(fault, fault)
		anna.Asks("/help")
		s.Until("the answer goes at the third try", func() bool { return len(g.Written()) == 0 && waiting() == 0 })
		g.Server.Fail(slices.Repeat([]telegramtest.Fault{fault}, 5)...)
		anna.Asks("/help")
		time.Sleep(time.Hour)
		if left, due := len(g.Written()), waiting(); left != 2 || due != 0 {
			t.Errorf("%d messages are left, the next is tried at %d", left, due)
		}
		if n := len(g.Server.Calls("deleteMessages")); n != 8 {
			t.Errorf("%d requests", n)
		}
	})
}
