package scenario

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"time"

	"knobel/store"
)

// abroad returns a stage in a chat of which the bot is no member, where Anna has written a command. seated is how many
// of Anna and Ben have joined the table.
func (s *Stage) abroad(command string, seated int) (there *Stage, anna, ben *Person) {
	there = s.In(s.Place.(*Group).Abroad())
	anna, ben = there.Person("Anna", "en"), there.Person("Ben", "de")
	anna.Writes(command)
	if seated > 0 {
		anna.Presses("Join")
	}
	if seated > 1 {
		ben.Presses(":!join")
	}
	return there, anna, ben
}

// only returns the only message in the place, and fails the test if there are others.
func (s *Stage) only() Message {
	s.Helper()
	all := s.Messages(-1)
	if len(all) != 1 {
		s.Fatalf("%d messages: %v", len(all), all)
	}
	return all[0]
}

// outdate has the board of a table drawn again once the bot runs.
func (s *Stage) outdate(table int64) {
	s.Helper()
	check(s, s.Store.UpdateOf(context.Background(), store.OfTable(table), func(tx *store.Tx) error {
		t, err := tx.Tables.Table(table)
		t.Outdate(time.Now().UnixMilli())
		return cmp.Or(err, tx.Tables.SaveTable(t))
	}))
}

// TestAGuestFromMentionToRematch plays in a chat without the bot: one message is invitation, lobby, game, result, page
// and rematch, and a restart in the middle changes nothing. Then the group adds the bot and gets the books.
func TestAGuestFromMentionToRematch(t *testing.T) {
	Setting{Luck: "f"}.On(t, "Telegram", func(s *Stage) {
		there, anna, ben := s.abroad("/coin 5", 0)
		first := there.only()
		there.Says(first.Text, "Anna wants to play Coin for 5 chips.")
		ben.PressesOn(first, "Join") // who presses first opens the table
		there.Shows("Ben")
		there.Says(there.only().Text, "Ich bin hier zu Gast")
		anna.PressesOn(first, "Join") // on the invitation as she still sees it
		there.Shows("Anna")
		if table := there.Table(1); table.Opener != ben.ID() || table.Stake != 5 || len(table.Seats) != 2 ||
			!strings.HasPrefix(table.Chat, "telegram:instance/") {
			t.Errorf("table %+v", table)
		}
		ben.Presses(":!start")
		m, b, _ := there.Turn("")
		s.Restart()
		there.Store, there.Bot, there.Adapter = s.Store, s.Bot, s.Adapter
		there.Says(anna.Sends(m, "1:1:0:/privacy"), "Too long to show here while you play.")
		ben.Sends(m, b.Data)
		there.Play(anna, ben)
		over := there.Offers(":!rematch")
		for button, says := range map[string]string{"Rangliste": "Pools in chips", "Abrechnen": "Anna"} {
			anna.PressesOn(over, button)
			page := there.Offers(":!refresh")
			there.Says(page.Text, says)
			ben.PressesOn(page, ":!refresh")
			there.Offers(":!rematch")
		}
		ben.Presses(":!rematch")
		there.Offers(":!start")
		anna.PressesOn(over, "Revanche") // on the older board
		there.Shows("Anna")
		s.Stop()
		s.outdate(1)
		s.Restart()
		there.Store, there.Bot, there.Adapter = s.Store, s.Bot, s.Adapter
		there.Settled()
		there.Offers(":!start") // the message shows the newest table, whatever is drawn after it

		// The group adds the bot. A press there tells that it is the same chat.
		g := s.Place.(*Group)
		g.SetInstance(there.Place.(*Foreign).There.Instance())
		own, member := there.In(g), anna.At(there.In(g))
		member.Writes("/shutbox")
		own.Says(member.Asks("/leaderboard").Text, "no games yet")
		member.Presses(":!page rules")
		own.Says(member.Asks("/leaderboard").Text, "Anna", "Ben", "of 1 won")
		if table := own.Table(1); table.Chat != own.Table(3).Chat {
			t.Errorf("the tables belong to %s and %s", table.Chat, own.Table(3).Chat)
		}
		ben.Presses(":!start") // the game goes on where it is
		there.Play(anna, ben)
		there.only()
	})
}

