package wuerfelpoker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"knobel/games"
)

// state is a match as it is stored. A sheet is its cells from top to bottom,
// each "." while it is open, "-" when struck, else the dice it was written
// with, and "!" after those of a first throw.
type state struct {
	Sheets []string `json:"sheets"`
	Round  int      `json:"round"`
	Turn   int      `json:"turn"`
	Throws int      `json:"throws"`
	Dice   string   `json:"dice,omitempty"`
	Kept   string   `json:"kept,omitempty"`
	Ended  string   `json:"ended,omitempty"` // the move that ended the turn before
}

// Save returns the state as JSON.
func (m match) Save() ([]byte, error) {
	s := state{Round: m.round, Turn: m.turn, Throws: m.throws, Ended: m.ended.move()}
	for i := range m.sheets {
		s.Sheets = append(s.Sheets, spellSheet(&m.sheets[i]))
	}
	if m.throws > 0 {
		s.Dice, s.Kept = spellHand(m.hand), m.kept.String()
	}
	return json.Marshal(s)
}

func spellSheet(s *sheet) string {
	cells := make([]string, rows)
	for w, c := range s {
		switch c.mark {
		case open:
			cells[w] = "."
		case struck:
			cells[w] = "-"
		case written:
			cells[w] = spellHand(c.hand)
		case writtenFirst:
			cells[w] = spellHand(c.hand) + "!"
		}
	}
	return strings.Join(cells, " ")
}

func spellHand(h hand) string {
	text := make([]byte, handSize)
	for position, face := range h {
		text[position] = '0' + face
	}
	return string(text)
}

// move is the move that ended a turn, "" when none has.
func (e ending) move() string {
	switch e.kind {
	case wrote:
		return string(writes[e.row])
	case struckOut:
		return string(strikeMoves[e.row])
	case missed:
		return "miss"
	}
	return ""
}

// load reads a match and refuses what cannot come up in one.
func load(r rules, saved []byte) (games.Match, error) {
	m, err := parse(r, saved)
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return nil, fmt.Errorf("wuerfelpoker: stored match: %w", err)
	}
	return m, nil
}

// parse reads a saved match, and returns an error if it cannot be one of the rules.
func parse(r rules, saved []byte) (match, error) {
	var s state
	d := json.NewDecoder(bytes.NewReader(saved))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return match{}, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return match{}, errors.New("something follows it")
	}
	m := match{rules: r, round: s.Round, turn: s.Turn, throws: s.Throws}
	for i, text := range s.Sheets {
		sheet, ok := parseSheet(text)
		if !ok {
			return m, fmt.Errorf("the sheet of seat %d is %.200q", i, text)
		}
		m.sheets = append(m.sheets, sheet)
	}
	var handOK, keptOK, endedOK bool
	m.hand, handOK = parseHand(s.Dice)
	m.kept, keptOK = parseKeep(s.Kept)
	m.ended, endedOK = parseEnding(s.Ended)
	thrown := s.Throws > 0
	if handOK != thrown || keptOK != thrown || !endedOK || !thrown && s.Dice+s.Kept != "" {
		return m, fmt.Errorf("dice %.20q, kept %.20q, turn ended by %.40q", s.Dice, s.Kept, s.Ended)
	}
	return m, nil
}

// parseSheet reads the cells of a sheet, and returns false if one makes no sense.
func parseSheet(text string) (s sheet, ok bool) {
	cells := strings.Split(text, " ")
	if len(cells) != rows {
		return s, false
	}
	for w, cell := range cells {
		switch {
		case cell == ".":
		case cell == "-":
			s[w].mark = struck
		default:
			faces, first := strings.CutSuffix(cell, "!")
			if s[w].hand, ok = parseHand(faces); !ok {
				return s, false
			}
			s[w].mark = written
			if first {
				s[w].mark = writtenFirst
			}
		}
	}
	return s, true
}

func parseHand(text string) (h hand, ok bool) {
	if len(text) != handSize {
		return h, false
	}
	for position, digit := range []byte(text) {
		if digit < '1' || digit > '0'+sides {
			return hand{}, false
		}
		h[position] = digit - '0'
	}
	return h, true
}

func parseEnding(move string) (ending, bool) {
	verb, rest, _ := strings.Cut(move, " ")
	w, known := rowNamed(rest)
	switch {
	case move == "":
		return ending{}, true
	case move == "miss":
		return ending{kind: missed}, true
	case verb == "write" && known:
		return ending{wrote, w}, true
	case verb == "strike" && known:
		return ending{struckOut, w}, true
	}
	return ending{}, false
}

// check says what is wrong with a match that nobody can have played.
func (m match) check() error {
	switch seats := len(m.sheets); {
	case seats < 1 || seats > maxSeats:
		return fmt.Errorf("%d seats", seats)
	case m.turn < 0 || m.turn >= seats:
		return fmt.Errorf("the turn of seat %d", m.turn)
	case m.round < 0 || m.round > rows || m.round == rows && m.turn+m.throws > 0:
		return fmt.Errorf("round %d, the turn of seat %d", m.round, m.turn)
	case m.throws < 0 || m.throws > maxThrows:
		return fmt.Errorf("%d throws", m.throws)
	case m.kept == keepAll || m.throws == 1 && m.kept != 0:
		return fmt.Errorf("%v kept after %d throws", m.kept, m.throws)
	}
	for seat := range m.sheets {
		if err := m.checkSheet(seat); err != nil {
			return fmt.Errorf("seat %d: %w", seat, err)
		}
	}
	return m.checkEnding()
}

// checkSheet checks that a sheet holds what its seat may have written in the
// rounds that it has played.
func (m match) checkSheet(seat int) error {
	s := &m.sheets[seat]
	for w := ones; w <= chance; w++ {
		c := s[w]
		if c.mark == struck && (w.school() || w == chance || m.rules.deferred) {
			return fmt.Errorf("%v is struck", w)
		}
		if _, there := m.rules.points(w, c.hand, false); c.filled() && !there {
			return fmt.Errorf("%v is written with %v", w, c.hand)
		}
	}
	played, school, rest := m.played(seat), schoolRows-s.open(ones, sixes), combinations-s.open(pair, chance)
	fits := school+rest == played || m.rules.deferred && school+rest <= played
	if !m.rules.free {
		inSchool := min(played, schoolRows)
		inRest := played - inSchool
		fits = school == inSchool && (rest == inRest || m.rules.deferred && rest <= inRest)
	}
	if !fits {
		return fmt.Errorf("%d rows in part one and %d in part two after %d rounds", school, rest, played)
	}
	return nil
}

// checkEnding checks that the turn before ended as its sheet says.
func (m match) checkEnding() error {
	e := m.ended
	started := m.round+m.turn > 0
	if (e.kind != nothing) != (started && m.throws == 0) {
		return fmt.Errorf("the turn before ended with %q after %d throws of the next", e.move(), m.throws)
	}
	before := m.before()
	s, round := &m.sheets[before], m.played(before)-1
	ok := true
	switch e.kind {
	case wrote:
		ok = s[e.row].filled()
	case struckOut:
		ok = s[e.row].mark == struck
	case missed:
		ok = m.rules.deferred && s.open(ones, chance) > rows-round-1
	}
	if !m.rules.free && e.kind != nothing {
		ok = ok && (e.kind != missed && e.row.school()) == (round < schoolRows)
	}
	if !ok {
		return fmt.Errorf("the turn before ended with %q", e.move())
	}
	return nil
}
