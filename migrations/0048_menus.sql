-- +goose Up

-- Command menus of chats that list more games than the standard menu. The settings
-- of a chat hold the wanted games; this table holds what the platform got, and the
-- next attempt. A row is deleted once its chat has no own menu.
CREATE TABLE menus (
    chat    TEXT    NOT NULL PRIMARY KEY,
    edition TEXT    NOT NULL, -- fingerprint of the registered commands; '': none
    games   TEXT    NOT NULL, -- listed commands of games, with commas; '?': unknown
    due     INTEGER NOT NULL CHECK (due >= 0), -- time of the next attempt, in Unix milliseconds; 0: none
    tries   INTEGER NOT NULL CHECK (tries >= 0), -- number of failed attempts
    fault   TEXT    NOT NULL, -- why the registration failed; '': it did not
    told    INTEGER NOT NULL CHECK (told IN (FALSE, TRUE)), -- an admin was informed of the failure
    made    INTEGER NOT NULL CHECK (made >= 0), -- number of commands added since the time below
    since   INTEGER NOT NULL CHECK (since >= 0) -- Unix milliseconds
) STRICT;

CREATE INDEX menus_due ON menus (due) WHERE due > 0;
