package discord

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
)

// TestAnswers checks that every reply of the core, quick or slow, becomes exactly one answer.
func TestAnswers(t *testing.T) {
	t.Parallel()
	private := &chat.Message{Head: "For you.", Accent: -1}
	turning := &chat.Message{Head: "Changed.", Accent: -1, Buttons: [][]chat.Button{{{Label: "Go", Press: "1:0:0:/x"}}}}
	for _, c := range []answered{
		{"a command with a board", false, chat.Reply{Board: 1, Fresh: true}, public4, thinking, "", done, false, 1},
		{"a command with a board and a word", false, chat.Reply{Board: 1, Fresh: true, Toast: "Here."}, public4,
			thinking, "", "Here.", false, 1},
		{"a command with a word", false, chat.Reply{Toast: "Noted."}, private4, thinking, "Noted.", "Noted.", false, 0},
		{"a command that is refused", false, chat.Reply{Toast: "No.", Refused: true}, private4, thinking, "No.", "No.",
			false, 0},
		{"a command with a long answer", false, chat.Reply{Private: private}, private4, thinking, "For you.",
			"For you.", false, 0},
		{"a command with nothing", false, chat.Reply{}, private4, thinking, done, done, false, 0},
		{"a press", true, chat.Reply{Board: 1}, update, later, "", "", true, 0},
		{"a press with a word", true, chat.Reply{Board: 1, Toast: "You keep 4 4."}, update, later, "", "", true, 0},
		{"a press that is refused", true, chat.Reply{Toast: "Not yours.", Refused: true}, private4, later, "Not yours.",
			"Not yours.", false, 0},
		{"a press that is refused, with its board", true, chat.Reply{Toast: "Moved on.", Refused: true, Board: 1},
			private4, later, "Moved on.", "Moved on.", true, 0},
		{"a press that is refused, with a fresh board", true,
			chat.Reply{Toast: "Here.", Refused: true, Board: 1, Fresh: true}, private4, later, "Here.", "Here.",
			false, 1},
		{"a press with a long answer", true, chat.Reply{Private: private}, private4, later, "For you.", "For you.",
			false, 0},
		{"a press with a long answer and its board", true, chat.Reply{Private: private, Board: 1}, update, later,
			"For you.", "For you.", true, 0},
		{"a press with a word alone", true, chat.Reply{Toast: "I speak German here."}, private4, later,
			"I speak German here.", "I speak German here.", false, 0},
		{"a second tap", true, chat.Reply{Toast: "That was quick.", Refused: true, Slip: true}, later, later, "", "",
			false, 0},
		{"a press with nothing", true, chat.Reply{}, later, later, "", "", false, 0},
		{"a command with news for all", false, chat.Reply{Private: private, Public: true}, public4, thinking, "", done,
			false, 1},
		{"a press with news for all", true, chat.Reply{Private: private, Public: true}, public4, later, "", "",
			false, 1},
		{"a press with news where it stood", true, chat.Reply{Private: turning, Public: true, Instead: true}, update,
			later, "", "", true, 0},
		{"a press that is refused, with news where it stood", true,
			chat.Reply{Toast: "Moved on.", Refused: true, Private: turning, Public: true, Instead: true}, update, later,
			"Moved on.", "Moved on.", true, 0},
		{"a command with news that stood nowhere", false, chat.Reply{Private: private, Public: true, Instead: true},
			public4, thinking, "", done, false, 1},
		{"a press that turns its page", true, chat.Reply{Page: turning}, update, later, "", "", true, 0},
		{"a press that turns a page of all, which says the news", true,
			chat.Reply{Page: turning, Private: private, Public: true}, update, later, "", "", true, 0},
		{"a press that is refused and turns its page", true,
			chat.Reply{Page: turning, Toast: "Moved on.", Refused: true}, update, later, "Moved on.", "Moved on.",
			true, 0},
		{"a press with a fresh board", true, chat.Reply{Board: 1, Fresh: true}, public4, later, "", "", false, 1},
	} {
		for _, late := range []bool{false, true} {
			name := c.name
			if late {
				name += ", late"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c.try(t, late)
			})
		}
	}
}

