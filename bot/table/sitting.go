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

// found returns the result of a query for a table and sets v.Names to its people. If there is no table, it refuses with
// the key none.
func (v *Visit) found(t store.Table, err error, none string) (store.Table, error) {
	if errors.Is(err, store.ErrNotFound) {
		return t, games.Refuse(none, nil)
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return t, err
}

// load returns the table of a pressed button. It refuses tables of other places.
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
	return v.found(t, err, "bot.no-table")
}

// Here returns the running table at the event's place, or else the newest there. It refuses if there is none.
func (v *Visit) Here() (store.Table, error) {
	t, err := v.Tx.Tables.TableHere(string(v.Event.Place))
	return v.found(t, err, "bot.no-table-here")
}

// GoesOn returns the running table at the event's place, and whether there is one. A lobby counts as running.
func (v *Visit) GoesOn() (t store.Table, goesOn bool, err error) {
	t, err = v.Tx.Tables.TableAt(string(v.Event.Place))
	if errors.Is(err, store.ErrNotFound) {
		return t, false, nil
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return t, err == nil, err
}

// Active returns the running tables and lobbies of a chat.
func (v *Visit) Active(chat string) ([]store.Table, error) {
	ids, err := v.Tx.Tables.ActiveTables(chat)
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

// save stores a changed table, redraws its board, and replaces the message about its offers if one was withdrawn.
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

// Redraw stores a table and marks its board as dirty. Unlike save, it does not count as a use that keeps an idle table
// open. In a lobby it also counts changes of the terms.
func (v *Visit) Redraw(t *store.Table) error {
	if t.State == store.Lobby {
		if err := v.countTerms(t); err != nil {
			return err
		}
		v.minds(t)
	}
	t.Outdate(v.At)
	if t.Board.Away && t.Place == string(v.Event.Place) { // the event shows that the place is reachable
		if err := v.reached(t); err != nil {
			return err
		}
	}
	if t.ID == v.Pressed().Table {
		v.tap(t)
	}
	if err := v.lookAt(t); err != nil {
		return err
	}
	v.Draw(*t, false)
	return v.Tx.Tables.SaveTable(*t)
}

// show has the board of a table posted again at the bottom of its place. The request is stored, so that a restart does
// not lose it.
func (v *Visit) show(t store.Table) error {
	v.Reply.Board, v.Reply.Fresh = t.ID, true
	v.Draw(t, true)
	if t.Board.Away {
		if err := v.reached(&t); err != nil {
			return err
		}
	}
	t.Board.Repost = true
	t.Outdate(v.At)
	return v.Tx.Tables.SaveTable(t)
}

// renameSeats stores the person's new name in the lobbies of the chat and redraws them. Running games keep their names,
// as their records do.
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
	if seat, err = v.inPlay(t); err != nil {
		return seat, nil, nil, err
	}
	if v.Pressed().Turn != t.Turn {
		return seat, nil, nil, games.Refuse("bot.moved-on", nil)
	}
	g, m, err = v.bot.Match(*t)
	return seat, g, m, err
}

// inPlay returns the person's seat in a running match. It refuses if they have none or are out.
func (v *Visit) inPlay(t *store.Table) (games.Seat, error) {
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

// hosts reports whether the person may decide the terms.
func (v *Visit) hosts(t store.Table) bool { return board.Hosts(t, v.At, v.Event.User) }

// onlyHost returns the refusal for a person who may not decide the terms.
func (v *Visit) onlyHost(t store.Table) error {
	if board.SeatOf(t, v.Event.User) < 0 {
		return notSeated(t)
	}
	if i := board.SeatOf(t, chat.User(t.Opener)); i >= 0 {
		return games.Refuse("bot.host-decides",
			games.Args{"Seat": games.Seat(i), "N": v.minutesTo(board.MindedUntil(t))})
	}
	return games.Refuse("bot.confirm-first", nil)
}

// minutesTo returns the number of minutes until a time in Unix milliseconds, rounded up.
func (v *Visit) minutesTo(at int64) int {
	return int((time.Duration(at-v.At)*time.Millisecond + time.Minute - 1) / time.Minute)
}

// countTerms compares a lobby with the stored one. If the terms differ, it increases t.Terms and adds the changes to
// t.Altered. The person then agrees to the new terms if they had agreed to the old ones or pressed a board that showed
// them; others still agree if the change costs them no more.
func (v *Visit) countTerms(t *store.Table) error {
	was, err := v.Tx.Tables.Table(t.ID)
	if err != nil {
		return fmt.Errorf("terms of table %d: %w", t.ID, err)
	}
	if was.State != store.Lobby {
		return nil
	}
	mine := board.SeatOf(*t, v.Event.User)
	if sameTerms(was, *t) {
		board.Altering(t, was, mine, nil)
		return nil
	}
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	board.Altering(t, was, mine, board.Changes(g, was, *t))
	agrees := mine >= 0 && (!board.ToAgree(*t, mine) || v.Pressed().Table == t.ID && v.Pressed().Turn == t.Terms)
	t.Terms++
	if !board.CostsMore(was, *t) {
		for i := range t.Seats {
			if t.Seats[i].Agreed == was.Terms {
				t.Seats[i].Agreed = t.Terms
			}
		}
	}
	if agrees {
		return v.agrees(t, mine)
	}
	return nil
}

// sameTerms reports whether two tables have the same terms.
func sameTerms(a, b store.Table) bool {
	return a.Game == b.Game && a.Stake == b.Stake && a.Unit == b.Unit && maps.Equal(a.Rules, b.Rules) &&
		a.Clock.Absent == b.Clock.Absent && board.AgreedTurnLimit(a) == board.AgreedTurnLimit(b) &&
		slices.Equal(board.HousesAt(a), board.HousesAt(b))
}

// present stores that the person, the opener or a seated one, is active in a lobby. It redraws the board if that
// changes who decides.
func (v *Visit) present(t *store.Table) error {
	was := board.Minded(*t, v.At)
	if !v.minds(t) {
		return nil
	}
	if board.Minded(*t, v.At) != was {
		return v.Redraw(t)
	}
	if err := v.lookAt(t); err != nil {
		return err
	}
	return v.Tx.Tables.SaveTable(*t)
}

// minds sets the times at which the opener and seated people of a lobby were last active, and the deadline at which the
// board shows that the opener is not. noted reports whether a time was set.
func (v *Visit) minds(t *store.Table) (noted bool) {
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
	if board.Minded(*t, v.At) && board.StillIn(*t) > 1 {
		t.Clock.Due = board.MindedUntil(*t)
	}
	return noted
}

// Double taps. A board changes while a person taps: a button for closing tiles can appear where Roll was. So a second
// press from the same device right after one that changed the board is refused if it would play.

// doubleTap is the time within which a second press counts as part of a double tap.
const doubleTap = 600 * time.Millisecond

// plays reports whether a press has an effect that its person cannot reverse: a move, a start, a rematch or an end.
// Picks, pages and choices in a lobby are not such presses.
func plays(p chat.Press) bool {
	name, rest, ok := p.Verb()
	switch {
	case !ok:
		return true
	case name == "end" || name == "vote":
		return rest == "yes"
	}
	return name == "play" || name == "start" || name == "rematch"
}

// tap sets the time and person of a press that changed the board. It ignores picks and choices in a lobby: they move no
// buttons, and the person may roll at once.
func (v *Visit) tap(t *store.Table) {
	p := v.Pressed()
	if p.Table == 0 || v.Event.Press == "" {
		return
	}
	if name, _, _ := p.Verb(); name == "pick" || t.State == store.Lobby && !plays(p) {
		return
	}
	t.Board.Tapped, t.Board.Tapper = v.At, board.SeatOf(*t, v.Event.User)
}

// Agreement to the terms of a seat: stake, rules, absence and computer players. A lobby counts the changes of its
// terms; a seat stores the count that its person agreed to, and a lobby's button carries the count of its board. So no
// person pays a stake that they were not shown.

// agrees stores that the person at a seat agrees to the present terms. It also sets a new word for the dice if the seat
// has none newer than the seed, as after a restore.
func (v *Visit) agrees(t *store.Table, seat int) error {
	s := &t.Seats[seat]
	s.Agreed = t.Terms
	if s.Worded != 0 {
		return nil
	}
	return v.giveWord(s)
}

// shown reports whether the board of the pressed button, of this table or an earlier game, has the present terms of t.
func (v *Visit) shown(t store.Table) (bool, error) {
	if v.Pressed().Table == t.ID {
		return v.Pressed().Turn == t.Terms, nil
	}
	board, err := v.Tx.Tables.Table(v.Pressed().Table)
	if err != nil {
		return false, fmt.Errorf("board of table %d: %w", v.Pressed().Table, err)
	}
	return sameTerms(board, t), nil
}

// allAgree refuses to start while a person has not agreed to the terms. For the person who starts, it stores their
// agreement to the terms of the pressed board.
func (v *Visit) allAgree(t *store.Table) error {
	mine := board.SeatOf(*t, v.Event.User)
	if v.Pressed().Table == t.ID && v.Pressed().Turn == t.Terms {
		if err := v.agrees(t, mine); err != nil {
			return err
		}
	}
	if board.ToAgree(*t, mine) {
		return games.Refuse("bot.agreement.changed", nil)
	}
	if missing := board.ToAgreeAt(*t); len(missing) > 0 {
		return games.Refuse("bot.agreement.missing", games.Args{"Names": board.Named(v.Names, missing)})
	}
	return nil
}
