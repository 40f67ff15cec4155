-- +goose Up

-- The language of public messages: the one that the chat has set, else that of its platform's setting, else
-- that of most players of a table, stored when it starts. Running tables keep the language of their opener.
ALTER TABLE chats ADD COLUMN locale TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN language TEXT NOT NULL DEFAULT '';

UPDATE tables SET language = COALESCE((SELECT p.language FROM players p WHERE p.id = tables.opener), '')
WHERE state = 'playing';