// Callback types of answers, as Discord numbers them; negative: a private answer.
const private4, public4, thinking, later, update = -4, 4, 5, 6, 7

// answered is a test case: an event, the core's reply, and the expected outcome.
type answered struct {
	name    string
	press   bool
	reply   chat.Reply
	quick   int    // the type of the answer of a quick core
	slow    int    // the type of the answer of a slow core
	says    string // the private text of a quick core
	waits   string // the private text of a slow core
	changed bool   // the pressed board has changed
	fresh   int    // number of new public messages
}

// try runs the test case with a quick core, or if late with a slow one.
func (c answered) try(t *testing.T, late bool) {
	kind, read := c.quick, c.says
	if late {
		kind, read = c.slow, c.waits
	}
	s := rehearse(t, discordtest.Options{}, &script{handle: says(c.reply), late: late})
	before := s.posted()
	s.change("Changed.")
	var a discordtest.Answer
	if c.press {
		a = s.answer(s.pressOn(before))
	} else {
		a = s.answer(s.hall.Slash(s.anna, "shutbox"))
	}
	s.stop() // messages after the answer have arrived, too
	if wantPrivate := kind < 0 || kind == thinking; a.Type != max(kind, -kind) ||
		a.Message.Private() != wantPrivate && kind != later {
		t.Errorf("answer of kind %d, private %v, want %d", a.Type, a.Message.Private(), kind)
	}
	if late && a.After < hasty.deferAfter-50*time.Millisecond {
		t.Errorf("put off after %v already", a.After)
	}
	var heard []string
	for _, m := range s.hall.Private(s.anna) {
		heard = append(heard, m.Text())
	}
	if got := strings.Join(heard, "|"); got != read {
		t.Errorf("the person alone reads %q, want %q", got, read)
	}
	all := s.hall.Messages()
	if len(all) != 1+c.fresh {
		t.Fatalf("%d messages, want %d\n%s", len(all), 1+c.fresh, s.log)
	}
	if got := all[0].Text() == "Changed."; got != c.changed {
		t.Errorf("the pressed board has changed: %v", got)
	}
	if last := all[len(all)-1]; c.reply.Public && !c.changed && last.Text() != "For you." {
		t.Errorf("everybody reads %q", last.Text())
	} else if c.reply.Fresh && (last.Text() != "Changed." || s.core.at() != refID(s.hall.ID, last.ID)) {
		t.Errorf("the new board is %q at %s, and remembered at %s", last.Text(), last.ID, s.core.at())
	}
}

// TestBrokenCore checks that the person gets an answer even if the core fails or panics.
func TestBrokenCore(t *testing.T) {
	t.Parallel()
	board := says(chat.Reply{Board: 1})
	fresh := says(chat.Reply{Board: 1, Fresh: true})
	panics := func(context.Context, chat.Event) chat.Reply { panic("the core breaks") }
	before := func(context.Context, chat.Drawer) error { return errors.New("the disk is full") }
	for _, c := range []struct {
		name   string
		press  bool
		handle func(context.Context, chat.Event) chat.Reply
		draw   func(context.Context, chat.Drawer) error
		kind   int
		says   string
		log    string
	}{
		{"a command over which it panics", false, panics, nil, 4, trouble, "the core breaks"},
		{"a press over which it panics", true, panics, nil, 4, trouble, "the core breaks"},
		{"a command without its board", false, fresh, before, 4, done, "the disk is full"},
		{"a press without its board", true, board, before, 6, "", "the disk is full"},
		{"drawing panics", true, board, func(context.Context, chat.Drawer) error { panic("no paint") }, 4, trouble,
			"no paint"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := rehearse(t, discordtest.Options{}, &script{handle: c.handle, draw: c.draw})
			m := s.posted()
			var a discordtest.Answer
			if c.press {
				a = s.answer(s.pressOn(m))
			} else {
				a = s.answer(s.hall.Slash(s.anna, "shutbox"))
			}
			s.answer(s.hall.Slash(s.anna, "shutbox")) // everything else continues
			s.stop()
			if a.Type != c.kind || a.Type == 4 && a.Message.Text() != c.says {
				t.Errorf("answer %d: %q", a.Type, a.Message.Text())
			}
			if !strings.Contains(s.log.String(), c.log) {
				t.Errorf("the log does not say %q:\n%s", c.log, s.log)
			}
			if a.Message.Text() == trouble && !strings.Contains(s.log.String(), "answer_test.go") {
				t.Errorf("the log does not say where:\n%s", s.log)
			}
		})
	}
}

