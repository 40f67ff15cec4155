-- +goose Up

-- When the match of a table last changed or its turn began, in Unix milliseconds; picking
-- dice does not count, because the others still wait. 0: the match has not begun.
ALTER TABLE tables ADD COLUMN moved INTEGER NOT NULL DEFAULT 0 CHECK (moved >= 0);

UPDATE tables SET moved = COALESCE((SELECT MAX(at) FROM moves WHERE table_id = tables.id), changed)
WHERE state = 'playing';
