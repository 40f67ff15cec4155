-- +goose Up

-- How luck and decisions changed the results of finished tables, with one row
-- per requested review. Reviews are computed in the background and can be
-- computed again. All values are billionths of the measure: a stake or a point.
CREATE TABLE reviews (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    chat     TEXT    NOT NULL REFERENCES chats (id),
    ended    INTEGER NOT NULL, -- when the last move was made
    state    TEXT    NOT NULL CHECK (state IN ('wanted', 'done', 'none')), -- none: perfect play is unknown
    measure  TEXT    NOT NULL,
    steps    TEXT    NOT NULL, -- JSON: the effect of each move
    weight   INTEGER NOT NULL CHECK (weight >= 0), -- cost of a person's worst decision, in billionths of the least shown cost
    choices  TEXT    NOT NULL  -- JSON: the possible moves of that decision
) STRICT;

CREATE INDEX reviews_wanted ON reviews (table_id) WHERE state = 'wanted';

CREATE INDEX reviews_by_chat ON reviews (chat, ended, table_id);

CREATE TABLE review_seats (
    table_id         INTEGER NOT NULL REFERENCES reviews (table_id),
    seat             INTEGER NOT NULL,
    begins           INTEGER NOT NULL,
    dice             INTEGER NOT NULL,
    decisions        INTEGER NOT NULL,
    played_for       INTEGER NOT NULL,
    others_dice      INTEGER NOT NULL,
    others_decisions INTEGER NOT NULL,
    box              INTEGER NOT NULL,
    result           INTEGER NOT NULL,
    chosen           INTEGER NOT NULL CHECK (chosen >= 0),  -- own decisions
    absent           INTEGER NOT NULL CHECK (absent >= 0),  -- automatic decisions for the seat
    costs            INTEGER NOT NULL CHECK (costs >= 0),   -- costs of its own decisions
    squares          INTEGER NOT NULL CHECK (squares >= 0), -- the sum of their squares
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;

-- Reviews that do not match their tables: the table is not over, is in another
-- chat or has other seats.
CREATE VIEW stray_reviews AS
SELECT r.table_id, r.state
FROM reviews r
JOIN tables t ON t.id = r.table_id
WHERE t.state <> 'over' OR t.chat <> r.chat
    OR (SELECT COUNT(*) FROM review_seats s WHERE s.table_id = r.table_id)
        <> CASE WHEN r.state = 'done' THEN (SELECT COUNT(*) FROM seats s WHERE s.table_id = r.table_id) ELSE 0 END;

-- Seats whose parts do not add up to their results, apart from the rounding of
-- each part.
CREATE VIEW wrong_reviews AS
SELECT table_id, seat, result - begins - dice - decisions - played_for - others_dice - others_decisions - box AS missing
FROM review_seats
WHERE ABS(result - begins - dice - decisions - played_for - others_dice - others_decisions - box) > 8;

-- A costly decision as a position that everyone may try until it is closed.
CREATE TABLE puzzles (
    id       INTEGER NOT NULL PRIMARY KEY,
    chat     TEXT    NOT NULL REFERENCES chats (id),
    place    TEXT    NOT NULL,
    table_id INTEGER NOT NULL REFERENCES reviews (table_id),
    asker    TEXT    NOT NULL REFERENCES players (id),
    asked    INTEGER NOT NULL,
    open     INTEGER NOT NULL CHECK (open IN (FALSE, TRUE)),
    version  INTEGER NOT NULL,
    drawn    INTEGER NOT NULL,
    message  TEXT    NOT NULL, -- id of its message; '': none yet
    away     INTEGER NOT NULL CHECK (away IN (FALSE, TRUE)),
    CHECK (drawn <= version)
) STRICT;

-- A place has at most one open puzzle, and a decision becomes a puzzle at most once.
CREATE UNIQUE INDEX puzzles_open ON puzzles (place) WHERE open;

CREATE UNIQUE INDEX puzzles_by_table ON puzzles (table_id);

CREATE INDEX puzzles_lagging ON puzzles (id, place) WHERE drawn < version AND NOT away;

-- The first guess of each person.
CREATE TABLE guesses (
    puzzle_id INTEGER NOT NULL REFERENCES puzzles (id),
    player    TEXT    NOT NULL REFERENCES players (id),
    move      TEXT    NOT NULL,
    found     INTEGER NOT NULL CHECK (found IN (FALSE, TRUE)),
    at        INTEGER NOT NULL,
    PRIMARY KEY (puzzle_id, player)
) STRICT;
