package board

import (
	"fmt"
	"maps"
	"slices"

	"knobel/bot/chat"
	"knobel/games"
)

// Buttons of a running match.

// moves adds the buttons of the open page of the match, and those for the sheet, undo and hint.
func (s *BoardView) moves(view games.View) {
	nav := s.undoAndHint(view)
	if s.paper = view.Sheet != nil; s.paper {
		nav = append([]chat.Button{s.sheetButton()}, nav...)
	}
	group, writes := Writes(s.Table.Board.Page)
	crowded := Crowded(view, s.bot.Traits(chat.Place(s.Table.Place)).Sparing)
	view, apart := parted(view)
	dice := PicksDice(view.Pick)
	if dice && !writes {
		s.keepButtons(view, crowded, nav)
		return
	}
	rows, back, all := view.Buttons, "", false
	switch {
	case s.Table.Board.Page == PageStrike && len(apart) > 0:
		rows, back = [][]games.Button{apart}, "!show"
	case crowded && group > 0 && group <= len(view.Groups):
		rows, back = nil, "!show"
		for _, row := range view.Buttons {
			rows = append(rows, only(row, func(b games.Button) bool { return b.Group == group }))
		}
	case crowded:
		rows = nil
		s.crowd(view)
	default:
		all = true
		if len(apart) > 0 {
			nav = append([]chat.Button{s.button(view.Apart, "!show "+PageStrike, games.Plain)}, nav...)
		}
	}
	for _, row := range rows {
		s.Message.Rows(chat.ChoiceRow, s.drawn(row)...)
	}
	switch {
	case dice && back != "": // back to the moves other than picking dice
		back = "!show " + PageWrite
	case dice:
		back = "!show"
	}
	switch {
	case back != "":
		s.Message.Row(append([]chat.Button{s.key("back", back, games.Plain)}, nav...)...)
	case all && len(s.Message.Buttons) == 1 && len(s.Message.Buttons[0]) == 1:
		s.Message.Buttons[0] = append(s.Message.Buttons[0], nav...)
	default:
		s.Message.Row(nav...)
	}
	if all && view.Pick != nil && !dice {
		s.items(view)
	}
}

// drawn turns buttons of a view into buttons of the board.
func (s *BoardView) drawn(row []games.Button) (drawn []chat.Button) {
	for _, b := range row {
		drawn = append(drawn, s.button(s.throwsOn(b.Label, b.Move), string(b.Move), b.Style))
	}
	return drawn
}

// sheetButton returns the button that shows or hides the sheet.
func (s *BoardView) sheetButton() chat.Button {
	if s.Table.Board.Page == PageSheet {
		return s.key("sheet-off", "!show sheet", games.Plain)
	}
	return s.key("sheet", "!show sheet", games.Plain)
}

// items adds a button for each item that can still be picked or unpicked, and the buttons that play the draft.
func (s *BoardView) items(view games.View) {
	d := ParseDraft(s.Table.Draft)
	var row []chat.Button
	for i, number := range view.Pick.Items {
		if !d.Toggles(i, *view.Pick) {
			continue
		}
		style, key := games.Plain, "bot.button.item"
		if len(d.Toggle(i)) < len(d) {
			style, key = games.Success, "bot.button.picked"
		}
		row = append(row, s.button(games.Say(key, games.Args{"Item": number}), pickPress(i), style))
	}
	s.Message.Rows(chat.ChoiceRow, row...)
	s.Message.Row(s.plays(*view.Pick, d)...)
}

// beside adds buttons to the row of the sheet button if they fit, else as a new row: a board with many moves has no row
// to spare.
func (s *BoardView) beside(buttons ...chat.Button) {
	last := len(s.Message.Buttons) - 1
	if last < 0 || !s.paper || len(s.Message.Buttons[last])+len(buttons) > chat.ChoiceRow {
		s.Message.Row(buttons...)
		return
	}
	s.Message.Buttons[last] = append(s.Message.Buttons[last], buttons...)
}

// Boards of matches with too many moves for one page: a button leads to each part of the moves.

const (
	// maxTogether is the largest number of moves on one page if the game divides them into parts. maxTogetherSparing is
	// that number on platforms where drawing is expensive, since another page costs another drawing.
	maxTogether        = 15
	maxTogetherSparing = 40
	// maxFirst is the number of moves on the first page of a divided board, above the buttons that lead to the parts.
	maxFirst = 10
)

// Crowded reports whether a view has too many buttons for one page, so that each of its parts has a page. sparing:
// drawing is expensive on the board's platform.
func Crowded(view games.View, sparing bool) bool {
	most := maxTogether
	if sparing {
		most = maxTogetherSparing
	}
	view, _ = parted(view)
	return len(view.Groups) > 1 && len(slices.Concat(view.Buttons...)) > most
}

