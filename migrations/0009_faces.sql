-- +goose Up

-- The faces that a seat of a finished table has rolled. They are counted from
-- its moves on the first request and stored, so that no dice are counted twice.
CREATE TABLE faces (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    sides    INTEGER NOT NULL CHECK (sides >= 0),
    throws   INTEGER NOT NULL CHECK (throws >= 0),
    counts   TEXT    NOT NULL, -- JSON list: number of each face, 1 first
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;
