-- +goose Up

-- The total for which a result got its points, in games that show both; otherwise NULL.
ALTER TABLE results ADD COLUMN total INTEGER;
