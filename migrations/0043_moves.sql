-- +goose Up

-- The previous addresses of browser rooms: the fingerprint of each, and the
-- address that replaced it, encrypted with the old one.
CREATE TABLE web_moves (
    id     INTEGER PRIMARY KEY,
    room   INTEGER NOT NULL REFERENCES web_rooms (id) ON DELETE CASCADE,
    print  TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL
) STRICT;
CREATE INDEX web_moves_room ON web_moves (room, id);
