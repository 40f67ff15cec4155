-- +goose Up

-- Private answers in chats where everyone can read them, until they are deleted. A row is deleted
-- with its message. It holds the ids of messages, but neither their text nor the person.
CREATE TABLE fading (
    id      INTEGER NOT NULL PRIMARY KEY,
    chat    TEXT    NOT NULL,
    message TEXT    NOT NULL, -- the answer; '': only the command is deleted
    above   TEXT    NOT NULL, -- the picture above it; '': none
    command TEXT    NOT NULL, -- the command's message; '': it stays
    due     INTEGER NOT NULL CHECK (due > 0), -- when they are deleted, in Unix milliseconds
    tries   INTEGER NOT NULL CHECK (tries >= 0) -- number of failed attempts
) STRICT;

CREATE INDEX fading_due ON fading (due, id);

CREATE INDEX fading_message ON fading (message);

CREATE INDEX fading_command ON fading (command);
