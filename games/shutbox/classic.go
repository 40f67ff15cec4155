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

// classic is a match without a variant: the seats play their turns one after the other on one box, round by round.
type classic struct {
	savedClassic
	open  tiles   // the open tiles of the present turn, or of the last one once the match is over
	found []tiles // the sets that may be closed; none before a throw
}

// savedClassic is a classic match as it is stored. Save sets Open and Choose from open and found.
type savedClassic struct {
	sheet
	Scores []int      `json:"scores,omitempty"` // of this round by seat, none at the end
	Mover  games.Seat `json:"turn"`             // the seat to move, until the match is over
	Open   string     `json:"open"`             // the open tiles, "9+8"
	Throws int        `json:"throws,omitempty"` // in the present turn
	Faces  []int      `json:"faces,omitempty"`  // the dice as they lie, when the last move was a throw
	Choose bool       `json:"choose,omitempty"` // the mover has to choose a set to close
	News   news       `json:"news"`             // the effect of the last move
}

// news is the effect of the last move, stored because the board shows it.
type news struct {
	What  string     `json:"what,omitempty"`
	Seat  games.Seat `json:"seat,omitempty"`
	Tiles string     `json:"tiles,omitempty"` // closed by the move
	Score int        `json:"score,omitempty"` // of the turn that it ended
	Left  string     `json:"left,omitempty"`  // the tiles that this turn left open
}

// Values of news.What; a throw that leaves a choice has none.
const (
	didClose   = "closed"
	didBox     = "box"        // it shut the whole box
	didStick   = "stuck"      // no set for the throw
	didMiss    = "missed"     // a first throw that cannot close its tile
	didSeven   = "seven"      // a seven that ends the turn
	didSevens  = "seven-ends" // a seven that ends the round
	didDeclare = "declared"
)

// Turn returns the seat to move, nil if the match is over.
func (m *classic) Turn() []games.Seat {
	if m.Over {
		return nil
	}
	return []games.Seat{m.Mover}
}

// MidTurn reports whether the seat to move has already thrown in its turn.
func (m *classic) MidTurn() bool { return !m.Over && m.Throws > 0 }

// Moves returns the sets to close after a throw, the fewest tiles first. Before a throw it returns "declare" if
// allowed, then the throws, the one more likely to close something first.
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

// mayDeclare reports whether the mover may declare victory: it is the last of its round and already lower than all
// others.
func (m *classic) mayDeclare() bool {
	if m.Seats == 1 || m.following() != games.Nobody {
		return false
	}
	return m.rules.points(m.open) < m.lowest(m.Playing)
}

// lowest returns the lowest score so far of the seats of in this round, largestTotal if none has one.
func (m *classic) lowest(of []games.Seat) int {
	lowest := largestTotal
	for _, seat := range of {
		if score := m.Scores[seat]; score >= 0 {
			lowest = min(lowest, score)
		}
	}
	return lowest
}

// following returns the next seat of this round, or Nobody if the mover is the last.
func (m *classic) following() games.Seat {
	for _, seat := range m.Playing {
		if seat > m.Mover {
			return seat
		}
	}
	return games.Nobody
}

// Apply plays a legal move. Its events describe the effect in the words of the board; they leave out the leader,
// because only the caller can tell which seats have left the game for good.
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

// fallen stores the sets that the throw of seat s may close, or in News why there are none: a seven, a first throw that
// misses its tile, or no fitting set. It reports whether there are none, which ends the turn.
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

// endTurn stores the score of the turn and starts the turn of the next seat, the next round, or ends the match. It
// returns the events of the end of the round, nil if the round is not over.
func (m *classic) endTurn() []games.Event {
	m.News.Left = m.open.String()
	m.Scores = slices.Clone(m.Scores)
	m.Scores[m.Mover] = m.rules.points(m.open)
	next := m.following()
	if m.News.What == didSevens || m.News.What == didBox && m.rules.shut != shutZero { // the round ends at once
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
		m.Scores = slices.Repeat([]int{pending}, m.Seats)
		m.beginTurn(m.Playing[0])
	}
	return m.roundEvents(&before)
}

// keepOthers sets the scores of the seats that cannot play this round, because it ended early: the points of all tiles,
// or noScore after a shut box in a match of one round.
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

// beginTurn starts the turn of s with all tiles open. It keeps the faces of the last throw, which the board still
// shows.
func (m *classic) beginTurn(s games.Seat) {
	m.Mover, m.open, m.Throws = s, m.rules.tiles, 0
}

// Save returns the state as JSON.
func (m *classic) Save() ([]byte, error) {
	saved := m.savedClassic
	saved.Open, saved.Choose = m.open.String(), len(m.found) > 0
	return json.Marshal(saved)
}

// SavedBefore returns the state as earlier versions saved it: without the tiles that the last turn left open.
func (m *classic) SavedBefore() ([]byte, error) {
	before := *m
	before.News.Left = ""
	return before.Save()
}

// loadClassic returns the match that Save stored, or an error if it is inconsistent with the rules.
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
