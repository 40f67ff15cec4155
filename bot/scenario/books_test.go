package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

// hostileTexts are names and words that could break layouts and markup.
var hostileTexts = []string{
	"<b>*_[x](y)@everyone", "</code></b>", "&amp;&lt;", "Tom & Anna", `"><a href="tg://user?id=1">x</a>`,
	"@here <@123> <@&1> <#2> <:a:1> <t:1:R>",
	"`code` ```block``` ||spoiler|| ~~gone~~", "# big", "> quote", "-# small", "- list", "1. one",
	"[link](https://example.org)", "https://example.org",
	"\u202egnp.exe\u202c", "\u2066\u2067x\u2069", "\u200fשלום\u200f", "محمد",
	strings.Repeat("😀", 4000), strings.Repeat("*", 4000), strings.Repeat("a\n", 2000),
	strings.Repeat("ä", 4000), strings.Repeat("👨‍👩‍👧‍👦", 500), strings.Repeat("a\u0300", 3000),
	"", " ", "\u200b", "\x00\x07\x1b[31m", "line\nbreak\r\n\u2028x", "??",
	"\\", "\\*", "Z̸̡͈̈́algo", "***", "a_b_c", "\r\n# big\r\n> quote",
	"@everyone @clara", "/abandon", "1️⃣", "\ufffd",
}

// checkPrivate fails the test if other people can read the answer m, except on Telegram, where it is in the group.
func (p *Person) checkPrivate(m Message) {
	p.Helper()
	if _, shared := p.Place.(*Group); !shared && !m.Alone {
		p.Errorf("everybody reads\n%s", m.Text)
	}
}

// A person who is mentioned, or chosen from the platform's list, is found whatever their name is.
func TestMentionedPeopleAreFound(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben, other := s.Person("Anna", "en"), s.Person("Ben 🎲", "en"), s.Person("Ben 🎲", "en")
		s.Sit("/coin stake=7", anna, ben)
		s.Remove(s.Play(anna, ben).ID)
		for _, c := range []struct {
			line  string
			whom  *Person
			reads string
		}{
			{"/stats player=", ben, "Ben 🎲: 1 game here"}, {"/stats player=", anna, "Anna: 1 game here"},
			{"/stats player=", other, "“Ben 🎲” hasn't finished a game here"},
			{"/leaderboard rank=pool against=", ben, "1 game between Anna and Ben 🎲"},
			{"/leaderboard rank=pool against=", other, "No one called “Ben 🎲” plays here"},
			{"/leaderboard rank=pool against=", anna, "Against yourself? Name another player."},
			{"/settle why", ben, "Ben 🎲"}, {"/settle why", other, " has no balance here"},
		} {
			s.Says(anna.Mentions(c.line, c.whom), c.reads)
		}
		if c, ok := s.Place.(*Channel); ok {
			if n := strings.Count(c.Menu("de"), `"type":6`); n != 6 {
				s.Errorf("%d options offer Discord's list of people, not those of /stats, /leaderboard and /settle", n)
			}
			s.Says(fmt.Sprint(c.Completes(anna, "history", "game", "")), "Ben 🎲", " 1}")
		}
	})
}

