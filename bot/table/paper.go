package table

import (
	"fmt"
	"slices"
	"strconv"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// mostColumns is how many seats a board has room for on its sheet.
const mostColumns = 4

// sheetOf writes the columns of some seats of a paper.
func sheetOf(paper *games.Sheet, seats []int, names []string, say func(games.Line) string) *chat.Sheet {
	s := &chat.Sheet{}
	for _, seat := range seats {
		s.Columns = append(s.Columns, chat.SheetColumn{Seat: seat, Name: names[seat]})
	}
	for _, row := range paper.Rows {
		r := chat.SheetRow{Label: say(row.Name), Short: say(row.Short), Sum: row.Sum}
		for _, seat := range seats {
			cell := row.Cells[seat]
			r.Cells = append(r.Cells, chat.SheetCell{Text: cellText(cell, row.Signed), Mark: cell.Mark})
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// cellText is what stands in a cell: "24*", "+3", "—", "·".
func cellText(c games.Cell, sign bool) string {
	switch c.Mark {
	case games.Open:
		return "·"
	case games.Struck:
		return "—"
	}
	text := bot.Signed(int64(c.Points))
	if !sign && c.Points > 0 {
		text = strconv.Itoa(c.Points)
	}
	if c.Mark == games.Doubled {
		text += "*"
	}
	return text
}

// seatsFrom are so many seats of a table, from one on.
func seatsFrom(t store.Table, first, most int) []int {
	var seats []int
	for seat := first; seat < len(t.Seats) && len(seats) < most; seat++ {
		seats = append(seats, seat)
	}
	return seats
}

// sheet puts the paper onto the board, where there is room for all columns.
func (s *BoardView) sheet(paper *games.Sheet) {
	if paper == nil || len(s.Table.Seats) > mostColumns {
		return
	}
	s.Message.Sheet = sheetOf(paper, seatsFrom(s.Table, 0, mostColumns), s.names, s.Line)
	s.Message.Sheet.Asked = s.Table.Page == PageSheet || s.Table.State == store.Over
}

// showSheet shows the paper: on the board, until the next move, where there is
// room and whoever plays does not need that for something else; or else to the
// person alone, their own column or those from a seat on.
func (v *Visit) showSheet(t *store.Table, from string) error {
	_, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	paper := m.View().Sheet
	if paper == nil {
		return games.Refuse("bot.no-such-button", nil)
	}
	mine := SeatOf(*t, v.Event.User)
	free := t.Page == PageGame || t.Page == PageSheet
	if t.State == store.Playing && mine >= 0 && len(t.Seats) <= mostColumns && free {
		t.Page = map[string]string{PageGame: PageSheet, PageSheet: PageGame}[t.Page]
		return v.Redraw(t)
	}
	seats := seatsFrom(*t, 0, mostColumns)
	if first, err := strconv.Atoi(from); err == nil && first >= 0 && first < len(t.Seats) {
		seats = seatsFrom(*t, first, mostColumns)
	} else if mine >= 0 && len(t.Seats) > mostColumns {
		seats = []int{mine}
	}
	private := v.Private(games.Say("bot.sheet", games.Args{"Table": t.ID}))
	private.Sheet = sheetOf(paper, seats, v.Names, v.Say)
	private.Sheet.Asked = true
	if len(t.Seats) > mostColumns {
		private.Buttons = [][]chat.Button{v.columnButtons(*t, seats)}
	}
	return nil
}

// columnButtons lead from one part of a large sheet to the others.
func (v *Visit) columnButtons(t store.Table, shown []int) []chat.Button {
	var row []chat.Button
	for first := 0; first < len(t.Seats); first += mostColumns {
		seats := seatsFrom(t, first, mostColumns)
		if slices.Equal(seats, shown) {
			continue
		}
		label := fmt.Sprintf("%d–%d", first+1, seats[len(seats)-1]+1)
		p := chat.Press{Table: t.ID, Turn: t.Turn, What: fmt.Sprint("!show sheet ", first)}
		row = append(row, chat.Button{Label: label, Press: p.String()})
	}
	return row
}
