-- +goose Up

CREATE TABLE pairs (
    alias TEXT COLLATE "C" PRIMARY KEY,
    chat  TEXT COLLATE "C" NOT NULL
);

CREATE INDEX pairs_chat ON pairs (chat);
