package gametest

import (
	"fmt"
	"maps"
	"slices"

	"knobel/games"
)

// The checks of a game's views.

// maxButtons is the largest number of buttons on the narrowest platform.
const maxButtons = 25

// checkView checks that the view offers exactly the legal moves and that its lines exist in all languages.
func (p *player) checkView(m games.Match, v games.View) {
	p.t.Helper()
	offered := p.offeredMoves(v)
	for _, s := range m.Turn() {
		for _, move := range m.Moves(s) {
			if !offered[move] {
				p.fatalf("the view does not offer %q to seat %d", move, s)
			}
			offered[move] = false
		}
	}
	for move, left := range offered {
		if left {
			p.fatalf("the view offers %q, which is not legal", move)
		}
	}
	p.checkClicks(m, v)
	p.checkParts(v)
	p.checkLines(v)
}

// offeredMoves returns the moves of the buttons and of the pick as keys whose values are true.
func (p *player) offeredMoves(v games.View) map[games.Move]bool {
	p.t.Helper()
	offered := map[games.Move]bool{}
	add := func(move games.Move) {
		if offered[move] {
			p.fatalf("the view offers %q twice", move)
		}
		offered[move] = true
	}
	count := make([]int, len(v.Groups)+1)
	for _, row := range v.Buttons {
		if len(row) == 0 {
			p.fatalf("a row of buttons is empty")
		}
		for _, b := range row {
			add(b.Move)
			if b.Group < 0 || b.Group > len(v.Groups) || (b.Group == 0) != (len(v.Groups) == 0) {
				p.fatalf("the button %q falls into part %d of %d", b.Move, b.Group, len(v.Groups))
			}
			count[b.Group]++
		}
	}
	if most := slices.Max(count); most > maxButtons {
		p.fatalf("the view has %d buttons on one page", most)
	}
	if v.Pick != nil {
		if v.Pick.Kind != "tiles" && v.Pick.Kind != "dice" {
			p.fatalf("%q cannot be picked", v.Pick.Kind)
		}
		labels := map[string]bool{}
		for _, c := range v.Pick.Choices {
			add(c.Move)
			if !isAscending(c.Items, len(v.Pick.Items)) {
				p.fatalf("the choice %q is made of the items %v", c.Move, c.Items)
			}
			if label := fmt.Sprint(c.Items, c.Label); labels[label] {
				p.fatalf("the choice %q is labelled like another of the same items", c.Move)
			} else {
				labels[label] = true
			}
			sum := 0
			for _, item := range c.Items {
				sum += v.Pick.Items[item]
			}
			if goal := v.Pick.Goal; goal != 0 && sum != goal {
				p.fatalf("the choice %q adds up to %d instead of %d", c.Move, sum, goal)
			}
		}
		if !isAscending(v.Pick.Picked, len(v.Pick.Items)) {
			p.fatalf("picked to begin with are the items %v", v.Pick.Picked)
		}
		faces := make([]int, len(v.Dice))
		for i, die := range v.Dice {
			faces[i] = die.Face
		}
		if v.Pick.Kind == "dice" && !slices.Equal(faces, v.Pick.Items) {
			p.fatalf("the dice lie as %v, to pick from are %v", faces, v.Pick.Items)
		}
	}
	return offered
}

// checkClicks checks that clickable tiles and cells play moves that also have a button.
func (p *player) checkClicks(m games.Match, v games.View) {
	p.t.Helper()
	labels := map[games.Move]string{}
	for _, b := range slices.Concat(v.Buttons...) {
		labels[b.Move] = fmt.Sprint(b.Label)
		if len(b.Tiles) > 0 {
			p.checkRow(v, fmt.Sprintf("button %q", b.Move), b.Row, b.Tiles)
		}
	}
	if v.Pick != nil && v.Pick.Kind == "tiles" {
		p.checkRow(v, "the pick", v.Pick.Row, v.Pick.Items)
	}
	if v.Sheet == nil {
		return
	}
	filled := map[games.Move]bool{}
	for i, row := range v.Sheet.Rows {
		for at, cell := range row.Cells {
			if cell.Fill == "" {
				continue
			}
			s := at / v.Sheet.Wide()
			if cell.Mark != games.Open || filled[cell.Fill] || fmt.Sprint(cell.Label) != labels[cell.Fill] ||
				!slices.Contains(m.Turn(), games.Seat(s)) {
				p.fatalf("row %d of the sheet: cell %d, of seat %d, is filled by %q", i, at, s, cell.Fill)
			}
			filled[cell.Fill] = true
		}
	}
}

// checkRow checks that row number row of the view has tiles with these ascending numbers; what names their use.
func (p *player) checkRow(v games.View, what string, row int, numbers []int) {
	p.t.Helper()
	if row < 0 || row >= len(v.Tiles) {
		p.fatalf("%s is of row %d, which is not shown", what, row)
	}
	for i, n := range numbers {
		found := slices.ContainsFunc(v.Tiles[row].Tiles, func(tile games.Tile) bool { return tile.Number == n })
		if !found || i > 0 && numbers[i-1] >= n {
			p.fatalf("%s is of the tiles %v, row %d holds %v", what, numbers, row, v.Tiles[row].Tiles)
		}
	}
}

// isAscending reports whether indices are ascending and from 0 to n-1.
func isAscending(indices []int, n int) bool {
	for i, index := range indices {
		if index < 0 || index >= n || i > 0 && indices[i-1] >= index {
			return false
		}
	}
	return true
}

