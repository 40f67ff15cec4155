package sheettest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/sheet"
)

// Whether a set makes sense.

// Sound tests that a set makes sense under every value of its options, each beside the defaults of the others.
func Sound(t *testing.T, g sheet.Game) {
	t.Helper()
	for _, wrong := range Unsound(g) {
		t.Errorf("%s: %s", g.Name(), wrong)
	}
}

// Unsound says what of a set makes no sense, each once.
func Unsound(g sheet.Game) []string {
	var wrong []string
	for _, o := range g.Options() {
		for _, value := range o.Values {
			p, err := g.Paper(games.Rules{o.Name: value})
			if err != nil {
				wrong = append(wrong, fmt.Sprintf("%s=%s is refused: %v", o.Name, value, err))
				continue
			}
			wrong = append(wrong, unsound(p)...)
		}
	}
	wrong = append(wrong, idle(g)...)
	slices.Sort(wrong)
	return slices.Compact(wrong)
}

// unsound says what of a paper makes no sense.
func unsound(p sheet.Paper) []string {
	s := &sense{Paper: p, gives: map[string]*given{}}
	if p.Dice < 1 || p.Dice > 6 || p.Throws < 1 {
		return []string{fmt.Sprintf("%d dice, %d throws", p.Dice, p.Throws)}
	}
	for _, section := range p.Sections {
		for _, r := range section.Rows {
			s.row(r, section.Times != "")
		}
	}
	s.names()
	for _, section := range p.Sections {
		s.section(section)
	}
	s.order()
	s.again()
	return s.wrong
}

// sense looks at a paper.
type sense struct {
	sheet.Paper
	wrong []string
	rows  []sheet.Row // so far
	gives map[string]*given
}

// given is what a row gives for all dice that may lie, one time after the other: nothing where its need is missing.
type given struct {
	points      []*int
	least, most int // of those that are there
	there       bool
}

