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

// classic is a match without a variant: in each round the seats take one turn each, on the same box.
type classic struct {
	savedClassic
	open  tiles   // the open tiles of the present turn, or of the last one once the match is over
	found []tiles // the sets that may be closed; none before a throw
}

// savedClassic is a classic match as it is stored. Save sets Open and Choose, which repeat open and found of classic.
type savedClassic struct {
	sheet
	Scores []int      `json:"scores,omitempty"` // by seat, its score in this round; nil once the match is over
	Mover  games.Seat `json:"turn"`             // the seat to move, until the match is over
	Open   string     `json:"open"`             // the open tiles, "9+8"
	Throws int        `json:"throws,omitempty"` // number of throws in the present turn
	Faces  []int      `json:"faces,omitempty"`  // the dice of the last move, nil if it was not a throw
	Choose bool       `json:"choose,omitempty"` // the mover has to choose a set to close
	News   news       `json:"news"`             // the effect of the last move
}

// news describes the effect of the latest move. It is stored because the board shows it.
type news struct {
	What  string     `json:"what,omitempty"`  // didClose or another constant below
	Seat  games.Seat `json:"seat,omitempty"`  // the seat that moved
	Tiles string     `json:"tiles,omitempty"` // the tiles that the move closed
	Score int        `json:"score,omitempty"` // the score of the turn, if the move ended the turn
	Left  string     `json:"left,omitempty"`  // the tiles still open when the move ended the turn
}

// Values of news.What. After a throw that can close something, news.What is "".
const (
	didClose   = "closed"
	didBox     = "box"        // closed the last open tile
	didStick   = "stuck"      // a throw that can close nothing
	didMiss    = "missed"     // a first throw that cannot close the required tile
	didSeven   = "seven"      // a seven that ends the turn
	didSevens  = "seven-ends" // a seven that ends the round
	didDeclare = "declared"
)

// Turn returns the seat to move as the only element, nil if the match is over.
func (m *classic) Turn() []games.Seat {
	if m.Over {
		return nil
	}
	return []games.Seat{m.Mover}
}

// MidTurn reports whether the seat to move has already thrown in its turn.
func (m *classic) MidTurn() bool { return !m.Over && m.Throws > 0 }

// Moves returns the legal moves of s, nil if it is not its turn. After a throw they are the sets to close, the fewest
// tiles first. Before a throw they are "declare" if allowed, then the throws, the one likelier to close a set first.
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
	counts := m.rules.diceCounts(m.open)
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

// throwMove returns the move to throw count dice.
func throwMove(count int) games.Move { return games.Move("throw " + strconv.Itoa(count)) }

// setMove returns the move with this verb ("shut", "cover" or "uncover") and the tiles of set, such as "shut 9+2".
func setMove(verb string, set tiles) games.Move { return games.Move(verb + " " + set.String()) }

// mayDeclare reports whether the mover may declare victory: it plays last in this round, and if its turn ended now, its
// score would be lower than that of every other seat.
func (m *classic) mayDeclare() bool {
	if m.Seats == 1 || m.nextSeat() != games.Nobody {
		return false
	}
	return m.rules.points(m.open) < m.lowestScore(m.Playing)
}

// lowestScore returns the lowest score that seats have in this round, largestTotal if none of them has a score yet.
func (m *classic) lowestScore(seats []games.Seat) int {
	lowest := largestTotal
	for _, seat := range seats {
		if score := m.Scores[seat]; score >= 0 {
			lowest = min(lowest, score)
		}
	}
	return lowest
}

// nextSeat returns the seat that plays after the mover in this round, or Nobody if the mover is the last.
func (m *classic) nextSeat() games.Seat {
	for _, seat := range m.Playing {
		if seat > m.Mover {
			return seat
		}
	}
	return games.Nobody
}

// Apply returns the match after s has played the legal move mv, and the events of the move; m does not change. The
// events never name the seat in the lead, because only the caller knows which seats have left the game for good.
func (m *classic) Apply(s games.Seat, mv games.Move, d games.Dice) (games.Match, []games.Event) {
	next, ended := *m, true
	next.Faces, next.found = nil, nil
	verb, word, _ := strings.Cut(string(mv), " ")
	switch verb {
	case "throw":
		count, _ := strconv.Atoi(word)
		next.Faces = slices.Clone(d.Throw(count, m.rules.sides))
		next.Throws++
		ended = next.storeThrow(s)
	case "declare":
		next.News = news{What: didDeclare, Seat: s, Score: m.rules.points(m.open)}
	default:
		set, _ := parseSet(word)
		next.open &^= set
		next.News = news{What: didClose, Seat: s, Tiles: set.String()}
		if ended = next.open == 0; ended {
			next.News.What = didBox
			if m.rules.shut == shutDouble {
				next.addDouble(s)
			}
		}
	}
	events := []games.Event{games.Event(next.moveLine(next.Playing))}
	if ended {
		events = append(events, next.endTurn()...)
	}
	return &next, events
}

// storeThrow stores in found the sets that the latest throw, made by s, may close. If there are none, it stores in News
// why (a seven, a first throw without the required tile, no fitting set), and ended is true.
func (m *classic) storeThrow(s games.Seat) (ended bool) {
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

// endTurn stores the mover's score. It then starts the next turn or round, or ends the match. It returns the events of
// the end of the round, nil if the round continues.
func (m *classic) endTurn() []games.Event {
	m.News.Left = m.open.String()
	m.Scores = slices.Clone(m.Scores)
	m.Scores[m.Mover] = m.rules.points(m.open)
	next := m.nextSeat()
	if m.News.What == didSevens || m.News.What == didBox && m.rules.shut != shutZero { // the round ends at once
		m.scoreUnplayed()
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

// scoreUnplayed sets the scores of the seats that get no turn because the round has ended early: the points of all
// tiles, or noScore if the box was shut in a match of one round.
func (m *classic) scoreUnplayed() {
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

// beginTurn starts the turn of s with all tiles open. It keeps Faces, because the board still shows the latest throw.
func (m *classic) beginTurn(s games.Seat) {
	m.Mover, m.open, m.Throws = s, m.rules.tiles, 0
}

// Save returns the state as JSON.
func (m *classic) Save() ([]byte, error) {
	saved := m.savedClassic
	saved.Open, saved.Choose = m.open.String(), len(m.found) > 0
	return json.Marshal(saved)
}

// SavedBefore returns the state in the form of earlier versions of the program, which had no News.Left.
func (m *classic) SavedBefore() ([]byte, error) {
	before := *m
	before.News.Left = ""
	return before.Save()
}

// loadClassic returns the match that Save stored as state, or an error if state contradicts the rules r.
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
	case m.Throws < 0 || !r.isThrow(m.Faces):
		return nil, fmt.Errorf("dice %v after %d rolls", m.Faces, m.Throws)
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
