-- +goose Up

-- What the moves of a seat at a finished table count for statistics, in games that say so: added up from the moves when
-- somebody first asks, and kept, as the faces of dice are.
CREATE TABLE tallies (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    counts   TEXT    NOT NULL, -- JSON object: sums by the game's own names
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;
