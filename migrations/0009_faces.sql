-- +goose Up

-- Which faces a seat of a finished table has thrown: added up from its moves when
-- somebody first asks, and kept, so that no one's dice are counted twice.
CREATE TABLE faces (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    sides    INTEGER NOT NULL CHECK (sides >= 0),
    throws   INTEGER NOT NULL CHECK (throws >= 0),
    counts   TEXT    NOT NULL, -- JSON list: how often each face fell, that of 1 first
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;
