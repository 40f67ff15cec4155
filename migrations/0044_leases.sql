-- +goose Up

-- Exclusive rights of one replica, and when they expire. A replica that has
-- lost a lease notices by the fence, which counts the holders.
CREATE TABLE leases (
    name   TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    fence  INTEGER NOT NULL CHECK (fence >= 1),
    ends   INTEGER NOT NULL, -- Unix milliseconds by the clock of the database
    UNIQUE (name, fence) -- so that checking a fence locks it against changes
) STRICT;

-- The replica that is drawing a table's board ('': none), and until when the
-- others leave it alone, in Unix milliseconds.
ALTER TABLE tables ADD COLUMN drawer TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN drawing INTEGER NOT NULL DEFAULT 0;
