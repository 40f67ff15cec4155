-- +goose Up

-- Menus of commands that chats have of their own, since they list games beside the first. What a chat wants stands in
-- its settings; here stands what its platform was told, and what is still to be told. A row goes once its chat has no
-- menu of its own any more.
CREATE TABLE menus (
    chat    TEXT    NOT NULL PRIMARY KEY,
    edition TEXT    NOT NULL, -- a fingerprint of the program's commands by which it was told, '' for none
    games   TEXT    NOT NULL, -- the commands of games that it lists, with commas; '?': it is not known which
    due     INTEGER NOT NULL CHECK (due >= 0), -- when to look at it, in Unix milliseconds; 0: nothing is to be done
    tries   INTEGER NOT NULL CHECK (tries >= 0), -- how often telling has failed
    fault   TEXT    NOT NULL, -- why it is not as it should be, '' if it is
    told    INTEGER NOT NULL CHECK (told IN (FALSE, TRUE)), -- an admin has read of that
    made    INTEGER NOT NULL CHECK (made >= 0), -- how many commands were added to it since
    since   INTEGER NOT NULL CHECK (since >= 0) -- when, in Unix milliseconds
) STRICT;

CREATE INDEX menus_due ON menus (due) WHERE due > 0;
