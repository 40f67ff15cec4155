package shutbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"knobel/games"
)

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

func loadClassic(r *rules, state []byte) (games.Match, error) {
	m, err := readClassic(r, state)
	if err != nil {
		return nil, fmt.Errorf("shutbox: %w", err)
	}
	return m, nil
}

// readClassic reads a saved match under rules, and returns an error if it cannot be one of them.
func readClassic(r *rules, state []byte) (*classic, error) {
	var saved savedClassic
	if err := decode(state, &saved); err != nil {
		return nil, err
	}
	sheet, err := saved.load(r)
	if err != nil {
		return nil, err
	}
	m := &classic{r: r, sheet: sheet, scores: noScores(), turn: saved.Turn, throws: saved.Throws, faces: saved.Faces,
		news: saved.News}
	if saved.Open != "" {
		var ok bool
		if m.open, ok = parseSet(saved.Open); !ok {
			return nil, fmt.Errorf("open tiles %q", saved.Open)
		}
	}
	copy(m.scores[:], saved.Scores)
	if err := m.sound(len(saved.Scores)); err != nil {
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

// sound says what is wrong with a stored state, as far as playing on and
// showing it depend on it.
func (m *classic) sound(scored int) error {
	if m.open&^m.r.tiles != 0 {
		return fmt.Errorf("open tiles %s of %s", m.open, m.r.tiles)
	}
	if n := len(m.faces); n != 0 && n != 1 && n != m.r.dice {
		return fmt.Errorf("%d dice", n)
	}
	for _, face := range m.faces {
		if face < 1 || face > m.r.sides {
			return fmt.Errorf("no face %d on %d sides", face, m.r.sides)
		}
	}
	if err := m.news.sound(m); err != nil {
		return err
	}
	if m.throws < 0 || m.throws > m.r.tiles.count() {
		return fmt.Errorf("%d throws in a turn", m.throws)
	}
	if m.over {
		if m.turn != games.Nobody || scored != 0 {
			return errors.New("a turn after the end")
		}
		return nil
	}
	return m.soundTurn(scored)
}

// soundTurn checks whose turn it is: those of the round before it have their
// scores, those after it have none.
func (m *classic) soundTurn(scored int) error {
	if scored != m.seats || !m.playing.has(m.turn) || m.open == 0 {
		return fmt.Errorf("turn of seat %d with %d scores", m.turn, scored)
	}
	for _, seat := range m.playing.list() {
		score := m.scores[seat]
		if seat < m.turn && (score < 0 || score > m.r.points(m.r.tiles)) || seat >= m.turn && score != pending {
			return fmt.Errorf("score %d of seat %d in the turn of %d", score, seat, m.turn)
		}
	}
	return nil
}

// sound returns an error if stored news cannot be those of the match: the view would show nonsense.
func (n news) sound(m *classic) error {
	if n.What == "" {
		if n != (news{}) {
			return errors.New("news of nothing")
		}
		return nil
	}
	known := []string{didClose, didBox, didStick, didMiss, didSeven, didSevens, didDeclare}
	if !slices.Contains(known, n.What) {
		return fmt.Errorf("news of %q", n.What)
	}
	if n.Seat < 0 || int(n.Seat) >= m.seats || n.Score < 0 {
		return fmt.Errorf("news of seat %d, score %d", n.Seat, n.Score)
	}
	closes := n.What == didClose || n.What == didBox
	set, ok := parseSet(n.Tiles)
	if closes != (n.Tiles != "") || closes && (!ok || set&^m.r.tiles != 0) {
		return fmt.Errorf("news of closing %q", n.Tiles)
	}
	left, ok := parseSet(n.Left)
	if n.Left != "" && (closes || !ok || left&^m.r.tiles != 0) {
		return fmt.Errorf("news of tiles %q left open", n.Left)
	}
	throws := n.What != didDeclare && !closes
	if throws && len(m.faces) == 0 {
		return errors.New("news of a throw without dice")
	}
	return nil
}
