-- +goose Up

-- What all in a chat read is in the language that it has agreed on, else in that of its platform's setting, else in
-- that of most who sit at a table, which is kept from its start on. Tables in play keep their opener's.
ALTER TABLE chats ADD COLUMN locale TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN language TEXT NOT NULL DEFAULT '';

UPDATE tables SET language = COALESCE((SELECT p.language FROM players p WHERE p.id = tables.opener), '')
WHERE state = 'playing';
