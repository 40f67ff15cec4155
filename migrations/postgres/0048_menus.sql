-- +goose Up

CREATE TABLE menus (
    chat    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    edition TEXT COLLATE "C" NOT NULL,
    games   TEXT COLLATE "C" NOT NULL,
    due     BIGINT NOT NULL CHECK (due >= 0),
    tries   BIGINT NOT NULL CHECK (tries >= 0),
    fault   TEXT COLLATE "C" NOT NULL,
    told    BOOLEAN NOT NULL,
    made    BIGINT NOT NULL CHECK (made >= 0),
    since   BIGINT NOT NULL CHECK (since >= 0)
);

CREATE INDEX menus_due ON menus (due) WHERE due > 0;
