-- +goose Up

-- The terms for absent players: the time limit of a turn in milliseconds (0:
-- none, NULL: not agreed), and what happens after it ('': a computer plays the
-- turn).
ALTER TABLE tables ADD COLUMN patience INTEGER CHECK (patience >= 0);

ALTER TABLE tables ADD COLUMN absent TEXT NOT NULL DEFAULT '' CHECK (absent IN ('', 'perfect', 'wait', 'out'));

-- The deadline of the current turn in Unix milliseconds; 0: no clock runs.
ALTER TABLE tables ADD COLUMN due INTEGER NOT NULL DEFAULT 0 CHECK (due >= 0);

-- When the warning was posted that an idle table will be closed; 0: never.
ALTER TABLE tables ADD COLUMN warned INTEGER NOT NULL DEFAULT 0 CHECK (warned >= 0);

CREATE INDEX tables_due ON tables (due, id) WHERE due > 0 AND NOT away;

-- Older tables have no agreed time limit.
UPDATE tables SET patience = 0 WHERE state <> 'lobby';

-- How many turns in a row a seat has missed, and the consequence: a computer
-- plays this turn ('late') or every turn ('away'), or the stake is lost and the
-- seat is out of the game ('out').
ALTER TABLE seats ADD COLUMN missed INTEGER NOT NULL DEFAULT 0 CHECK (missed >= 0);

ALTER TABLE seats ADD COLUMN absence TEXT NOT NULL DEFAULT '' CHECK (absence IN ('', 'late', 'away', 'out'));

-- The player of the seat offers to hand it over.
ALTER TABLE seats ADD COLUMN offered INTEGER NOT NULL DEFAULT FALSE CHECK (offered IN (FALSE, TRUE));

-- A seat may change hands more than once, but the postings that begin and end a
-- table are unique.
DROP INDEX postings_by_table;

CREATE UNIQUE INDEX postings_by_table ON postings (table_id, kind) WHERE kind IN ('stakes', 'payout', 'refund');

CREATE INDEX postings_of_table ON postings (table_id) WHERE table_id IS NOT NULL;

-- Settings by the admins of a chat, by name. Missing settings have their default values.
CREATE TABLE chat_settings (
    chat  TEXT NOT NULL REFERENCES chats (id),
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (chat, name)
) STRICT;
