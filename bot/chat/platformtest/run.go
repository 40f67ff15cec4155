package platformtest

// The checks of a platform, one for each promise that the bot relies on.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
)

// Run checks a platform. It calls venue for each check, concurrently; each call returns a venue over a separate server.
// The server itself reports violations, such as an exceeded limit.
func Run(t *testing.T, venue func(t *testing.T) Venue) {
	runAll(t, venue, []check{
		{"ids", checkIDs}, {"a command", checkCommand}, {"answers", checkAnswers}, {"a press", checkPress},
		{"redrawn", checkEdit}, {"a board that is gone", checkGone}, {"a board not noted", checkUnnoted},
		{"drawn by one", checkDrawnOnce}, {"limits", checkLimits}, {"a call", checkPing},
		{"a notice", checkNotice},
		{"a restart", checkRestart}, {"the end", checkEnd}, {"hostile text", checkHostile},
		{"who can be asked", checkConsult},
	})
}

// RunMessage is Run for a place that is one message (see chat.Ref), in which no commands are typed.
func RunMessage(t *testing.T, venue func(t *testing.T) Venue) {
	runAll(t, venue, []check{
		{"a press", checkPress}, {"redrawn", checkEdit}, {"limits", checkLimits}, {"a restart", checkRestart},
		{"hostile text", checkHostile},
	})
}

// check is a check with its name.
type check struct {
	name string
	do   func(s *scene)
}

// runAll runs all checks, each on its own venue.
func runAll(t *testing.T, venue func(t *testing.T) Venue, all []check) {
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.do(open(t, venue(t)))
		})
	}
}

// checkIDs checks that all ids begin with the platform's name; a Ref need not.
func checkIDs(s *scene) {
	name := s.platform.Name()
	if name == "" || strings.Contains(name, ":") {
		s.Fatalf("Name is %q: give a word, which all ids begin with", name)
	}
	s.Write(command, "golf")
	s.Write(command, "golf")
	first, second := s.event(1), s.event(2)
	for what, id := range map[string]string{
		"Chat": string(first.Chat), "Place": string(first.Place), "User": string(first.User), "ID": first.ID,
	} {
		if id == "" && what == "ID" {
			continue // allowed if the platform never delivers an event twice
		}
		if !strings.HasPrefix(id, name+":") || len(id) == len(name)+1 {
			s.Errorf("the event's %s is %q: begin it with %q", what, id, name+":")
		}
	}
	if !strings.ContainsAny(string(first.User), "0123456789") {
		s.Errorf("the event's User is %q: have a digit in it, as logs hide ids by that", first.User)
	}
	if first.ID != "" && first.ID == second.ID {
		s.Errorf("two commands have the id %q: the second is taken for the first, delivered again", first.ID)
	}
	if first.Place != s.Place || second.User != first.User || second.Chat != first.Chat {
		s.Errorf("the same person at the same place is %+v, then %+v", first, second)
	}
	one, other := s.post(board("One board.")), s.post(board("Another board."))
	if _, edited := s.edit(one, board("One board.")); edited && one == other {
		s.Errorf("two messages have the Ref %q, so that Edit cannot tell which is meant", one)
	}
}

// checkCommand checks that a command arrives without its sign, such as "/", and with its option, named or as text.
func checkCommand(s *scene) {
	s.Write(command, "golf")
	ev := s.event(1)
	if ev.Command != command || ev.Text != "golf" && ev.Options["variant"] != "golf" || ev.Press != "" {
		s.Errorf("the command is %q with %q and %v, the press %q: give the name without its sign, "+
			"what stands behind it as Text or, where the platform has them apart, as Options",
			ev.Command, ev.Text, ev.Options, ev.Press)
	}
	if ev.Name == "" {
		s.Error("the event has no Name: say how the person is called there")
	}
}

// checkAnswers checks that a toast and a private answer are shown to their person.
func checkAnswers(s *scene) {
	s.setAnswer(func(chat.Event) chat.Reply { return chat.Reply{Toast: "Understood."} })
	s.Write(command, "")
	s.reads("Understood.", "the toast of an answer")
	s.setAnswer(func(chat.Event) chat.Reply {
		return chat.Reply{Private: &chat.Message{Lang: "en", Head: "For you alone.", Accent: -1}}
	})
	s.Write(command, "")
	s.reads("For you alone.", "the private answer: show it to the person alone where the platform can, else to all")
}