// checkParts checks the standings, the head, the notes, the dice and the tiles of a view.
func (p *player) checkParts(v games.View) {
	p.t.Helper()
	if len(v.Stands) != p.seats {
		p.fatalf("the view has %d standings", len(v.Stands))
	}
	if len(v.Head) == 0 && v.Won.Key == "" {
		p.fatalf("the view has no head")
	}
	if len(v.Notes) > 2 {
		p.fatalf("the view has %d notes", len(v.Notes))
	}
	for _, d := range v.Dice {
		if d.Face < 1 || d.Face > d.Sides {
			p.fatalf("a die with %d sides shows %d", d.Sides, d.Face)
		}
	}
	for _, row := range v.Tiles {
		for _, d := range row.Dice {
			if d.Face < 1 || d.Face > d.Sides || row.Owner == games.Nobody {
				p.fatalf("seat %d has ended its turn with %d on a die with %d sides", row.Owner, d.Face, d.Sides)
			}
		}
		if row.Owner != games.Nobody && (row.Owner < 0 || int(row.Owner) >= p.seats) {
			p.fatalf("a row of tiles belongs to seat %d", row.Owner)
		}
		if !slices.IsSortedFunc(row.Tiles, func(a, b games.Tile) int { return a.Number - b.Number }) {
			p.fatalf("the tiles stand as %v", row.Tiles)
		}
	}
	p.checkSheet(v.Sheet)
	for s, stand := range v.Stands {
		switch stand.State {
		case games.Waiting, games.ToMove, games.Done, games.Out, games.Won:
		default:
			p.fatalf("seat %d is %q", s, stand.State)
		}
	}
}

// checkSheet checks that a sheet has the columns of each seat and that its lines exist.
func (p *player) checkSheet(sheet *games.Sheet) {
	p.t.Helper()
	if sheet == nil {
		return
	}
	starred := slices.ContainsFunc(sheet.Rows, func(row games.SheetRow) bool {
		return slices.ContainsFunc(row.Cells, func(c games.Cell) bool { return c.Mark == games.Doubled })
	})
	if sheet.Star.Key != "" {
		p.words.checkLine(p.t, "the star of the sheet", sheet.Star)
	} else if starred {
		p.fatalf("nothing says what the star of the sheet means")
	}
	for i, part := range sheet.Parts {
		p.words.checkLine(p.t, fmt.Sprintf("column %d of the sheet", i), part.Name)
		p.words.checkLine(p.t, fmt.Sprintf("column %d of the sheet, in short", i), part.Short)
	}
	for i, row := range sheet.Rows {
		p.words.checkLine(p.t, fmt.Sprintf("row %d of the sheet", i), row.Name)
		p.words.checkLine(p.t, fmt.Sprintf("row %d of the sheet, in short", i), row.Short)
		if len(row.Cells) != p.seats*sheet.Wide() {
			p.fatalf("row %d of the sheet has %d cells", i, len(row.Cells))
		}
		for at, cell := range row.Cells {
			s := at / sheet.Wide()
			switch cell.Mark {
			case games.Written, games.Doubled:
			case games.Open, games.Struck, games.Blank:
				if cell.Points != 0 {
					p.fatalf("row %d of the sheet: seat %d has %d points that are %s", i, s, cell.Points, cell.Mark)
				}
			default:
				p.fatalf("row %d of the sheet: the cell of seat %d is %q", i, s, cell.Mark)
			}
		}
	}
}

// checkLines checks that all lines of a view exist.
func (p *player) checkLines(v games.View) {
	p.t.Helper()
	for _, line := range slices.Concat(v.Head, v.Notes) {
		p.words.checkLine(p.t, "view", line)
		p.words.checkYou(p.t, line)
	}
	if v.Won.Key != "" {
		p.words.checkLine(p.t, "who has won", v.Won)
		p.words.checkYou(p.t, v.Won)
	}
	if v.Won.Key != "" && p.game.Shape(p.rules) == games.ShapePool && p.seats > 1 {
		args := games.Args{"Amount": "20 chips"}
		maps.Copy(args, v.Won.Args)
		p.words.checkLine(p.t, "who takes the pool", games.Say(v.Won.Key+"-takes", args))
		p.words.checkYou(p.t, games.Say(v.Won.Key+"-takes", args))
	}
	for s, stand := range v.Stands {
		if stand.Line.Key != "" {
			p.words.checkLine(p.t, fmt.Sprintf("standing of seat %d", s), stand.Line)
		}
	}
	if v.Apart.Key != "" {
		p.words.checkLine(p.t, "the way to what gives something up", v.Apart)
	}
	for _, group := range v.Groups {
		p.words.checkLine(p.t, "part of the buttons", group)
	}
	for _, row := range v.Buttons {
		for _, b := range row {
			p.words.checkLine(p.t, fmt.Sprintf("button %q", b.Move), b.Label)
		}
	}
	if v.Pick != nil {
		lines := []games.Line{v.Pick.Done, v.Pick.Rest, v.Pick.Refusal, v.Pick.Unfit, v.Pick.Guide}
		for _, c := range v.Pick.Choices {
			lines = append(lines, c.Label)
		}
		for _, line := range lines {
			if line.Key != "" {
				p.words.checkLine(p.t, "pick", line)
			}
		}
	}
}
