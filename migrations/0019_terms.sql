-- +goose Up

-- How often the terms of a table have changed in its lobby, and the number of
-- changes at which the player of a seat agreed. The terms of older tables count
-- as agreed.
ALTER TABLE tables ADD COLUMN terms INTEGER NOT NULL DEFAULT 0 CHECK (terms >= 0);

-- -1: the player of the seat has seen no board of the table yet.
ALTER TABLE seats ADD COLUMN agreed INTEGER NOT NULL DEFAULT 0 CHECK (agreed >= -1);