// The board of a finished game shows the review, with pages behind a button. Its costliest decision becomes a puzzle.
func TestReviewAndPuzzle(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
		s.Sit("/wuerfelpoker", anna)
		s.Play(anna)
		s.Shows("mistake")
		before := len(s.Messages(-1))
		if told := anna.Writes("/puzzle"); s.Name() == "Discord" {
			s.Says(told, "Puzzle from game #1. ")
			if n := len(s.Messages(-1)) - before; n != 1 {
				s.Errorf("/puzzle is answered by %d messages", n)
			}
		}
		m := anna.Reads("Puzzle from game #1. ")
		found, tried, end := 0, 0, m.Buttons[len(m.Buttons)-1].Data
		for _, b := range m.Buttons[:len(m.Buttons)-1] {
			tried++
			switch told := ben.Sends(m, b.Data); {
			case strings.HasPrefix(told, "Richtig: "):
				found++
			case !strings.HasPrefix(told, "Nicht ganz: "):
				s.Errorf("%s is told %q", b.Label, told)
			}
		}
		if found < 1 || found == tried { // several can be equally good, but it is not a puzzle if all are
			s.Errorf("%d of %d moves are the best", found, tried)
		}
		if s.Server != nil { // in a browser, all people are admins: all may show the answer
			s.Says(ben.Sends(m, end), "Die Antwort zeigt ")
		}
		s.Says(anna.Sends(m, end), "The puzzle now shows the answer.")
		if solved := anna.Reads("Answer to the puzzle from game #1: the best move was "); solved.ID != m.ID {
			s.Error("the answer stands in another message")
		}
		anna.Presses("Review")
		first := anna.Reads("Luck and mistakes in game #1")
		anna.checkPrivate(first)
		anna.PressesOn(first, "Move by move")
		anna.Reads(", luck ")
		anna.PressesOn(first, "Chart")
		anna.Reads("Anna: from 0 to ")
	})
}

func TestHintsAreForOneAlone(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Sit("/shutbox stake=10 hints=yes", anna, ben)
		anna.Presses(":throw 2")
		s.Until("there is a set to choose", func() bool { _, there := s.Board().Button(":throw 2"); return !there })
		stood := len(s.Messages(-1))
		s.Says(ben.Presses("Hint"), "It's Anna's turn. Wait for yours.")
		hint := ""
		s.Until("a hint is there", func() bool {
			hint = anna.Presses("Hint")
			return strings.Contains(hint, "Best move: close ")
		})
		s.Says(hint, " chips.")
		if g, ok := s.Place.(*Group); ok && (!g.Window(hint) || len([]rune(hint)) > 200) {
			s.Errorf("no window shows the hint %q", hint)
		}
		if len(s.Messages(-1)) != stood {
			s.Error("a hint stands in the chat")
		}
		told := anna.Writes("/hint")
		if _, shared := s.Place.(*Group); !shared {
			s.Says(told, "Best move: close ")
			s.Says(ben.Writes("/hint"), "It's Anna's turn. Wait for yours.")
		} else { // all would read the answer
			asked := anna.Reads("The hint is only for you")
			if told := ben.Sends(asked, asked.Buttons[0].Data); strings.Contains(told, "Best") {
				s.Errorf("somebody else reads %q", told)
			}
			told := anna.Sends(asked, asked.Buttons[0].Data)
			if !strings.HasPrefix(told, "Best move: ") || len([]rune(told)) > 200 || !s.Place.(*Group).Window(told) {
				s.Errorf("behind the button stands %q", told)
			}
		}
		for _, m := range s.Messages(-1) {
			if strings.Contains(m.Text, "Best move: ") {
				s.Errorf("a hint stands in the chat: %q", m.Text)
			}
		}
	})
}

// Completes returns the choices for an option while typed is its text, after other options were filled in.
func (c *Channel) Completes(p *Person, command, option, typed string,
	others ...discordtest.Option) []discordtest.Choice {
	p.Helper()
	a, err := c.Complete((*c.People)[p.who], command, option, typed, others...).Answer(p.Context())
	check(p.T, err)
	return a.Choices
}