// checkPress checks that a press returns the button's data, all 64 bytes.
func checkPress(s *scene) {
	if len(maxPress) != chat.MaxPress {
		s.Fatalf("the press has %d bytes", len(maxPress))
	}
	s.post(board(before))
	s.Press("Throw")
	ev := s.event(1)
	if ev.Press != maxPress || ev.Command != "" {
		s.Errorf("the press is %q, the command %q: hand back what the button carries, byte for byte", ev.Press,
			ev.Command)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ev.On != "" && !slices.Contains(s.refs, ev.On) {
		s.Errorf("the press is on %q: give the Ref that Post has returned, or none", ev.On)
	}
}

// checkEdit checks that Edit redraws the board or fails with ErrGone; it is then posted again.
func checkEdit(s *scene) {
	ref := s.post(board(before))
	for range 2 { // a redraw without a change succeeds, too
		ref, _ = s.edit(ref, board("Ben throws the dice."))
		s.reads("Ben throws the dice.", "a board that was drawn over another")
	}
	s.Press("Throw")
	s.event(1)
}

// edit draws m over a board as the bot does. It returns the message with the board, and false if it is a new one.
func (s *scene) edit(ref chat.Ref, m chat.Message) (chat.Ref, bool) {
	s.Helper()
	err := s.platform.Edit(s.Context(), s.Place, ref, m)
	if errors.Is(err, chat.ErrGone) {
		return s.post(m), false // ErrGone is always allowed
	}
	if err != nil {
		s.Fatalf("Edit returns %v: return nil, also where nothing changes, and ErrGone where it cannot be drawn over "+
			"any more; all else is tried again", err)
	}
	return ref, true
}

// checkGone checks that Edit of a deleted board returns ErrGone and that Retire returns no error.
func checkGone(s *scene) {
	ref := s.post(board(before))
	if s.Remove != nil {
		s.Remove()
		if err := s.platform.Edit(s.Context(), s.Place, ref, board("Ben throws the dice.")); !errors.Is(err,
			chat.ErrGone) {
			s.Errorf("Edit of a board that somebody has taken away returns %v: return ErrGone, and it is posted anew",
				err)
		}
	}
	for range 2 {
		if err := s.platform.Retire(s.Context(), s.Place, ref); err != nil && !errors.Is(err, chat.ErrGone) {
			s.Errorf("Retire returns %v: return nil or ErrGone where nothing is left to be taken away", err)
		}
	}
}

// checkUnnoted checks that an Unnoted board replaces neither a board of another table nor the message m.Below.
func checkUnnoted(s *scene) {
	first := s.post(board(before))
	m := board("Ben throws the dice.")
	m.Unnoted = true
	s.post(m)
	m = board("Ben throws two dice.")
	m.Table, m.Unnoted, m.Below = 999999999999999999, true, first
	if s.post(m); !s.Shows(before) {
		s.Error("a board is drawn over one of another table, or over the one that it is to stand below")
	}
}

// checkNotice checks that a message that is not a board can be posted silently, edited, pressed on and removed, and
// that two tries to post it with other words leave at most one message too many.
func checkNotice(s *scene) {
	notice := func(head string) chat.Message {
		m := board(head)
		m.Table, m.People, m.Once, m.Silent = 0, nil, "notice 7", true
		return m
	}
	s.post(notice("Tonight: Anna."))
	ref := s.post(notice("Tonight: Anna, Ben."))
	other := notice("Yesterday: Ben won.")
	other.Once, other.Buttons = "notice 8", nil
	if s.post(other) == ref && !s.Shows("Tonight: Anna, Ben.") {
		s.Error("a message replaces another one: only messages of the same Once are the same")
	}
	ref, _ = s.edit(ref, notice("Tonight: Ben."))
	s.reads("Tonight: Ben.", "a message that was edited")
	s.Press("Throw")
	s.event(1)
	called := notice("The table is open.")
	called.Once, called.Call = "notice 9", []chat.User{chat.User(s.platform.Name() + ":x"), "other:1"}
	s.post(called)
	for range 2 {
		if err := s.platform.Retire(s.Context(), s.Place, ref); err != nil && !errors.Is(err, chat.ErrGone) {
			s.Errorf("Retire returns %v: return nil or ErrGone where nothing is left to be taken away", err)
		}
	}
}

// checkDrawnOnce checks that the platform draws Reply.Board by Core.Draw if the event has Carries, and only then.
func checkDrawnOnce(s *scene) {
	s.setAnswer(func(chat.Event) chat.Reply { return chat.Reply{Board: 7} })
	s.Write(command, "")
	if s.event(1).Carries {
		s.until("the platform draws Reply.Board by Draw, as Carries says", func() bool { return s.drawCount() == 1 })
		return
	}
	s.post(board(before)) // as the bot does
	if n := s.drawCount(); n != 0 {
		s.Errorf("the platform has called Draw %d times: set Carries, or leave Reply.Board and Fresh to Post and Edit",
			n)
	}
}

// checkLimits checks that Ready returns for each need but ToShow, and when its context ends.
func checkLimits(s *scene) {
	for _, need := range []chat.Need{chat.ToMove, chat.ToSee, chat.ToCall} {
		if err := s.platform.Ready(s.Context(), s.Place, need); err != nil {
			s.Errorf("Ready returns %v where nothing was written: return nil as soon as one message may be sent", err)
		}
	}
	over, cancel := context.WithCancel(s.Context())
	cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 100 {
			_ = s.platform.Ready(over, s.Place, chat.ToSee)
		}
	}()
	s.until("Ready returns where its context is done", func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	})
	if b := s.platform.Budget(s.Place); b.Used() > b.Limit && b.Limit > 0 {
		s.Errorf("the budget is %+v: more was used than there is", b)
	}
}

