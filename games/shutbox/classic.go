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
	r *rules
	sheet
	scores scores  // of this round
	open   tiles   // on the box: of the present turn, or of the very last
	throws int     // in the present turn
	faces  []int   // the dice as they lie, when the last move was a throw
	found  []tiles // what may be closed; none before a throw
	news   news    // what the last move did
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

// MidTurn reports whether the seat to move has thrown in its turn.
func (m *classic) MidTurn() bool { return !m.over && m.throws > 0 }

// Moves returns the throws (and "declare", which comes first where it is
// offered) or the sets to close, the fewest tiles first.
func (m *classic) Moves(s games.Seat) []games.Move {
	if m.over || s != m.turn {
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
	for _, count := range m.safest() {
		moves = append(moves, throwMove(count))
	}
	return moves
}

func throwMove(count int) games.Move { return games.Move("throw " + strconv.Itoa(count)) }

func setMove(verb string, set tiles) games.Move { return games.Move(verb + " " + set.String()) }

// safest returns how many dice may be thrown, the throw that more likely closes something first.
func (m *classic) safest() []int {
	counts := m.r.counts(m.open)
	if len(counts) == 2 {
		first := m.throws == 0
		goodAll, all := m.r.chance(m.open, counts[0], first)
		goodOne, one := m.r.chance(m.open, counts[1], first)
		if goodOne*all > goodAll*one {
			counts[0], counts[1] = counts[1], counts[0]
		}
	}
	return counts
}

// mayDeclare reports whether the seat to move is the last of its round and already lower than all others of it.
func (m *classic) mayDeclare() bool {
	if m.seats == 1 || m.following() != games.Nobody {
		return false
	}
	return m.r.points(m.open) < m.lowest(m.playing)
}

// lowest returns the lowest score of some seats in this round so far, or more than any.
func (m *classic) lowest(of seatSet) int {
	lowest := largestTotal
	for _, seat := range of.list() {
		if score := m.scores[seat]; score >= 0 {
			lowest = min(lowest, score)
		}
	}
	return lowest
}

// following returns the next seat of this round, or Nobody.
func (m *classic) following() games.Seat {
	for _, seat := range m.playing.list() {
		if seat > m.turn {
			return seat
		}
	}
	return games.Nobody
}

// Apply plays a legal move.
func (m *classic) Apply(s games.Seat, mv games.Move, d games.Dice) (games.Match, []games.Event) {
	next := *m
	verb, word, _ := strings.Cut(string(mv), " ")
	switch verb {
	case "throw":
		count, _ := strconv.Atoi(word)
		return &next, next.throw(s, d.Throw(count, m.r.sides))
	case "declare":
		return &next, next.declare(s)
	default:
		set, _ := parseSet(word)
		return &next, next.shut(s, set)
	}
}

// throw lets dice fall: a seven acts first, then the first throw, then there is a choice of sets, or none.
func (m *classic) throw(s games.Seat, faces []int) []games.Event {
	m.faces = slices.Clone(faces)
	m.throws++
	sum := total(faces)
	if m.found = m.r.closable(m.open, faces, m.throws == 1); len(m.found) > 0 {
		m.news = news{}
		return m.events()
	}
	m.news = news{What: didStick, Seat: s, Score: m.r.points(m.open)}
	switch {
	case sum == 7 && m.r.seven == endsTurn:
		m.news.What = didSeven
	case sum == 7 && m.r.seven == endsRound:
		m.news.What = didSevens
	case m.throws == 1 && m.r.first != 0:
		m.news.What = didMiss
	}
	return m.endTurn()
}

// shut closes a set of tiles.
func (m *classic) shut(s games.Seat, set tiles) []games.Event {
	m.open &^= set
	m.faces, m.found = nil, nil
	m.news = news{What: didClose, Seat: s, Tiles: set.String()}
	if m.open != 0 {
		return m.events()
	}
	m.news.What = didBox
	if m.r.shut == shutDouble {
		m.paysDouble(s)
	}
	return m.endTurn()
}

// declare ends the turn of a seat that has won the round already.
func (m *classic) declare(s games.Seat) []games.Event {
	m.faces = nil
	m.news = news{What: didDeclare, Seat: s, Score: m.r.points(m.open)}
	return m.endTurn()
}

// events tell what the last move did, in the words of the board; who leads is the
// board's alone to say, which knows who is out.
func (m *classic) events() []games.Event { return []games.Event{games.Event(m.tell(m.playing))} }

// endTurn writes the score of the turn down and passes the box on, to the next seat, the next round, or none.
func (m *classic) endTurn() []games.Event {
	events := m.events()
	m.news.Left = m.open.String()
	m.scores[m.turn] = m.r.points(m.open)
	next := m.following()
	if m.endsRound() {
		m.keepOthers()
		next = games.Nobody
	}
	if next != games.Nobody {
		m.beginTurn(next)
		return events
	}
	before := m.sheet
	m.endRound(m.r, m.scores)
	events = append(events, m.roundEvents(&before)...)
	m.scores = noScores
	if m.over {
		m.turn = games.Nobody
		return events
	}
	m.beginTurn(m.playing.list()[0])
	return events
}

// endsRound reports whether what the last move did ends the round at once.
func (m *classic) endsRound() bool {
	return m.news.What == didSevens || m.news.What == didBox && m.r.shut != shutZero
}

// keepOthers gives a score to those of the round who do not come to throw:
// all tiles, or none at all after a shut in a match of one round.
func (m *classic) keepOthers() {
	score := m.r.points(m.r.tiles)
	if m.news.What == didBox && m.r.match == single {
		score = noScore
	}
	for _, seat := range m.playing.list() {
		if m.scores[seat] == pending {
			m.scores[seat] = score
		}
	}
}

// beginTurn opens all tiles for a seat. The dice stay as they lie.
func (m *classic) beginTurn(s games.Seat) {
	m.turn, m.open, m.throws = s, m.r.tiles, 0
}

// savedClassic is a classic match as it is stored.
type savedClassic struct {
	savedSheet
	Scores []int      `json:"scores,omitempty"`
	Turn   games.Seat `json:"turn"`
	Open   string     `json:"open"`
	Throws int        `json:"throws,omitempty"`
	Faces  []int      `json:"faces,omitempty"`
	Choose bool       `json:"choose,omitempty"`
	News   news       `json:"news"`
}

// Save returns the state as JSON.
func (m *classic) Save() ([]byte, error) {
	saved := savedClassic{
		savedSheet: m.save(),
		Turn:       m.turn, Open: m.open.String(), Throws: m.throws,
		Faces: m.faces, Choose: len(m.found) > 0, News: m.news,
	}
	if !m.over {
		saved.Scores = m.scores[:m.seats]
	}
	return json.Marshal(saved)
}

// SavedBefore returns the state as it was saved before it held which tiles the last turn has left open.
func (m *classic) SavedBefore() ([]byte, error) {
	before := *m
	before.news.Left = ""
	return before.Save()
}

// loadClassic reads what Save wrote.
func loadClassic(r *rules, state []byte) (games.Match, error) {
	var saved savedClassic
	if err := games.Decode(state, &saved); err != nil {
		return nil, err
	}
	sheet, err := saved.load(r)
	if err != nil {
		return nil, err
	}
	m := &classic{r: r, sheet: sheet, scores: noScores, throws: saved.Throws, faces: saved.Faces, news: saved.News}
	m.turn = saved.Turn
	if saved.Open != "" {
		var ok bool
		if m.open, ok = parseSet(saved.Open); !ok {
			return nil, fmt.Errorf("open tiles %q", saved.Open)
		}
	}
	copy(m.scores[:], saved.Scores)
	if err := m.check(len(saved.Scores)); err != nil {
		return nil, err
	}
	if saved.Choose {
		m.found = r.closable(m.open, m.faces, m.throws == 1)
		if len(m.found) == 0 || m.throws == 0 {
			return nil, errors.New("a choice of no sets")
		}
	}
	return m, nil
}

// check returns an error for a stored state that cannot be played on or shown.
func (m *classic) check(scored int) error {
	known := []string{"", didClose, didBox, didStick, didMiss, didSeven, didSevens, didDeclare}
	closes := m.news.What == didClose || m.news.What == didBox
	_, closed := parseSet(m.news.Tiles)
	switch {
	case m.open&^m.r.tiles != 0:
		return fmt.Errorf("open tiles %s of %s", m.open, m.r.tiles)
	case m.throws < 0 || !m.r.fall(m.faces):
		return fmt.Errorf("the dice %v after %d throws", m.faces, m.throws)
	case m.over && (m.turn != games.Nobody || scored != 0):
		return errors.New("a turn after the end")
	case !m.over && (scored != m.seats || !m.playing.has(m.turn) || m.open == 0):
		return fmt.Errorf("turn of seat %d with %d scores", m.turn, scored)
	case m.news.Seat < 0 || int(m.news.Seat) >= m.seats || closes && !closed || !slices.Contains(known, m.news.What):
		return fmt.Errorf("news %+v", m.news)
	}
	return nil
}
