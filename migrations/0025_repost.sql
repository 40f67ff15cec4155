-- +goose Up

-- The board was requested at the bottom of its place and is not there yet: it
-- is posted again, not edited. Such a board is stale.
ALTER TABLE tables ADD COLUMN repost INTEGER NOT NULL DEFAULT FALSE CHECK (repost IN (FALSE, TRUE));
