-- +goose Up

-- Nothing reads these: the program compares totals chat by chat, and does not
-- use the times at which people were forgotten or house rules saved.
DROP VIEW IF EXISTS wrong_totals;

ALTER TABLE forgotten DROP COLUMN at;

ALTER TABLE house_rules DROP COLUMN saved;
