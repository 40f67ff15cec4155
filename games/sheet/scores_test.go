package sheet

import "testing"

// TestUnsteadyPapersAreNotSolved has rows that give less when all dice were thrown, or faces that give more: and beside
// them rows that only give more.
func TestUnsteadyPapersAreNotSolved(t *testing.T) {
	five := Equal(5)
	for _, c := range []struct {
		name   string
		row    Row
		solved bool
	}{
		{"more at first", Row{Name: "five", Need: five, Points: Points{Plus: 50, First: 10}}, true},
		{"more when served", Row{Name: "five", Need: five, Points: Points{Plus: 50, Served: 30}}, true},
		{"twice at first", Row{Name: "all", Points: Points{Count: AllDice, Doubled: Twice}}, true},
		{"more the earlier", Row{Name: "five", Need: five, Points: Points{ByThrow: []int{66, 56, 46}}}, true},
		{"more the later", Row{Name: "five", Need: five, Points: Points{ByThrow: []int{46, 56, 66}}}, false},
		{"less when served", Row{Name: "five", Need: five, Points: Points{Plus: 50, Served: -5}}, false},
		{"less at first", Row{Name: "all", Points: Points{Count: AllDice, First: -1}}, false},
		{"a face with more at first", Row{Name: "ones", Points: Points{Count: OfFace, Face: 1, First: 1}}, false},
		{"a face doubled", Row{Name: "ones", Points: Points{Count: OfFace, Face: 1, Doubled: TwiceDice}}, false},
	} {
		g := New(&Set{Name: "one", Paper: func(Chosen) Paper {
			return Paper{Dice: 5, Throws: 3, Sections: []Section{{Rows: []Row{c.row}}}}
		}})
		if _, err := g.Solve(nil, 1); (err == nil) != c.solved {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
