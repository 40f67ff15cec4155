-- +goose Up

-- Other ids of chats, under which events come that do not name the chat.
CREATE TABLE pairs (
    alias TEXT NOT NULL PRIMARY KEY,
    chat  TEXT NOT NULL
) WITHOUT ROWID, STRICT;

CREATE INDEX pairs_chat ON pairs (chat);
