-- +goose Up

-- What people have agreed on before somebody is absent: how long a turn may
-- take, in milliseconds (0: as long as it wants, NULL: nobody has said), and
-- what happens then ('': the house plays it).
ALTER TABLE tables ADD COLUMN patience INTEGER CHECK (patience >= 0);

ALTER TABLE tables ADD COLUMN absent TEXT NOT NULL DEFAULT '' CHECK (absent IN ('', 'perfect', 'wait', 'out'));

-- When the present turn has to be over, in Unix milliseconds, 0: no clock runs.
ALTER TABLE tables ADD COLUMN due INTEGER NOT NULL DEFAULT 0 CHECK (due >= 0);

-- When it was announced that an idle table will be closed, 0: it was not.
ALTER TABLE tables ADD COLUMN warned INTEGER NOT NULL DEFAULT 0 CHECK (warned >= 0);

CREATE INDEX tables_due ON tables (due, id) WHERE due > 0 AND NOT away;

-- Nobody has agreed on anything at tables from before.
UPDATE tables SET patience = 0 WHERE state <> 'lobby';

-- How many turns running somebody has missed at a seat, and what has come of
-- it: this turn is played for them ('late'), or every turn ('away'), or the
-- stake is lost as well and nobody comes back ('out').
ALTER TABLE seats ADD COLUMN missed INTEGER NOT NULL DEFAULT 0 CHECK (missed >= 0);

ALTER TABLE seats ADD COLUMN absence TEXT NOT NULL DEFAULT '' CHECK (absence IN ('', 'late', 'away', 'out'));

-- Whoever sits there would hand the seat over.
ALTER TABLE seats ADD COLUMN offered INTEGER NOT NULL DEFAULT FALSE CHECK (offered IN (FALSE, TRUE));

-- A seat may change hands more than once: of each table's postings those that
-- begin and end it are there once.
DROP INDEX postings_by_table;

CREATE UNIQUE INDEX postings_by_table ON postings (table_id, kind) WHERE kind IN ('stakes', 'payout', 'refund');

CREATE INDEX postings_of_table ON postings (table_id) WHERE table_id IS NOT NULL;

-- What the admins of a chat have set, by name; what is not there is as usual.
CREATE TABLE chat_settings (
    chat  TEXT NOT NULL REFERENCES chats (id),
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (chat, name)
) STRICT;
