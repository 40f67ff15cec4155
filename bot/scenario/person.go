package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"knobel/store"
)

// Person is a person on a stage.
type Person struct {
	*Stage
	Name string
	who  int
}

// Person adds a person whose client has a language: "en", "de".
func (s *Stage) Person(name, language string) *Person {
	return &Person{Stage: s, Name: name, who: s.Meet(name, language)}
}

// At returns the same person in another place.
func (p *Person) At(there *Stage) *Person { return &Person{Stage: there, Name: p.Name, who: p.who} }

// ID returns the person's id, as the bot spells it.
func (p *Person) ID() string { return p.Stage.ID(p.who) }

// Admin makes the person an admin of a chat that has admins, and returns them.
func (p *Person) Admin() *Person {
	if p.Server != nil {
		p.Appoint(p.who)
	}
	return p
}

// Writes sends a command with named options, and returns the answer.
func (p *Person) Writes(line string) (told string) {
	p.Helper()
	return p.Told(p.Write(p.who, line))
}

// Mentions sends a command that mentions a person as its last word, and returns the answer.
func (p *Person) Mentions(line string, other *Person) (told string) {
	p.Helper()
	return p.Told(p.Mention(p.who, line, other.who))
}

// Sees returns what the person sees: the messages of the place and, behind them, private ones.
func (p *Person) Sees() []Message { return p.Messages(p.who) }

// Last returns the newest message that the person sees, a private one before any other.
func (p *Person) Last() Message {
	p.Helper()
	all := p.Sees()
	if len(all) == 0 {
		p.Fatalf("%s sees no message", p.Name)
	}
	return all[len(all)-1]
}

// Asks sends a command and returns the message that answers it.
func (p *Person) Asks(line string) (answer Message) {
	p.Helper()
	stood := p.Sees()
	p.Writes(line)
	for _, m := range p.Sees() {
		if !slices.ContainsFunc(stood, func(old Message) bool { return old.ID == m.ID }) {
			answer = m
		}
	}
	return answer
}

// Reads waits until the person sees a message with a text, and returns the newest of them.
func (p *Person) Reads(part string) (read Message) {
	p.Helper()
	p.Until(p.Name+" reads "+part, func() bool {
		for _, m := range slices.Backward(p.Sees()) {
			if strings.Contains(m.Text, part) {
				read = m
				return true
			}
		}
		return false
	})
	return read
}

// finds returns the newest message that the person sees with a button, and the button.
func (p *Person) finds(button string) (on Message, b Button, ok bool) {
	for _, all := range [][]Message{p.Sees(), p.Messages(-1)} { // others' private messages can be pressed, too
		for _, m := range slices.Backward(all) {
			if b, ok := m.Button(button); ok {
				return m, b, true
			}
		}
	}
	return on, b, false
}

// Finds waits for a button, by its label or its data, and returns its message, the newest that the person sees, and
// itself.
func (p *Person) Finds(button string) (on Message, b Button) {
	p.Helper()
	p.Until(p.Name+" finds a button "+button, func() (ok bool) {
		on, b, ok = p.finds(button)
		return ok
	})
	return on, b
}

// Presses waits for a button, presses it, and returns the private answer, "" if the board shows all.
func (p *Person) Presses(button string) (told string) {
	p.Helper()
	on, b := p.Finds(button)
	return p.Sends(on, b.Data)
}

// PressesOn presses a button of an earlier message.
func (p *Person) PressesOn(on Message, button string) (told string) {
	p.Helper()
	b, ok := on.Button(button)
	if !ok {
		p.Fatalf("no button %q on:\n%s\n%v", button, on.Text, on.Buttons)
	}
	return p.Sends(on, b.Data)
}

// Sends presses a button of a message by its data, real or forged, after the time to read it.
func (p *Person) Sends(on Message, data string) (told string) {
	p.Helper()
	time.Sleep(leisure)
	return p.Taps(on, data)
}

// leisure is longer than the interval of a double tap.
const leisure = 601 * time.Millisecond

// Taps presses at once.
func (p *Person) Taps(on Message, data string) (told string) {
	p.Helper()
	return p.Told(p.Press(p.who, on.ID, data))
}

// Sit lets a person open a table by a command, seats others, and starts.
func (s *Stage) Sit(command string, opener *Person, others ...*Person) {
	s.Helper()
	opener.Writes(command)
	for _, p := range others {
		p.Presses(":!join")
	}
	if told := opener.Presses(":!start"); told != "" {
		s.Fatalf("the game does not start: %s", told)
	}
	s.Until("the game has begun", func() bool { _, _, lobby := opener.finds(":!start"); return !lobby })
}

// next returns the button that advances the game: the one that plays the picked ones, or else the first that is not
// picked. over: there is a rematch.
func next(m Message) (first Button, over bool) {
	for _, b := range m.Buttons {
		switch {
		case strings.HasSuffix(b.Data, ":!rematch"):
			return b, true
		case strings.HasSuffix(b.Data, ":!play"):
			return b, false
		case first.Data == "" && !(picks(b.Data) && b.Picked):
			first = b
		}
	}
	return first, false
}

// picks reports whether a press only picks something; a second one unpicks it.
func picks(data string) bool { return strings.Contains(data, ":!pick") }

// Turn waits for a board whose next button has other data than the last one.
func (s *Stage) Turn(last string) (m Message, b Button, over bool) {
	s.Helper()
	s.Until("the board moves on", func() bool {
		m = s.Board()
		b, over = next(m)
		return over || b.Data != "" && b.Data != last
	})
	return m, b, over
}

// made returns how many presses were moves at a button's table: the moves of one press have the same time and count
// once. It is 0 without a database.
func (s *Stage) made(data string) (n int) {
	s.Helper()
	var table int64
	if _, err := fmt.Sscanf(data, "1:%d:", &table); err != nil || s.Store == nil {
		return 0
	}
	seats := s.Table(table).Seats
	s.Reads(func(tx *store.Tx) error {
		moves, err := tx.Tables.Moves(table)
		n = 0
		for i, m := range moves {
			along := i > 0 && moves[i-1].At == m.At && moves[i-1].Seat == m.Seat
			if !m.Auto && seats[m.Seat].House == "" && !along {
				n++
			}
		}
		return err
	})
	return n
}

// Play plays to the end. At every turn all people press at the same time, one of them twice, and one presses a button
// of the last board: at most one press is a move. It returns the last board.
func (s *Stage) Play(people ...*Person) Message {
	s.Helper()
	last := ""
	for range 600 {
		m, b, over := s.Turn(last)
		if over {
			return m
		}
		time.Sleep(leisure)
		made := s.made(b.Data)
		var done []Deed
		for _, p := range people {
			done = append(done, s.Press(p.who, m.ID, b.Data))
		}
		if !picks(b.Data) {
			done = append(done, s.Press(people[0].who, m.ID, b.Data))
		}
		if last != "" && !picks(last) {
			done = append(done, s.Press(people[len(people)-1].who, m.ID, last))
		}
		moved := 0
		for _, deed := range done {
			if s.Told(deed) == "" {
				moved++
			}
		}
		if made = s.made(b.Data) - made; moved > 1 || made > 1 {
			s.Errorf("%d presses of %q count, %d are moves", moved, b.Label, made)
		}
		last = b.Data
	}
	s.Fatal("the game does not end")
	return Message{}
}