// TestAnswersThatAreNotTaken checks that boards are drawn exactly once even if Discord refuses or loses answers.
func TestAnswersThatAreNotTaken(t *testing.T) {
	t.Parallel()
	const at = "POST /interactions"
	for _, c := range []struct {
		name   string
		faults []discordtest.Fault
		lost   bool // Discord never gets an answer
	}{
		{"too late", []discordtest.Fault{{On: at, Status: 404, Code: 10062, Message: "Unknown interaction"}}, true},
		{"somebody else has answered",
			[]discordtest.Fault{{On: at, Status: 400, Code: 40060, Message: "Already acknowledged"}}, true},
		{"trouble", []discordtest.Fault{{On: at, Status: 500, Message: "Internal Server Error"}}, false},
		{"trouble twice, in HTML", []discordtest.Fault{{On: at, Status: 502, HTML: true},
			{On: at, Status: 503, HTML: true}}, false},
		{"a short wait", []discordtest.Fault{{On: at, Status: 429, RetryAfter: 0.3}}, false},
		{"a long wait", []discordtest.Fault{{On: at, Status: 429, RetryAfter: 60}}, true},
		{"trouble, then a long wait", []discordtest.Fault{{On: at, Status: 500, Message: "Internal Server Error"},
			{On: at, Status: 429, RetryAfter: 60}}, true},
		{"silence", []discordtest.Fault{{On: at, Hang: true}}, false},
		{"nothing but silence", []discordtest.Fault{{On: at, Hang: true}, {On: at, Hang: true},
			{On: at, Hang: true}}, true},
		{"a line that is cut", []discordtest.Fault{{On: at, Cut: true}}, false},
		{"taken, but the word is lost", []discordtest.Fault{{On: at, Cut: true, After: true}}, false},
		{"taken, but trouble", []discordtest.Fault{{On: at, Status: 500, After: true}}, false},
		{"a form that is not taken", []discordtest.Fault{{On: at, Status: 400, Code: 50035,
			Message: "Invalid Form Body"}}, false},
	} {
		for _, press := range []bool{true, false} {
			name := "a command: " + c.name
			if press {
				name = "a press: " + c.name
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				times := stubborn
				if c.lost {
					times = brisk
				}
				s := rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{Board: 1, Fresh: !press}),
					times: times})
				var did *discordtest.Interaction
				if press {
					m := s.posted()
					s.server.Fail(c.faults...)
					s.change("Changed.")
					did = s.pressOn(m)
				} else {
					s.server.Fail(c.faults...)
					s.change("Changed.")
					did = s.hall.Slash(s.anna, "shutbox")
				}
				if !c.lost {
					s.answer(did)
				}
				s.shows("Changed.", 1)
				s.stop()
				if c.lost {
					if wrong := s.server.Forgive(); len(wrong) != 0 { // it excuses unanswered interactions
						t.Errorf("Discord would not take this: %v", wrong)
					}
				}
				if last := s.shows("Changed.", 1); s.core.at() != refID(s.hall.ID, last.ID) {
					t.Errorf("the board is %s, remembered as %s", last.ID, s.core.at())
				}
			})
		}
	}
}

