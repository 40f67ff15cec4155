-- +goose Up

-- How far seeds, luck words and other secrets are encrypted in a database with
-- a key: not at all (older versions); encrypted, although unused parts of the
-- file may hold plain text; or encrypted everywhere.
ALTER TABLE seals ADD COLUMN secrets TEXT NOT NULL DEFAULT 'plain' CHECK (secrets IN ('plain', 'sealed', 'swept'));

-- The secret of Telegram's webhook is created at each registration.
DELETE FROM settings WHERE name = 'telegram-webhook-secret';
