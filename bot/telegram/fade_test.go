package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

// told waits until something was said of fading answers, and returns all of it.
func (s *stage) told(n int) []string {
	s.t.Helper()
	s.until(fmt.Sprintf("%d words on fading answers", n), func() bool { return len(s.core.fading()) >= n || touch(s) })
	return s.core.fading()
}

// answering has the core give one answer to everything, for one person.
func (s *stage) answering(r chat.Reply) *stage {
	r.Fades = true
	s.core.answer = func(ev chat.Event) chat.Reply {
		if !ev.Fades {
			r := r
			r.Fades = false
			return r
		}
		return r
	}
	return s.run()
}

func TestAnswersForOnePersonFadeWithTheirCommands(t *testing.T) {
	s := open(t).answering(chat.Reply{Private: &chat.Message{Head: "Rules."}})
	group := s.server.Group("Friends")
	command := group.Say(anna, "/rules")
	told := s.told(1)
	answer, _ := group.Find("Rules.")
	if want := fmt.Sprintf("fade %s above %q for %q in 1m0s", refID(group.ID(), answer.ID), "",
		refID(group.ID(), command)); told[0] != want {
		t.Errorf("told %q, want %q", told[0], want)
	}
	if !answer.Silent {
		t.Error("everybody is notified of one person's answer")
	}
	own := s.server.Private(anna)
	own.Say(anna, "/rules")
	s.until("it is answered there, too", func() bool { _, ok := own.Find("Rules."); return ok })
	group.Reply(ben, answer.ID, "Is that so?")
	if told := s.told(2); told[1] != "stay "+string(refID(group.ID(), answer.ID)) {
		t.Errorf("told %q", told[1:])
	}
	if m, _ := own.Find("Rules."); m.Silent {
		t.Error("in private nobody else is disturbed")
	}
}

func TestLongAnswersStandLonger(t *testing.T) {
	s := open(t).answering(chat.Reply{Private: &chat.Message{Head: strings.Repeat("word ", 300)}})
	s.server.Group("Friends").Say(anna, "/rules")
	if told := s.told(1); !strings.Contains(told[0], "in 1m39") {
		t.Errorf("told %q", told)
	}
}

// What a page becomes goes later; one that is for all stays; one that has done its work goes at once.
func TestPagesThatAreTurnedGoLater(t *testing.T) {
	page := chat.Message{Head: "Menu.", Buttons: [][]chat.Button{{{Label: "More", Press: "more"},
		{Label: "Do", Press: "do"}, {Label: "No", Press: "no"}, {Label: "All", Press: "all"}}}}
	s := open(t)
	s.core.answer = func(ev chat.Event) chat.Reply {
		turned := page
		switch ev.Press {
		case "do":
			return chat.Reply{Toast: "Done.", Receipt: true}
		case "no":
			return chat.Reply{Toast: "Not you.", Refused: true}
		case "all":
			turned.Head = "For all."
			return chat.Reply{Private: &turned, Public: true, Instead: true}
		case "more":
			turned.Head = "Page two."
		}
		return chat.Reply{Private: &turned, Fades: true}
	}
	s.run()
	group := s.server.Group("Friends")
	group.Say(anna, "/help")
	s.told(1)
	m, _ := group.Find("Menu.")
	ref := string(refID(group.ID(), m.ID))
	for i, c := range []struct{ label, want string }{
		{"More", "refade " + ref + " as " + ref + ` above "" in 1m0s`},
		{"No", "refade " + ref + " as " + ref + ` above "" in 1m0s`},
		{"Do", "refade " + ref + " as " + ref + ` above "" in 0s`},
		{"All", "stay " + ref},
	} {
		query, err := group.Press(anna, m.ID, c.label)
		if err != nil {
			t.Fatal(err)
		}
		s.answer(query)
		if told := s.told(i + 2); told[i+1] != c.want {
			t.Errorf("%s: told %q, want %q", c.label, told[i+1], c.want)
		}
	}
	// A board is no page: pressing it says nothing of fading.
	if _, err := s.tele.Post(t.Context(), placeID(group.ID(), 0), lobby("Anna opens a table.")); err != nil {
		t.Fatal(err)
	}
	board, _ := group.With("Sit")
	s.core.answer = func(chat.Event) chat.Reply { return chat.Reply{Toast: "You sit."} }
	query, _ := group.Press(ben, board.ID, "Sit")
	s.answer(query)
	if told := s.core.fading(); len(told) != 5 {
		t.Errorf("told %q", told)
	}
}

