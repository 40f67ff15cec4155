-- +goose Up

-- One row per table. Rows are never deleted.
CREATE TABLE tables (
    id         INTEGER NOT NULL PRIMARY KEY,
    chat       TEXT    NOT NULL REFERENCES chats (id),
    place      TEXT    NOT NULL,
    game       TEXT    NOT NULL,
    rules      TEXT    NOT NULL, -- JSON object of option and value
    stake      INTEGER NOT NULL CHECK (stake >= 0),
    unit       TEXT    NOT NULL,
    opener     TEXT    REFERENCES players (id),
    state      TEXT    NOT NULL CHECK (state IN ('lobby', 'playing', 'over', 'abandoned')),
    page       TEXT    NOT NULL,
    draft      TEXT    NOT NULL,
    commitment TEXT    NOT NULL,
    seed       BLOB    NOT NULL,
    thrown     INTEGER NOT NULL CHECK (thrown >= 0),
    saved      BLOB,             -- the match, NULL in the lobby
    turn       INTEGER NOT NULL CHECK (turn >= 0),
    box_in     INTEGER NOT NULL CHECK (box_in >= 0),
    box_out    INTEGER NOT NULL CHECK (box_out >= 0),
    rematch    INTEGER REFERENCES tables (id),
    version    INTEGER NOT NULL,
    drawn      INTEGER NOT NULL,
    board      TEXT    NOT NULL,
    away       INTEGER NOT NULL CHECK (away IN (FALSE, TRUE)),
    behind     INTEGER NOT NULL, -- time of the first change that the board does not show
    changed    INTEGER NOT NULL,
    posted     INTEGER NOT NULL,
    opened     INTEGER NOT NULL,
    CHECK (drawn <= version)
) STRICT;

-- A place has at most one active table.
CREATE UNIQUE INDEX tables_active ON tables (place) WHERE state IN ('lobby', 'playing');

CREATE INDEX tables_by_place ON tables (place, id);

CREATE INDEX tables_by_chat ON tables (chat, state, id);

-- Boards that must be drawn, longest stale first.
CREATE INDEX tables_lagging ON tables (behind, id, place) WHERE drawn < version AND NOT away;

CREATE TABLE seats (
    table_id  INTEGER NOT NULL REFERENCES tables (id),
    seat      INTEGER NOT NULL CHECK (seat >= 0),
    player    TEXT    REFERENCES players (id), -- NULL: a computer player
    name      TEXT    NOT NULL,
    house     TEXT    NOT NULL,
    entropy   TEXT    NOT NULL,
    confirmed INTEGER NOT NULL CHECK (confirmed IN (FALSE, TRUE)),
    PRIMARY KEY (table_id, seat),
    CHECK ((player IS NULL) <> (house = ''))
) STRICT;

CREATE INDEX seats_by_player ON seats (player, table_id) WHERE player IS NOT NULL;

-- Moves are numbered from 1 without a gap.
CREATE TABLE moves (
    table_id INTEGER NOT NULL,
    number   INTEGER NOT NULL CHECK (number >= 1),
    seat     INTEGER NOT NULL,
    move     TEXT    NOT NULL,
    dice     TEXT    NOT NULL, -- faces in order, JSON list
    auto     INTEGER NOT NULL CHECK (auto IN (FALSE, TRUE)),
    at       INTEGER NOT NULL,
    PRIMARY KEY (table_id, number),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;

CREATE TABLE results (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    score    INTEGER NOT NULL,
    threw    INTEGER NOT NULL CHECK (threw IN (FALSE, TRUE)),
    place    INTEGER NOT NULL CHECK (place >= 1),
    pool     INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;
