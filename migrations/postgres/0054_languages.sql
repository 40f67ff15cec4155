-- +goose Up

ALTER TABLE chats ADD COLUMN locale TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN language TEXT COLLATE "C" NOT NULL DEFAULT '';

UPDATE tables SET language = COALESCE((SELECT p.language FROM players p WHERE p.id = tables.opener), '')
WHERE state = 'playing';
