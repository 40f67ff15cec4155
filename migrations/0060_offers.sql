-- +goose Up

-- When the offer of a seat in the message ends, in Unix milliseconds. 0: the message reminds one person of a turn.
DROP VIEW stray_calls;
CREATE TABLE calls_new (
    id       INTEGER NOT NULL PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    since    INTEGER NOT NULL CHECK (since >= 0), -- the table's turn that began the seat's turn
    due      INTEGER NOT NULL CHECK (due >= 0),   -- when it is sent or ends, in Unix milliseconds; 0: never
    again    INTEGER NOT NULL CHECK (again IN (FALSE, TRUE)), -- a second one: the turn takes too long
    sent     INTEGER NOT NULL CHECK (sent IN (FALSE, TRUE)),  -- or may have been sent
    message  TEXT    NOT NULL,
    over     INTEGER NOT NULL CHECK (over IN (FALSE, TRUE)),  -- its message must be deleted
    past     INTEGER NOT NULL CHECK (past IN (FALSE, TRUE)),  -- its turn has passed
    until    INTEGER NOT NULL DEFAULT 0 CHECK (until >= 0),
    CHECK (due = 0 OR NOT past AND (until > 0 OR NOT sent))
) STRICT;
INSERT INTO calls_new (id, table_id, seat, since, due, again, sent, message, over, past)
SELECT id, table_id, seat, since, due, again, sent, message, over, past FROM calls;
DROP TABLE calls;
ALTER TABLE calls_new RENAME TO calls;

-- A table has one current turn with at most one reminder, and one message for all offers.
CREATE UNIQUE INDEX calls_present ON calls (table_id, (until > 0)) WHERE NOT past;

CREATE INDEX calls_due ON calls (due, id) WHERE due > 0;

CREATE INDEX calls_over ON calls (id) WHERE over;

CREATE VIEW stray_calls AS
SELECT c.id, c.table_id, t.state FROM calls c JOIN tables t ON t.id = c.table_id
WHERE NOT c.past AND t.state <> 'playing';
