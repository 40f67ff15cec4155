-- +goose Up

-- How often seasons begin anew by themselves, for how many people the final is, and who has won. due is when the next
-- season begins, in Unix milliseconds, 0: never. crowned is the evening whose recap names the champion, 0: none.
ALTER TABLE seasons ADD COLUMN cadence TEXT NOT NULL DEFAULT ''
    CHECK (cadence IN ('', 'monthly', 'quarterly', 'yearly'));
ALTER TABLE seasons ADD COLUMN final INTEGER NOT NULL DEFAULT 4 CHECK (final BETWEEN 0 AND 8);
ALTER TABLE seasons ADD COLUMN due INTEGER NOT NULL DEFAULT 0 CHECK (due >= 0);
ALTER TABLE seasons ADD COLUMN champion TEXT REFERENCES players (id);
ALTER TABLE seasons ADD COLUMN final_table INTEGER NOT NULL DEFAULT 0 CHECK (final_table >= 0);
ALTER TABLE seasons ADD COLUMN crowned INTEGER NOT NULL DEFAULT 0;

CREATE INDEX seasons_due ON seasons (due, id) WHERE due > 0;