func (s *sense) say(format string, args ...any) {
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

// row looks at a row beside those before it. It may be as another where its section tells its rows apart.
func (s *sense) row(r sheet.Row, apart bool) {
	if s.gives[r.Name] != nil {
		s.say("two rows are named %s", r.Name)
		return
	}
	if r.Need.Colour && len(s.Colours) != sides {
		s.say("%s asks for colours, which the dice do not have", r.Name)
		r.Need.Colour = false
	}
	mine := s.given(r)
	switch {
	case !mine.there:
		s.say("nobody can ever write %s", r.Name)
	case mine.least == 0 && mine.most == 0:
		s.say("%s never gives any points", r.Name)
	}
	for _, other := range s.rows {
		if !apart && mine.there && reflect.DeepEqual(s.gives[other.Name], mine) &&
			other.Need.With == r.Need.With {
			s.say("%s and %s are the same", other.Name, r.Name)
		}
	}
	s.gives[r.Name], s.rows = mine, append(s.rows, r)
}

// given scores all dice at all times.
func (s *sense) given(r sheet.Row) *given {
	g := &given{}
	for _, dice := range throwsOf(s.Dice) {
		for throw := 1; throw <= s.Throws; throw++ {
			for _, served := range []bool{true, false} {
				if throw == 1 && !served {
					continue
				}
				points, there := s.Score(r, dice, throw, served)
				if !there {
					g.points = append(g.points, nil)
					continue
				}
				g.points = append(g.points, &points)
				if !g.there || points < g.least {
					g.least = points
				}
				if !g.there || points > g.most {
					g.most = points
				}
				g.there = true
			}
		}
	}
	return g
}

// names looks at rows that are named.
func (s *sense) names() {
	known := func(name, what string) {
		if name != "" && s.gives[name] == nil {
			s.say("%s names %s, which is no row", what, name)
		}
	}
	for _, r := range s.rows {
		known(r.Need.With, r.Name)
		if r.Need.With == r.Name {
			s.say("nobody can ever write %s, which waits for itself", r.Name)
		}
	}
	for i, column := range s.Columns {
		if slices.ContainsFunc(s.Columns[:i], func(c sheet.Column) bool { return c.Name == column.Name }) {
			s.say("two columns are named %s", column.Name)
		}
	}
	for _, section := range s.Sections {
		known(section.Times, "a section")
	}
	known(s.Again.Row, "what further equal dice bring")
	if f := s.Final; f != nil {
		for _, sum := range f.Sums {
			known(sum.Row, "the final map")
		}
		for _, clean := range append(slices.Clone(f.Clean), f.Each) {
			known(clean.Row, "the final map")
		}
	}
}

// section looks at a bonus.
func (s *sense) section(of sheet.Section) {
	least, most := 0, 0
	for _, r := range of.Rows {
		g, places := s.gives[r.Name], max(r.Places, 1)
		least, most = least+min(g.least, 0)*places, most+g.most*places
	}
	for i, step := range of.Bonus {
		before := sheet.Step{From: least, Points: 0}
		if i > 0 {
			before = of.Bonus[i-1]
		}
		switch {
		case step.From > most:
			s.say("nobody can have the bonus from %d, the rows give at most %d", step.From, most)
		case i > 0 && step.From <= before.From:
			s.say("the bonus from %d stands behind that from %d", step.From, before.From)
		case step.Points == before.Points && (i > 0 || step.Points == 0 && len(of.Bonus) == 1):
			s.say("the bonus from %d changes nothing", step.From)
		}
	}
}

// order looks at what the order of rows asks for, and what perfect play counts on.
func (s *sense) order() {
	bonuses := 0
	for i, section := range s.Sections {
		if len(section.Bonus) == 0 {
			continue
		}
		faces := [sides + 1]bool{}
		bonuses++
		if s.Order == sheet.Parts && i > 0 {
			s.say("the first part is not the one with the bonus")
		}
		for _, r := range section.Rows {
			if r.Points.Face == 0 || r.Places > 1 || len(section.Rows) > sides {
				s.say("%s counts for a bonus, but is not one row of one face", r.Name)
			}
			if face := r.Points.Face; face != 0 && faces[face] {
				s.say("two rows of face %d count for a bonus", face)
			}
			faces[r.Points.Face] = true
		}
	}
	if bonuses > 1 {
		s.say("%d parts have a bonus", bonuses)
	}
	if s.Order == sheet.Parts && len(s.Sections) < 2 {
		s.say("there is one part, which is filled before the others")
	}
}

// again looks at what further equal dice bring.
func (s *sense) again() {
	if s.Again.Row == "" {
		if s.Again != (sheet.Again{}) {
			s.say("further equal dice bring something, but no row is named for the first")
		}
		return
	}
	if s.Again.Joker == sheet.NoJoker {
		return
	}
	for face := 1; face <= sides; face++ {
		own := func(r sheet.Row) bool { return r.Points.Face == face }
		at := slices.IndexFunc(s.Sections, func(section sheet.Section) bool {
			return len(section.Bonus) > 0 && slices.ContainsFunc(section.Rows, own)
		})
		if at < 0 {
			s.say("a joker of face %d has no row of its own that counts for a bonus", face)
		}
	}
}

// idle says which values of options change nothing, whatever the others are.
func idle(g sheet.Game) (wrong []string) {
	options := slices.DeleteFunc(g.Options(), func(o games.Option) bool {
		return o.Name == games.Hints || o.Name == games.Settle || o.Name == games.Point // those of every sheet
	})
	for i, o := range options {
		others := append(slices.Clone(options[:i]), options[i+1:]...)
		for _, value := range o.Values[1:] {
			if !changes(g, games.Rules{o.Name: value}, games.Rules{o.Name: o.Values[0]}, others) {
				wrong = append(wrong, fmt.Sprintf("%s=%s changes nothing", o.Name, value))
			}
		}
	}
	return wrong
}

// changes reports whether two rules differ beside some values of other options.
func changes(g sheet.Game, a, b games.Rules, others []games.Option) bool {
	if len(others) == 0 {
		one, err := g.Paper(a)
		other, refused := g.Paper(b)
		one.Settle = other.Settle // an option may ask for one
		return err == nil && refused == nil && !reflect.DeepEqual(one, other)
	}
	return slices.ContainsFunc(others[0].Values, func(value string) bool {
		a, b := maps.Clone(a), maps.Clone(b)
		a[others[0].Name], b[others[0].Name] = value, value
		return changes(g, a, b, others[1:])
	})
}
