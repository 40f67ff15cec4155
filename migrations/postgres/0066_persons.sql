-- +goose Up

CREATE TABLE persons (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY
);

INSERT INTO persons (id) SELECT id FROM players;

ALTER TABLE players ADD COLUMN person TEXT COLLATE "C";

UPDATE players SET person = id;

ALTER TABLE players ADD FOREIGN KEY (person) REFERENCES persons (id) DEFERRABLE;

CREATE INDEX players_by_person ON players (person);

-- Triggers, because replicas of the previous version add and delete players, too.
-- +goose StatementBegin
CREATE FUNCTION person_of_player() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO persons (id) VALUES (NEW.id) ON CONFLICT (id) DO NOTHING;
    UPDATE players SET person = NEW.id WHERE id = NEW.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION person_without_player() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM persons WHERE id = OLD.person AND NOT EXISTS (SELECT 1 FROM players WHERE person = OLD.person);
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER player_is_added AFTER INSERT ON players
    FOR EACH ROW WHEN (NEW.person IS NULL) EXECUTE FUNCTION person_of_player();

CREATE TRIGGER player_is_deleted AFTER DELETE ON players
    FOR EACH ROW EXECUTE FUNCTION person_without_player();
