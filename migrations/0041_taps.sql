-- +goose Up

-- When somebody last changed the board of a table by a press, in Unix milliseconds, and the seat of
-- whoever did, -1: none. What the same hand presses right behind it may be a double tap. 0: nobody has.
ALTER TABLE tables ADD COLUMN tapped INTEGER NOT NULL DEFAULT 0 CHECK (tapped >= 0);
ALTER TABLE tables ADD COLUMN tapper INTEGER NOT NULL DEFAULT -1 CHECK (tapper >= -1);
