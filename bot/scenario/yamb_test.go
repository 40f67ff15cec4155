package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/store"
)

// A whole game of Yamb with its four columns for two, who call what they can: on every platform each move has a button
// on the board or on a page that a button leads to, on Telegram one for all, and nobody's sheet is without a column.
func TestYambForTwo(t *testing.T) {
	needs.Long(t)
	yamb := sets.Yamb()
	Setting{Games: []games.Game{yamb}}.Everywhere(t, func(s *Stage) {
		people := []*Person{s.Person("Anna", "en"), s.Person("Ben", "de")}
		s.Sit("/yamb point=2", people[0], people[1])
		s.Offers(":throw")
		paged := 0
		for s.Table(1).State == store.Playing {
			paged += s.fills(yamb, people)
		}
		s.Offers(":!rematch")
		if spares := s.Name() == "Telegram"; (paged == 0) != spares {
			s.Errorf("pages of one column were opened %d times", paged)
		}
		people[1].Presses(":!show sheet")
		s.Until("the sheet is told", func() bool { return strings.Contains(people[1].Last().Text, "↑") })
		s.Says(people[1].Last().Text, "Ben", "↓", "↕", "↑", "an", "Produkt", "Summe")
	})
}

// fills plays a turn: a throw, a call where one may be made, and the first row that may be filled. It returns how often
// a page of a part of the moves was opened.
func (s *Stage) fills(g games.Game, people []*Person) (paged int) {
	s.Helper()
	begun := s.Table(1)
	for now := begun; now.State == store.Playing; now = s.Table(1) {
		m, err := g.Load(now.Rules, now.Match)
		if err != nil {
			s.Fatal(err)
		}
		who := people[m.Turn()[0]]
		moves := slices.DeleteFunc(m.Moves(m.Turn()[0]), func(move games.Move) bool {
			return strings.HasPrefix(string(move), "keep")
		})
		move := moves[0]
		i := slices.IndexFunc(moves, func(move games.Move) bool { return strings.HasPrefix(string(move), "call") })
		if i >= 0 {
			move = moves[i]
		}
		if who.opens(m.View(), ":"+string(move)) {
			paged++
		}
		who.moves(":" + string(move))
		if verb, _, _ := strings.Cut(string(move), " "); verb == "write" || verb == "strike" {
			return paged
		}
	}
	return paged
}

// opens opens the page with a button, where the board has it on another, and reports whether that is one of a part of
// the moves.
func (p *Person) opens(view games.View, button string) (parted bool) {
	p.Helper()
	has := func(name string) func() bool {
		return func() bool { _, _, ok := p.finds(name); return ok }
	}
	if has(button)() {
		return false
	}
	if view.Pick != nil {
		p.Presses(":!show write")
		p.Until("the page is there", func() bool {
			return has(button)() || has(":!show write/1")() || has(":!show strike")()
		})
	}
	if has(button)() {
		return false
	}
	if strings.HasPrefix(button, ":strike ") && has(":!show strike")() {
		p.Presses(":!show strike")
		p.Until("the button is there", has(button))
		return true
	}
	for _, b := range slices.Concat(view.Buttons...) {
		if ":"+string(b.Move) == button {
			p.Presses(fmt.Sprint(":!show write/", b.Group))
		}
	}
	p.Until("the button is there", has(button))
	return true
}
