package platformtest

// The checks of a platform, one for each promise on which the bot relies.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
)

// Run checks a platform. It calls venue for each check, concurrently; each call returns a venue over a separate server.
// The server reports its own findings, such as an exceeded limit.
func Run(t *testing.T, venue func(t *testing.T) Venue) {
	for _, c := range []struct {
		name  string
		check func(s *scene)
	}{
		{"ids", ids}, {"a command", aCommand}, {"answers", answers}, {"a press", aPress}, {"redrawn", redrawn},
		{"a board that is gone", gone}, {"a board not noted", unnoted}, {"drawn by one", drawnByOne},
		{"limits", limits}, {"a call", aCall},
		{"a restart", aRestart}, {"the end", theEnd}, {"hostile text", hostile}, {"who can be asked", asked},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.check(open(t, venue(t)))
		})
	}
}

// All ids begin with the platform's name; a Ref need not.
func ids(s *scene) {
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
			continue // the platform never delivers it twice
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
	one, other := s.posts(board("One board.")), s.posts(board("Another board."))
	if _, edited := s.edited(one, board("One board.")); edited && one == other {
		s.Errorf("two messages have the Ref %q, so that Edit cannot tell which is meant", one)
	}
}

// A command arrives without its sign, its option by name or as text.
func aCommand(s *scene) {
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

// A toast and a private answer are shown to their person.
func answers(s *scene) {
	s.answers(func(chat.Event) chat.Reply { return chat.Reply{Toast: "Understood."} })
	s.Write(command, "")
	s.shown("Understood.", "the toast of an answer")
	s.answers(func(chat.Event) chat.Reply {
		return chat.Reply{Private: &chat.Message{Lang: "en", Head: "For you alone.", Accent: -1}}
	})
	s.Write(command, "")
	s.shown("For you alone.", "the private answer: show it to the person alone where the platform can, else to all")
}

// A press carries the button's data, all 64 bytes.
func aPress(s *scene) {
	if len(thrown) != chat.MaxPress {
		s.Fatalf("the press has %d bytes", len(thrown))
	}
	s.posts(board(before))
	s.Press("Throw")
	ev := s.event(1)
	if ev.Press != thrown || ev.Command != "" {
		s.Errorf("the press is %q, the command %q: hand back what the button carries, byte for byte", ev.Press,
			ev.Command)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ev.On != "" && !slices.Contains(s.refs, ev.On) {
		s.Errorf("the press is on %q: give the Ref that Post has returned, or none", ev.On)
	}
}

// Edit redraws the board, or fails: then it is posted again.
func redrawn(s *scene) {
	ref := s.posts(board(before))
	for range 2 { // a redraw without a change succeeds, too
		ref, _ = s.edited(ref, board("Ben throws the dice."))
		s.shown("Ben throws the dice.", "a board that was drawn over another")
	}
	s.Press("Throw")
	s.event(1)
}

// edited draws a board over another, as the bot does.
func (s *scene) edited(ref chat.Ref, m chat.Message) (chat.Ref, bool) {
	s.Helper()
	err := s.platform.Edit(s.Context(), s.Place, ref, m)
	if errors.Is(err, chat.ErrGone) {
		return s.posts(m), false // ErrGone is always allowed
	}
	if err != nil {
		s.Fatalf("Edit returns %v: return nil, also where nothing changes, and ErrGone where it cannot be drawn over "+
			"any more; all else is tried again", err)
	}
	return ref, true
}

// A deleted board is posted again, and retired without an error.
func gone(s *scene) {
	ref := s.posts(board(before))
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

// An Unnoted board is posted as a new message, or drawn over the newest board of its table below a message.
func unnoted(s *scene) {
	first := s.posts(board(before))
	m := board("Ben throws the dice.")
	m.Unnoted = true
	s.posts(m)
	m = board("Ben throws two dice.")
	m.Table, m.Unnoted, m.Below = 999999999999999999, true, first
	if s.posts(m); !s.Shows(before) {
		s.Error("a board is drawn over one of another table, or over the one that it is to stand below")
	}
}

// The platform draws Reply.Board by Core.Draw if the event has Carries; otherwise the bot draws it by Post and Edit.
func drawnByOne(s *scene) {
	s.answers(func(chat.Event) chat.Reply { return chat.Reply{Board: 7} })
	s.Write(command, "")
	if s.event(1).Carries {
		s.until("the platform draws Reply.Board by Draw, as Carries says", func() bool { return s.draws() == 1 })
		return
	}
	s.posts(board(before)) // as the bot does
	if n := s.draws(); n != 0 {
		s.Errorf("the platform has called Draw %d times: set Carries, or leave Reply.Board and Fresh to Post and Edit",
			n)
	}
}

// Ready returns for each need, and ends with its context. Only platforms with shared limits must serve the most urgent
// first.
func limits(s *scene) {
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

// A call notifies one person and can be deleted; or calls are impossible there.
func aCall(s *scene) {
	s.Write(command, "")
	ev := s.event(1)
	ref, err := s.platform.Call(s.Context(), s.Place, chat.Ping{
		Once: "1", To: ev.User, Name: ev.Name, After: ", it is your turn.",
		Off: chat.Button{Label: "Off", Press: "1:0:0:/notify off"},
	})
	if errors.Is(err, chat.ErrAway) {
		return // embed chat.Basics
	}
	if err != nil || ref == "" {
		s.Fatalf("Call returns %q, %v: call the person, or return ErrAway where nobody can be called", ref, err)
	}
	s.shown("it is your turn.", "a call")
	for range 2 {
		if err := s.platform.Retire(s.Context(), s.Place, ref); err != nil && !errors.Is(err, chat.ErrGone) {
			s.Errorf("Retire returns %v: a call that is not there any more is no error", err)
		}
	}
}

// The buttons of a board work after a restart. A platform that stores none of them redraws its places by Core.Redraw
// when Run begins.
func aRestart(s *scene) {
	if s.Stored {
		return // there is no database here
	}
	s.posts(board(before))
	s.stop()
	s.run()
	s.shown(before, "the board after a restart: call Core.Redraw for each place when Run begins, if boards are gone")
	s.Press("Throw")
	if ev := s.event(1); ev.Press != thrown {
		s.Errorf("after a restart the press is %q", ev.Press)
	}
}

// Events accepted before the end are answered.
func theEnd(s *scene) {
	goes := make(chan struct{})
	s.answers(func(chat.Event) chat.Reply {
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
	s.shown("Just in time.", "the answer to what was accepted before the end: Run returns when it is out")
}

// Names and sentences may hold anything, and be longer than the platform takes.
func hostile(s *scene) {
	m := board("Anna\x1b[2J\u202e\x00 throws @everyone <b>[x](https://evil.example)")
	m.People[0].Name = strings.Repeat("🎲", 24)
	m.Lines = []string{strings.Repeat("long ", 3000)}
	if _, err := s.platform.Post(s.Context(), s.Place, m); err != nil {
		s.Errorf("Post returns %v: escape what people have written, and cut off what is too long", err)
	}
}

// An admin reads the findings in their language.
func asked(s *scene) {
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
