-- +goose Up

-- What one replica at a time may do, and until when. Whoever has lost a lease meanwhile knows by its fence, which
-- counts the holders.
CREATE TABLE leases (
    name   TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    fence  INTEGER NOT NULL CHECK (fence >= 1),
    ends   INTEGER NOT NULL, -- Unix milliseconds by the clock of the database
    UNIQUE (name, fence) -- so that whoever looks at a fence keeps others from changing it
) STRICT;

-- Which replica is about to draw a table's board, '': none, and until when the others leave it to that one, in Unix
-- milliseconds.
ALTER TABLE tables ADD COLUMN drawer TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN drawing INTEGER NOT NULL DEFAULT 0;
