-- +goose Up

ALTER TABLE tables ADD COLUMN minded BIGINT NOT NULL DEFAULT 0 CHECK (minded >= 0);
ALTER TABLE tables ADD COLUMN pressed BIGINT NOT NULL DEFAULT 0 CHECK (pressed >= 0);

ALTER TABLE tables ADD COLUMN altered TEXT COLLATE "C" NOT NULL DEFAULT '';

ALTER TABLE unlisted ADD COLUMN met BIGINT NOT NULL DEFAULT 0 CHECK (met >= 0);

INSERT INTO unlisted (chat, player, hidden, gone, met)
SELECT t.chat, s.player, FALSE, FALSE, MIN(t.opened) FROM seats s JOIN tables t ON t.id = s.table_id
WHERE s.player IS NOT NULL GROUP BY t.chat, s.player
ON CONFLICT (chat, player) DO UPDATE SET met = excluded.met;
