-- +goose Up

-- Whether the settlement of a table was rounded in turn. In older tables, lower
-- seats with equal remainders were rounded up.
ALTER TABLE tables ADD COLUMN turned INTEGER NOT NULL DEFAULT FALSE CHECK (turned IN (FALSE, TRUE));
