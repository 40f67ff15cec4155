-- +goose Up

-- Settings that a chat has agreed on. Ids are opaque and belong to the platform that they name.
CREATE TABLE chats (
    id       TEXT    NOT NULL PRIMARY KEY,
    language TEXT    NOT NULL DEFAULT '',
    unit     TEXT    NOT NULL DEFAULT '',
    away     INTEGER NOT NULL DEFAULT FALSE CHECK (away IN (FALSE, TRUE))
) STRICT;

CREATE TABLE players (
    id       TEXT NOT NULL PRIMARY KEY,
    name     TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT ''
) STRICT;

-- Settings of the installation, not of a chat.
CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- Updates delivered by platforms, so that none is handled twice. They are
-- deleted after a day, oldest first.
CREATE TABLE updates (
    id TEXT    NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX updates_by_age ON updates (at);
