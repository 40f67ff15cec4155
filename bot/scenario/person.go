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
	who  int // number of the person; see Place.Meet
}

// Person adds a person whose client has a language: "en", "de".
func (s *Stage) Person(name, language string) *Person {
	return &Person{Stage: s, Name: name, who: s.Meet(name, language)}
}

// At returns the same person on another stage.
func (p *Person) At(there *Stage) *Person { return &Person{Stage: there, Name: p.Name, who: p.who} }

// ID returns the person's id, as the bot spells it.
func (p *Person) ID() string { return p.Stage.ID(p.who) }

// Admin makes the person an admin if the chat has admins, and returns p.
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

// Sees returns the messages of the place and, behind them, the person's private ones.
func (p *Person) Sees() []Message { return p.Messages(p.who) }

// Last returns the newest message that the person sees; private ones come last.
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
	before := p.Sees()
	p.Writes(line)
	for _, m := range p.Sees() {
		if !slices.ContainsFunc(before, func(old Message) bool { return old.ID == m.ID }) {
			answer = m
		}
	}
	return answer
}

// Reads waits until the person sees a message that contains part, and returns the newest of them.
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

// findButton returns a button, by label or data, and the newest message with it: one that the person sees, else any.
func (p *Person) findButton(button string) (on Message, b Button, ok bool) {
	for _, all := range [][]Message{p.Sees(), p.Messages(-1)} { // others' private messages can be pressed, too
		for _, m := range slices.Backward(all) {
			if b, ok := m.Button(button); ok {
				return m, b, true
			}
		}
	}
	return on, b, false
}

// Finds waits for a button, by label or data (see Message.Button). It returns the newest message with it, and the
// button.
func (p *Person) Finds(button string) (on Message, b Button) {
	p.Helper()
	p.Until(p.Name+" finds a button "+button, func() (ok bool) {
		on, b, ok = p.findButton(button)
		return ok
	})
	return on, b
}

// Presses waits for a button, presses it, and returns the private answer, "" if there is none.
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

// Sends presses a button of a message by its data, real or forged, after the time that a person needs to read.
func (p *Person) Sends(on Message, data string) (told string) {
	p.Helper()
	time.Sleep(leisure)
	return p.Taps(on, data)
}

// leisure is longer than the interval of a double tap.
const leisure = 601 * time.Millisecond

// Taps presses a button of a message by its data, without a pause.
func (p *Person) Taps(on Message, data string) (told string) {
	p.Helper()
	return p.Told(p.Press(p.who, on.ID, data))
}

// Sit lets opener open a table with a command and others join, and starts the game.
func (s *Stage) Sit(command string, opener *Person, others ...*Person) {
	s.Helper()
	opener.Writes(command)
	for _, p := range others {
		p.Presses(":!join")
	}
	if told := opener.Presses(":!start"); told != "" {
		s.Fatalf("the game does not start: %s", told)
	}
	s.Until("the game has begun", func() bool { _, _, lobby := opener.findButton(":!start"); return !lobby })
}

// nextButton returns the button that advances the game: the one that plays the picked dice or tiles, else the first
// that is not picked yet. over reports whether the game has ended: the button is then the rematch.
func nextButton(m Message) (button Button, over bool) {
	for _, b := range m.Buttons {
		switch {
		case strings.HasSuffix(b.Data, ":!rematch"):
			return b, true
		case strings.HasSuffix(b.Data, ":!play"):
			return b, false
		case button.Data == "" && !(isPick(b.Data) && b.Picked):
			button = b
		}
	}
	return button, false
}

// isPick reports whether a press only picks dice or tiles. A second press of the same button undoes that.
func isPick(data string) bool { return strings.Contains(data, ":!pick") }

// Turn waits for a board whose nextButton has other data than lastData, or for the end of the game. It returns the
// board, the button and whether the game is over.
func (s *Stage) Turn(lastData string) (m Message, b Button, over bool) {
	s.Helper()
	s.Until("the board moves on", func() bool {
		m = s.Board()
		b, over = nextButton(m)
		return over || b.Data != "" && b.Data != lastData
	})
	return m, b, over
}

// moveCount returns how many presses were moves at the table that a button's data names; 0 without a database. Moves
// with the same time and seat are of one press.
func (s *Stage) moveCount(data string) (n int) {
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
			sameTurn := i > 0 && moves[i-1].At == m.At && moves[i-1].Seat == m.Seat
			if !m.Auto && seats[m.Seat].House == "" && !sameTurn {
				n++
			}
		}
		return err
	})
	return n
}

// Play plays to the end. At every turn all people press at the same time, one of them twice, and one presses a button
// of the last board: at most one press may be a move. It returns the last board.
func (s *Stage) Play(people ...*Person) Message {
	s.Helper()
	last := ""
	for range 600 {
		m, b, over := s.Turn(last)
		if over {
			return m
		}
		time.Sleep(leisure)
		moves := s.moveCount(b.Data)
		var deeds []Deed
		for _, p := range people {
			deeds = append(deeds, s.Press(p.who, m.ID, b.Data))
		}
		if !isPick(b.Data) {
			deeds = append(deeds, s.Press(people[0].who, m.ID, b.Data))
		}
		if last != "" && !isPick(last) {
			deeds = append(deeds, s.Press(people[len(people)-1].who, m.ID, last))
		}
		moved := 0
		for _, deed := range deeds {
			if s.Told(deed) == "" {
				moved++
			}
		}
		if moves = s.moveCount(b.Data) - moves; moved > 1 || moves > 1 {
			s.Errorf("%d presses of %q count, %d are moves", moved, b.Label, moves)
		}
		last = b.Data
	}
	s.Fatal("the game does not end")
	return Message{}
}
