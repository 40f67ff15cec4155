package table

import (
	"fmt"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// showPage turns the board of a match that goes on to a page, or back to the
// game. A button for that is good for all of the match, whatever has been
// thrown since.
func (v *Visit) showPage(t *store.Table, rest string) error {
	page, from, _ := strings.Cut(rest, " ")
	if page == PageSheet {
		return v.showSheet(t, from)
	}
	if t.State != store.Playing {
		return Gone(*t)
	}
	seat := games.Seat(SeatOf(*t, v.Event.User))
	_, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	view := m.View()
	switch {
	case seat < 0:
		return notSeated(*t)
	case !slices.Contains(m.Turn(), seat):
		return games.Refuse("games.not-your-turn", games.Args{"Seat": m.Turn()[0]})
	case page == PageGame && t.Page == pageWrite:
		t.Page = PageGame
	case page == pageWrite && restsApart(view):
		t.Page = pageWrite
	case page == pageWrite && len(view.Dice) > 0:
		v.Toast("bot.rows-shown", nil) // the board offers nothing else
		v.Reply.Board = t.ID
		return nil
	default:
		return games.Refuse("bot.moved-on", nil)
	}
	return v.Redraw(t)
}

// drawPicked stores what somebody has picked. Dice that are kept are told by
// the toast; where drawing is dear and the board offers the same whatever is
// picked, that makes no new version of it: its next change shows them.
func (v *Visit) drawPicked(t *store.Table, p games.Pick) error {
	if !keeping(&p) || p.Refusal.Key == "" || v.Event.Carries || t.Away || !v.bot.spares(chat.Place(t.Place)) {
		return v.save(t)
	}
	t.Changed = v.At
	v.Reply.Board = t.ID
	if err := v.Tx.SaveTable(*t); err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	return nil
}

// spares says whether a place is on a platform where drawing is dear.
func (b *Tables) spares(place chat.Place) bool {
	_, p := b.Outbox.PlatformAt(place)
	s, ok := p.(chat.Sparing)
	return ok && s.Sparing()
}
