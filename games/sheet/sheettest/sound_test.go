package sheettest

import (
	"slices"
	"testing"

	"knobel/games/sheet"
)

// soundPaper returns a paper that the engine supports.
func soundPaper() sheet.Paper {
	return sheet.Paper{
		Dice: 5, Throws: 3, Again: sheet.Again{Row: "five", Points: 50, Joker: sheet.FreeJoker},
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

// TestUnsoundPapersAreFound breaks a paper in every way that faultsOf checks.
func TestUnsoundPapersAreFound(t *testing.T) {
	if wrong := faultsOf(soundPaper()); len(wrong) > 0 {
		t.Errorf("nothing is wrong, and yet: %q", wrong)
	}
	for want, change := range map[string]func(*sheet.Paper){
		"7 dice, 3 throws": func(p *sheet.Paper) { p.Dice = 7 },
		"two rows are named five": func(p *sheet.Paper) {
			p.Sections[1].Rows = append(p.Sections[1].Rows, sheet.Row{Name: "five"})
		},
		"two columns are named 1": func(p *sheet.Paper) {
			p.Columns = []sheet.Column{{Name: "1"}, {Name: "1"}}
		},
		"flush asks for colours, which the dice do not have": func(p *sheet.Paper) { p.Colours = nil },
		"hive is named, which is no row":                     func(p *sheet.Paper) { p.Again.Row = "hive" },
		"nothing is named, which is no row": func(p *sheet.Paper) {
			p.Sections[1].Rows[0].Need.With = "nothing"
		},
		"the first part is not the one with the bonus": func(p *sheet.Paper) {
			p.Order = sheet.Parts
			slices.Reverse(p.Sections)
		},
		"there is one part, which is filled before the others": func(p *sheet.Paper) {
			p.Order, p.Again, p.Sections = sheet.Parts, sheet.Again{}, p.Sections[:1]
		},
		"flush counts for a bonus, but is not the one row of a face": func(p *sheet.Paper) {
			p.Sections[0].Rows = append(p.Sections[0].Rows, p.Sections[1].Rows[1])
		},
		"2 parts have a bonus": func(p *sheet.Paper) { p.Sections[1].Bonus = []sheet.Step{{From: 40, Points: 10}} },
		"a joker has no row of its own face that counts for a bonus": func(p *sheet.Paper) {
			p.Sections[0].Bonus = nil
		},
	} {
		p := soundPaper()
		if change(&p); !slices.Contains(faultsOf(p), want) {
			t.Errorf("not found: %q in %q", want, faultsOf(p))
		}
	}
}
