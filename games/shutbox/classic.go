package shutbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// classic is a match under options: the seats play their turns one after the other on the one box, round by round.
type classic struct {
	savedClassic
	open  tiles   // on the box: of the present turn, or of the very last
	found []tiles // what may be closed; none before a throw
}

// savedClassic is a classic match as it is stored. Save sets Open and Choose.
type savedClassic struct {
	sheet
	Scores []int      `json:"scores,omitempty"` // of this round by seat, none at the end
	Mover  games.Seat `json:"turn"`             // who is to move, while the match goes on
	Open   string     `json:"open"`             // the open tiles, "9+8"
	Throws int        `json:"throws,omitempty"` // in the present turn
	Faces  []int      `json:"faces,omitempty"`  // the dice as they lie, when the last move was a throw
	Choose bool       `json:"choose,omitempty"` // there are sets to choose from
	News   news       `json:"news"`             // what the last move did
}

// news is what the last move did, kept because the board tells it.
type news struct {
	What  string     `json:"what,omitempty"`
	Seat  games.Seat `json:"seat,omitempty"`
	Tiles string     `json:"tiles,omitempty"` // closed by the move
	Score int        `json:"score,omitempty"` // of the turn that it ended
	Left  string     `json:"left,omitempty"`  // the tiles that this turn left open
}

// What a move may have done, apart from a throw that leaves a choice.
const (
	didClose   = "closed"
	didBox     = "box"        // it shut the whole box
	didStick   = "stuck"      // no set for the throw
	didMiss    = "missed"     // a first throw that cannot close its tile
	didSeven   = "seven"      // a seven that ends the turn
	didSevens  = "seven-ends" // a seven that ends the round
	didDeclare = "declared"
)

// Turn returns the one seat that is to move.
func (m *classic) Turn() []games.Seat {
	if m.Over {
		return nil
	}
	return []games.Seat{m.Mover}
}

// MidTurn reports whether the seat to move has thrown in its turn.
func (m *classic) MidTurn() bool { return !m.Over && m.Throws > 0 }

// Moves returns the throws (and "declare", which comes first where it is offered), that which more likely closes
// something first, or the sets to close, the fewest tiles first.
func (m *classic) Moves(s games.Seat) []games.Move {
	if m.Over || s != m.Mover {
		return nil
	}
	if len(m.found) > 0 {
		moves := make([]games.Move, len(m.found))
		for i, set := range m.found {
			moves[i] = setMove("shut", set)
		}
		return moves
	}
	var moves []games.Move
	if m.mayDeclare() {
		moves = append(moves, "declare")
	}
	counts := m.rules.counts(m.open)
	if first := m.Throws == 0; len(counts) == 2 {
		goodAll, all := m.rules.chance(m.open, counts[0], first)
		goodOne, one := m.rules.chance(m.open, counts[1], first)
		if goodOne*all > goodAll*one {
			slices.Reverse(counts)
		}
	}
	for _, count := range counts {
		moves = append(moves, throwMove(count))
	}
	return moves
}

func throwMove(count int) games.Move { return games.Move("throw " + strconv.Itoa(count)) }

func setMove(verb string, set tiles) games.Move { return games.Move(verb + " " + set.String()) }

// mayDeclare reports whether the seat to move is the last of its round and already lower than all others of it.
func (m *classic) mayDeclare() bool {
	if m.Seats == 1 || m.following() != games.Nobody {
		return false
	}
	return m.rules.points(m.open) < m.lowest(m.Playing)
}

// lowest returns the lowest score of some seats in this round so far, or more than any.
func (m *classic) lowest(of []games.Seat) int {
	lowest := largestTotal
	for _, seat := range of {
		if score := m.Scores[seat]; score >= 0 {
			lowest = min(lowest, score)
		}
	}
	return lowest
}

// following returns the next seat of this round, or Nobody.
func (m *classic) following() games.Seat {
	for _, seat := range m.Playing {
		if seat > m.Mover {
			return seat
		}
	}
	return games.Nobody
}

// Apply plays a legal move. Its events tell what it did, in the words of the board; who leads is the board's alone to
// say, which knows who is out.
func (m *classic) Apply(s games.Seat, mv games.Move, d games.Dice) (games.Match, []games.Event) {
	next, ended := *m, true
	next.Faces, next.found = nil, nil
	verb, word, _ := strings.Cut(string(mv), " ")
	switch verb {
	case "throw":
		count, _ := strconv.Atoi(word)
		next.Faces = slices.Clone(d.Throw(count, m.rules.sides))
		next.Throws++
		ended = next.fallen(s)
	case "declare":
		next.News = news{What: didDeclare, Seat: s, Score: m.rules.points(m.open)}
	default:
		set, _ := parseSet(word)
		next.open &^= set
		next.News = news{What: didClose, Seat: s, Tiles: set.String()}
		if ended = next.open == 0; ended {
			next.News.What = didBox
			if m.rules.shut == shutDouble {
				next.paysDouble(s)
			}
		}
	}
	events := []games.Event{games.Event(next.tell(next.Playing))}
	if ended {
		events = append(events, next.endTurn()...)
	}
	return &next, events
}