// On Discord, people and boards have commands in their menus.
func TestCommandsInMenus(t *testing.T) {
	Each(t, func(s *Stage) {
		c, ok := s.Place.(*Channel)
		if !ok {
			return
		}
		anna, ben, clara := s.Person("Anna", "en"), s.Person("Ben", "de"), s.Person("Clara", "en")
		s.Sit("/coin stake=7", anna, ben)
		said := func(p *Person, command string, on any) string {
			a, err := c.Choose((*c.People)[p.who], command, on).Answer(s.Context())
			if err != nil || !a.Message.Private() {
				s.Errorf("%s is answered %+v, %v", command, a, err)
			}
			return a.Message.Text()
		}
		board := s.Board()
		s.Says(said(anna, "Review this game", board.ID), "The review comes after the game. /history lists others.")
		s.Play(anna, ben)
		s.Says(said(anna, "Review this game", s.Board().ID), "This game has no review. /history lists others.")
		page := anna.Asks("/help")
		s.Says(said(anna, "Review this game", page.ID), "That isn't one of my boards. Choose one with a game.")
		s.Says(said(anna, "Stats", (*c.People)[ben.who]), "Ben: 1 game here")
		s.Says(said(anna, "Stats", (*c.People)[clara.who]), "“Clara” hasn't finished a game here.")
		with := said(anna, "Settle up with", (*c.People)[ben.who])
		s.Says(said(ben, "Settle up with", (*c.People)[clara.who]), "„Clara“")
		s.Says(said(ben, "Settle up with", (*c.People)[ben.who]), "Du kannst dich nicht selbst bezahlen")
		s.Says(with, "Ben")
		if menu := c.Menu("de"); !strings.Contains(menu, `"Diese Partie auswerten"`) {
			s.Error(menu)
		}
	})
}

// Two people play Shut the Box for a stake, with rematches, until one owes something. The debtor pays with a button of
// /settle, the other confirms, and both are even.
func TestAnEveningIsSettled(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Sit("/shutbox stake=5 tiles=6-9 one-die=never", anna, ben)
		books := ""
		for games := 1; ; games++ {
			last := s.Play(anna, ben)
			s.Says(last.Text, "Anna", "Ben", "Dice seal")
			if books = anna.Writes("/settle"); games > 1 && strings.Contains(books, "→") {
				break
			}
			anna.PressesOn(last, ":!rematch")
			ben.Presses(":!join")
			s.Until("both sit there", func() bool { return !strings.Contains(s.Board().Text, "reserved") })
			anna.Presses(":!start")
			s.Offers(":throw 2")
		}
		payer, payee := anna, ben
		if strings.Contains(books, "Ben → Anna") {
			payer, payee = ben, anna
		}
		payer.PressesOn(payer.Asks("/settle"), payer.Name+" → "+payee.Name)
		if told := payee.Reads(": waiting for "); told.Alone {
			s.Errorf("one alone reads\n%s", told.Text)
		}
		payee.Presses("✓ " + payer.Name)
		payer.Reads("paid and confirmed.")
		s.Says(anna.Writes("/settle"), "All settled. Everyone is even.")
	})
}

// Debtor lets two people play until one owes the other, and returns the debtor and the creditor.
func (s *Stage) Debtor(one, other *Person) (owes, owed *Person) {
	s.Helper()
	for range 20 {
		s.Sit("/coin stake=7", one, other)
		end := s.Play(one, other).Text
		switch {
		case strings.Contains(end, one.Name+" wins "):
			return other, one
		case strings.Contains(end, other.Name+" wins "):
			return one, other
		}
	}
	s.Fatal("every game is tied")
	return nil, nil
}

// A press on a payment in a settle-up updates the settle-up: it shows the confirmed payment and the open amounts. The
// debtor gets one message about the payment.
func TestASettleUpTurnsWithAPaymentInIt(t *testing.T) {
	Each(t, func(s *Stage) {
		owes, owed := s.Debtor(s.Person("Anna", "en"), s.Person("Ben", "en"))
		owes.Writes("/settle paid 2 " + owed.Name)
		owed.Reads(": waiting for ")
		list := owed.Asks("/settle")
		owed.PressesOn(list, "✓ ")
		s.Until("the list has turned", func() bool {
			return slices.ContainsFunc(owed.Sees(), func(now Message) bool {
				_, open := now.Button("✓ ")
				return now.ID == list.ID && !open && strings.Contains(now.Text, "paid and confirmed.") &&
					strings.Contains(now.Text, "settles everything")
			})
		})
		owes.Reads("paid and confirmed.")
		told := 0
		for _, m := range owes.Sees() {
			if strings.Contains(m.Text, "paid and confirmed.") {
				told++
			}
		}
		if told != 1 {
			s.Errorf("%s reads of it %d times", owes.Name, told)
		}
	})
}
