-- +goose Up

-- The turn of the table at which the current player took over the seat; 0: the
-- first player. Earlier choices were made by someone else.
ALTER TABLE seats ADD COLUMN since INTEGER NOT NULL DEFAULT 0 CHECK (since >= 0);