// checkPing checks that a ping notifies one person and can be deleted, or that pings are impossible.
func checkPing(s *scene) {
	s.Write(command, "")
	ev := s.event(1)
	ref, err := s.platform.Call(s.Context(), s.Place, chat.Ping{
		Once: "1", To: ev.User, Name: ev.Name, After: ", it is your turn.",
		Off: chat.Button{Label: "Off", Press: "1:0:0:/notify off"},
	})
	if errors.Is(err, chat.ErrAway) {
		return // pings are impossible, as with chat.Basics
	}
	if err != nil || ref == "" {
		s.Fatalf("Call returns %q, %v: call the person, or return ErrAway where nobody can be called", ref, err)
	}
	s.reads("it is your turn.", "a call")
	for range 2 {
		if err := s.platform.Retire(s.Context(), s.Place, ref); err != nil && !errors.Is(err, chat.ErrGone) {
			s.Errorf("Retire returns %v: a call that is not there any more is no error", err)
		}
	}
}

// checkRestart checks that the buttons of a board work after a restart. A platform that stores none of them redraws the
// boards of its places by Core.Redraw when Run begins.
func checkRestart(s *scene) {
	if s.Stored {
		return // there is no database here
	}
	s.post(board(before))
	s.stop()
	s.run()
	s.reads(before, "the board after a restart: call Core.Redraw for each place when Run begins, if boards are gone")
	s.Press("Throw")
	if ev := s.event(1); ev.Press != maxPress {
		s.Errorf("after a restart the press is %q", ev.Press)
	}
}

// checkEnd checks that events accepted before the end are answered.
func checkEnd(s *scene) {
	goes := make(chan struct{})
	s.setAnswer(func(chat.Event) chat.Reply {
		<-goes
		return chat.Reply{Toast: "Just in time."}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Write(command, "")
	}()
	s.event(1)
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.stop()
	}()
	close(goes)
	<-over
	<-done
	s.reads("Just in time.", "the answer to what was accepted before the end: Run returns when it is out")
}

// checkHostile checks that names and sentences may contain anything and be longer than the platform accepts.
func checkHostile(s *scene) {
	m := board("Anna\x1b[2J\u202e\x00 throws @everyone <b>[x](https://evil.example)")
	m.People[0].Name = strings.Repeat("🎲", 24)
	m.Lines = []string{strings.Repeat("long ", 3000)}
	if _, err := s.platform.Post(s.Context(), s.Place, m); err != nil {
		s.Errorf("Post returns %v: escape what people have written, and cut off what is too long", err)
	}
}

// checkConsult checks that findings have a Line, so that an admin reads them in their language.
func checkConsult(s *scene) {
	s.Write(command, "")
	ev := s.event(1)
	found, err := s.platform.Consult(s.Context(), ev.Chat, []chat.Place{s.Place})
	if err != nil {
		s.Errorf("Consult returns %v where the platform can be asked", err)
	}
	for _, f := range found {
		if f.Line.Key == "" {
			s.Errorf("Consult finds %q without a Line: admins read it in their language", f.Text)
		}
	}
	found, err = s.platform.Consult(s.Context(), "", nil)
	if err != nil || slices.ContainsFunc(found, func(f chat.Finding) bool { return f.Text == "" && f.Line.Key == "" }) {
		s.Errorf("Consult finds %+v, %v of the platform as a whole", found, err)
	}
}
