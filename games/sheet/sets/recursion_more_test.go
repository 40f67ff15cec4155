package sets

import (
	"testing"

	"knobel/games/sheet"
	"knobel/games/sheet/sheettest"
)

// TestBalutIsPlayedPerfectly leaves fewer places to each row: what they bring is the total, which is solved.
func TestBalutIsPlayedPerfectly(t *testing.T) {
	with := func(places int) cut {
		return cut{plain: plainBalut(places), paper: func(c sheet.Chosen) sheet.Paper {
			p := balut(c)
			for _, s := range p.Sections {
				for i := range s.Rows {
					s.Rows[i].Places = places
				}
			}
			return p
		}}
	}
	with(1).check(t, "fours fives sixes straight full-house choice balut")
	with(2).check(t, "fours straight choice balut")
	with(4).check(t, "full-house choice balut")
	with(4).check(t, "fours sixes straight")
	if long() {
		with(2).check(t, "fours fives sixes straight full-house choice balut")
	}
}

// TestYambIsPlayedPerfectly plays a column without its middle, which is not solved.
func TestYambIsPlayedPerfectly(t *testing.T) {
	c := cut{paper: yamb, rules: sheet.Chosen{"columns": "1"}, plain: plainYamb()}
	c.bonus = sheettest.From(12, 30)
	c.check(t, "ones fives three straight full")
	c.bonus = sheettest.From(20, 30)
	c.check(t, "threes fours straight poker yamb")
	c.bonus = sheettest.From(20, 30)
	c.check(t, "twos sixes three straight full poker yamb")
}
