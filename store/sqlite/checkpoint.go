package sqlite

// What a connection knows of others, and of the log that they share.

import "context"

// elsewhere is another number whenever other connections have written.
const elsewhere = `PRAGMA data_version`

// changedElsewhere reports whether another connection may have changed the database since
// it was asked last, or since the connection was opened.
func (c *connection) changedElsewhere() bool {
	var now int64
	err := (&Tx{ctx: context.Background(), conn: c}).get(elsewhere, &now)
	changed := err != nil || now != c.version
	c.version = now
	return changed
}

// checkpointed puts what stands in the log into the database, and reports whether all of
// it is there: not where there was no room, or somebody reads an older state.
func (c *connection) checkpointed() bool {
	in, err := c.checkpoint()
	return in || err != nil && !isFull(err) // others come of a log that is not the one
}

// checkpoint puts what stands in the log into the database, and reports whether all of it
// is there.
func (c *connection) checkpoint() (in bool, err error) {
	var busy, log, done int64
	err = (&Tx{ctx: context.Background(), conn: c}).get("PRAGMA wal_checkpoint", &busy, &log, &done)
	return err == nil && done >= log, err
}
