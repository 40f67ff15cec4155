-- +goose Up

-- House rules to which a chat has given a name: a row for each version, since
-- tables refer to it and keep theirs. Of one name, one version at most is kept
-- for new tables.
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

-- The house rules by which a table was opened, NULL: by none with a name.
ALTER TABLE tables ADD COLUMN house_rules INTEGER REFERENCES house_rules (id);

-- Whoever sits there would end the table before its time.
ALTER TABLE seats ADD COLUMN ends INTEGER NOT NULL DEFAULT FALSE CHECK (ends IN (FALSE, TRUE));
