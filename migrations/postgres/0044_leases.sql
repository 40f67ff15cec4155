-- +goose Up

-- The table of leases exists already. drawer is the replica that is drawing a table's board ('':
-- none), and drawing until when the others leave it alone, in Unix milliseconds.
ALTER TABLE tables ADD COLUMN drawer TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN drawing BIGINT NOT NULL DEFAULT 0;
