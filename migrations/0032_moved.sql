-- +goose Up

-- When the match of a table last moved on, or its turn began, in Unix milliseconds:
-- whoever only picks dice keeps the others waiting all the same. 0: it has not begun.
ALTER TABLE tables ADD COLUMN moved INTEGER NOT NULL DEFAULT 0 CHECK (moved >= 0);

UPDATE tables SET moved = COALESCE((SELECT MAX(at) FROM moves WHERE table_id = tables.id), changed)
WHERE state = 'playing';
