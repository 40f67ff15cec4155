-- +goose Up

-- Who would take over a seat that is offered, once somebody else at the table
-- agrees; NULL: nobody yet.
ALTER TABLE seats ADD COLUMN taker TEXT REFERENCES players (id);

CREATE INDEX seats_by_taker ON seats (taker) WHERE taker IS NOT NULL;
