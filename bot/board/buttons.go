package board

import (
	"fmt"
	"maps"
	"slices"

	"knobel/bot/chat"
	"knobel/games"
)

// Buttons of a running match.

// addMoves adds the move buttons of the page that is open, and the buttons Sheet, Undo and Hint.
func (s *BoardView) addMoves(view games.View) {
	nav := s.undoAndHint(view)
	if s.paper = view.Sheet != nil; s.paper {
		nav = append([]chat.Button{s.sheetButton()}, nav...)
	}
	group, writes := ParseWritePage(s.Table.Board.Page)
	crowded := Crowded(view, s.traits.Sparing)
	view, apart := splitGiveUps(view)
	dice := PicksDice(view.Pick)
	if dice && !writes {
		s.addKeepButtons(view, crowded, nav)
		return
	}
	rows, back, all := view.Buttons, "", false
	switch {
	case s.Table.Board.Page == PageStrike && len(apart) > 0:
		rows, back = [][]games.Button{apart}, "!show"
	case crowded && group > 0 && group <= len(view.Groups):
		rows, back = nil, "!show"
		for _, row := range view.Buttons {
			rows = append(rows, filter(row, func(b games.Button) bool { return b.Group == group }))
		}
	case crowded:
		rows = nil
		s.addParts(view)
	default:
		all = true
		if len(apart) > 0 {
			nav = append([]chat.Button{s.button(view.Apart, "!show "+PageStrike, games.Plain)}, nav...)
		}
	}
	for _, row := range rows {
		s.Message.Rows(chat.ChoiceRow, s.toButtons(row)...)
	}
	switch {
	case dice && back != "": // back to the page of the other moves, not to the dice
		back = "!show " + PageWrite
	case dice:
		back = "!show"
	}
	switch {
	case back != "":
		s.Message.Row(append([]chat.Button{s.namedButton("back", back, games.Plain)}, nav...)...)
	case all && len(s.Message.Buttons) == 1 && len(s.Message.Buttons[0]) == 1:
		s.Message.Buttons[0] = append(s.Message.Buttons[0], nav...)
	default:
		s.Message.Row(nav...)
	}
	if all && view.Pick != nil && !dice {
		s.addItems(view)
	}
}

// toButtons turns a row of buttons of the game's view into buttons of the board.
func (s *BoardView) toButtons(row []games.Button) (drawn []chat.Button) {
	for _, b := range row {
		drawn = append(drawn, s.button(s.labelWithRoll(b.Label, b.Move), string(b.Move), b.Style))
	}
	return drawn
}

// sheetButton returns the button that shows or hides the score sheet.
func (s *BoardView) sheetButton() chat.Button {
	if s.Table.Board.Page == PageSheet {
		return s.namedButton("sheet-off", "!show sheet", games.Plain)
	}
	return s.namedButton("sheet", "!show sheet", games.Plain)
}

// addItems adds a button for each item that can be picked or unpicked, and the buttons that play the picked items.
func (s *BoardView) addItems(view games.View) {
	d := ParseDraft(s.Table.Draft)
	var row []chat.Button
	for i, number := range view.Pick.Items {
		if !d.CanToggle(i, *view.Pick) {
			continue
		}
		style, key := games.Plain, "bot.button.item"
		if len(d.Toggle(i)) < len(d) {
			style, key = games.Success, "bot.button.picked"
		}
		row = append(row, s.button(games.Say(key, games.Args{"Item": number}), pickPress(i), style))
	}
	s.Message.Rows(chat.ChoiceRow, row...)
	s.Message.Row(s.draftButtons(*view.Pick, d)...)
}

// addBeside adds buttons to the row of the sheet button if that row has room for them, else as a new row.
func (s *BoardView) addBeside(buttons ...chat.Button) {
	last := len(s.Message.Buttons) - 1
	if last < 0 || !s.paper || len(s.Message.Buttons[last])+len(buttons) > chat.ChoiceRow {
		s.Message.Row(buttons...)
		return
	}
	s.Message.Buttons[last] = append(s.Message.Buttons[last], buttons...)
}

// Boards of matches with too many moves for one page: each part of the moves has a page, which a button opens.

const (
	// A page shows at most maxTogether moves. If there are more, each part of the moves has a page. Where drawing is
	// expensive, maxTogetherSparing is used instead, since each page costs another drawing.
	maxTogether        = 15
	maxTogetherSparing = 40
	// maxFirst is the number of moves on the first page of a divided board, above the buttons that lead to the parts.
	maxFirst = 10
)

