-- +goose Up

-- Why the bot has opened the table by itself, in the notation of the core; '': a person has opened it.
ALTER TABLE tables ADD COLUMN occasion TEXT NOT NULL DEFAULT '';

-- Fixed evenings: a chat plays each week at the same time. Times are in Unix milliseconds.
CREATE TABLE evenings (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    chat    TEXT    NOT NULL REFERENCES chats (id),
    place   TEXT    NOT NULL,
    setter  TEXT    NOT NULL REFERENCES players (id), -- the person who has set it
    weekday INTEGER NOT NULL CHECK (weekday BETWEEN 0 AND 6), -- 0: Sunday
    minute  INTEGER NOT NULL CHECK (minute BETWEEN 0 AND 1439), -- of the day, in the chat's time zone
    terms   TEXT    NOT NULL, -- the game and its options, as they are typed behind /play; '': as in the last game
    notice  INTEGER NOT NULL CHECK (notice >= 0), -- minutes from the notice to the start; 0: there is none
    start   INTEGER NOT NULL, -- of the next evening
    skipped INTEGER NOT NULL, -- start of the evening that does not take place; 0: none
    opened  INTEGER NOT NULL, -- start of the last evening whose lobby was opened or left out; 0: none
    waits   INTEGER NOT NULL CHECK (waits IN (FALSE, TRUE)), -- the lobby waits for a table that is being played
    due     INTEGER NOT NULL, -- when the next step is due; 0: never
    over    INTEGER NOT NULL CHECK (over IN (FALSE, TRUE)), -- it was switched off
    event   TEXT    NOT NULL, -- the platform's event, in the notation of the core; '': none
    synced  INTEGER NOT NULL CHECK (synced IN (FALSE, TRUE)) -- the event shows the evening as it is stored
) STRICT;

CREATE INDEX evenings_chat ON evenings (chat, id);

CREATE INDEX evenings_due ON evenings (due, id) WHERE due > 0;

CREATE INDEX evenings_start ON evenings (start) WHERE due > 0;

CREATE INDEX evenings_unsynced ON evenings (id) WHERE NOT synced;

-- Who comes to an evening, and who does not.
CREATE TABLE evening_answers (
    evening INTEGER NOT NULL,
    start   INTEGER NOT NULL,
    player  TEXT    NOT NULL REFERENCES players (id),
    comes   INTEGER NOT NULL CHECK (comes IN (FALSE, TRUE)),
    at      INTEGER NOT NULL,
    PRIMARY KEY (evening, start, player)
) WITHOUT ROWID, STRICT;

CREATE INDEX evening_answers_player ON evening_answers (player);

-- Messages beside boards that the bot writes unasked. subject and at say of what a notice is.
CREATE TABLE notices (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    chat    TEXT    NOT NULL REFERENCES chats (id),
    place   TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    subject INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    state   TEXT    NOT NULL,
    due     INTEGER NOT NULL, -- when it is posted
    until   INTEGER NOT NULL, -- when it is too late to post it
    pin     INTEGER NOT NULL CHECK (pin IN (FALSE, TRUE)), -- it has to be pinned
    pinned  INTEGER NOT NULL CHECK (pinned IN (FALSE, TRUE)),
    version INTEGER NOT NULL,
    drawn   INTEGER NOT NULL, -- the version that the message shows
    message TEXT    NOT NULL,
    away    INTEGER NOT NULL CHECK (away IN (FALSE, TRUE)),
    UNIQUE (chat, kind, subject, at)
) STRICT;

CREATE INDEX notices_lagging ON notices (due, id) WHERE (drawn < version OR pin <> pinned) AND NOT away;

CREATE INDEX notices_until ON notices (until);
