-- +goose Up

-- The end time of a game now decides what its board shows: boards that show the
-- state before the last turn are drawn again.
UPDATE tables SET version = version + 1, staged = 0 WHERE staged > 0;
