-- +goose Up

-- Named house rules of a chat, with one row per version, because tables keep
-- the version they refer to. At most one version of each name is offered for
-- new tables.
CREATE TABLE house_rules (
    id      INTEGER NOT NULL PRIMARY KEY,
    chat    TEXT    NOT NULL REFERENCES chats (id),
    game    TEXT    NOT NULL,
    name    TEXT    NOT NULL CHECK (name <> ''),
    rules   TEXT    NOT NULL, -- JSON object of option and value
    version TEXT    NOT NULL, -- follows from the game and the rules
    kept    INTEGER NOT NULL CHECK (kept IN (FALSE, TRUE)),
    saved   INTEGER NOT NULL
) STRICT;

CREATE INDEX house_rules_by_chat ON house_rules (chat, game, name, id);

CREATE UNIQUE INDEX house_rules_kept ON house_rules (chat, game, name) WHERE kept;

-- The house rules with which a table was opened; NULL: rules without a name.
ALTER TABLE tables ADD COLUMN house_rules INTEGER REFERENCES house_rules (id);

-- The player of the seat has voted to end the table early.
ALTER TABLE seats ADD COLUMN ends INTEGER NOT NULL DEFAULT FALSE CHECK (ends IN (FALSE, TRUE));
