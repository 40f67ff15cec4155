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

// TestUnsoundSetsAreFound breaks a set in every way that is looked for.
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
		"nobody can ever write all": row(sheet.Row{Name: "all", Need: sheet.Run(6), Points: ten}),
		"nobody can ever write 31":  row(sheet.Row{Name: "31", Need: sheet.Need{Total: 31}, Points: ten}),
		"nobody can ever write itself, which waits for itself": row(
			sheet.Row{Name: "itself", Need: itself, Points: ten}),
		"pair never gives any points": row(sheet.Row{Name: "pair", Need: sheet.Equal(2)}),
		"five and whole are the same": row(
			sheet.Row{Name: "whole", Need: sheet.Groups(5), Points: sheet.Fixed(50)}),
		"ones and aces are the same": row(
			sheet.Row{Name: "aces", Points: sheet.Points{Count: sheet.OfFace, Face: 1}}),
		"two rows are named five": row(
			sheet.Row{Name: "five", Need: sheet.Equal(4), Points: ten}),
		"double names nothing, which is no row":              row(sheet.Row{Name: "double", Need: five, Points: ten}),
		"flush asks for colours, which the dice do not have": paper(func(p *sheet.Paper) { p.Colours = nil }),
		"nobody can have the bonus from 106, the rows give at most 105": paper(func(p *sheet.Paper) {
			p.Sections[0].Bonus = []sheet.Step{{From: 106, Points: 35}}
		}),
		"the bonus from 60 stands behind that from 63": paper(func(p *sheet.Paper) {
			p.Sections[0].Bonus = []sheet.Step{{From: 63, Points: 35}, {From: 60, Points: 40}}
		}),
		"the bonus from 70 changes nothing": paper(func(p *sheet.Paper) {
			p.Sections[0].Bonus = []sheet.Step{{From: 63, Points: 35}, {From: 70, Points: 35}}
		}),
		"flush counts for a bonus, but is not one row of one face": paper(func(p *sheet.Paper) {
			p.Sections[0].Bonus, p.Sections[1].Bonus = nil, []sheet.Step{{From: 40, Points: 10}}
		}),
		"two rows of face 1 count for a bonus": paper(func(p *sheet.Paper) {
			if rows := slices.Clone(p.Sections[0].Rows); len(rows) > 0 {
				rows[1] = sheet.Row{Name: "more", Points: sheet.Points{Count: sheet.OfFace, Face: 1, Plus: 1}}
				p.Sections[0].Rows = rows
			}
		}),
		"2 parts have a bonus": paper(func(p *sheet.Paper) {
			p.Sections[1].Bonus = []sheet.Step{{From: 40, Points: 10}}
		}),
		"a joker of face 6 has no row of its own that counts for a bonus": paper(func(p *sheet.Paper) {
			p.Sections[0].Bonus = nil
		}),
		"a joker of face 1 has no row of its own that counts for a bonus": paper(func(p *sheet.Paper) {
			if len(p.Sections[0].Rows) > 0 {
				p.Sections[0].Rows = p.Sections[0].Rows[1:]
			}
		}),
		"what further equal dice bring names hive, which is no row": paper(func(p *sheet.Paper) {
			p.Again.Row = "hive"
		}),
		"further equal dice bring something, but no row is named for the first": paper(func(p *sheet.Paper) {
			p.Again.Row = ""
		}),
		"a section names hive, which is no row": paper(func(p *sheet.Paper) { p.Sections[1].Times = "hive" }),
		"the final map names hive, which is no row": paper(func(p *sheet.Paper) {
			p.Final = &sheet.Final{Each: sheet.FinalRow{Row: "hive", Points: 2}}
		}),
		"two columns are named down": paper(func(p *sheet.Paper) {
			p.Columns = []sheet.Column{{Name: "down"}, {Name: "down"}}
		}),
		"the first part is not the one with the bonus": paper(func(p *sheet.Paper) {
			p.Order, p.Sections[0].Bonus, p.Sections[1].Bonus = sheet.Parts, nil, []sheet.Step{{From: 40, Points: 10}}
		}),
		"there is one part, which is filled before the others": paper(func(p *sheet.Paper) {
			p.Order, p.Sections = sheet.Parts, p.Sections[:1]
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
