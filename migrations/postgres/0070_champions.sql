-- +goose Up

ALTER TABLE seasons ADD COLUMN cadence TEXT COLLATE "C" NOT NULL DEFAULT ''
    CHECK (cadence IN ('', 'monthly', 'quarterly', 'yearly'));
ALTER TABLE seasons ADD COLUMN final BIGINT NOT NULL DEFAULT 4 CHECK (final BETWEEN 0 AND 8);
ALTER TABLE seasons ADD COLUMN due BIGINT NOT NULL DEFAULT 0 CHECK (due >= 0);
ALTER TABLE seasons ADD COLUMN champion TEXT COLLATE "C" REFERENCES players (id) DEFERRABLE;
ALTER TABLE seasons ADD COLUMN final_table BIGINT NOT NULL DEFAULT 0 CHECK (final_table >= 0);
ALTER TABLE seasons ADD COLUMN crowned BIGINT NOT NULL DEFAULT 0;

CREATE INDEX seasons_due ON seasons (due, id) WHERE due > 0;
