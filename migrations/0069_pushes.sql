-- +goose Up

-- Subscriptions of browsers to Web Push: each is of a person in a browser room. endpoint, p256dh and auth are what the
-- browser gives; origin is the address of the page, lang its language. turn and said are fingerprints of
-- the last turn and the last message to all that were pushed. since is in Unix milliseconds.
CREATE TABLE pushes (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    chat     TEXT NOT NULL,
    player   TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    p256dh   TEXT NOT NULL,
    auth     TEXT NOT NULL,
    origin   TEXT NOT NULL,
    lang     TEXT NOT NULL,
    turn     TEXT NOT NULL DEFAULT '',
    said     TEXT NOT NULL DEFAULT '',
    since    INTEGER NOT NULL CHECK (since >= 0),
    UNIQUE (chat, player, endpoint)
) STRICT;

CREATE INDEX pushes_player ON pushes (player);

-- Counts of what became of pushes.
CREATE TABLE push_counts (
    outcome TEXT NOT NULL PRIMARY KEY,
    count   INTEGER NOT NULL CHECK (count >= 0)
) WITHOUT ROWID, STRICT;