// fallen looks at a throw: a seven acts first, then the first throw, then there is a choice of sets. It reports whether
// there is none, which ends the turn.
func (m *classic) fallen(s games.Seat) (ends bool) {
	if m.found = m.rules.closable(m.open, m.Faces, m.Throws == 1); len(m.found) > 0 {
		m.News = news{}
		return false
	}
	m.News = news{What: didStick, Seat: s, Score: m.rules.points(m.open)}
	switch seven := total(m.Faces) == 7; {
	case seven && m.rules.seven == endsTurn:
		m.News.What = didSeven
	case seven && m.rules.seven == endsRound:
		m.News.What = didSevens
	case m.Throws == 1 && m.rules.first != 0:
		m.News.What = didMiss
	}
	return true
}

// endTurn writes the score of the turn down and passes the box on, to the next seat, the next round, or none. It
// returns what the end of the round, if any, has led to.
func (m *classic) endTurn() []games.Event {
	m.News.Left = m.open.String()
	m.Scores = slices.Clone(m.Scores)
	m.Scores[m.Mover] = m.rules.points(m.open)
	next := m.following()
	if m.News.What == didSevens || m.News.What == didBox && m.rules.shut != shutZero { // it ends the round at once
		m.keepOthers()
		next = games.Nobody
	}
	if next != games.Nobody {
		m.beginTurn(next)
		return nil
	}
	before := m.sheet
	m.endRound(m.Scores)
	if m.Over {
		m.Scores, m.Mover = nil, games.Nobody
	} else {
		m.Scores = m.noScores()
		m.beginTurn(m.Playing[0])
	}
	return m.roundEvents(&before)
}

// keepOthers gives a score to those of the round who do not come to throw:
// all tiles, or none at all after a shut in a match of one round.
func (m *classic) keepOthers() {
	score := m.rules.points(m.rules.tiles)
	if m.News.What == didBox && m.rules.match == single {
		score = noScore
	}
	for _, seat := range m.Playing {
		if m.Scores[seat] == pending {
			m.Scores[seat] = score
		}
	}
}

// beginTurn opens all tiles for a seat. The dice stay as they lie.
func (m *classic) beginTurn(s games.Seat) {
	m.Mover, m.open, m.Throws = s, m.rules.tiles, 0
}

// Save returns the state as JSON.
func (m *classic) Save() ([]byte, error) {
	saved := m.savedClassic
	saved.Open, saved.Choose = m.open.String(), len(m.found) > 0
	return json.Marshal(saved)
}

// SavedBefore returns the state as it was saved before it held which tiles the last turn has left open.
func (m *classic) SavedBefore() ([]byte, error) {
	before := *m
	before.News.Left = ""
	return before.Save()
}

// loadClassic reads what Save wrote. The error says why a state cannot be played on or shown.
func loadClassic(r *rules, state []byte) (games.Match, error) {
	m := &classic{}
	m.rules = r
	if err := games.Decode(state, &m.savedClassic); err != nil {
		return nil, err
	}
	if err := m.sheet.check(); err != nil {
		return nil, err
	}
	open, spelled := parseSet(m.Open)
	_, closed := parseSet(m.News.Tiles)
	closes := m.News.What == didClose || m.News.What == didBox
	known := []string{"", didClose, didBox, didStick, didMiss, didSeven, didSevens, didDeclare}
	switch {
	case m.Open != "" && !spelled || open&^r.tiles != 0:
		return nil, fmt.Errorf("open tiles %q of %s", m.Open, r.tiles)
	case m.Throws < 0 || !r.fall(m.Faces):
		return nil, fmt.Errorf("the dice %v after %d throws", m.Faces, m.Throws)
	case m.Over && (m.Mover != games.Nobody || len(m.Scores) != 0):
		return nil, errors.New("a turn after the end")
	case !m.Over && (len(m.Scores) != m.Seats || !slices.Contains(m.Playing, m.Mover) || open == 0):
		return nil, fmt.Errorf("turn of seat %d with %d scores", m.Mover, len(m.Scores))
	case m.News.Seat < 0 || int(m.News.Seat) >= m.Seats || closes && !closed || !slices.Contains(known, m.News.What):
		return nil, fmt.Errorf("news %+v", m.News)
	}
	if m.open = open; m.Choose {
		m.found = r.closable(open, m.Faces, m.Throws == 1)
		if len(m.found) == 0 || m.Throws == 0 {
			return nil, errors.New("a choice of no sets")
		}
	}
	return m, nil
}
