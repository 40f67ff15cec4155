-- +goose Up

-- Ids of presses in the browser used to begin with the id of the person. These
-- are deleted, and the file is rewritten once more for forgotten people,
-- because it may still hold their presses.
DELETE FROM updates WHERE id LIKE 'web:%';

UPDATE forgotten SET swept = FALSE;
