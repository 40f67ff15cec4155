package table

// Pages of a running match's board.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// showPage opens the page of a running match's board that rest names; "" means the game itself. Unlike other buttons,
// its button stays valid during the whole match.
func (v *Visit) showPage(t *store.Table, rest string) error {
	page, from, _ := strings.Cut(rest, " ")
	if page == board.PageSheet {
		return v.showSheet(t, from)
	}
	if t.State != store.Playing {
		return Gone(*t)
	}
	seat := games.Seat(board.SeatOf(*t, v.Event.User))
	_, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	view := m.View()
	_, writes := board.ParseWritePage(t.Board.Page)
	of, _ := board.ParseWritePage(page)
	switch {
	case seat < 0:
		return notSeated(*t)
	case !slices.Contains(m.Turn(), seat):
		return games.Refuse("games.not-your-turn", games.Args{"Seat": m.Turn()[0]})
	case page == board.PageGame && (writes || v.Event.Pages):
	case of > 0 && of <= len(view.Groups) && board.Crowded(view, v.bot.Traits(v.Event.Place).Sparing):
	case page == board.PageWrite && board.HasWritePage(view):
	case page == board.PageStrike && view.Apart.Key != "":
	case page == board.PageWrite && len(view.Dice) > 0:
		v.Toast("bot.rows-shown", nil) // the board already shows all moves
		v.Reply.Board = t.ID
		return nil
	default:
		return games.Refuse("bot.moved-on", nil)
	}
	if v.openPage(t, page) {
		return nil
	}
	return v.Redraw(t)
}

// openPage opens a page of the board of t; the caller must store t. On platforms where each person sees a board of
// their own, it opens the page only for this person, leaves t unchanged and returns true.
func (v *Visit) openPage(t *store.Table, page string) (alone bool) {
	if v.Event.Pages {
		v.Reply.Opened = &chat.Opened{Table: t.ID, Turn: t.Turn, Page: page}
		return true
	}
	t.Board.Page = page
	return false
}

// showSheet shows the score sheet to the person: as a private answer if the platform has private answers, else in their
// private chat with the bot. If neither works, the board shows the sheet until the next move, provided that it has room
// and no page is open. A private answer without room for all columns shows the person's own column, or those of the
// seats from number firstSeat on, and buttons for the others.
func (v *Visit) showSheet(t *store.Table, firstSeat string) error {
	_, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	paper := m.View().Sheet
	if paper == nil {
		return games.Refuse("bot.no-such-button", nil)
	}
	most := board.MostSeats(paper)
	mine, large := board.SeatOf(*t, v.Event.User), len(t.Seats) > most
	opens := t.State == store.Playing && mine >= 0 && !large && !v.Event.Pages
	if opens && t.Board.Page == board.PageSheet {
		t.Board.Page = board.PageGame
		return v.Redraw(t)
	}
	if firstSeat == "" && !v.Event.Menus && !v.Event.Pages {
		fit := len(t.Seats)
		if paper.Wide() > 1 {
			fit = min(fit, maxWhole/paper.Wide())
		}
		first := max(min(mine, len(t.Seats)-fit), 0) // the first of the shown seats, the person's own among them
		whole := *v.privateSheet(*t, paper, board.SeatsFrom(*t, first, fit))
		v.Reply.Private = nil
		confide := func(ctx context.Context, _ *bot.Core, ev chat.Event) (any, error) {
			return ev.Confide != nil && ev.Confide(ctx, whole), nil
		}
		sent, err := v.Ask("what is for one person", confide)
		if err != nil {
			return err
		}
		if sent.(bool) {
			v.Toast("bot.sheet-sent", nil)
			return nil
		}
		if opens && t.Board.Page == board.PageGame {
			t.Board.Page = board.PageSheet
			return v.Redraw(t)
		}
	}
	seats := board.SeatsFrom(*t, 0, most)
	if first, err := strconv.Atoi(firstSeat); err == nil && first >= 0 && first < len(t.Seats) {
		seats = board.SeatsFrom(*t, first, most)
	} else if mine >= 0 && large {
		seats = []int{mine}
	}
	private := v.privateSheet(*t, paper, seats)
	if large {
		private.Buttons = [][]chat.Button{v.columnButtons(*t, seats, most)}
	}
	return nil
}

// maxWhole is how many columns of a sheet a message to a private chat has at most.
const maxWhole = 16

// privateSheet makes a private answer with the columns of the given seats on the sheet paper, and returns the answer.
func (v *Visit) privateSheet(t store.Table, paper *games.Sheet, seats []int) *chat.Message {
	private := v.Private(games.Say("bot.sheet", games.Args{"Table": t.ID}))
	private.Sheet = board.SheetOf(paper, seats, v.Names, v.Say)
	private.Sheet.Asked = true
	board.ExplainSigns(private, paper, v.Say)
	return private
}

// columnButtons returns buttons for the parts of a large sheet other than shown. perPart is how many seats a part has.
func (v *Visit) columnButtons(t store.Table, shown []int, perPart int) []chat.Button {
	var row []chat.Button
	for first := 0; first < len(t.Seats); first += perPart {
		seats := board.SeatsFrom(t, first, perPart)
		if slices.Equal(seats, shown) {
			continue
		}
		label := fmt.Sprintf("%d–%d", first+1, seats[len(seats)-1]+1)
		if perPart == 1 {
			label = chat.Shorten(v.Names[first], chat.MaxButton)
		}
		row = append(row, chat.Button{Label: label,
			Press: chat.Press{Table: t.ID, Turn: t.Turn, What: fmt.Sprint("!show sheet ", first)}.String()})
	}
	return row
}
