-- +goose Up

-- Whose word the person still needs who asks for a seat, and the seats that have agreed, as bits by their numbers.
ALTER TABLE seats ADD COLUMN vouch TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN allowed INTEGER NOT NULL DEFAULT 0 CHECK (allowed >= 0);
