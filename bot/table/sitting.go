package table

// Tables as a visit finds them: read, changed, stored, and their boards drawn.

import (
	"errors"
	"fmt"

	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

// load reads the table of a press. Tables of other places cannot be reached.
func (v *Visit) load(id int64) (store.Table, error) {
	t, err := v.Tx.Table(id)
	if err == nil && t.Away && t.Chat == v.Chat.ID && t.Place != string(v.Event.Place) {
		return t, games.Refuse("bot.lost.bring", nil)
	}
	if errors.Is(err, store.ErrNotFound) || (err == nil && t.Place != string(v.Event.Place)) {
		return t, games.Refuse("bot.no-table", nil)
	}
	if err != nil {
		return t, fmt.Errorf("table %d: %w", id, err)
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return t, nil
}

// Here reads the newest table of the place, the active one before all others.
func (v *Visit) Here() (store.Table, error) {
	t, err := v.goesOn()
	if _, none := games.Refused(err); !none {
		return t, err
	}
	return v.ended()
}

// goesOn reads the table of the place that is not over.
func (v *Visit) goesOn() (store.Table, error) {
	return v.found(v.Tx.TableAt(string(v.Event.Place)))
}

// ended reads the newest table of the place at which nothing goes on.
func (v *Visit) ended() (store.Table, error) {
	return v.found(v.Tx.LastTableAt(string(v.Event.Place)))
}

// found is a table of the place as it was read, and refuses where there is none.
func (v *Visit) found(t store.Table, err error) (store.Table, error) {
	if errors.Is(err, store.ErrNotFound) {
		return t, games.Refuse("bot.no-table-here", nil)
	}
	if err != nil {
		return t, fmt.Errorf("table here: %w", err)
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return t, nil
}

// Active reads the tables of a chat that are not over.
func (v *Visit) Active(chat string) ([]store.Table, error) {
	ids, err := v.Tx.ActiveTables(chat)
	if err != nil {
		return nil, err
	}
	tables := make([]store.Table, len(ids))
	for i, id := range ids {
		if tables[i], err = v.Tx.Table(id); err != nil {
			return nil, fmt.Errorf("table %d: %w", id, err)
		}
	}
	return tables, nil
}

// save stores a table at which something has moved and has it drawn.
func (v *Visit) save(t *store.Table) error {
	t.Changed, t.Warned = v.At, 0
	return v.Redraw(t)
}

// Redraw stores a table whose board is to look otherwise, though nothing has
// moved.
func (v *Visit) Redraw(t *store.Table) error {
	if err := v.countTerms(t); err != nil {
		return err
	}
	t.Version++
	if t.Away && t.Place == string(v.Event.Place) { // somebody is there
		if err := v.reached(t); err != nil {
			return err
		}
	}
	v.Draw(*t, false)
	if err := v.Tx.SaveTable(*t); err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	return nil
}

// show brings the board of a table to the bottom of the place. That is stored: a
// process that ends before it was posted posts it when it runs again.
func (v *Visit) show(t store.Table) error {
	v.Reply.Board, v.Reply.Fresh = t.ID, true
	v.Draw(t, true)
	if t.Away {
		if err := v.reached(&t); err != nil {
			return err
		}
	}
	t.Repost = true
	t.Version++
	return v.Tx.SaveTable(t)
}

// renameSeats has the boards of a chat's lobbies show the person's new name. A game
// that goes on keeps the names with which it began, as its record does.
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
