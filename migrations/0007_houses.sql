-- +goose Up

-- A house seat is to move and plays by the clock, when its play is worked out:
-- a press never waits for that.
ALTER TABLE tables ADD COLUMN waits INTEGER NOT NULL DEFAULT FALSE CHECK (waits IN (FALSE, TRUE));

CREATE INDEX tables_waiting ON tables (id) WHERE waits;
