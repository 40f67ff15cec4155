-- +goose Up

-- Somebody has asked for the board at the bottom of its place, and it does not
-- stand there yet: it is posted anew, not edited. Such a board is behind.
ALTER TABLE tables ADD COLUMN repost INTEGER NOT NULL DEFAULT FALSE CHECK (repost IN (FALSE, TRUE));
