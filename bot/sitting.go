package bot

// Tables as a visit finds them: read, changed, stored, and their boards drawn.

import (
	"errors"
	"fmt"

	"knobel/games"
	"knobel/store"
)

// load reads the table of a press. Tables of other places cannot be reached.
func (v *visit) load(id int64) (store.Table, error) {
	t, err := v.tx.Table(id)
	if err == nil && t.Away && t.Chat == v.chat.ID && t.Place != string(v.ev.Place) {
		return t, games.Refuse("bot.lost.bring", nil)
	}
	if errors.Is(err, store.ErrNotFound) || (err == nil && t.Place != string(v.ev.Place)) {
		return t, games.Refuse("bot.no-table", nil)
	}
	if err != nil {
		return t, fmt.Errorf("table %d: %w", id, err)
	}
	v.names = v.bot.namesAt(t, v.lang)
	return t, nil
}

// here reads the newest table of the place, the active one before all others.
func (v *visit) here() (store.Table, error) {
	t, err := v.goesOn()
	if _, none := games.Refused(err); !none {
		return t, err
	}
	return v.ended()
}

// goesOn reads the table of the place that is not over.
func (v *visit) goesOn() (store.Table, error) { return v.found(v.tx.TableAt(string(v.ev.Place))) }

// ended reads the newest table of the place at which nothing goes on.
func (v *visit) ended() (store.Table, error) { return v.found(v.tx.LastTableAt(string(v.ev.Place))) }

// found is a table of the place as it was read, and refuses where there is none.
func (v *visit) found(t store.Table, err error) (store.Table, error) {
	if errors.Is(err, store.ErrNotFound) {
		return t, games.Refuse("bot.no-table-here", nil)
	}
	if err != nil {
		return t, fmt.Errorf("table here: %w", err)
	}
	v.names = v.bot.namesAt(t, v.lang)
	return t, nil
}

// active reads the tables of a chat that are not over.
func (v *visit) active(chat string) ([]store.Table, error) {
	ids, err := v.tx.ActiveTables(chat)
	if err != nil {
		return nil, err
	}
	tables := make([]store.Table, len(ids))
	for i, id := range ids {
		if tables[i], err = v.tx.Table(id); err != nil {
			return nil, fmt.Errorf("table %d: %w", id, err)
		}
	}
	return tables, nil
}

// save stores a table at which something has moved and has it drawn.
func (v *visit) save(t *store.Table) error {
	t.Changed, t.Warned = v.at, 0
	return v.redraw(t)
}

// redraw stores a table whose board is to look otherwise, though nothing has
// moved.
func (v *visit) redraw(t *store.Table) error {
	if err := v.countTerms(t); err != nil {
		return err
	}
	t.Version++
	if t.Away && t.Place == string(v.ev.Place) { // somebody is there
		if err := v.reached(t); err != nil {
			return err
		}
	}
	v.draw(*t, false)
	if err := v.tx.SaveTable(*t); err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	return nil
}

// show brings the board of a table to the bottom of the place. That is stored: a
// process that ends before it was posted posts it when it runs again.
func (v *visit) show(t store.Table) error {
	v.reply.Board, v.reply.Fresh = t.ID, true
	v.draw(t, true)
	if t.Away {
		if err := v.reached(&t); err != nil {
			return err
		}
	}
	t.Repost = true
	t.Version++
	return v.tx.SaveTable(t)
}

// renameSeats has the boards of a chat's lobbies show the person's new name. A game
// that goes on keeps the names with which it began, as its record does.
func (v *visit) renameSeats() error {
	tables, err := v.active(v.chat.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		mine := seatOf(t, v.ev.User)
		if t.State != store.Lobby || mine < 0 || t.Seats[mine].Name == v.player.Name {
			continue
		}
		t.Seats[mine].Name = v.player.Name
		if err := v.redraw(&t); err != nil {
			return err
		}
	}
	return nil
}
