-- +goose Up

-- The evening in which a payment was booked, a day counted from 1 January 1970, as
-- that of a table that is over: where the zone of the chat changes later, it stays.
-- NULL: it was not booked, or before evenings of payments were kept.
ALTER TABLE payments ADD COLUMN evening INTEGER;
