package store

import (
	"errors"
	"fmt"
)

// ChatSettings returns what the admins of a chat have set, by name.
func (tx *Tx) ChatSettings(chat string) (map[string]string, error) {
	set := map[string]string{}
	err := tx.list(`SELECT name, value FROM chat_settings WHERE chat = $1`, []any{sealedID(chat)}, func(scan func(...any) error) error {
		var name, value string
		if err := scan(&name, &value); err != nil {
			return err
		}
		set[name] = value
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read settings of %s: %w", chat, err)
	}
	return set, nil
}

// SaveChatSetting stores a setting of a chat; "" makes it what is usual again.
func (tx *Tx) SaveChatSetting(chat, name, value string) error {
	err := tx.meetChat(chat)
	if err == nil && value == "" {
		err = tx.run(`DELETE FROM chat_settings WHERE chat = $1 AND name = $2`, sealedID(chat), name)
	} else if err == nil {
		err = tx.run(`
			INSERT INTO chat_settings (chat, name, value) VALUES ($1, $2, $3)
			ON CONFLICT (chat, name) DO UPDATE SET value = excluded.value`, sealedID(chat), name, value)
	}
	if err != nil {
		return fmt.Errorf("save setting %s of %s: %w", name, chat, err)
	}
	return nil
}

// due reads an index that holds nothing but tables whose clock runs.
const due = `SELECT id FROM tables WHERE due > 0 AND NOT away AND due <= $1 ORDER BY due, id LIMIT $2`

// Due returns the numbers of at most limit tables at which a turn had to be over
// by a moment, in Unix milliseconds, the first of them first. Those of places
// that are away are left out.
func (tx *Tx) Due(by int64, limit int) ([]int64, error) {
	tables, err := collect[int64](tx, due, by, limit)
	if err != nil {
		return nil, fmt.Errorf("read turns that are due: %w", err)
	}
	return tables, nil
}

const dueOn = `
	SELECT id FROM tables
	WHERE due > 0 AND NOT away AND due <= $2 AND SUBSTR(place, 1, LENGTH($1)) = $1 ORDER BY due, id LIMIT $3`

// DueOn is Due for the platform whose ids begin with prefix.
func (tx *Tx) DueOn(prefix string, by int64, limit int) ([]int64, error) {
	tables, err := collect[int64](tx, dueOn, prefix, by, limit)
	if err != nil {
		return nil, fmt.Errorf("read turns that are due: %w", err)
	}
	return tables, nil
}

const nextDue = `SELECT due FROM tables WHERE due > 0 AND NOT away ORDER BY due, id LIMIT 1`

// NextDue returns when the next turn has to be over, in Unix milliseconds; 0:
// no clock runs.
func (tx *Tx) NextDue() (int64, error) {
	var at int64
	if err := tx.get(nextDue, nil, &at); err != nil && !errors.Is(err, ErrNotFound) {
		return 0, fmt.Errorf("read what is due next: %w", err)
	}
	return at, nil
}

const idleTables = `
	SELECT id FROM tables
	WHERE state IN ('lobby', 'playing') AND NOT away AND changed <= $1 AND id > $2 ORDER BY id LIMIT $3`

// Idle returns the numbers of at most limit active tables beyond a number, in
// order, at which nothing has moved since a moment, in Unix milliseconds. Those
// of places that are away are left out.
func (tx *Tx) Idle(since, beyond int64, limit int) ([]int64, error) {
	tables, err := collect[int64](tx, idleTables, since, beyond, limit)
	if err != nil {
		return nil, fmt.Errorf("read idle tables: %w", err)
	}
	return tables, nil
}
