package sheet

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"knobel/games"
)

// state is a match as it is stored. Sheets lists the places of each page, column by column, from top to bottom: "." if
// open, "-" if struck, else the written dice. After the dice, "!" means the first throw of a turn, ":2" a later throw
// if the row's points depend on that, "s" a throw of all dice if they depend on that. At the end of a page "+2" means
// two turns with bonus points for equal dice (page.further).
type state struct {
	Sheets []string `json:"sheets"`
	Saved  []int    `json:"saved,omitempty"`
	Round  int      `json:"round"`
	Turn   int      `json:"turn"`
	Throws int      `json:"throws"`
	Dice   string   `json:"dice,omitempty"`
	Kept   string   `json:"kept,omitempty"`
	Called string   `json:"called,omitempty"`
	Ended  string   `json:"ended,omitempty"` // the move that ended the previous turn
	Won    bool     `json:"won,omitempty"`   // the match was won by the first throw of the present turn
}

// Save returns the state as JSON.
func (m match) Save() ([]byte, error) {
	s := state{Round: m.round, Turn: m.turn, Throws: m.throws, Ended: string(m.plan.endingMove(m.ended))}
	for i := range m.pages {
		s.Sheets = append(s.Sheets, m.plan.spellPage(&m.pages[i]))
		if m.plan.paper.Saves {
			s.Saved = append(s.Saved, m.pages[i].saved)
		}
	}
	if m.throws > 0 {
		s.Dice, s.Kept = spellHand(m.hand[:m.plan.paper.Dice]), m.kept.Spell(m.plan.paper.Dice)
	}
	if m.called >= 0 {
		s.Called = m.plan.rows[m.called].Name
	}
	s.Won = m.winner != games.Nobody
	return json.Marshal(s)
}

// spellPage returns page g as text, as Sheets of state stores it.
func (p *plan) spellPage(g *page) string {
	cells := make([]string, p.places)
	for i, c := range g.cells {
		switch c.mark {
		case open:
			cells[i] = "."
		case struck:
			cells[i] = "-"
		case written:
			cells[i] = spellHand(c.hand[:p.paper.Dice]) + c.moment.spell()
		}
	}
	if g.further > 0 {
		cells = append(cells, "+"+strconv.Itoa(g.further))
	}
	return strings.Join(cells, " ")
}

// spell returns m as the text behind the dice of a stored cell: the throw that filled it, and "s" if m.served.
func (m moment) spell() string {
	text := ""
	switch {
	case m.throw == 1:
		text = "!"
	case m.throw > 1:
		text = ":" + strconv.Itoa(m.throw)
	}
	if m.served {
		text += "s"
	}
	return text
}

// spellHand returns one digit for each die.
func spellHand(h []uint8) string {
	text := make([]byte, len(h))
	for position, face := range h {
		text[position] = '0' + face
	}
	return string(text)
}

// endingMove returns the move that ends a turn with e, "" if no turn has ended.
func (p *plan) endingMove(e ending) games.Move {
	switch e.kind {
	case wrote:
		return p.writeMove(e.spot)
	case struckOut:
		return p.strikeMove(e.spot)
	case missed:
		return "miss"
	}
	return ""
}

// load returns the match that Save stored as saved, or an error if that does not fit the rules.
func (p *plan) load(saved []byte) (games.Match, error) {
	m, err := p.parse(saved)
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: stored match: %w", p.set.Name, err)
	}
	return m, nil
}

// parse returns the match that Save stored as saved, or an error if its form does not fit the rules.
func (p *plan) parse(saved []byte) (match, error) {
	var s state
	if err := games.Decode(saved, &s); err != nil {
		return match{}, err
	}
	m := match{plan: p, round: s.Round, turn: s.Turn, throws: s.Throws, called: -1, winner: games.Nobody}
	for i, text := range s.Sheets {
		page, ok := p.parsePage(text)
		if !ok {
			return m, fmt.Errorf("the sheet of seat %d is %.400q", i, text)
		}
		m.pages = append(m.pages, page)
	}
	if want := map[bool]int{true: len(m.pages)}[p.paper.Saves]; len(s.Saved) != want {
		return m, fmt.Errorf("%d seats have saved throws", len(s.Saved))
	}
	for i, saved := range s.Saved {
		m.pages[i].saved = saved
	}
	if s.Called != "" {
		if m.called = p.rowNamed(s.Called); m.called < 0 {
			return m, fmt.Errorf("%.40q is called", s.Called)
		}
	}
	if s.Won {
		m.winner = games.Seat(s.Turn)
	}
	var handOK, keptOK, endedOK bool
	m.hand, handOK = p.parseHand(s.Dice)
	m.kept, keptOK = games.ParseDiceSet(s.Kept, p.paper.Dice)
	m.ended, endedOK = p.parseEnding(s.Ended)
	thrown := s.Throws > 0
	if handOK != thrown || keptOK != thrown || !endedOK || !thrown && s.Dice+s.Kept+s.Called != "" {
		return m, fmt.Errorf("dice %.20q, kept %.20q, turn ended by %.40q", s.Dice, s.Kept, s.Ended)
	}
	return m, nil
}

