-- +goose Up

-- Whether the settlement of a table was rounded by turns of its seats. Before there was that, of equal remainders those
-- of the lower seats were rounded up.
ALTER TABLE tables ADD COLUMN turned INTEGER NOT NULL DEFAULT FALSE CHECK (turned IN (FALSE, TRUE));
