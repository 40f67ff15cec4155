-- +goose Up

-- Links of their own, by which whoever plays in a browser takes who they are to
-- another one: at most one for each. The owner and the code are fingerprints;
-- who it is stands sealed by the code, which is not stored.
CREATE TABLE ways (
    owner  TEXT PRIMARY KEY NOT NULL,
    code   TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL
) STRICT;
