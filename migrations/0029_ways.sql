-- +goose Up

-- Sign-in links, by which a person takes their identity to another browser: at
-- most one per person. owner and code are fingerprints; the identity is
-- encrypted with the code, which is not stored.
CREATE TABLE ways (
    owner  TEXT PRIMARY KEY NOT NULL,
    code   TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL
) STRICT;
