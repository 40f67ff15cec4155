package table

import (
	"fmt"
	"slices"
	"strconv"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

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