// TestUnknownInteractions checks that interactions of unknown kinds are answered.
func TestUnknownInteractions(t *testing.T) {
	t.Parallel()
	s := rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{Toast: "No such button.", Refused: true})})
	for _, i := range []*discordtest.Interaction{
		s.hall.Raw(s.anna, 5, map[string]any{"custom_id": "x",
			"components": []any{map[string]any{"type": 18, "component": map[string]any{"type": 99}}}}),
		s.hall.Raw(s.anna, 3, map[string]any{"custom_id": 7, "component_type": 99, "values": "no list"}),
		s.hall.Raw(s.anna, 2, map[string]any{"name": []any{}, "type": 3, "options": map[string]any{"a": 1}}),
		s.hall.Raw(s.anna, 17, map[string]any{}),
		s.hall.Raw(s.anna, 2, nil),
		s.hall.Slash(s.anna, "shutbox", discordtest.Option{Name: "stake", Value: 5}),
	} {
		if a := s.answer(i); !private(a, "No such button.") {
			t.Errorf("answer %d: %q", a.Type, a.Message.Text())
		}
	}
	var last chat.Event // the command; events arrive in any order
	for _, ev := range s.core.seen() {
		if ev.Command != "" {
			last = ev
		}
	}
	if last.Command != "shutbox" || last.Options["stake"] != "5" || last.Name != "Anna" || !last.Carries {
		t.Errorf("the last event is %+v", last)
	}
}

func TestCompletions(t *testing.T) {
	t.Parallel()
	s := rehearse(t, discordtest.Options{}, &script{complete: func(option, typed string) []chat.CommandChoice {
		switch typed {
		case "break":
			panic("the core breaks")
		case "many":
			all := []chat.CommandChoice{{Value: ""}, {Value: strings.Repeat("x", 101)}}
			for i := range 40 {
				all = append(all, chat.CommandChoice{Value: strings.Repeat("x", i+1)})
			}
			return all
		}
		return []chat.CommandChoice{{Value: typed,
			Label: map[string]string{"en": "tiles 4 to 9", "de": strings.Repeat("Klappen ", 30)}}}
	}})
	german := s.server.Person("Ben", "de")
	for typed, want := range map[string]int{"4-9": 1, "break": 0, "many": 25} {
		if a := s.answer(s.hall.Complete(s.anna, "shutbox", "tiles", typed)); a.Type != 8 || len(a.Choices) != want {
			t.Errorf("%q: kind %d, %d choices", typed, a.Type, len(a.Choices))
		}
	}
	if a := s.answer(s.hall.Complete(german, "shutbox", "tiles", "4-9")); !strings.HasPrefix(a.Choices[0].Name,
		"Klappen") || a.Choices[0].Value != "4-9" {
		t.Errorf("in German: %+v", a.Choices)
	}
}

// TestRedelivered checks that if Discord repeats an interaction after the bot has forgotten it, the bot answers again,
// which Discord refuses, and nothing else happens.
func TestRedelivered(t *testing.T) {
	t.Parallel()
	s := rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{})})
	i := s.pressOn(s.posted())
	s.answer(i)
	s.stop()
	s.play()
	s.until("the bot listens again", s.server.Listening)
	i.Redeliver()
	s.until("it is answered again", func() bool { return len(s.server.Requests("POST /interactions")) == 2 })
	if got := s.server.Requests("POST /interactions")[1].Status; got != http.StatusBadRequest {
		t.Errorf("the second answer gets %d", got)
	}
}

// TestStopWhileSomethingIsUnderWay checks that accepted interactions are answered before Run ends, which is soon.
func TestStopWhileSomethingIsUnderWay(t *testing.T) {
	t.Parallel()
	began := make(chan struct{})
	s := rehearse(t, discordtest.Options{}, &script{handle: func(ctx context.Context, _ chat.Event) chat.Reply {
		close(began)
		<-time.After(300 * time.Millisecond)
		return chat.Reply{Toast: "Done.", Refused: true}
	}})
	i := s.hall.Slash(s.anna, "help")
	<-began
	s.stop()
	if !i.Answered() {
		t.Error("it is not answered")
	}
}

// TestStopWhileTheCoreHangs checks that Run ends even if the core hangs.
func TestStopWhileTheCoreHangs(t *testing.T) {
	t.Parallel()
	began, never, times := make(chan struct{}), make(chan struct{}), hasty
	defer close(never)
	times.linger = time.Second
	s := rehearse(t, discordtest.Options{}, &script{handle: func(context.Context, chat.Event) chat.Reply {
		close(began)
		<-never
		return chat.Reply{}
	}, times: times})
	s.hall.Slash(s.anna, "help")
	<-began
	s.stop() // fails the test unless Run ends
}
