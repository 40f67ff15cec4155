-- +goose Up

-- The evening in which a payment was booked, in days from 1 January 1970. It
-- stays the same if the time zone of the chat changes. NULL: not booked, or
-- booked by an older version.
ALTER TABLE payments ADD COLUMN evening INTEGER;
