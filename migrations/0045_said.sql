-- +goose Up

-- Messages to everyone in a browser room besides the boards of tables: public answers and news of
-- the room. Pages at any replica show them. They are stored for about an hour, for pages that load
-- later. version counts the changes of a message; at is in Unix milliseconds.
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