// Crowded reports whether a view has parts and too many buttons for one page. Each part then gets its own page.
// sparing: drawing is expensive on the board's platform, so that pages hold more.
func Crowded(view games.View, sparing bool) bool {
	most := maxTogether
	if sparing {
		most = maxTogetherSparing
	}
	view, _ = splitGiveUps(view)
	return len(view.Groups) > 1 && len(slices.Concat(view.Buttons...)) > most
}

// addParts adds the buttons of a crowded view: its first maxFirst moves, and a button for the page of each part.
func (s *BoardView) addParts(view games.View) {
	s.Message.Rows(chat.ChoiceRow, s.toButtons(slices.Concat(view.Buttons...)[:maxFirst])...)
	var parts []chat.Button
	for i, name := range view.Groups {
		in := func(b games.Button) bool { return b.Group == i+1 }
		if !slices.ContainsFunc(slices.Concat(view.Buttons...), in) {
			continue // all moves of this part are on the page PageStrike
		}
		parts = append(parts, s.button(name, fmt.Sprint("!show ", WritePage(i+1)), games.Plain))
	}
	if view.Apart.Key != "" {
		parts = append(parts, s.button(view.Apart, "!show "+PageStrike, games.Plain))
	}
	s.Message.Rows(chat.ChoiceRow, parts...)
}

// filter returns the buttons of a row for which keep is true.
func filter(row []games.Button, keep func(games.Button) bool) []games.Button {
	return slices.DeleteFunc(slices.Clone(row), func(b games.Button) bool { return !keep(b) })
}

// givesUp reports whether a move gives something up, such as crossing out a row.
func givesUp(b games.Button) bool { return b.Style == games.Danger }

// splitGiveUps returns, in apart, the moves that give something up, and the view without them in others. If the game
// has no page for such moves, apart is nil and others is the whole view.
func splitGiveUps(view games.View) (others games.View, apart []games.Button) {
	if view.Apart.Key == "" {
		return view, nil
	}
	var rows [][]games.Button
	for _, row := range view.Buttons {
		apart = append(apart, filter(row, givesUp)...)
		if kept := slices.DeleteFunc(slices.Clone(row), givesUp); len(kept) > 0 {
			rows = append(rows, kept)
		}
	}
	view.Buttons = rows
	return view, apart
}

// Moves played by pressing tiles, dice or cells of the sheet.

// makePressable lets people press tiles, dice and cells of the score sheet. Each press plays a move.
func (s *BoardView) makePressable(view games.View) {
	s.Message.Pick = s.pressableSets(view)
	if view.Sheet == nil || s.Message.Sheet == nil {
		return
	}
	for i, row := range s.Message.Sheet.Rows {
		for j, column := range s.Message.Sheet.Columns {
			cells := view.Sheet.Of(view.Sheet.Rows[i], games.Seat(column.Seat))
			if cell := cells[j%len(cells)]; cell.Fill != "" {
				b := s.button(cell.Label, string(cell.Fill), games.Plain)
				row.Cells[j].Press, row.Cells[j].Label = b.Press, b.Label
				// Only a viewer's own board shows labels on cells.
				if s.viewer != nil && starred.MatchString(b.Label) {
					s.Message.Sheet.Star = s.Line(view.Sheet.Star)
				}
			}
		}
	}
}

// pressableSets returns the sets of tiles or dice that a press plays together, each with its button. The sets are the
// choices of view.Pick and the tiles that a button closes. It returns nil if no set can be pressed.
func (s *BoardView) pressableSets(view games.View) *chat.PickOn {
	on := &chat.PickOn{Kind: "tiles", Choices: []chat.PickChoice{}}
	goals := map[int]bool{} // the sums of the numbers on the items of each choice
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
			choose(s.button(s.labelWithRoll(b.Label, b.Move), string(b.Move), b.Style), b.Row, b.Tiles)
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
			choose(s.button(s.labelWithRoll(label, c.Move), string(c.Move), style), p.Row, items)
			on.Choices[len(on.Choices)-1].Points = c.Points
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

// buttonsBesideCells returns the buttons for those moves of a view that no press on a cell of the score sheet plays.
func (s *BoardView) buttonsBesideCells(view games.View) []chat.Button {
	cells := map[string]bool{}
	if s.Message.Sheet != nil {
		for _, row := range s.Message.Sheet.Rows {
			for _, cell := range row.Cells {
				cells[cell.Press] = true
			}
		}
	}
	all := s.toButtons(slices.Concat(view.Buttons...))
	return slices.DeleteFunc(all, func(b chat.Button) bool { return cells[b.Press] })
}

// numbersOf returns the numbers on the given items of p. items are indices into p.Items.
func numbersOf(p games.Pick, items []int) (numbers []int) {
	for _, item := range items {
		if item < len(p.Items) {
			numbers = append(numbers, p.Items[item])
		}
	}
	return numbers
}