// TestAnotherChatChangesNothing checks that a press from another chat, on a message that was copied, is refused.
func TestAnotherChatChangesNothing(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		there, _, ben := s.abroad("/coin", 1)
		there.Offers(":!join")
		f := there.Place.(*Foreign)
		instance := f.There.Instance()
		f.There.SetInstance("77")
		there.Says(ben.Presses(":!join"), "Der Tisch gehört zu einem anderen Chat.")
		there.Says(ben.Sends(there.only(), "1:0:0:/shutbox"), "Der Tisch gehört zu einem anderen Chat.")
		f.There.SetInstance(instance)
		if table := there.Table(1); len(table.Seats) != 1 {
			t.Errorf("seats: %v", table.Seats)
		}
		ben.Presses(":!join")
		there.Shows("Ben")
	})
}

// TestTheMessageIsDeleted checks that the table is kept while Telegram does not know its message, until a press comes.
func TestTheMessageIsDeleted(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		there, anna, _ := s.abroad("/coin", 1)
		m := there.Offers("+ Computer")
		there.Remove(m.ID)
		anna.Sends(m, "1:1:0:!house random")
		there.waitUntilAway(1)
		if table := there.Table(1); table.State != store.Lobby {
			t.Errorf("the table is %s", table.State)
		}
		time.Sleep(time.Hour)
		anna.Sends(m, "1:1:0:!start")
		if table := there.Table(1); table.State != store.Playing {
			t.Errorf("the table is %s", table.State)
		}
	})
}

// TestPagesOfAMessage checks what people read in the message before there is a table and in the lobby.
func TestPagesOfAMessage(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		there, anna, ben := s.abroad("/coin", 0)
		first := there.only()
		anna.Sends(first, "1:9:0:!join")
		over, _ := anna.Finds("New game")
		there.Says(over.Text, "That's over.")
		anna.PressesOn(over, "New game")
		anna.Finds(":/shutbox")
		anna.Sends(first, "1:0:0:/help books")
		there.countBack(1, 0)
		anna.PressesOn(first, "Join")
		there.Offers(":!join")
		if told := ben.Presses(":!join"); told != "Du bist dabei." {
			t.Errorf("told %q", told)
		}
		anna.Sends(first, "1:0:0:/help books")
		there.countBack(1, 1)
		ben.Presses("Show the board")
		m := there.Offers(":!start")
		there.Says(anna.Sends(m, "1:0:0:/house"), "There are no house rules here yet.")
		there.Says(ben.Sends(m, "1:0:0:/language de"), "Das dürfen nur Admins, sobald ich Mitglied bin:")
		there.Offers(":!start")
	})
}

// countBack waits for a page with so many buttons that lead to the previous page and to the board.
func (s *Stage) countBack(pages, boards int) {
	s.Helper()
	s.Until("the page has its buttons", func() bool {
		var labels []string
		for _, b := range s.only().Buttons {
			labels = append(labels, b.Label)
		}
		all := strings.Join(labels, "\n")
		return strings.Count(all, "Back") == pages && strings.Count(all, "Show the board") == boards
	})
}

// TestTheMessageStaysWhenTheBotLeaves checks that a guest's board is drawn on after the bot has left the group.
func TestTheMessageStaysWhenTheBotLeaves(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		there, anna, _ := s.abroad("/shutbox 5", 2)
		g := s.Place.(*Group)
		g.SetInstance(there.Place.(*Foreign).There.Instance())
		member := anna.At(there.In(g))
		member.Writes("/coin")
		member.Presses("+ Computer")
		anna.PressesOn(there.Offers(":!start"), ":!start")
		there.Turn("")
		g.Close()
		there.Passes("the computer has played for both", func() bool {
			_, over := there.only().Button(":!rematch")
			return over
		})
	})
}

// TestAGuestPlaysOnAlone checks that the message shows what happens without a press, and that no one is called.
func TestAGuestPlaysOnAlone(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		there, anna, _ := s.abroad("/shutbox 5", 2)
		anna.Presses(":!start")
		there.Turn("")
		there.Passes("the computer has played for both", func() bool {
			_, over := there.only().Button(":!rematch")
			return over
		})
		for _, c := range there.Place.(*Foreign).Server.Calls() {
			if strings.HasPrefix(c.Method, "send") || strings.HasPrefix(c.Method, "delete") {
				t.Errorf("a guest called %s", c.Method)
			}
		}
	})
}
