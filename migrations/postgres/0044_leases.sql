-- +goose Up

-- The table of leases is there from the beginning. Which replica is about to draw a table's board, '': none, and until
-- when the others leave it to that one, in Unix milliseconds.
ALTER TABLE tables ADD COLUMN drawer TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN drawing BIGINT NOT NULL DEFAULT 0;
