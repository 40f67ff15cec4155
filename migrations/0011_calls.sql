-- +goose Up

-- Whoever does not want to be called when it is their turn.
ALTER TABLE players ADD COLUMN uncalled INTEGER NOT NULL DEFAULT FALSE CHECK (uncalled IN (FALSE, TRUE));

-- The messages that call people to their tables: those that are to be sent,
-- those that stand in a chat, those that are to be taken away. A row goes when
-- its turn has passed and its message with it.
CREATE TABLE calls (
    id       INTEGER NOT NULL PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    since    INTEGER NOT NULL CHECK (since >= 0), -- the table's turn at which it became the seat's
    due      INTEGER NOT NULL CHECK (due >= 0),   -- when it is to be sent, in Unix milliseconds, 0: not again
    again    INTEGER NOT NULL CHECK (again IN (FALSE, TRUE)), -- it reminds: the turn has taken too long
    sent     INTEGER NOT NULL CHECK (sent IN (FALSE, TRUE)),  -- or was about to be
    message  TEXT    NOT NULL,
    over     INTEGER NOT NULL CHECK (over IN (FALSE, TRUE)),  -- its message is to be taken away
    past     INTEGER NOT NULL CHECK (past IN (FALSE, TRUE)),  -- its turn has passed
    CHECK (due = 0 OR NOT sent AND NOT past)
) STRICT;

-- A table has one present turn, and that one call at most.
CREATE UNIQUE INDEX calls_present ON calls (table_id) WHERE NOT past;

CREATE INDEX calls_due ON calls (due, id) WHERE due > 0;

CREATE INDEX calls_over ON calls (id) WHERE over;

CREATE VIEW stray_calls AS
SELECT c.id, c.table_id, t.state FROM calls c JOIN tables t ON t.id = c.table_id
WHERE NOT c.past AND t.state <> 'playing';