func TestReceiptsAreReactions(t *testing.T) {
	receipt := chat.Reply{Toast: "Your word is in the dice.", Receipt: true}
	for _, c := range []struct {
		name  string
		lacks []string
		stiff bool
		asks  int // how often a reaction is tried for three commands
	}{
		{name: "taken", asks: 3},
		{name: "forbidden", stiff: true, asks: 1},
		{name: "unknown", lacks: []string{"setMessageReaction"}, asks: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openWith(t, telegramtest.Options{Lacks: c.lacks}).answering(receipt)
			group := s.server.Group("Friends")
			if c.stiff {
				group.NoReactions()
			}
			for n := range 3 {
				command := group.Say(anna, "/rules")
				s.until("it is answered", func() bool {
					m, _ := group.Message(command)
					return m.Reaction == "👍" || len(group.Messages()) == n+1
				})
			}
			want := 0
			if c.asks == 1 {
				want = 3
				s.told(3)
			}
			if got := len(group.Messages()); got != want {
				t.Errorf("%d messages, want %d", got, want)
			}
			if got := len(s.server.Calls("setMessageReaction")); got != c.asks {
				t.Errorf("%d reactions were tried, want %d", got, c.asks)
			}
			own := s.server.Private(ben) // in private there is room for a sentence
			own.Say(ben, "/rules")
			s.until("it is said in private", func() bool { _, ok := own.Find("Your word"); return ok })
		})
	}
}

// fading are answers as the core has them taken away, written by the bot and by Anna.
func (s *stage) fades(group *telegramtest.Chat, n int) (all []chat.Fading) {
	s.t.Helper()
	for i := range n {
		ref, err := s.tele.Post(s.t.Context(), placeID(group.ID(), 0), lobby(fmt.Sprintf("Answer %d.", i)))
		if err != nil {
			s.t.Fatal(err)
		}
		all = append(all, chat.Fading{Answer: ref, Command: refID(group.ID(), group.Say(anna, "/rules"))})
	}
	return all
}

func TestFadedAnswersAreDeleted(t *testing.T) {
	for _, c := range []struct {
		name   string
		lacks  []string
		tidies bool
		left   int // of twelve messages
		calls  string
	}{
		{"all at once", nil, true, 0, "deleteMessages"},
		{"neither, without the right", nil, false, 12, ""},
		{"one by one on an old server", []string{"deleteMessages"}, true, 0,
			"deleteMessages" + strings.Repeat(" deleteMessage", 12)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openWith(t, telegramtest.Options{Lacks: c.lacks}).run()
			group := s.server.Group("Friends")
			if c.tidies {
				group.Tidies(true)
			}
			all := s.fades(group, 6)
			all = append(all, chat.Fading{Answer: refID(group.ID(), 999)}) // somebody has deleted it
			s.events(6)
			if err := s.tele.Fade(t.Context(), chatID(group.ID()), all); err != nil {
				t.Fatal(err)
			}
			if left := group.Written(); len(left) != c.left {
				t.Errorf("%d messages are left: %v", len(left), left)
			}
			var calls []string
			for _, call := range s.server.Calls("deleteMessages", "deleteMessage") {
				calls = append(calls, call.Method)
			}
			if got := strings.Join(calls, " "); !strings.HasPrefix(got, c.calls) || len(calls) > 14 {
				t.Errorf("asked %s", got)
			}
			if err := s.tele.Fade(t.Context(), chatID(group.ID()), all); err != nil {
				t.Errorf("again: %v", err)
			}
		})
	}
}

// A bot that may no longer delete what others write learns of it, and leaves its answers to them.
func TestRightsToDeleteAreLearned(t *testing.T) {
	s := open(t).run()
	group := s.server.Supergroup("Friends", false)
	for _, tidies := range []bool{true, false, true} {
		group.Tidies(tidies)
		s.until("the bot knows", func() bool { return s.server.Pending() == 0 })
		all := s.fades(group, 2)
		if err := s.tele.Fade(t.Context(), chatID(group.ID()), all); err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			for _, ref := range []chat.Ref{f.Command, f.Answer} {
				_, message, _ := parseRef(ref)
				if _, stands := group.Message(message); stands == tidies {
					t.Errorf("with the right %v a message stands: %v", tidies, stands)
				}
			}
		}
	}
}

// More than a hundred messages go by several requests.
func TestManyFadedAnswers(t *testing.T) {
	s := open(t).run()
	group := s.server.Group("Friends")
	var all []chat.Fading
	for i := range int64(250) {
		all = append(all, chat.Fading{Answer: refID(group.ID(), i+5000)})
	}
	if err := s.tele.Fade(t.Context(), chatID(group.ID()), all); err != nil {
		t.Fatal(err)
	}
	if n := len(s.server.Calls("deleteMessages")); n != 3 {
		t.Errorf("%d requests", n)
	}
}

func TestFadingMeetsTrouble(t *testing.T) {
	s := open(t).run()
	group := s.server.Group("Friends")
	group.Tidies(true)
	all := s.fades(group, 2)
	s.server.Fail(telegramtest.Fault{Method: "deleteMessages", Code: 429, Text: "Too Many Requests", RetryAfter: 7})
	err := s.tele.Fade(t.Context(), chatID(group.ID()), all)
	if err == nil || !strings.Contains(err.Error(), "7s") {
		t.Errorf("asked to wait: %v", err)
	}
	if err := s.tele.Fade(t.Context(), chatID(group.ID()), all); err != nil {
		t.Error(err)
	}
	group.Close()
	for i := range all {
		all[i].Command = "" // the bot may know by now that it deletes none there
	}
	if err := s.tele.Fade(t.Context(), chatID(group.ID()), all); err == nil {
		t.Error("a group that the bot is not in has answers taken away")
	}
	if err := s.tele.Fade(t.Context(), "discord:1", all); err == nil {
		t.Error("another platform's chat is known")
	}
}

