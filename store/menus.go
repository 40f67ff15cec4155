package store

// Menus of commands that chats have of their own: what their platforms were told of them.

import (
	"errors"
	"fmt"
)

// Menu is what a platform was told of the menu of a chat. What the chat wants is one of its settings.
type Menu struct {
	Chat    string
	Edition string // of the program's commands by which it was told, "": it was not
	Games   string // the commands of games that it lists, with commas; behind MenuUnsure: those that it may list
	Due     int64  // when to look at it, in Unix milliseconds; 0: nothing is to be done
	Tries   int    // how often telling has failed
	Fault   string // why it is not as it should be, "": it is
	Told    bool   // an admin has read of the fault
	Made    int    // how many commands were added to it since
	Since   int64  // when, in Unix milliseconds
}

// MenuUnsure stands before the games of a menu, or in place of them, where it is not known which it lists. Those behind
// it were counted as added.
const MenuUnsure = "?"

const menuColumns = `chat, edition, games, due, tries, fault, told, made, since`

func (m *Menu) into() []any {
	return []any{(*sealedID)(&m.Chat), &m.Edition, &m.Games, &m.Due, &m.Tries, &m.Fault, &m.Told, &m.Made, &m.Since}
}

const (
	menuOf = `SELECT ` + menuColumns + ` FROM menus WHERE chat = $1`
	// dueMenus looks at all: few chats have a menu of their own.
	dueMenus = `SELECT ` + menuColumns + ` FROM menus
		WHERE (due > 0 AND due <= $1 OR edition <> $2 AND due = 0) AND SUBSTR(chat, 1, LENGTH($3)) = $3
		ORDER BY due, chat LIMIT $4`
	nextMenu = `SELECT due FROM menus WHERE due > $1 ORDER BY due LIMIT 1`
)

// Menu returns what is known of the menu of a chat; a chat without one of its own has the zero Menu.
func (tx *Tx) Menu(chat string) (m Menu, err error) {
	err = tx.get(menuOf, []any{sealedID(chat)}, m.into()...)
	if errors.Is(err, ErrNotFound) {
		return Menu{Chat: chat}, nil
	}
	return m, wrapped(err, "read menu of %s", chat)
}

// SaveMenu stores what is known of the menu of a chat.
func (tx *Tx) SaveMenu(m Menu) error {
	return wrapped(tx.run(`
		INSERT INTO menus (chat, edition, games, due, tries, fault, told, made, since)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (chat) DO UPDATE SET edition = excluded.edition, games = excluded.games, due = excluded.due,
			tries = excluded.tries, fault = excluded.fault, told = excluded.told, made = excluded.made,
			since = excluded.since`,
		sealedID(m.Chat), m.Edition, m.Games, m.Due, m.Tries, m.Fault, m.Told, m.Made, m.Since),
		"save menu of %s", m.Chat)
}

// DropMenu forgets the menu of a chat, which has none of its own any more.
func (tx *Tx) DropMenu(chat string) error {
	return wrapped(tx.run(`DELETE FROM menus WHERE chat = $1`, sealedID(chat)), "drop menu of %s", chat)
}

// DueMenus returns at most limit menus to look at by a moment, in Unix milliseconds, on the platform whose ids begin
// with prefix: those that are due, and those that were told by another edition of the program's commands.
func (tx *Tx) DueMenus(prefix, edition string, by int64, limit int) (all []Menu, err error) {
	err = tx.list(dueMenus, []any{by, edition, prefix, tx.within(limit)}, func(scan func(...any) error) error {
		var m Menu
		if err := scan(m.into()...); err != nil || !tx.wanted(sealedID(m.Chat)) {
			return err
		}
		all = append(all, m)
		return full(len(all), limit)
	})
	return all, wrapped(err, "read menus that are due")
}

// NextMenu returns when the first menu after a moment is due, both in Unix milliseconds; 0: none is.
func (tx *Tx) NextMenu(after int64) (due int64, err error) {
	if err := tx.get(nextMenu, []any{after}, &due); err != nil && !errors.Is(err, ErrNotFound) {
		return 0, fmt.Errorf("read which menu is due next: %w", err)
	}
	return due, nil
}

// migrateMenu has the menu of a chat told anew under its new id.
func (tx *Tx) migrateMenu(from, to string) error {
	m, err := tx.Menu(from)
	if err != nil || m == (Menu{Chat: from}) {
		return err
	}
	if err := tx.DropMenu(from); err != nil {
		return err
	}
	return tx.SaveMenu(Menu{Chat: to, Games: MenuUnsure, Due: 1})
}
