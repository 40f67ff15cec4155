-- +goose Up

-- Browser rooms made by people. A room's chat is named after its number, which
-- is never reused. The address of a room gives access, so only its fingerprint
-- is stored. The host ('': none) may change the room. seen is when the host was
-- last there, used when any person was, in Unix milliseconds.
CREATE TABLE web_rooms (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    chat  TEXT NOT NULL,
    print TEXT NOT NULL UNIQUE,
    host  TEXT NOT NULL,
    made  INTEGER NOT NULL CHECK (made >= 0),
    used  INTEGER NOT NULL CHECK (used >= 0),
    seen  INTEGER NOT NULL CHECK (seen >= 0)
) STRICT;
CREATE INDEX web_rooms_chat ON web_rooms (chat);
CREATE INDEX web_rooms_used ON web_rooms (used, id);
CREATE INDEX web_rooms_host ON web_rooms (host) WHERE host <> '';

-- People removed from a room, by a fingerprint of the browser that differs in each room.
CREATE TABLE web_outs (
    room INTEGER NOT NULL REFERENCES web_rooms (id) ON DELETE CASCADE,
    who  TEXT NOT NULL,
    PRIMARY KEY (room, who)
) STRICT;
