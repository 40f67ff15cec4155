-- +goose Up

-- A proof of the key that encrypts names and ids: a text that only this key
-- decrypts. No row: they are not encrypted.
CREATE TABLE seals (
    id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    proof TEXT    NOT NULL
) STRICT;

-- Forgotten people, by number. Their names are no longer in any row; swept means
-- that no byte of the file holds them.
CREATE TABLE forgotten (
    id    INTEGER NOT NULL PRIMARY KEY,
    at    INTEGER NOT NULL,
    swept INTEGER NOT NULL CHECK (swept IN (FALSE, TRUE))
) STRICT;

-- The player of a private chat with the bot; NULL: a group.
ALTER TABLE chats ADD COLUMN owner TEXT REFERENCES players (id);
