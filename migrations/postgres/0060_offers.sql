-- +goose Up

ALTER TABLE calls ADD COLUMN until BIGINT NOT NULL DEFAULT 0 CHECK (until >= 0);
ALTER TABLE calls DROP CONSTRAINT calls_check;
ALTER TABLE calls ADD CONSTRAINT calls_check CHECK (due = 0 OR NOT past AND (until > 0 OR NOT sent));

DROP INDEX calls_present;
CREATE UNIQUE INDEX calls_present ON calls (table_id, (until > 0)) WHERE NOT past;
