-- +goose Up

-- The person who takes over an offered seat once another player agrees; NULL:
-- no one yet.
ALTER TABLE seats ADD COLUMN taker TEXT REFERENCES players (id);

CREATE INDEX seats_by_taker ON seats (taker) WHERE taker IS NOT NULL;
