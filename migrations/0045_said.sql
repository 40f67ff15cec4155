-- +goose Up

-- What all in a room of the browser table are told and no table shows: answers for all, and what became of the room.
-- Pages may hang on any replica, and each shows it. It is kept for about an hour, for whoever loads a page anew. A
-- version counts the changes of one message; at is in Unix milliseconds.
CREATE TABLE web_said (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    chat    TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    at      INTEGER NOT NULL CHECK (at >= 0),
    said    TEXT NOT NULL
) STRICT;
CREATE INDEX web_said_chat ON web_said (chat, id);
CREATE INDEX web_said_age ON web_said (at);

CREATE INDEX puzzles_by_place ON puzzles (place, id);
