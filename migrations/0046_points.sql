-- +goose Up

-- What the points of a result were given for, in games that say it beside them; elsewhere nothing.
ALTER TABLE results ADD COLUMN total INTEGER;
