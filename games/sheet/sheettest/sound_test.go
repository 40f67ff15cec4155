package sheettest

import (
	"slices"
	"testing"

	"knobel/games/sheet"
)

// small returns a set that makes sense.
func small(c sheet.Chosen) sheet.Paper {
	return sheet.Paper{
		Dice: 5, Throws: 3, Again: sheet.Again{Row: "five", Points: c.Number("further"), Joker: sheet.FreeJoker},
		Colours: []int{0, 1, 2, 2, 1, 0},
		Sections: []sheet.Section{
			{Name: "upper", Rows: sheet.Faces(), Bonus: []sheet.Step{{From: 63, Points: 35}, {From: 70, Points: 40}}},
			{Name: "lower", Rows: []sheet.Row{
				{Name: "five", Need: sheet.Equal(5), Points: sheet.Fixed(50)},
				{Name: "flush", Need: sheet.Need{Colour: true}, Points: sheet.Fixed(35)},
			}},
		},
	}
}

// smallSet returns that set after a change.
func smallSet(change func(*sheet.Set, *sheet.Paper)) sheet.Game {
	set := &sheet.Set{Name: "small", Options: []sheet.Option{sheet.Choice("further", "0", "50")}}
	set.Paper = func(c sheet.Chosen) sheet.Paper {
		p := small(c)
		change(set, &p)
		return p
	}
	change(set, &sheet.Paper{Sections: make([]sheet.Section, 2)})
	return sheet.New(set)
}

// TestUnsoundSetsAreFound breaks a set in ways of each kind that is looked for.
func TestUnsoundSetsAreFound(t *testing.T) {
	Sound(t, smallSet(func(*sheet.Set, *sheet.Paper) {}))
	row := func(r sheet.Row) func(*sheet.Set, *sheet.Paper) {
		return func(_ *sheet.Set, p *sheet.Paper) {
			p.Sections[1].Rows = append(slices.Clone(p.Sections[1].Rows), r)
		}
	}
	paper := func(change func(*sheet.Paper)) func(*sheet.Set, *sheet.Paper) {
		return func(_ *sheet.Set, p *sheet.Paper) { change(p) }
	}
	ten, five := sheet.Fixed(10), sheet.Equal(5)
	five.With = "nothing"
	itself := sheet.Equal(5)
	itself.With = "itself"
	for want, change := range map[string]func(*sheet.Set, *sheet.Paper){
		"nobody can ever write six": row(sheet.Row{Name: "six", Need: sheet.Equal(6), Points: ten}),
		"nobody can ever write itself, which waits for itself": row(
			sheet.Row{Name: "itself", Need: itself, Points: ten}),
		"five and whole are the same": row(
			sheet.Row{Name: "whole", Need: sheet.Groups(5), Points: sheet.Fixed(50)}),
		"two rows are named five": row(
			sheet.Row{Name: "five", Need: sheet.Equal(4), Points: ten}),
		"double names nothing, which is no row":              row(sheet.Row{Name: "double", Need: five, Points: ten}),
		"flush asks for colours, which the dice do not have": paper(func(p *sheet.Paper) { p.Colours = nil }),
		"nobody can have the bonus from 106, the rows give at most 105": paper(func(p *sheet.Paper) {
			p.Sections[0].Bonus = []sheet.Step{{From: 106, Points: 35}}
		}),
		"the bonus from 70 changes nothing": paper(func(p *sheet.Paper) {
			p.Sections[0].Bonus = []sheet.Step{{From: 63, Points: 35}, {From: 70, Points: 35}}
		}),
		"2 parts have a bonus": paper(func(p *sheet.Paper) {
			p.Sections[1].Bonus = []sheet.Step{{From: 40, Points: 10}}
		}),
		"a joker of face 6 has no row of its own that counts for a bonus": paper(func(p *sheet.Paper) {
			p.Sections[0].Bonus = nil
		}),
		"what further equal dice bring names hive, which is no row": paper(func(p *sheet.Paper) {
			p.Again.Row = "hive"
		}),
		"7 dice, 3 throws": paper(func(p *sheet.Paper) { p.Dice = 7 }),
		"more=yes changes nothing": func(set *sheet.Set, _ *sheet.Paper) {
			set.Options = []sheet.Option{sheet.Choice("further", "0", "50"), sheet.Choice("more", "no", "yes")}
		},
	} {
		if wrong := Unsound(smallSet(change)); !slices.Contains(wrong, want) {
			t.Errorf("not found: %q in %q", want, wrong)
		}
	}
}
