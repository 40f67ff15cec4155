package sheettest

import (
	"fmt"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/sheet"
)

// Requirements of the engine on a rule set.

// Sound tests that the engine supports a set with every value of its options, the others at their defaults.
func Sound(t *testing.T, g sheet.Game) {
	t.Helper()
	for _, o := range g.Options() {
		for _, value := range o.Values {
			p, err := g.Paper(games.Rules{o.Name: value})
			if err != nil {
				t.Errorf("%s: %s=%s is refused: %v", g.Name(), o.Name, value, err)
				continue
			}
			for _, fault := range faultsOf(p) {
				t.Errorf("%s, %s=%s: %s", g.Name(), o.Name, value, fault)
			}
		}
	}
}

// faultsOf returns a sentence for each property of a paper that the engine does not support.
func faultsOf(p sheet.Paper) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if p.Dice < 1 || p.Dice > 6 || p.Throws < 1 {
		say("%d dice, %d throws", p.Dice, p.Throws)
	}
	var rows, columns []string
	for _, section := range p.Sections {
		for _, r := range section.Rows {
			if slices.Contains(rows, r.Name) {
				say("two rows are named %s", r.Name)
			}
			if r.Need.Colour && len(p.Colours) != sides {
				say("%s asks for colours, which the dice do not have", r.Name)
			}
			rows = append(rows, r.Name)
		}
	}
	for _, c := range p.Columns {
		if slices.Contains(columns, c.Name) {
			say("two columns are named %s", c.Name)
		}
		columns = append(columns, c.Name)
	}
	for _, name := range referredRows(p) {
		if name != "" && !slices.Contains(rows, name) {
			say("%s is named, which is no row", name)
		}
	}
	return append(faults, bonusFaults(p)...)
}

// referredRows returns the rows that a paper refers to by name.
func referredRows(p sheet.Paper) []string {
	names := []string{p.Again.Row}
	for _, section := range p.Sections {
		names = append(names, section.Times)
		for _, r := range section.Rows {
			names = append(names, r.Need.With)
		}
	}
	if f := p.Final; f != nil {
		for _, sum := range f.Sums {
			names = append(names, sum.Row)
		}
		for _, clean := range append(slices.Clone(f.Clean), f.Each) {
			names = append(names, clean.Row)
		}
	}
	return names
}

// bonusFaults returns a sentence for each unsupported property of bonuses, of rows in parts, and of a joker.
func bonusFaults(p sheet.Paper) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	bonuses, faces := 0, [sides + 1]bool{}
	for i, section := range p.Sections {
		if len(section.Bonus) == 0 {
			continue
		}
		bonuses++
		if p.Order == sheet.Parts && i > 0 {
			say("the first part is not the one with the bonus")
		}
		for _, r := range section.Rows {
			face := r.Points.Face
			if face == 0 || faces[face] || r.Places > 1 {
				say("%s counts for a bonus, but is not the one row of a face", r.Name)
			}
			faces[face] = true
		}
	}
	switch {
	case bonuses > 1:
		say("%d parts have a bonus", bonuses)
	case p.Order == sheet.Parts && len(p.Sections) < 2:
		say("there is one part, which is filled before the others")
	case p.Again.Joker != sheet.NoJoker && slices.Contains(faces[1:], false):
		say("a joker has no row of its own face that counts for a bonus")
	}
	return faults
}
