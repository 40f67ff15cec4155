-- +goose Up

-- How often the terms of a table have changed in its lobby, and the number that
-- stood there when whoever sits at it agreed. Tables of before were agreed to as
-- they are.
ALTER TABLE tables ADD COLUMN terms INTEGER NOT NULL DEFAULT 0 CHECK (terms >= 0);

-- -1: whoever sits there has seen no board of the table yet.
ALTER TABLE seats ADD COLUMN agreed INTEGER NOT NULL DEFAULT 0 CHECK (agreed >= -1);
