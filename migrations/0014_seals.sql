-- +goose Up

-- With which key names and ids are sealed: a text that nothing but that key
-- opens. No row: they are not sealed.
CREATE TABLE seals (
    id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    proof TEXT    NOT NULL
) STRICT;

-- The people who had themselves forgotten, by number. What they were called is
-- in no row any longer; swept says that it is in no byte of the file either.
CREATE TABLE forgotten (
    id    INTEGER NOT NULL PRIMARY KEY,
    at    INTEGER NOT NULL,
    swept INTEGER NOT NULL CHECK (swept IN (FALSE, TRUE))
) STRICT;

-- Whose conversation with the bot alone a chat is, NULL: it is a group.
ALTER TABLE chats ADD COLUMN owner TEXT REFERENCES players (id);
