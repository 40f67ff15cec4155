-- +goose Up

-- What a board shows of a game that has just ended follows from when it ended: boards that show it as it stood before
-- are drawn once more.
UPDATE tables SET version = version + 1, staged = 0 WHERE staged > 0;
