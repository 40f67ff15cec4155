-- +goose Up

-- When the board of a table begins to show the deadline, in Unix milliseconds. 0: it does already, or no clock runs.
ALTER TABLE tables ADD COLUMN look INTEGER NOT NULL DEFAULT 0 CHECK (look >= 0);
DROP INDEX tables_due;
CREATE INDEX tables_due ON tables ((CASE WHEN look > 0 AND look < due THEN look ELSE due END), id)
WHERE due > 0 AND NOT away;
