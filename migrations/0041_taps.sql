-- +goose Up

-- When a person last changed the board of a table by a press, in Unix milliseconds, and the seat of
-- that person (-1: none). A press by the same person right after may be a double tap. 0: never.
ALTER TABLE tables ADD COLUMN tapped INTEGER NOT NULL DEFAULT 0 CHECK (tapped >= 0);
ALTER TABLE tables ADD COLUMN tapper INTEGER NOT NULL DEFAULT -1 CHECK (tapper >= -1);
