-- +goose Up

-- The side that has asked to undo a confirmed payment, to which the other side
-- has to agree; NULL: neither.
ALTER TABLE payments ADD COLUMN asker TEXT REFERENCES players (id);
