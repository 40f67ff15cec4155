-- +goose Up

-- The match as the last move of a person has left it, and the table's turn then, where others' turns were played
-- since without anybody's press: the board tells these, from here on. NULL: none were.
ALTER TABLE tables ADD COLUMN seen BLOB;

ALTER TABLE tables ADD COLUMN seen_turn INTEGER NOT NULL DEFAULT 0 CHECK (seen_turn >= 0);

-- Until when, in Unix milliseconds, the board of a table that is over shows how it stood before the last turn. 0: it
-- shows the end.
ALTER TABLE tables ADD COLUMN staged INTEGER NOT NULL DEFAULT 0 CHECK (staged >= 0);

CREATE INDEX staged_tables ON tables (staged) WHERE staged > 0;
