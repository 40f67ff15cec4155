-- +goose Up

-- Messages of people to each other in browser rooms, the last ones of each room. A removed message
-- keeps its row, with an empty text, so that replicas notice it. at is in Unix milliseconds.
CREATE TABLE web_lines (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    chat   TEXT NOT NULL,
    player TEXT NOT NULL,
    name   TEXT NOT NULL,
    text   TEXT NOT NULL,
    at     INTEGER NOT NULL CHECK (at >= 0)
) STRICT;

CREATE INDEX web_lines_chat ON web_lines (chat, id);

CREATE INDEX web_lines_player ON web_lines (player);
