-- +goose Up

-- A person has one or more players, accounts on a platform. The id of a person is that of their first player. Rows of
-- seats, votes and books hold ids of persons.
CREATE TABLE persons (
    id TEXT NOT NULL PRIMARY KEY
) STRICT;

INSERT INTO persons (id) SELECT id FROM players;

ALTER TABLE players ADD COLUMN person TEXT REFERENCES persons (id);

UPDATE players SET person = id;

CREATE INDEX players_by_person ON players (person);

-- A new player is a person of their own.
-- +goose StatementBegin
CREATE TRIGGER player_is_added AFTER INSERT ON players WHEN NEW.person IS NULL BEGIN
    INSERT INTO persons (id) VALUES (NEW.id) ON CONFLICT (id) DO NOTHING;
    UPDATE players SET person = NEW.id WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- A person is deleted with the last of their players.
-- +goose StatementBegin
CREATE TRIGGER player_is_deleted AFTER DELETE ON players BEGIN
    DELETE FROM persons WHERE id = OLD.person AND NOT EXISTS (SELECT 1 FROM players WHERE person = OLD.person);
END;
-- +goose StatementEnd
