-- +goose Up

-- Whose consent a person who asks for a seat still needs, and the seats that have agreed, as a bit mask.
ALTER TABLE seats ADD COLUMN vouch TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN allowed INTEGER NOT NULL DEFAULT 0 CHECK (allowed >= 0);
