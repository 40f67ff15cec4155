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
	m := &classic{r: r, sheet: sheet, scores: noScores(), turn: saved.Turn, throws: saved.Throws, faces: saved.Faces,
		news: saved.News}
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
