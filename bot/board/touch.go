package board

import (
	"maps"
	"slices"

	"knobel/bot/chat"
	"knobel/games"
)

// What can be played by touching the things themselves: tiles, dice, cells of the sheet.

// touched puts every choice of the match that is made of things onto these things.
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
				// Who draws the board of all shows no labels on cells.
				if s.viewer != nil && starred.MatchString(b.Label) {
					s.Message.Sheet.Star = s.Line(view.Sheet.Star)
				}
			}
		}
	}
}

// pickOn returns the choice of a view with a press for each, nil where nothing is picked: that of its Pick, and
// of the buttons that turn tiles over.
func (s *BoardView) pickOn(view games.View) *chat.PickOn {
	on := &chat.PickOn{Kind: "tiles", Choices: []chat.PickChoice{}}
	goals := map[int]bool{} // what the items of each choice add up to
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

// beyondTouch returns the buttons of a view whose moves no cell of the sheet plays.
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

// numbersOf returns the numbers on those of some items that a pick has.
func numbersOf(p games.Pick, items []int) (numbers []int) {
	for _, item := range items {
		if item < len(p.Items) {
			numbers = append(numbers, p.Items[item])
		}
	}
	return numbers
}
