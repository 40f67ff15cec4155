-- +goose Up

-- The player wants no reminders.
ALTER TABLE players ADD COLUMN uncalled INTEGER NOT NULL DEFAULT FALSE CHECK (uncalled IN (FALSE, TRUE));

-- Messages that remind people of their turns: due, posted, or waiting for
-- deletion. A row is deleted once its turn has passed and its message is gone.
CREATE TABLE calls (
    id       INTEGER NOT NULL PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    since    INTEGER NOT NULL CHECK (since >= 0), -- the table's turn that began the seat's turn
    due      INTEGER NOT NULL CHECK (due >= 0),   -- when it is sent, in Unix milliseconds; 0: never again
    again    INTEGER NOT NULL CHECK (again IN (FALSE, TRUE)), -- a second one: the turn takes too long
    sent     INTEGER NOT NULL CHECK (sent IN (FALSE, TRUE)),  -- or may have been sent
    message  TEXT    NOT NULL,
    over     INTEGER NOT NULL CHECK (over IN (FALSE, TRUE)),  -- its message must be deleted
    past     INTEGER NOT NULL CHECK (past IN (FALSE, TRUE)),  -- its turn has passed
    CHECK (due = 0 OR NOT sent AND NOT past)
) STRICT;

-- A table has one current turn, and at most one reminder for it.
CREATE UNIQUE INDEX calls_present ON calls (table_id) WHERE NOT past;

CREATE INDEX calls_due ON calls (due, id) WHERE due > 0;

CREATE INDEX calls_over ON calls (id) WHERE over;

CREATE VIEW stray_calls AS
SELECT c.id, c.table_id, t.state FROM calls c JOIN tables t ON t.id = c.table_id
WHERE NOT c.past AND t.state <> 'playing';
