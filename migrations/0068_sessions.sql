-- +goose Up

-- Sessions of pages that are embedded in a platform's client. print is the SHA-256 of the page's
-- bearer, said what the page's platform has told of the person. Times are in Unix milliseconds.
CREATE TABLE sessions (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    print  TEXT NOT NULL UNIQUE,
    player TEXT NOT NULL,
    chat   TEXT NOT NULL,
    place  TEXT NOT NULL,
    said   TEXT NOT NULL,
    until  INTEGER NOT NULL CHECK (until >= 0)
) STRICT;

CREATE INDEX sessions_player ON sessions (player, id);

CREATE INDEX sessions_until ON sessions (until);

-- Tickets open one stream of a session: print is the SHA-256 of a ticket.
CREATE TABLE tickets (
    print   TEXT NOT NULL PRIMARY KEY,
    session INTEGER NOT NULL,
    until   INTEGER NOT NULL CHECK (until >= 0)
) WITHOUT ROWID, STRICT;

CREATE INDEX tickets_until ON tickets (until);

-- Signed data that has signed a person in: print is its SHA-256, origin that of it and of the address it came from.
CREATE TABLE launches (
    print  TEXT NOT NULL PRIMARY KEY,
    origin TEXT NOT NULL,
    until  INTEGER NOT NULL CHECK (until >= 0)
) WITHOUT ROWID, STRICT;

CREATE INDEX launches_until ON launches (until);
