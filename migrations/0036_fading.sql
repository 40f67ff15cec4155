-- +goose Up

-- Answers that concern one person alone, in chats where all can read them, until they are taken away. A row goes with
-- its message. It holds which messages these are, and nothing of what they say or whom they are for.
CREATE TABLE fading (
    id      INTEGER NOT NULL PRIMARY KEY,
    chat    TEXT    NOT NULL,
    message TEXT    NOT NULL, -- the answer, '' if only the command is to go
    above   TEXT    NOT NULL, -- the picture above it, '' if there is none
    command TEXT    NOT NULL, -- the message that asked for it, '' if that stays
    due     INTEGER NOT NULL CHECK (due > 0), -- when they are to go, in Unix milliseconds
    tries   INTEGER NOT NULL CHECK (tries >= 0) -- how often that has failed
) STRICT;

CREATE INDEX fading_due ON fading (due, id);

CREATE INDEX fading_message ON fading (message);

CREATE INDEX fading_command ON fading (command);
