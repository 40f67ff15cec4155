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
	view, _ = parted(view)
	return len(view.Groups) > 1 && len(slices.Concat(view.Buttons...)) > most
}

// crowded reports whether the parts of the moves have pages of their own here.
func (s *BoardView) crowded(view games.View) bool {
	return Crowded(view, s.bot.Traits(chat.Place(s.Table.Place)).Sparing)
}

// crowd draws the part of the moves that is looked at, or the first of all moves and what leads to the parts.
func (s *BoardView) crowd(view games.View, nav []chat.Button) {
	if group, _ := Writes(s.Table.Board.Page); group > 0 && group <= len(view.Groups) {
		for _, row := range view.Buttons {
			s.Message.Rows(chat.ChoiceRow, s.drawn(slices.DeleteFunc(slices.Clone(row), func(b games.Button) bool {
				return b.Group != group
			}))...)
		}
		back := "!show"
		if PicksDice(view.Pick) {
			back = "!show " + PageWrite
		}
		s.Message.Row(append([]chat.Button{s.key("back", back, games.Plain)}, nav...)...)
		return
	}
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

// apart draws the page of what gives something up.
func (s *BoardView) apart(view games.View, apart []games.Button, nav []chat.Button) {
	s.Message.Rows(chat.ChoiceRow, s.drawn(apart)...)
	back := "!show"
	if PicksDice(view.Pick) {
		back = "!show " + PageWrite
	}
	s.Message.Row(append([]chat.Button{s.key("back", back, games.Plain)}, nav...)...)
}
