-- +goose Up

-- Tables that have ended and whose moves are not kept any longer, because the
-- operator wants none that are older than so long. Their seed, their results and
-- all sums stay.
ALTER TABLE tables ADD COLUMN bare INTEGER NOT NULL DEFAULT FALSE CHECK (bare IN (FALSE, TRUE));

-- Whose moves are the next not to be kept.
CREATE INDEX tables_kept ON tables (changed, id) WHERE state IN ('over', 'abandoned') AND NOT bare;

-- Moves that are there although their table keeps none, or whose table goes on.
CREATE VIEW stray_moves AS
SELECT t.id AS table_id, t.state, (SELECT COUNT(*) FROM moves m WHERE m.table_id = t.id) AS moves
FROM tables t
WHERE t.bare AND (t.state NOT IN ('over', 'abandoned') OR EXISTS (SELECT 1 FROM moves m WHERE m.table_id = t.id));

-- What is being set up, and what is played, is counted without reading the rest.
CREATE INDEX tables_going ON tables (state, id) WHERE state IN ('lobby', 'playing');
