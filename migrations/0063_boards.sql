-- +goose Up

-- Boards of tables: where each is drawn, and the drawn version. A table has one
-- board, at its place. The columns move here from the table.
CREATE TABLE boards (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    place    TEXT    NOT NULL,
    message  TEXT    NOT NULL, -- id of its message; '': none yet
    page     TEXT    NOT NULL,
    drawn    INTEGER NOT NULL, -- the shown version of the table
    behind   INTEGER,          -- time of the first change since; NULL: none
    away     INTEGER NOT NULL CHECK (away IN (FALSE, TRUE)),
    posted   INTEGER NOT NULL,
    repost   INTEGER NOT NULL CHECK (repost IN (FALSE, TRUE)),
    seen     INTEGER NOT NULL CHECK (seen >= 0),
    tapped   INTEGER NOT NULL CHECK (tapped >= 0),
    tapper   INTEGER NOT NULL CHECK (tapper >= -1),
    PRIMARY KEY (table_id, place)
) WITHOUT ROWID, STRICT;

INSERT INTO boards (table_id, place, message, page, drawn, behind, away, posted, repost, seen, tapped, tapper)
SELECT id, place, board, page, drawn, CASE WHEN drawn < version THEN behind END, away, posted, repost,
    CASE WHEN seen IS NOT NULL THEN seen_turn WHEN seen_turn > 0 THEN seen_turn - 1 ELSE turn END, tapped, tapper
FROM tables;

CREATE INDEX boards_lagging ON boards (behind, table_id, place) WHERE behind IS NOT NULL AND NOT away;

-- A check of the table uses one of the columns, so the table is created again.
CREATE TABLE tables_new (
    id          INTEGER NOT NULL PRIMARY KEY,
    chat        TEXT    NOT NULL REFERENCES chats (id),
    place       TEXT    NOT NULL,
    game        TEXT    NOT NULL,
    rules       TEXT    NOT NULL, -- JSON object of option and value
    stake       INTEGER NOT NULL CHECK (stake >= 0),
    unit        TEXT    NOT NULL,
    opener      TEXT    REFERENCES players (id),
    state       TEXT    NOT NULL CHECK (state IN ('lobby', 'playing', 'over', 'abandoned')),
    draft       TEXT    NOT NULL,
    commitment  TEXT    NOT NULL,
    seed        BLOB    NOT NULL,
    thrown      INTEGER NOT NULL CHECK (thrown >= 0),
    saved       BLOB,             -- the match, NULL in the lobby
    turn        INTEGER NOT NULL CHECK (turn >= 0),
    box_in      INTEGER NOT NULL CHECK (box_in >= 0),
    box_out     INTEGER NOT NULL CHECK (box_out >= 0),
    rematch     INTEGER REFERENCES tables (id),
    version     INTEGER NOT NULL,
    changed     INTEGER NOT NULL,
    opened      INTEGER NOT NULL,
    ended       INTEGER,
    evening     INTEGER,
    season      INTEGER REFERENCES seasons (id),
    waits       INTEGER NOT NULL DEFAULT FALSE CHECK (waits IN (FALSE, TRUE)),
    patience    INTEGER CHECK (patience >= 0),
    absent      TEXT    NOT NULL DEFAULT '' CHECK (absent IN ('', 'perfect', 'wait', 'out')),
    due         INTEGER NOT NULL DEFAULT 0 CHECK (due >= 0),
    warned      INTEGER NOT NULL DEFAULT 0 CHECK (warned >= 0),
    house_rules INTEGER REFERENCES house_rules (id),
    bare        INTEGER NOT NULL DEFAULT FALSE CHECK (bare IN (FALSE, TRUE)),
    terms       INTEGER NOT NULL DEFAULT 0 CHECK (terms >= 0),
    moved       INTEGER NOT NULL DEFAULT 0 CHECK (moved >= 0),
    turned      INTEGER NOT NULL DEFAULT FALSE CHECK (turned IN (FALSE, TRUE)),
    practice    INTEGER NOT NULL DEFAULT FALSE CHECK (practice IN (FALSE, TRUE)),
    voided      INTEGER NOT NULL DEFAULT FALSE CHECK (voided IN (FALSE, TRUE)),
    voider      TEXT    REFERENCES players (id),
    minded      INTEGER NOT NULL DEFAULT 0 CHECK (minded >= 0),
    pressed     INTEGER NOT NULL DEFAULT 0 CHECK (pressed >= 0),
    altered     TEXT    NOT NULL DEFAULT '',
    language    TEXT    NOT NULL DEFAULT '',
    look        INTEGER NOT NULL DEFAULT 0 CHECK (look >= 0)
) STRICT;

INSERT INTO tables_new (id, chat, place, game, rules, stake, unit, opener, state, draft, commitment, seed, thrown,
    saved, turn, box_in, box_out, rematch, version, changed, opened, ended, evening, season, waits, patience, absent,
    due, warned, house_rules, bare, terms, moved, turned, practice, voided, voider, minded, pressed, altered, language,
    look)
SELECT id, chat, place, game, rules, stake, unit, opener, state, draft, commitment, seed, thrown,
    saved, turn, box_in, box_out, rematch, version, changed, opened, ended, evening, season, waits, patience, absent,
    due, warned, house_rules, bare, terms, moved, turned, practice, voided, voider, minded, pressed, altered, language,
    look
FROM tables;

DROP TABLE tables;

-- Views and references use the name of the table, which exists again at once.
PRAGMA legacy_alter_table = ON;

ALTER TABLE tables_new RENAME TO tables;

PRAGMA legacy_alter_table = OFF;

CREATE UNIQUE INDEX tables_active ON tables (place) WHERE state IN ('lobby', 'playing');

CREATE INDEX tables_by_place ON tables (place, id);

CREATE INDEX tables_by_chat ON tables (chat, state, id);

CREATE INDEX tables_waiting ON tables (id) WHERE waits;

CREATE INDEX tables_kept ON tables (changed, id) WHERE state IN ('over', 'abandoned') AND NOT bare;

CREATE INDEX tables_going ON tables (state, id) WHERE state IN ('lobby', 'playing');

CREATE INDEX tables_by_voider ON tables (voider) WHERE voider IS NOT NULL;

CREATE INDEX tables_due ON tables ((CASE WHEN look > 0 AND look < due THEN look ELSE due END), id) WHERE due > 0;
