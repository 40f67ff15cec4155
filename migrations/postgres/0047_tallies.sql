-- +goose Up

CREATE TABLE tallies (
    table_id BIGINT NOT NULL,
    seat     BIGINT NOT NULL,
    counts   TEXT COLLATE "C" NOT NULL, -- JSON object: sums by the game's own names
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat) DEFERRABLE
);