// parsePage returns the page for which spellPage returns text, and false if text is malformed.
func (p *plan) parsePage(text string) (g page, ok bool) {
	cells := strings.Split(text, " ")
	if further, there := strings.CutPrefix(cells[len(cells)-1], "+"); there && len(cells) == p.places+1 {
		n, err := strconv.Atoi(further)
		if err != nil || n < 1 || strconv.Itoa(n) != further || p.paper.Again.Points == 0 {
			return g, false
		}
		g.further, cells = n, cells[:p.places]
	}
	if len(cells) != p.places {
		return g, false
	}
	g.cells = make([]cell, p.places)
	for at, text := range cells {
		switch text {
		case ".":
		case "-":
			g.cells[at].mark = struck
		default:
			if g.cells[at], ok = p.parseCell(p.rowOf(at), text); !ok {
				return g, false
			}
		}
	}
	return g, true
}

// parseCell returns the written cell of row r that text spells, and false if text is malformed.
func (p *plan) parseCell(r int, text string) (c cell, ok bool) {
	n := p.paper.Dice
	if len(text) < n {
		return c, false
	}
	h, ok := p.parseHand(text[:n])
	if !ok {
		return c, false
	}
	rest, served := strings.CutSuffix(text[n:], "s")
	stored := moment{served: served}
	if throw, later := strings.CutPrefix(rest, ":"); later {
		stored.throw, _ = strconv.Atoi(throw)
	} else if rest == "!" {
		stored.throw = 1
	}
	asked := moment{throw: max(stored.throw, 2), served: served}
	if stored.throw == 1 {
		asked = moment{throw: 1, served: true}
	}
	if stored.spell() != text[n:] || p.storedMoment(r, asked) != stored {
		return c, false
	}
	return p.writtenCell(r, h, stored), true
}

// parseHand returns the dice that text spells as digits, and false if text is malformed.
func (p *plan) parseHand(text string) (h hand, ok bool) {
	if len(text) != p.paper.Dice {
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

// parseEnding returns the end of a turn for which endingMove returns move, and false if move is malformed.
func (p *plan) parseEnding(move string) (ending, bool) {
	verb, rest, _ := strings.Cut(move, " ")
	target, known := p.spotNamed(rest)
	switch {
	case move == "":
		return ending{}, true
	case move == "miss":
		return ending{kind: missed}, true
	case verb == "write" && known:
		return ending{wrote, target}, true
	case verb == "strike" && known:
		return ending{struckOut, target}, true
	}
	return ending{}, false
}

// check returns an error if a stored match is inconsistent. It does not check that its moves lead to that state.
func (m match) check() error {
	p := m.plan
	switch seats := len(m.pages); {
	case seats < 1 || seats > maxSeats:
		return fmt.Errorf("%d seats", seats)
	case m.turn < 0 || m.turn >= seats:
		return fmt.Errorf("the turn of seat %d", m.turn)
	case m.round < 0 || m.round > p.places || m.round == p.places && m.turn+m.throws > 0:
		return fmt.Errorf("round %d, the turn of seat %d", m.round, m.turn)
	case m.throws < 0 || m.throws > 0 && m.throwsLeft() < 0:
		return fmt.Errorf("%d throws", m.throws)
	}
	for seat := range m.pages {
		g, played := &m.pages[seat], m.roundsPlayed(seat)
		filled := g.filledPlaces()
		if filled > played || filled < played && !p.paper.Misses || g.saved < 0 {
			return fmt.Errorf("seat %d has filled %d places in %d rounds", seat, filled, played)
		}
	}
	if (m.called >= 0 || m.throws > 1) && len(m.fillableSpots()) == 0 {
		return fmt.Errorf("%d rolls, and no row can be filled", m.throws)
	}
	if e := m.ended; e.kind == wrote || e.kind == struckOut {
		want := map[kind]mark{wrote: written, struckOut: struck}[e.kind]
		if at := m.lastPlace(); at < p.firstPlace(e.spot) || m.pages[m.previousSeat()].cells[at].mark != want {
			return fmt.Errorf("the turn before ended with %q", p.endingMove(e))
		}
	}
	return nil
}
