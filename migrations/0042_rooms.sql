-- +goose Up

-- Rooms of the browser table that people have made. A room's chat is named by its number, which is
-- never used again. Whoever has the address of a room is let in: only its fingerprint is kept. The
-- host, '' while there is none, may change the room; seen is when they were last there, used when
-- anybody was, in Unix milliseconds.
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

-- Who was shown out of a room and is not let in again: a fingerprint of the browser, other in each room.
CREATE TABLE web_outs (
    room INTEGER NOT NULL REFERENCES web_rooms (id) ON DELETE CASCADE,
    who  TEXT NOT NULL,
    PRIMARY KEY (room, who)
) STRICT;
