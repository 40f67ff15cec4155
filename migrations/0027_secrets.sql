-- +goose Up

-- How far seeds, luck words and the installation's own secrets are sealed in a
-- database with a key: not at all, as before this version; sealed, while unused parts
-- of the file may still hold what they were before; or swept, also those.
ALTER TABLE seals ADD COLUMN secrets TEXT NOT NULL DEFAULT 'plain' CHECK (secrets IN ('plain', 'sealed', 'swept'));

-- What Telegram says at the webhook is made anew at each registration.
DELETE FROM settings WHERE name = 'telegram-webhook-secret';
