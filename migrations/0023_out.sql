-- +goose Up

-- The number, from 1 and among the moves that stand, of the first move that was
-- made when the seat was out; 0: it is not out, or an older version put it out.
ALTER TABLE seats ADD COLUMN out_from INTEGER NOT NULL DEFAULT 0 CHECK (out_from >= 0);
