-- +goose Up

-- When whoever sits there gave or changed their word for the dice, in Unix milliseconds,
-- 0: a version before has not noted it.
ALTER TABLE seats ADD COLUMN worded INTEGER NOT NULL DEFAULT 0 CHECK (worded >= 0);
