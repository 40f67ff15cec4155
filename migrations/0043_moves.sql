-- +goose Up

-- The last addresses that rooms of the browser table had before their newest: the fingerprint of each, and
-- the address that followed it, which only the old one opens.
CREATE TABLE web_moves (
    id     INTEGER PRIMARY KEY,
    room   INTEGER NOT NULL REFERENCES web_rooms (id) ON DELETE CASCADE,
    print  TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL
) STRICT;
CREATE INDEX web_moves_room ON web_moves (room, id);
