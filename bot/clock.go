package bot

import (
	"fmt"
	"time"

	"knobel/store"
)

// quietChanged moves what is due at the tables of a chat: each turn keeps the
// time that it had left.
func (v *visit) quietChanged(was, now custom) error {
	old, new := was.quiet(v.bot), now.quiet(v.bot)
	tables, err := v.tx.ActiveTables(v.chat.ID)
	if err != nil {
		return err
	}
	for _, id := range tables {
		t, err := v.tx.Table(id)
		if err != nil {
			return fmt.Errorf("table %d: %w", id, err)
		}
		if t.Due == 0 {
			continue
		}
		left := old.between(time.UnixMilli(v.at), time.UnixMilli(t.Due))
		t.Due = new.after(time.UnixMilli(v.at), left).UnixMilli()
		if err := v.redraw(&t); err != nil {
			return err
		}
	}
	return nil
}

// clockOf is how the clock of a table's chat runs.
func (v *visit) clockOf(t store.Table) (quiet, error) {
	set, err := v.customs(t.Chat)
	return set.quiet(v.bot), err
}
