package chat

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A column in which no row has anything is left out, with its name; a row across all columns says nothing of them.
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
