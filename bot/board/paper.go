package board

import (
	"regexp"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The score sheet of a match.

// maxColumns is the largest number of columns of the sheet on a board.
const maxColumns = 4

// MostSeats returns the number of seats whose columns of the sheet paper fit on a board, at least 1.
func MostSeats(paper *games.Sheet) int { return max(maxColumns/paper.Wide(), 1) }

// SheetOf returns the columns of the given seats on a score sheet. names holds all seats' names; say renders a line.
func SheetOf(paper *games.Sheet, seats []int, names []string, say func(games.Line) string) *chat.Sheet {
	s := &chat.Sheet{}
	for _, seat := range seats {
		for part := range paper.Wide() {
			column := chat.SheetColumn{Seat: seat, Name: names[seat]}
			if len(paper.Parts) > 0 {
				column.Sign, column.Column = say(paper.Parts[part].Short), say(paper.Parts[part].Name)
			}
			s.Columns = append(s.Columns, column)
		}
	}
	for _, row := range paper.Rows {
		r := chat.SheetRow{Label: say(row.Name), Short: say(row.Short), Sum: row.Sum}
		for _, seat := range seats {
			for _, cell := range paper.Of(row, games.Seat(seat)) {
				r.Cells = append(r.Cells, chat.SheetCell{Text: cellText(cell, row.Signed, say), Mark: cell.Mark})
				if cell.Mark == games.Doubled && s.Star == "" {
					s.Star = say(paper.Star)
				}
			}
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// cellText returns the text of a cell: "24*" if its points are doubled, "+3" if signed, "—" if struck out, "·" if open.
func cellText(c games.Cell, signed bool, say func(games.Line) string) string {
	switch c.Mark {
	case games.Open:
		return "·"
	case games.Struck:
		return "—"
	case games.Blank:
		return ""
	}
	spell := bot.PlainNumber
	if signed {
		spell = bot.Signed
	}
	text := say(games.Say("bot.text", games.Args{"Text": spell(int64(c.Points))}))
	if c.Mark == games.Doubled {
		text += "*"
	}
	return text
}

// SeatsFrom returns at most limit seat numbers of a table, in order, beginning with the seat first.
func SeatsFrom(t store.Table, first, limit int) []int {
	var seats []int
	for seat := first; seat < len(t.Seats) && len(seats) < limit; seat++ {
		seats = append(seats, seat)
	}
	return seats
}

// addSheet adds the score sheet to the board: with all seats if they fit, and always for a viewer, whose page has room.
// Otherwise the board that all share gets the mover's seat if a seat has several columns, since people who type a move
// need to see these; else it gets no sheet.
func (s *BoardView) addSheet(paper *games.Sheet) {
	seats, most := SeatsFrom(s.Table, 0, len(s.Table.Seats)), MostSeats(paper)
	s.large = s.viewer == nil && len(seats) > most
	if s.large {
		seats = slices.DeleteFunc(seats, func(i int) bool { return !slices.Contains(s.turn, games.Seat(i)) })
		if paper.Wide() == 1 || len(seats) == 0 || len(seats) > most {
			return
		}
	}
	s.Message.Sheet = SheetOf(paper, seats, s.names, s.Line)
	s.Message.Sheet.Asked = s.Table.Board.Page == PageSheet || s.Table.State == store.Over
}

// starred matches a number with a star, the sign of doubled points.
var starred = regexp.MustCompile(`[0-9]\*`)

// ExplainSigns adds to m a line that explains the star of doubled points, and a line that explains the arrows above
// columns, each only if m shows the sign. If paper is nil it adds nothing.
func ExplainSigns(m *chat.Message, paper *games.Sheet, say func(games.Line) string) {
	if paper == nil {
		return
	}
	shown := append([]string{m.Head}, m.Lines...)
	for _, b := range slices.Concat(m.Buttons...) {
		shown = append(shown, b.Label)
	}
	if m.Sheet != nil && m.Sheet.Asked {
		for _, c := range m.Sheet.Columns {
			shown = append(shown, c.Sign)
		}
	}
	var columns []string
	arrows := ""
	for _, part := range paper.Parts {
		if sign, name := say(part.Short), say(part.Name); !strings.Contains(name, sign) {
			columns, arrows = append(columns, sign+" "+name), arrows+sign
		}
	}
	explain := func(shows bool, line string) {
		if shows && !slices.Contains(m.Lines, line) {
			m.Lines = append(m.Lines, line)
		}
	}
	explain(paper.Star.Key != "" && slices.ContainsFunc(shown, starred.MatchString), say(paper.Star))
	explain(strings.ContainsAny(strings.Join(shown, ""), arrows), strings.Join(columns, " · "))
}
