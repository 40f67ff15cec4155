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

// checkFound returns the result t and err of a query for a table, and sets v.Names to the names at its seats. If there
// is no table, it refuses with the key refusal.
func (v *Visit) checkFound(t store.Table, err error, refusal string) (store.Table, error) {
	if errors.Is(err, store.ErrNotFound) {
		return t, games.Refuse(refusal, nil)
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return t, err
}

// load returns the table with the ID of a pressed button. It refuses tables that are not in the event's chat or thread.
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
	return v.checkFound(t, err, "bot.no-table")
}

// Here returns the running table in the event's chat or thread, or else the newest there. It refuses if there is none.
func (v *Visit) Here() (store.Table, error) {
	t, err := v.Tx.Tables.TableHere(string(v.Event.Place))
	return v.checkFound(t, err, "bot.no-table-here")
}

// GoesOn returns the running table or lobby in the event's chat or thread; goesOn is false if there is none.
func (v *Visit) GoesOn() (t store.Table, goesOn bool, err error) {
	t, err = v.Tx.Tables.TableAt(string(v.Event.Place))
	if errors.Is(err, store.ErrNotFound) {
		return t, false, nil
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return t, err == nil, err
}

// Active returns the running tables and lobbies of a chat, those in its threads included.
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

// save stores a changed table, restarts its idle time and marks its board as dirty. If an offer of a seat was
// withdrawn, it has the message about offers replaced.
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

// Redraw stores a table and marks its board as dirty. Unlike save, it does not restart the idle time after which the
// table is closed. In a lobby it also counts changes of the terms.
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

// repostBoard has the board of a table posted again, at the bottom of its chat or thread. The request is stored, so
// that a restart does not lose it.
func (v *Visit) repostBoard(t store.Table) error {
	v.Reply.Board, v.Reply.Fresh = t.ID, true
	v.Draw(t, true)
	if t.Board.Away {
		if err := v.setReached(&t); err != nil {
			return err
		}
	}
	t.Board.Repost = true
	t.Outdate(v.At)
	return v.Tx.Tables.SaveTable(t)
}

// renameSeats stores the person's new name in the lobbies of the chat and redraws them. Running games keep the old
// name, as their records do.
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

// Gone returns the refusal of an action that the table's state does not allow.
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

// notSeated returns the refusal of an action that needs a seat at the table.
func notSeated(t store.Table) error {
	switch t.State {
	case store.Playing:
		return games.Refuse("bot.watching", nil)
	case store.Lobby:
		return games.Refuse("bot.sit-first", nil)
	}
	return games.Refuse("bot.not-seated", nil)
}

// myMatch returns the running match of a table and the person's seat. It refuses a button of an earlier turn.
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

// seatInPlay returns the person's seat in a running match. It refuses if there is none, or the seat is out.
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

// hostRefusal returns the refusal for a person who may not decide the terms of a lobby.
func (v *Visit) hostRefusal(t store.Table) error {
	if board.SeatOf(t, v.Event.User) < 0 {
		return notSeated(t)
	}
	if i := board.SeatOf(t, chat.User(t.Opener)); i >= 0 {
		return games.Refuse("bot.host-decides",
			games.Args{"Seat": games.Seat(i), "N": v.minutesUntil(board.DecidesUntil(t))})
	}
	return games.Refuse("bot.confirm-first", nil)
}

// minutesUntil returns the number of minutes until deadline, in Unix milliseconds, rounded up.
func (v *Visit) minutesUntil(deadline int64) int {
	return int((time.Duration(deadline-v.At)*time.Millisecond + time.Minute - 1) / time.Minute)
}

// noteTermChanges compares a lobby with the stored one. If the terms differ, it increases t.Terms and adds the changes
// to t.Altered. The person then agrees to the new terms if they had agreed to the old ones or pressed a board that
// showed them; others still agree if the change costs them no more.
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

// noteActivity stores that the person is active in a lobby, if they are its opener or press its buttons from a seat. It
// redraws the board if that changes who may decide the terms.
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

// setActivity sets the times at which the opener and seated people of a lobby were last active, and the deadline at
// which the board shows that the opener is inactive. noted reports whether a time was set.
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

// Double taps. A board changes while a person taps: a button for closing tiles can appear where Roll was. So a second
// press from the same device right after one that changed the board is refused, if it is irreversible.

// doubleTap is the time after a press within which a second one counts as a double tap.
const doubleTap = 600 * time.Millisecond

// isIrreversible reports whether a press has an effect that its person cannot reverse: a move, a start, a rematch or an
// end. Picks, pages and choices in a lobby are not such presses.
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

// noteTap sets t.Board.Tapped and Tapper, the time of a press that changed the board and the seat of its person. It
// ignores picks and choices in a lobby: they move no buttons, and the person may roll at once.
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
// stores the count that its person agreed to, and a lobby's button carries the count of its board. So no person pays a
// stake that they were not shown.

// setAgreed stores in t that the person at a seat agrees to the present terms. If the seat has no word for the dice
// that is newer than the seed, as after a restore, it draws one.
func (v *Visit) setAgreed(t *store.Table, seat int) error {
	s := &t.Seats[seat]
	s.Agreed = t.Terms
	if s.Worded != 0 {
		return nil
	}
	return v.drawWord(s)
}

// showsTerms reports whether the pressed button's board, which an earlier game may have, shows the present terms of t.
func (v *Visit) showsTerms(t store.Table) (bool, error) {
	if v.Pressed().Table == t.ID {
		return v.Pressed().Turn == t.Terms, nil
	}
	board, err := v.Tx.Tables.Table(v.Pressed().Table)
	if err != nil {
		return false, fmt.Errorf("board of table %d: %w", v.Pressed().Table, err)
	}
	return sameTerms(board, t), nil
}

// requireAgreement refuses to start while a person has not agreed to the terms. For the person who starts, it first
// stores their agreement to the terms of the pressed board.
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
