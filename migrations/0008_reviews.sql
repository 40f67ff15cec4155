-- +goose Up

-- What luck and decisions did in finished tables: one row for each that it has
-- been asked of. They are worked out in the background, and can be again. All
-- values are billionths of the measure: of a stake, or of a point.
CREATE TABLE reviews (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    chat     TEXT    NOT NULL REFERENCES chats (id),
    ended    INTEGER NOT NULL, -- when the last move was made
    state    TEXT    NOT NULL CHECK (state IN ('wanted', 'done', 'none')), -- none: there is no perfect play to compare with
    measure  TEXT    NOT NULL,
    steps    TEXT    NOT NULL, -- JSON, what each move did
    weight   INTEGER NOT NULL CHECK (weight >= 0), -- of the costliest decision of a person, in billionths of the least that is shown
    choices  TEXT    NOT NULL  -- JSON, what could have been played there
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
    absent           INTEGER NOT NULL CHECK (absent >= 0),  -- decisions that were made for the seat
    costs            INTEGER NOT NULL CHECK (costs >= 0),   -- of the own decisions: of the pool, or of a point
    squares          INTEGER NOT NULL CHECK (squares >= 0), -- the sum of their squares
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;

-- Reviews that are not those of their tables: of a table that is not over, in
-- another chat, or with other seats.
CREATE VIEW stray_reviews AS
SELECT r.table_id, r.state
FROM reviews r
JOIN tables t ON t.id = r.table_id
WHERE t.state <> 'over' OR t.chat <> r.chat
    OR (SELECT COUNT(*) FROM review_seats s WHERE s.table_id = r.table_id)
        <> CASE WHEN r.state = 'done' THEN (SELECT COUNT(*) FROM seats s WHERE s.table_id = r.table_id) ELSE 0 END;

-- The seats whose parts do not add up to their results, but for the rounding of
-- each part.
CREATE VIEW wrong_reviews AS
SELECT table_id, seat, result - begins - dice - decisions - played_for - others_dice - others_decisions - box AS missing
FROM review_seats
WHERE ABS(result - begins - dice - decisions - played_for - others_dice - others_decisions - box) > 8;

-- A costly decision as a position that everybody may try, until it is closed.
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
    message  TEXT    NOT NULL, -- that shows it, '' none yet
    away     INTEGER NOT NULL CHECK (away IN (FALSE, TRUE)),
    CHECK (drawn <= version)
) STRICT;

-- A place has one open puzzle at most, and a decision is a puzzle once.
CREATE UNIQUE INDEX puzzles_open ON puzzles (place) WHERE open;

CREATE UNIQUE INDEX puzzles_by_table ON puzzles (table_id);

CREATE INDEX puzzles_lagging ON puzzles (id, place) WHERE drawn < version AND NOT away;

-- What each person tried first.
CREATE TABLE guesses (
    puzzle_id INTEGER NOT NULL REFERENCES puzzles (id),
    player    TEXT    NOT NULL REFERENCES players (id),
    move      TEXT    NOT NULL,
    found     INTEGER NOT NULL CHECK (found IN (FALSE, TRUE)),
    at        INTEGER NOT NULL,
    PRIMARY KEY (puzzle_id, player)
) STRICT;
