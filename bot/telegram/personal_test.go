package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

// allOf returns the texts of the bot's messages in c, in order.
func allOf(c *telegramtest.Chat) (all []string) {
	for _, m := range c.Messages() {
		all = append(all, m.Text)
	}
	return all
}

// TestAnAnswerReplacesTheLast checks that a private answer in a group only replaces that person's last in the topic.
func TestAnAnswerReplacesTheLast(t *testing.T) {
	early, late, at := &page{message: 7}, &page{message: 8}, [3]int64{1, 0, 2}
	known := answers{at: {late}} // the answer to a later command was stored first
	if gone := known.add(at, early); !slices.Equal(gone, []*page{early}) || !slices.Equal(known[at], []*page{late}) {
		t.Errorf("%v are replaced, %v stand", gone, known[at])
	}
	s := open(t)
	s.core.answer = func(ev chat.Event) chat.Reply {
		head, whole := ev.Text+ev.Press, strings.HasPrefix(ev.Text+ev.Press, "all")
		m := &chat.Message{Head: head, Buttons: [][]chat.Button{{{Label: "More", Press: head + " more"},
			{Label: "All", Press: "all of " + head}}}}
		if strings.HasPrefix(head, "word") {
			m.Buttons = nil
		}
		return chat.Reply{Private: m, Public: whole, Instead: whole && ev.Press != "", Stays: head == "list"}
	}
	s.run()
	dice := s.server.Supergroup("Dice", true)
	topics := []int64{dice.Topic("One"), dice.Topic("Two")}
	stands := func(want ...string) {
		t.Helper()
		s.until(fmt.Sprintf("there stands %q", want), func() bool { return slices.Equal(allOf(dice), want) })
	}
	dice.SayIn(topics[0], anna, "/rules one")
	stands("one")
	dice.SayIn(topics[0], ben, "/rules two")
	stands("one", "two")
	dice.SayIn(topics[1], anna, "/rules three")
	stands("one", "two", "three")
	dice.SayIn(topics[0], anna, "/rules four")
	stands("two", "three", "four")
	for _, m := range dice.Messages() {
		if !m.Silent {
			t.Errorf("everybody is notified of %s", m.Text)
		}
	}
	dice.SayIn(topics[0], anna, "/rules list") // public answers stay
	stands("two", "three", "four", "list")
	dice.SayIn(topics[0], anna, "/rules all")
	stands("two", "three", "four", "list", "all")

	press := func(text, label string) {
		t.Helper()
		m, ok := dice.Find(text)
		if !ok {
			t.Fatalf("no %s", text)
		}
		query, err := dice.Press(anna, m.ID, label)
		check(t, err)
		s.answer(query)
	}
	press("four", "More") // a page with new content is replaced as before
	stands("two", "three", "four more", "list", "all")
	dice.SayIn(topics[0], anna, "/rules five")
	stands("two", "three", "list", "all", "five")
	press("five", "All") // but a page that has become public stays
	stands("two", "three", "list", "all", "all of five")
	dice.SayIn(topics[0], anna, "/rules six")
	stands("two", "three", "list", "all", "all of five", "six")

	own := s.server.Private(anna)
	for i, said := range []string{"one", "two"} {
		own.Say(anna, "/rules "+said)
		s.until("all answers stay in private", func() bool { return len(allOf(own)) == i+1 })
	}
	if m, _ := own.Find("one"); m.Silent {
		t.Error("in private nobody else is disturbed")
	}
}

