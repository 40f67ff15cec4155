package gametest

import (
	"bytes"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// Loading of stored matches, damaged ones included.

// Playable reports whether saved can be loaded as a match. If so, it tests that saving and loading do not change the
// match, that it can be shown, and that the second (or only) one of g.Houses can play up to moves moves for all seats.
func Playable(t *testing.T, g games.Game, rules games.Rules, saved []byte, moves int) bool {
	t.Helper()
	m, err := g.Load(rules, saved)
	if err != nil {
		return false
	}
	first, err := m.Save()
	Check(t, err)
	again, err := g.Load(rules, first)
	if err != nil {
		t.Fatalf("%s is saved as %s, which cannot be loaded: %v", saved, first, err)
	}
	if second, _ := again.Save(); !bytes.Equal(first, second) {
		t.Fatalf("%s is saved as %s and then as %s", saved, first, second)
	}
	houses := unsolvedHouses(g)
	choose := houses[min(1, len(houses)-1)].Choose
	for d := (&dice.Fair{Table: "test"}); len(m.Turn()) > 0 && moves > 0; moves-- {
		m.View()
		seat := m.Turn()[0]
		if len(m.Moves(seat)) == 0 {
			t.Fatalf("%v %s: a seat has no move", rules, first)
		}
		if m, _, err = games.Play(m, seat, choose(m, seat, nil), d); err != nil {
			t.Fatalf("%v %s: %v", rules, first, err)
		}
	}
	if _, over := m.Result(); over == (len(m.Turn()) > 0) {
		t.Fatalf("%v %s: over is %t, and to move are %v", rules, first, over, m.Turn())
	}
	m.View()
	return true
}

// checkGarbage checks that Load refuses garbage and unknown rules, and does not panic on damaged states of m.
func (p *player) checkGarbage(m games.Match) {
	p.t.Helper()
	load := func(rules games.Rules, state []byte) error {
		defer func() {
			if r := recover(); r != nil {
				p.fatalf("Load(%q): panic: %v", state, r)
			}
		}()
		_, err := p.game.Load(rules, state)
		return err
	}
	for _, state := range []string{"", "\x00", "garbage", "{", "[[[[", "\xff\xfe", "nul"} {
		if load(p.rules, []byte(state)) == nil {
			p.fatalf("Load takes %q for a match", state)
		}
	}
	state := p.save(m)
	unknown := []games.Rules{{"no-such-option": "x"}}
	for _, o := range p.game.Options() {
		unknown = append(unknown, games.Rules{o.Name: "\x00"})
	}
	for _, rules := range unknown {
		if load(rules, state) == nil {
			p.fatalf("Load takes the rules %q", rules)
		}
	}
	for range 50 {
		bad := slices.Clone(state)
		for range 1 + p.random.IntN(3) {
			bad[p.random.IntN(len(bad))] = "0123456789-[]{},:\"null\x00"[p.random.IntN(23)]
		}
		_ = load(p.rules, bad[:p.random.IntN(len(bad)+1)]) // damaged states may still be valid
	}
}