func TestTalkIsHeardWhereAnswersMayFade(t *testing.T) {
	s := open(t).run()
	forum := s.server.Supergroup("Dice", true)
	topic := forum.Topic("Games")
	said := forum.SayIn(topic, anna, "good evening")
	forum.Reply(ben, said, "hello")
	own := s.server.Private(anna)
	own.Reply(anna, own.Say(anna, "hm"), "so")
	s.until("all is heard", func() bool { return s.server.Pending() == 0 })
	if told := s.core.fading(); !slices.Equal(told, []string{"stay " + string(refID(forum.ID(), said))}) {
		t.Errorf("told %q", told)
	}
}

// Ephemeral messages only where they are switched on and the server knows them, in either form.
func TestEphemeralAnswers(t *testing.T) {
	rules := chat.Message{Head: "Rules."}
	menu := chat.Message{Head: "Menu.", Buttons: [][]chat.Button{{{Label: "More", Press: "more"}}}}
	for _, c := range []struct {
		on     bool
		server string // the version whose form it knows
		tries  int    // of three answers, how many are tried as ephemeral messages
		alone  int
		stand  int
	}{
		{on: false, server: "10.3", stand: 4},
		{on: true, server: "10.3", tries: 3, alone: 3, stand: 1},
		{on: true, server: "10.2", tries: 3, alone: 3, stand: 1},
		{on: true, server: "", tries: 1, stand: 4},
	} {
		t.Run(fmt.Sprint(c.on, c.server), func(t *testing.T) {
			s := openWith(t, telegramtest.Options{Ephemeral: c.server})
			o, offs := s.options(), 0
			o.Ephemeral, o.NoEphemeral = c.on, func() { offs++ }
			s.tele = New(o)
			s.core.answer = func(ev chat.Event) chat.Reply {
				m := rules
				if ev.Command == "help" {
					m = menu
				}
				return chat.Reply{Private: &m, Fades: ev.Fades}
			}
			s.run()
			group := s.server.Group("Friends")
			for n := range 3 {
				group.Say(anna, "/rules")
				s.told(n + 1)
			}
			group.Say(ben, "/help") // with buttons it is a page for all to see
			told := s.told(4)
			if alone := group.Whispers(); len(alone) != c.alone || c.alone > 0 && alone[0] != (telegramtest.Whisper{
				To: anna.ID, Text: "Rules."}) {
				t.Errorf("Anna alone sees %v", alone)
			}
			if stand := group.Messages(); len(stand) != c.stand {
				t.Errorf("all see %v", stand)
			}
			tries, commands := 0, 0
			for _, call := range s.server.Calls("sendMessage") {
				if call.Params["ephemeral_message_parameters"] != "" {
					tries++
				}
			}
			for _, word := range told {
				if strings.HasPrefix(word, `fade  above "" for "telegram:`) {
					commands++
				}
			}
			if tries != c.tries || commands != c.alone {
				t.Errorf("%d tries, %d commands go without an answer: %q", tries, commands, told)
			}
			said := strings.Contains(s.log.String(), "knows no ephemeral messages")
			if off := c.on && c.server == ""; said != off || (offs == 1) != off {
				t.Errorf("told the operator: %v, %d times", said, offs)
			}
			if deleted := s.server.Calls("deleteMessage"); len(deleted) != c.tries-c.alone {
				t.Errorf("%d were deleted at once", len(deleted))
			}
		})
	}
}

// What is secret is never shown as an ephemeral message, and a private chat needs none.
func TestSecretsAreNeverEphemeral(t *testing.T) {
	s := openWith(t, telegramtest.Options{Ephemeral: "10.3"})
	o := s.options()
	o.Ephemeral = true
	s.tele = New(o)
	s.core.answer = func(ev chat.Event) chat.Reply {
		return chat.Reply{Private: &chat.Message{Head: "Hint."}, Secret: true, Fades: ev.Fades}
	}
	s.run()
	group, own := s.server.Group("Friends"), s.server.Private(anna)
	group.Say(anna, "/rules")
	own.Say(anna, "/rules")
	s.until("both are answered", func() bool { return len(group.Messages())+len(own.Messages()) == 2 })
	if n := len(group.Whispers()) + len(own.Whispers()); n != 0 {
		t.Errorf("%d secrets were whispered", n)
	}
}

func TestEphemeralIsOnOrOff(t *testing.T) {
	for said, want := range map[string]bool{"on": true, "ON": true, "off": false, "": false} {
		if got, err := ParseEphemeral(said); err != nil || got != want {
			t.Errorf("%q is %v, %v", said, got, err)
		}
	}
	if _, err := ParseEphemeral("yes"); err == nil {
		t.Error("yes is read")
	}
}
