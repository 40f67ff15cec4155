-- +goose Up

-- When the offer of a seat ends that the message shows to all, in Unix milliseconds. 0: it calls one person to a turn.
DROP VIEW stray_calls;
CREATE TABLE calls_new (
    id       INTEGER NOT NULL PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    since    INTEGER NOT NULL CHECK (since >= 0), -- the table's turn at which it became the seat's
    due      INTEGER NOT NULL CHECK (due >= 0),   -- when it is to be sent, or ends, in Unix milliseconds, 0: not again
    again    INTEGER NOT NULL CHECK (again IN (FALSE, TRUE)), -- it reminds: the turn has taken too long
    sent     INTEGER NOT NULL CHECK (sent IN (FALSE, TRUE)),  -- or was about to be
    message  TEXT    NOT NULL,
    over     INTEGER NOT NULL CHECK (over IN (FALSE, TRUE)),  -- its message is to be taken away
    past     INTEGER NOT NULL CHECK (past IN (FALSE, TRUE)),  -- its turn has passed
    until    INTEGER NOT NULL DEFAULT 0 CHECK (until >= 0),
    CHECK (due = 0 OR NOT past AND (until > 0 OR NOT sent))
) STRICT;
INSERT INTO calls_new (id, table_id, seat, since, due, again, sent, message, over, past)
SELECT id, table_id, seat, since, due, again, sent, message, over, past FROM calls;
DROP TABLE calls;
ALTER TABLE calls_new RENAME TO calls;

-- A table has one present turn, and that one call at most; all that is offered there is one message.
CREATE UNIQUE INDEX calls_present ON calls (table_id, (until > 0)) WHERE NOT past;

CREATE INDEX calls_due ON calls (due, id) WHERE due > 0;

CREATE INDEX calls_over ON calls (id) WHERE over;

CREATE VIEW stray_calls AS
SELECT c.id, c.table_id, t.state FROM calls c JOIN tables t ON t.id = c.table_id
WHERE NOT c.past AND t.state <> 'playing';
