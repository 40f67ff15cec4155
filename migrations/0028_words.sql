-- +goose Up

-- When the player of the seat last set their luck word, in Unix milliseconds;
-- 0: unknown, because an older version did not store it.
ALTER TABLE seats ADD COLUMN worded INTEGER NOT NULL DEFAULT 0 CHECK (worded >= 0);
