package board

import (
	"fmt"
	"slices"

	"knobel/bot/chat"
	"knobel/games"
)

// Boards of matches with more moves than a board has buttons for: a button leads to each part of them.

const (
	// maxTogether is how many moves stand on one page where they fall into parts, and maxTogetherSparing how many
	// where drawing is dear: a page for each part costs a change of the board more.
	maxTogether        = 15
	maxTogetherSparing = 40
	// maxFirst is how many of more stand on it beside the buttons that lead to the parts.
	maxFirst = 10
)

// Crowded reports whether the buttons of a view are so many that each of their parts has a page of its own. Sparing
// says that drawing is dear where the board is.
func Crowded(view games.View, sparing bool) bool {
	most := maxTogether
	if sparing {
		most = maxTogetherSparing
	}
	if len(view.Groups) < 2 {
		return false
	}
	view, _ = parted(view)
	return len(slices.Concat(view.Buttons...)) > most
}

// crowd draws the first of all moves and the buttons that lead to the parts.
func (s *BoardView) crowd(view games.View, nav []chat.Button) {
	s.Message.Rows(chat.ChoiceRow, s.drawn(slices.Concat(view.Buttons...)[:maxFirst])...)
	var parts []chat.Button
	for i, name := range view.Groups {
		in := func(b games.Button) bool { return b.Group == i+1 }
		if !slices.ContainsFunc(slices.Concat(view.Buttons...), in) {
			continue // all of them are apart
		}
		parts = append(parts, s.button(name, fmt.Sprint("!show ", WritePage(i+1)), games.Plain))
	}
	if view.Apart.Key != "" {
		parts = append(parts, s.button(view.Apart, "!show "+PageStrike, games.Plain))
	}
	s.Message.Rows(chat.ChoiceRow, parts...)
	if PicksDice(view.Pick) {
		nav = append([]chat.Button{s.key("back", "!show", games.Plain)}, nav...)
	}
	s.Message.Row(nav...)
}

// part draws a page with those moves of all for which of holds, and a button that leads back to the others.
func (s *BoardView) part(view games.View, all [][]games.Button, of func(games.Button) bool, nav []chat.Button) {
	for _, row := range all {
		s.Message.Rows(chat.ChoiceRow, s.drawn(only(row, of))...)
	}
	back := "!show"
	if PicksDice(view.Pick) {
		back = "!show " + PageWrite
	}
	s.Message.Row(append([]chat.Button{s.key("back", back, games.Plain)}, nav...)...)
}

// only returns the buttons for which of holds.
func only(row []games.Button, of func(games.Button) bool) []games.Button {
	return slices.DeleteFunc(slices.Clone(row), func(b games.Button) bool { return !of(b) })
}

// givesUp reports whether a move gives something up.
func givesUp(b games.Button) bool { return b.Style == games.Danger }

// parted returns a view without the moves that give something up, and these, where the game has a page for them.
func parted(view games.View) (left games.View, apart []games.Button) {
	if view.Apart.Key == "" {
		return view, nil
	}
	var rows [][]games.Button
	for _, row := range view.Buttons {
		apart = append(apart, only(row, givesUp)...)
		if others := slices.DeleteFunc(slices.Clone(row), givesUp); len(others) > 0 {
			rows = append(rows, others)
		}
	}
	view.Buttons = rows
	return view, apart
}
