-- +goose Up

-- Ended tables whose moves were deleted, because they were older than the
-- operator allows. Their seeds, results and all sums remain.
ALTER TABLE tables ADD COLUMN bare INTEGER NOT NULL DEFAULT FALSE CHECK (bare IN (FALSE, TRUE));

-- For finding the tables whose moves are deleted next.
CREATE INDEX tables_kept ON tables (changed, id) WHERE state IN ('over', 'abandoned') AND NOT bare;

-- Moves of tables that should have none, or of tables marked as bare that have not ended.
CREATE VIEW stray_moves AS
SELECT t.id AS table_id, t.state, (SELECT COUNT(*) FROM moves m WHERE m.table_id = t.id) AS moves
FROM tables t
WHERE t.bare AND (t.state NOT IN ('over', 'abandoned') OR EXISTS (SELECT 1 FROM moves m WHERE m.table_id = t.id));

-- Lobbies and running games can be counted without reading other tables.
CREATE INDEX tables_going ON tables (state, id) WHERE state IN ('lobby', 'playing');
