-- +goose Up

-- The number, among the moves not undone and counted from 1, of the first move
-- after the seat was out; 0: it is not out, or an older version stored that.
ALTER TABLE seats ADD COLUMN out_from INTEGER NOT NULL DEFAULT 0 CHECK (out_from >= 0);
