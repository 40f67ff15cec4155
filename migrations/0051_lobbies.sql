-- +goose Up

-- When the opener of a lobby last pressed a button or sent a command in its place, and when a player of the
-- lobby last pressed a button of its board, in Unix milliseconds. 0: not since it was opened.
ALTER TABLE tables ADD COLUMN minded INTEGER NOT NULL DEFAULT 0 CHECK (minded >= 0);
ALTER TABLE tables ADD COLUMN pressed INTEGER NOT NULL DEFAULT 0 CHECK (pressed >= 0);

-- The latest change of a lobby's terms, for everyone to read: message keys, each with the seat of its author.
ALTER TABLE tables ADD COLUMN altered TEXT NOT NULL DEFAULT '';

-- When a player first pressed a button or sent a command in a chat, in Unix milliseconds. 0: unknown.
ALTER TABLE unlisted ADD COLUMN met INTEGER NOT NULL DEFAULT 0 CHECK (met >= 0);

INSERT INTO unlisted (chat, player, hidden, gone, met)
SELECT t.chat, s.player, FALSE, FALSE, MIN(t.opened) FROM seats s JOIN tables t ON t.id = s.table_id
WHERE s.player IS NOT NULL GROUP BY t.chat, s.player
ON CONFLICT (chat, player) DO UPDATE SET met = excluded.met;