// crowd draws the first maxFirst moves and a button to the page of each part.
func (s *BoardView) crowd(view games.View) {
	s.Message.Rows(chat.ChoiceRow, s.drawn(slices.Concat(view.Buttons...)[:maxFirst])...)
	var parts []chat.Button
	for i, name := range view.Groups {
		in := func(b games.Button) bool { return b.Group == i+1 }
		if !slices.ContainsFunc(slices.Concat(view.Buttons...), in) {
			continue // all its moves are on the page PageStrike
		}
		parts = append(parts, s.button(name, fmt.Sprint("!show ", WritePage(i+1)), games.Plain))
	}
	if view.Apart.Key != "" {
		parts = append(parts, s.button(view.Apart, "!show "+PageStrike, games.Plain))
	}
	s.Message.Rows(chat.ChoiceRow, parts...)
}

// only returns the buttons of a row for which of is true.
func only(row []games.Button, of func(games.Button) bool) []games.Button {
	return slices.DeleteFunc(slices.Clone(row), func(b games.Button) bool { return !of(b) })
}

// givesUp reports whether a move gives something up, such as crossing out a row.
func givesUp(b games.Button) bool { return b.Style == games.Danger }

// parted splits a view if its game has a page for moves that give something up: left is the view without them, and
// apart holds their buttons.
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

// Moves played by pressing tiles, dice or cells of the sheet.

// touched makes the tiles, dice and cells of the sheet pressable, with the moves that they play.
func (s *BoardView) touched(view games.View) {
	s.Message.Pick = s.pickOn(view)
	if view.Sheet == nil || s.Message.Sheet == nil {
		return
	}
	for i, row := range s.Message.Sheet.Rows {
		for j, column := range s.Message.Sheet.Columns {
			cells := view.Sheet.Of(view.Sheet.Rows[i], games.Seat(column.Seat))
			if cell := cells[j%len(cells)]; cell.Fill != "" {
				b := s.button(cell.Label, string(cell.Fill), games.Plain)
				row.Cells[j].Press, row.Cells[j].Label = b.Press, b.Label
				// A board that all share shows no labels on cells.
				if s.viewer != nil && starred.MatchString(b.Label) {
					s.Message.Sheet.Star = s.Line(view.Sheet.Star)
				}
			}
		}
	}
}

// pickOn returns the sets of tiles or dice that can be pressed, each with its button: those of view.Pick and of buttons
// that close tiles. It is nil if there are none.
func (s *BoardView) pickOn(view games.View) *chat.PickOn {
	on := &chat.PickOn{Kind: "tiles", Choices: []chat.PickChoice{}}
	goals := map[int]bool{} // the sums of the choices
	choose := func(b chat.Button, row int, items []int) {
		sum := 0
		for _, n := range items {
			sum += n
		}
		goals[sum] = true
		on.Choices = append(on.Choices,
			chat.PickChoice{Row: row, Items: append([]int{}, items...), Press: b.Press, Label: b.Label, Style: b.Style})
	}
	for _, b := range slices.Concat(view.Buttons...) {
		if len(b.Tiles) > 0 {
			choose(s.button(s.throwsOn(b.Label, b.Move), string(b.Move), b.Style), b.Row, b.Tiles)
		}
	}
	if p := view.Pick; p != nil {
		on.Kind = p.Kind
		if PicksDice(p) {
			on.Picked = p.Picked
		}
		for _, says := range []games.Line{p.Unfit, p.Refusal} {
			if says.Key != "" {
				on.Refusal = s.Line(says)
			}
		}
		for _, c := range p.Choices {
			label, style := c.Label, c.Style
			if label.Key == "" {
				label, style = p.Done, games.Primary
			}
			items := c.Items
			if !PicksDice(p) {
				items = numbersOf(*p, items)
			}
			choose(s.button(s.throwsOn(label, c.Move), string(c.Move), style), p.Row, items)
		}
	}
	switch {
	case len(on.Choices) == 0:
		return nil
	case PicksDice(view.Pick):
		on.Goal = view.Pick.Goal
	case len(goals) == 1:
		on.Goal = slices.Collect(maps.Keys(goals))[0]
	}
	return on
}

// beyondTouch returns the buttons of a view for moves that no cell of the sheet plays.
func (s *BoardView) beyondTouch(view games.View) []chat.Button {
	cells := map[string]bool{}
	if s.Message.Sheet != nil {
		for _, row := range s.Message.Sheet.Rows {
			for _, cell := range row.Cells {
				cells[cell.Press] = true
			}
		}
	}
	all := s.drawn(slices.Concat(view.Buttons...))
	return slices.DeleteFunc(all, func(b chat.Button) bool { return cells[b.Press] })
}

// numbersOf returns the numbers shown by the given items of a pick.
func numbersOf(p games.Pick, items []int) (numbers []int) {
	for _, item := range items {
		if item < len(p.Items) {
			numbers = append(numbers, p.Items[item])
		}
	}
	return numbers
}
