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

// sheetRules are rules of whole games: the usual ones of each set, and some that change what can be pressed.
var sheetRules = []struct{ command, rules string }{
	{"yahtzee", ""}, {"kniffel", "further=50 joker=free settle=pool stake=5"}, {"yatzy", "order=forced"},
	{"maxi-yatzy", "saved=yes"}, {"generala", "double=yes wrap=yes served=wins"}, {"escalero", "columns=3"},
	{"kismet", "strict=no"}, {"crag", ""}, {"balut", "settle=pool stake=5"}, {"yamb", ""},
}

// A whole game by each rule set for three, on every platform: dice are kept by buttons, and every row has one. On
// Telegram no turn costs more than four sends and edits, except those with throws left after the third.
// All sets but the first, which are of the same code, are left to the long run, and so is the third person.
func TestSheetsForThree(t *testing.T) {
	var all []games.Game
	for _, g := range sets.All() {
		all = append(all, g)
	}
	for i, by := range sheetRules {
		if i > 0 && !needs.IsLong() {
			break
		}
		command := strings.TrimSpace("/" + by.command + " " + by.rules)
		t.Run(command, func(t *testing.T) {
			Setting{Games: all, Luck: command}.Everywhere(t, func(s *Stage) { s.sheetOf(command) })
		})
	}
}

// sheetOf plays a whole game.
func (s *Stage) sheetOf(command string) {
	s.Helper()
	people := []*Person{s.Person("Anna", "en"), s.Person("Ben", "de")}
	if needs.IsLong() {
		people = append(people, s.Person("Clara", "en"))
	}
	if !strings.Contains(command, "stake") && !strings.Contains(command, "served") {
		command += " point=2"
	}
	s.Sit(command, people[0], people[1:]...)
	s.Offers(":throw")
	for turn := 0; s.Table(1).State == store.Playing; turn++ {
		before := s.spent()
		s.sheetTurn(people, 1+(turn+turn/3)%3)
		most := 5 // rows are struck on a page of their own
		if strings.Contains(command, "saved") {
			most = 6
		}
		if spent := s.spent() - before; s.Name() == "Telegram" && spent > most {
			s.Errorf("a turn costs %d sends and edits", spent)
		}
	}
	s.Offers(":!rematch")
	for _, p := range people {
		s.Says(s.Board().Text, p.Name)
	}
	people[1].Writes("/settle")
	m := people[1].Reads("→")
	if people[1].forOne(m); len(m.Buttons) == 0 {
		s.Errorf("the settling up is %+v", m)
	}
}

// sheetTurn plays the mover's turn, with up to so many throws.
func (s *Stage) sheetTurn(people []*Person, throws int) {
	s.Helper()
	for thrown, mover := 0, games.Nobody; ; {
		now := s.Table(1)
		if now.State != store.Playing {
			return
		}
		g := s.set.Games[slices.IndexFunc(s.set.Games, func(g games.Game) bool { return g.Name() == now.Game })]
		m, err := g.Load(now.Rules, now.Match)
		if err != nil {
			s.Fatal(err)
		}
		seat := m.Turn()[0]
		if mover != games.Nobody && seat != mover {
			return // the only move that was left has followed
		}
		mover = seat
		who, legal := people[seat], m.Moves(seat)
		with := func(verb string) int {
			return slices.IndexFunc(legal, func(move games.Move) bool { return strings.HasPrefix(string(move), verb) })
		}
		if i := max(with("call"), with("throw")); i >= 0 {
			if with("throw") >= 0 {
				thrown++
			}
			who.opens(m.View(), ":"+string(legal[i]))
			who.moves(":" + string(legal[i]))
			continue
		}
		if thrown < throws && with("keep") >= 0 && who.keeps(now.Turn, m.View()) {
			thrown++
			continue
		}
		move := legal[max(with("write"), with("strike"))]
		who.opens(m.View(), ":"+string(move))
		who.moves(":" + string(move))
		return
	}
}

// keeps keeps the dice of the face that lies most often, and throws the others. It reports whether there are any.
func (p *Person) keeps(turn int64, view games.View) bool {
	p.Helper()
	pick := view.Pick
	count, best := map[int]int{}, 0
	for _, d := range view.Dice {
		if count[d.Face]++; count[d.Face] > count[best] {
			best = d.Face
		}
	}
	if pick == nil || count[best] == len(view.Dice) {
		return false
	}
	for i, d := range view.Dice {
		if slices.Contains(pick.Picked, i) != (d.Face == best) {
			p.Presses(fmt.Sprintf(":%d:!pick %d", turn, i))
		}
	}
	p.moves(":!play")
	return true
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
