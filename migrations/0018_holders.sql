-- +goose Up

-- The table's turn at which whoever sits there has taken the seat over, 0: they
-- sat there from the first. What was chosen before was chosen by another.
ALTER TABLE seats ADD COLUMN since INTEGER NOT NULL DEFAULT 0 CHECK (since >= 0);
