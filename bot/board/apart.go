package board

import (
	"slices"

	"knobel/games"
)

// What gives something up stands on a page of its own, where a game says so.

// parted returns a view without the buttons that are on a page of their own, and these.
func parted(view games.View) (left games.View, apart []games.Button) {
	if view.Apart.Key == "" {
		return view, nil
	}
	givesUp := func(b games.Button) bool { return b.Style == games.Danger }
	var rows [][]games.Button
	for _, row := range view.Buttons {
		apart = append(apart, slices.DeleteFunc(slices.Clone(row), func(b games.Button) bool { return !givesUp(b) })...)
		if others := slices.DeleteFunc(slices.Clone(row), givesUp); len(others) > 0 {
			rows = append(rows, others)
		}
	}
	view.Buttons = rows
	return view, apart
}
