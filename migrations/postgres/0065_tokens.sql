-- +goose Up

-- Boards in chats of which the bot is no member: what permits it to edit the board's message, and until when (Unix
-- milliseconds). expires is 0 for boards that the bot can always edit, and 1 for one that it cannot edit any more.
ALTER TABLE boards ADD COLUMN token TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE boards ADD COLUMN expires BIGINT NOT NULL DEFAULT 0 CHECK (expires >= 0);
