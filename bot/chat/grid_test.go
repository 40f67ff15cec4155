package chat

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Empty columns are left out with their names; rows across all columns do not count.
func TestATableHasNoEmptyColumn(t *testing.T) {
	var m Message
	m.Grid(Grid{From: 1, To: 4, Caption: "Evenings", Head: []string{"Evening", "Total", "Best", "Worst"},
		Rows: [][]string{{"chips", "+3", "", ""}, {"…"}, {"points", "", "", ""}}})
	m.Grid(Grid{Head: []string{"Player", "±"}, Rows: [][]string{{"Anna", ""}, {"Ben", "± 2"}}})
	m.Grid(Grid{Head: []string{"Player"}, Rows: [][]string{{"…"}}})
	want := []Grid{
		{From: 1, To: 4, Caption: "Evenings", Head: []string{"Evening", "Total"},
			Rows: [][]string{{"chips", "+3"}, {"…"}, {"points", ""}}},
		{Head: []string{"Player", "±"}, Rows: [][]string{{"Anna", ""}, {"Ben", "± 2"}}},
		{Head: []string{"Player"}, Rows: [][]string{{"…"}}},
	}
	if diff := cmp.Diff(want, m.Grids); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
}