func TestReceiptsAreReactions(t *testing.T) {
	receipt := chat.Reply{Toast: "Your word was added to the dice.", Receipt: true}
	for _, c := range []struct {
		name  string
		api   string // the server's version
		stiff bool
		asks  int // how often a reaction is tried for three commands
	}{
		{name: "taken", asks: 3},
		{name: "forbidden", stiff: true, asks: 1},
		{name: "unknown", api: "6.9", asks: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openWith(t, telegramtest.Options{API: c.api})
			s.core.answer = func(chat.Event) chat.Reply { return receipt }
			s.run()
			group := s.server.Group("Friends")
			if c.stiff {
				group.NoReactions()
			}
			for range 3 {
				command := group.Say(anna, "/rules")
				s.until("it is answered", func() bool {
					m, _ := group.Message(command)
					all := group.Messages()
					return m.Reaction == "👍" || len(all) > 0 && all[len(all)-1].ReplyTo == command
				})
			}
			want := 0
			if c.asks == 1 {
				want = 1 // each replaces the one before
			}
			s.until("answers are replaced", func() bool { return len(group.Messages()) == want })
			if got := len(s.server.Calls("setMessageReaction")); got != c.asks {
				t.Errorf("%d reactions were tried, want %d", got, c.asks)
			}
			own := s.server.Private(ben) // a private chat gets a text instead of a reaction
			own.Say(ben, "/rules")
			s.until("it is said in private", func() bool { _, ok := own.Find("Your word"); return ok })
		})
	}
}

// TestEphemeralAnswers checks that ephemeral messages are sent only if enabled and known to the server.
func TestEphemeralAnswers(t *testing.T) {
	rules := chat.Message{Head: "Rules."}
	menu := chat.Message{Head: "Menu.", Buttons: [][]chat.Button{{{Label: "More", Press: "more"}}}}
	for _, c := range []struct {
		on           bool
		server       string // which version of ephemeral messages the server knows, "": none
		tries        int    // how many of three answers are tried as ephemeral messages
		alone, stand int
	}{
		{on: false, server: "10.3", stand: 2},
		{on: true, server: "10.3", tries: 3, alone: 3, stand: 1},
		{on: true, server: "10.2", tries: 3, alone: 3, stand: 1},
		{on: true, server: "", tries: 1, stand: 2},
	} {
		t.Run(fmt.Sprint(c.on, c.server), func(t *testing.T) {
			s := openWith(t, telegramtest.Options{Ephemeral: c.server})
			o, offs := s.options(), 0
			o.Ephemeral, o.NoEphemeral = c.on, func() { offs++ }
			s.tele = New(o)
			s.core.answer = func(ev chat.Event) chat.Reply {
				m := map[string]chat.Message{"rules": rules, "help": menu}[ev.Command]
				return chat.Reply{Private: &m}
			}
			s.run()
			group := s.server.Group("Friends")
			for n := range 3 {
				command := group.Say(anna, "/rules")
				s.until("it is answered", func() bool {
					all := group.Messages()
					sent := len(s.server.Calls("sendMessage")) // an old server gets the first answer twice
					return len(group.Whispers()) > n ||
						len(all) == 1 && all[0].ReplyTo == command && sent == n+1+c.tries-c.alone
				})
			}
			group.Say(ben, "/help") // a page with buttons is public
			s.until("it is answered, too", func() bool { _, ok := group.With("More"); return ok })
			if alone := group.Whispers(); len(alone) != c.alone || c.alone > 0 && alone[0] != (telegramtest.Whisper{
				To: anna.ID, Text: "Rules."}) {
				t.Errorf("Anna alone sees %v", alone)
			}
			if stand := group.Messages(); len(stand) != c.stand {
				t.Errorf("all see %v", stand)
			}
			tries := slices.DeleteFunc(s.server.Calls("sendMessage"), func(call telegramtest.Call) bool {
				return call.Params["ephemeral_message_parameters"] == ""
			})
			if len(tries) != c.tries {
				t.Errorf("%d tries, want %d", len(tries), c.tries)
			}
			said := strings.Contains(s.log.String(), "rejected ephemeral messages")
			if off := c.on && c.server == ""; said != off || (offs == 1) != off {
				t.Errorf("told the operator: %v, %d times", said, offs)
			}
		})
	}
}

// TestSecretsAreNeverEphemeral checks that secrets are never ephemeral messages, and a private chat needs none.
func TestSecretsAreNeverEphemeral(t *testing.T) {
	s := openWith(t, telegramtest.Options{Ephemeral: "10.3"})
	o := s.options()
	o.Ephemeral = true
	s.tele = New(o)
	s.core.answer = func(chat.Event) chat.Reply {
		return chat.Reply{Private: &chat.Message{Head: "Hint."}, Secret: true}
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
