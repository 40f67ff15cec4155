-- +goose Up

ALTER TABLE results ADD COLUMN total BIGINT;
