package store

import "fmt"

// FinishedPage returns the numbers of the finished tables of a chat, newest
// first, leaving out the first skip, and how many there are in all.
func (tx *Tx) FinishedPage(chat string, skip, most int) (tables []int64, all int, err error) {
	err = tx.get(`SELECT COUNT(*) FROM tables WHERE chat = $1 AND state = 'over'`, []any{chat}, &all)
	if err == nil {
		tables, err = collect[int64](tx, `
			SELECT id FROM tables WHERE chat = $1 AND state = 'over' ORDER BY id DESC LIMIT $2 OFFSET $3`, chat, most, skip)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("last tables of %s: %w", chat, err)
	}
	return tables, all, nil
}
