-- +goose Up

-- What nothing reads: totals are compared chat by chat, in a query of the
-- program; when somebody was forgotten, or house rules were last kept, is asked
-- by nobody.
DROP VIEW IF EXISTS wrong_totals;

ALTER TABLE forgotten DROP COLUMN at;

ALTER TABLE house_rules DROP COLUMN saved;
