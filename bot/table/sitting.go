package table

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Reading, storing and drawing tables during a visit.

// checkFound checks t and err, which a query for a table returned. If there is no table, it returns a refusal with the
// key refusal. Otherwise it returns t and err, and sets v.Names to the names at the table's seats.
func (v *Visit) checkFound(t store.Table, err error, refusal string) (store.Table, error) {
	if errors.Is(err, store.ErrNotFound) {
		return t, games.Refuse(refusal, nil)
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return t, err
}

// load returns the table id, whose button was pressed. It refuses tables outside the event's chat or thread.
func (v *Visit) load(id int64) (store.Table, error) {
	t, err := v.Tx.Tables.Table(id)
	switch {
	case err != nil:
	case t.Place == string(v.Event.Place):
		v.Names = v.bot.NamesAt(t, v.Lang)
		return t, nil
	case t.Board.Away && t.Chat == v.Chat.ID:
		return t, games.Refuse("bot.lost.bring", nil)
	default:
		err = store.ErrNotFound
	}
	if v.Event.Pages && v.Event.Whispers { // on an embedded page, which shows only tables of its place
		return v.checkFound(t, err, "bot.other-chat")
	}
	return v.checkFound(t, err, "bot.no-table")
}

// Here returns the running table in the event's chat or thread, or else the newest one; it refuses if there is neither.
func (v *Visit) Here() (store.Table, error) {
	t, err := v.Tx.Tables.TableHere(string(v.Event.Place))
	return v.checkFound(t, err, "bot.no-table-here")
}

// GoesOn returns the running match or lobby in the event's chat or thread; goesOn is false if none is running there.
func (v *Visit) GoesOn() (t store.Table, goesOn bool, err error) {
	if v.Tx == nil { // Core.Brief
		return t, false, nil
	}
	t, err = v.Tx.Tables.TableAt(string(v.Event.Place))
	if errors.Is(err, store.ErrNotFound) {
		return t, false, nil
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return t, err == nil, err
}

// Active returns the running matches and the lobbies of the chat chatID, including those in its threads.
func (v *Visit) Active(chatID string) ([]store.Table, error) {
	ids, err := v.Tx.Tables.ActiveTables(chatID)
	if err != nil {
		return nil, err
	}
	tables := make([]store.Table, len(ids))
	for i, id := range ids {
		if tables[i], err = v.Tx.Tables.Table(id); err != nil {
			return nil, fmt.Errorf("table %d: %w", id, err)
		}
	}
	return tables, nil
}

// save stores a changed table and has its board redrawn. The time after which an idle table is closed begins again. If
// the offer of a seat was withdrawn, the message about offers is replaced.
func (v *Visit) save(t *store.Table) error {
	t.Changed, t.Clock.Warned = v.At, 0
	if v.withdrew {
		v.withdrew = false
		if err := v.bot.Notifier.Offers(v, *t); err != nil {
			return err
		}
	}
	return v.Redraw(t)
}

// Redraw stores a table and has its board redrawn. Unlike save, it does not count as activity, which would keep an idle
// table from being closed. In a lobby it also counts changes of the terms.
func (v *Visit) Redraw(t *store.Table) error {
	if t.State == store.Lobby {
		if err := v.noteTermChanges(t); err != nil {
			return err
		}
		v.setActivity(t)
	}
	t.Outdate(v.At)
	if t.Board.Away && t.Place == string(v.Event.Place) { // the event shows that the place is reachable
		if err := v.setReached(t); err != nil {
			return err
		}
	}
	if t.ID == v.Pressed().Table {
		v.noteTap(t)
	}
	if err := v.scheduleLook(t); err != nil {
		return err
	}
	v.Draw(*t, false)
	return v.Tx.Tables.SaveTable(*t)
}

// repostBoard has the board of a table posted again, as the newest message of its chat or thread. This is stored, so
// that it also happens after a restart. In the place of an event, the board is perishable from then on if the event is.
func (v *Visit) repostBoard(t store.Table) error {
	v.Reply.Board, v.Reply.Fresh = t.ID, true
	v.Draw(t, true)
	if t.Board.Away {
		if err := v.setReached(&t); err != nil {
			return err
		}
	}
	if t.Place == string(v.Event.Place) && v.Event.Perishable != (t.Board.Expires > 0) {
		if t.Board.Token, t.Board.Expires = "", 0; v.Event.Perishable {
			t.Board.Expires = store.Expired
		}
	}
	t.Board.Repost = t.Board.Expires == 0
	t.Outdate(v.At)
	return v.Tx.Tables.SaveTable(t)
}

// renameSeats stores the person's new name at their seats in the lobbies of the chat, and redraws these. A running
// match keeps the old name, as its record does.
func (v *Visit) renameSeats() error {
	tables, err := v.Active(v.Chat.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		mine := board.SeatOf(t, v.Event.User)
		if t.State != store.Lobby || mine < 0 || t.Seats[mine].Name == v.Player.Name {
			continue
		}
		t.Seats[mine].Name = v.Player.Name
		if err := v.Redraw(&t); err != nil {
			return err
		}
	}
	return nil
}

// Gone returns the refusal of an action that cannot be done in the table's state, such as before the match or after it.
func Gone(t store.Table) error {
	switch t.State {
	case store.Lobby:
		return games.Refuse("bot.not-begun", nil)
	case store.Playing:
		return games.Refuse("bot.begun", nil)
	case store.Abandoned:
		return games.Refuse("bot.was-ended", nil)
	}
	return games.Refuse("bot.is-over", nil)
}

// notSeated returns the refusal for a person whose action needs a seat at the table.
func notSeated(t store.Table) error {
	switch t.State {
	case store.Playing:
		return games.Refuse("bot.watching", nil)
	case store.Lobby:
		return games.Refuse("bot.sit-first", nil)
	}
	return games.Refuse("bot.not-seated", nil)
}

// myMatch returns the running match of a table and the person's seat. It refuses if the pressed button is out of date.
func (v *Visit) myMatch(t *store.Table) (seat games.Seat, g games.Game, m games.Match, err error) {
	if seat, err = v.seatInPlay(t); err != nil {
		return seat, nil, nil, err
	}
	if v.Pressed().Turn != t.Turn {
		return seat, nil, nil, games.Refuse("bot.moved-on", nil)
	}
	g, m, err = v.bot.Match(*t)
	return seat, g, m, err
}

// seatInPlay returns the person's seat in a running match. It refuses if they have no seat or are out of the game.
func (v *Visit) seatInPlay(t *store.Table) (games.Seat, error) {
	if t.State != store.Playing {
		return games.Nobody, Gone(*t)
	}
	seat := board.SeatOf(*t, v.Event.User)
	if seat < 0 {
		return games.Nobody, notSeated(*t)
	}
	if t.Seats[seat].Absence == store.Out {
		return games.Nobody, games.Refuse("bot.away.out", nil)
	}
	return games.Seat(seat), nil
}

// isHost reports whether the person may decide the terms of a lobby.
func (v *Visit) isHost(t store.Table) bool { return board.Hosts(t, v.At, v.Event.User) }

// hostRefusal returns the refusal for the person, who wants to decide the terms of a lobby. The caller must have
// checked that they may not.
func (v *Visit) hostRefusal(t store.Table) error {
	if board.SeatOf(t, v.Event.User) < 0 {
		return notSeated(t)
	}
	if i := board.SeatOf(t, chat.User(t.Opener)); i >= 0 && board.OpenerDecides(t, v.At) {
		return games.Refuse("bot.host-decides",
			games.Args{"Seat": games.Seat(i), "N": v.minutesUntil(board.DecidesUntil(t))})
	}
	return games.Refuse("bot.confirm-first", nil)
}

// minutesUntil returns the minutes from now to deadline, rounded up. deadline is in Unix milliseconds.
func (v *Visit) minutesUntil(deadline int64) int {
	return int((time.Duration(deadline-v.At)*time.Millisecond + time.Minute - 1) / time.Minute)
}

// noteTermChanges compares the terms of a lobby with those stored. If they differ, it increases t.Terms and adds the
// changes to t.Altered. The person agrees to the new terms if they had agreed to the old ones or pressed a board with
// the old ones. Other people who had agreed still agree, unless the change can cost them more.
func (v *Visit) noteTermChanges(t *store.Table) error {
	stored, err := v.Tx.Tables.Table(t.ID)
	if err != nil {
		return fmt.Errorf("terms of table %d: %w", t.ID, err)
	}
	if stored.State != store.Lobby {
		return nil
	}
	mine := board.SeatOf(*t, v.Event.User)
	if sameTerms(stored, *t) {
		board.AddAlterations(t, stored, mine, nil)
		return nil
	}
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	board.AddAlterations(t, stored, mine, board.Changes(g, stored, *t))
	agrees := mine >= 0 && (!board.MustAgree(*t, mine) || v.Pressed().Table == t.ID && v.Pressed().Turn == t.Terms)
	t.Terms++
	if !board.CostsMore(stored, *t) {
		for i := range t.Seats {
			if t.Seats[i].Agreed == stored.Terms {
				t.Seats[i].Agreed = t.Terms
			}
		}
	}
	if agrees {
		return v.setAgreed(t, mine)
	}
	return nil
}

// sameTerms reports whether a and b have equal terms: game, stake, unit, rules, absence, turn limit, computer players.
func sameTerms(a, b store.Table) bool {
	return a.Game == b.Game && a.Stake == b.Stake && a.Unit == b.Unit && maps.Equal(a.Rules, b.Rules) &&
		a.Clock.Absent == b.Clock.Absent && board.AgreedTurnLimit(a) == board.AgreedTurnLimit(b) &&
		slices.Equal(board.HousesAt(a), board.HousesAt(b))
}

// noteActivity stores that the person is active in a lobby, if they opened it or sit there and press its buttons. If
// that changes who may decide the terms, it redraws the board.
func (v *Visit) noteActivity(t *store.Table) error {
	was := board.OpenerDecides(*t, v.At)
	if !v.setActivity(t) {
		return nil
	}
	if board.OpenerDecides(*t, v.At) != was {
		return v.Redraw(t)
	}
	if err := v.scheduleLook(t); err != nil {
		return err
	}
	return v.Tx.Tables.SaveTable(*t)
}

// setActivity sets when the opener and the seated people of a lobby were last active, and when the board must show that
// the opener no longer is. noted: the person's activity was set.
func (v *Visit) setActivity(t *store.Table) (noted bool) {
	if t.State != store.Lobby {
		return false
	}
	mine := board.SeatOf(*t, v.Event.User)
	if v.Event.User != "" && t.Opener == string(v.Event.User) {
		t.Clock.Minded, noted = v.At, true
	}
	p, _ := chat.ParsePress(v.Event.Press)
	if p.Table == t.ID && mine >= 0 && t.Seats[mine].Confirmed {
		t.Clock.Pressed, noted = v.At, true
	}
	t.Clock.Due = 0
	if board.OpenerDecides(*t, v.At) && board.CountPeople(*t) > 1 {
		t.Clock.Due = board.DecidesUntil(*t)
	}
	return noted
}

// Double taps. A board can change under a person's finger: a button for closing tiles can appear where Roll was. So if
// a press cannot be undone, it is refused right after another press from the same device that changed the board.

// doubleTap is how soon after a press another press counts as a double tap.
const doubleTap = 600 * time.Millisecond

// isIrreversible reports whether a person cannot undo a press: a move, a start, a rematch or an end.
// Picks, pages and choices in a lobby can be undone.
func isIrreversible(p chat.Press) bool {
	name, rest, ok := p.Verb()
	switch {
	case !ok:
		return true
	case name == "end" || name == "vote":
		return rest == "yes"
	}
	return name == "play" || name == "start" || name == "rematch"
}

// noteTap stores when and from which seat a press changed the board (t.Board.Tapped and Tapper). It ignores picks and
// choices in a lobby: they move no buttons, and the person may roll at once.
func (v *Visit) noteTap(t *store.Table) {
	p := v.Pressed()
	if p.Table == 0 || v.Event.Press == "" {
		return
	}
	if name, _, _ := p.Verb(); name == "pick" || t.State == store.Lobby && !isIrreversible(p) {
		return
	}
	t.Board.Tapped, t.Board.Tapper = v.At, board.SeatOf(*t, v.Event.User)
}

// Agreement to terms: stake, rules, absence and computer players. A lobby counts the changes of its terms. A seat
// stores the count at which its person agreed, and a lobby's buttons carry the count when they were drawn. So no person
// pays a stake that they were not shown.

// setAgreed stores in t that the person at a seat agrees to the present terms. If the seat's word for the dice is older
// than the seed (after a restore), it gets a new random word.
func (v *Visit) setAgreed(t *store.Table, seat int) error {
	s := &t.Seats[seat]
	s.Agreed = t.Terms
	if s.Worded != 0 {
		return nil
	}
	return v.drawWord(s)
}

// showsTerms reports whether the board of the pressed button, maybe of an earlier game, shows the present terms of t.
// An invitation, before there is a table, has the first terms.
func (v *Visit) showsTerms(t store.Table) (bool, error) {
	if v.Pressed().Table == t.ID || v.Pressed().Table == 0 {
		return v.Pressed().Turn == t.Terms, nil
	}
	board, err := v.Tx.Tables.Table(v.Pressed().Table)
	if err != nil {
		return false, fmt.Errorf("board of table %d: %w", v.Pressed().Table, err)
	}
	return sameTerms(board, t), nil
}

// requireAgreement refuses to start while a person has not agreed to the terms. The person who starts agrees by that,
// if the pressed board shows the present terms.
func (v *Visit) requireAgreement(t *store.Table) error {
	mine := board.SeatOf(*t, v.Event.User)
	if v.Pressed().Table == t.ID && v.Pressed().Turn == t.Terms {
		if err := v.setAgreed(t, mine); err != nil {
			return err
		}
	}
	if board.MustAgree(*t, mine) {
		return games.Refuse("bot.agreement.changed", nil)
	}
	if missing := board.SeatsToAgree(*t); len(missing) > 0 {
		return games.Refuse("bot.agreement.missing", games.Args{"Names": board.NamesOf(v.Names, missing)})
	}
	return nil
}
