-- +goose Up

-- Sums for statistics over the moves of a seat at a finished table, in games that define some. They
-- are counted from the moves on the first request and stored, like the faces of dice.
CREATE TABLE tallies (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    counts   TEXT    NOT NULL, -- JSON object: sums by the game's own names
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;
