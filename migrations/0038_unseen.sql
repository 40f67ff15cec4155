-- +goose Up

-- The match after the last move of a person, and the table's turn then, if automatic
-- moves have followed: the board shows these from here on. NULL: no automatic moves.
ALTER TABLE tables ADD COLUMN seen BLOB;

ALTER TABLE tables ADD COLUMN seen_turn INTEGER NOT NULL DEFAULT 0 CHECK (seen_turn >= 0);

-- Until when the board of a finished table shows the state before the last
-- turn, in Unix milliseconds. 0: it shows the end.
ALTER TABLE tables ADD COLUMN staged INTEGER NOT NULL DEFAULT 0 CHECK (staged >= 0);

CREATE INDEX staged_tables ON tables (staged) WHERE staged > 0;
