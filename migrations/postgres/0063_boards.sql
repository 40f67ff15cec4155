-- +goose Up

-- Replicas of the previous version still use the columns of tables: triggers keep both places equal
-- as long as such replicas run. They are dropped with these columns, which are listed in unused.go.
ALTER TABLE tables
    ALTER COLUMN page DROP NOT NULL,
    ALTER COLUMN drawn DROP NOT NULL,
    ALTER COLUMN board DROP NOT NULL,
    ALTER COLUMN away DROP NOT NULL,
    ALTER COLUMN behind DROP NOT NULL,
    ALTER COLUMN posted DROP NOT NULL;

CREATE TABLE boards (
    table_id BIGINT NOT NULL,
    place    TEXT COLLATE "C" NOT NULL,
    message  TEXT COLLATE "C" NOT NULL,
    page     TEXT COLLATE "C" NOT NULL,
    drawn    BIGINT NOT NULL,
    behind   BIGINT,
    away     BOOLEAN NOT NULL,
    posted   BIGINT NOT NULL,
    repost   BOOLEAN NOT NULL,
    seen     BIGINT NOT NULL CHECK (seen >= 0),
    tapped   BIGINT NOT NULL CHECK (tapped >= 0),
    tapper   BIGINT NOT NULL CHECK (tapper >= -1),
    PRIMARY KEY (table_id, place)
);

INSERT INTO boards (table_id, place, message, page, drawn, behind, away, posted, repost, seen, tapped, tapper)
SELECT id, place, board, page, drawn, CASE WHEN drawn < version THEN behind END, away, posted, repost,
    CASE WHEN seen IS NOT NULL THEN seen_turn WHEN seen_turn > 0 THEN seen_turn - 1 ELSE turn END, tapped, tapper
FROM tables;

-- Added after the rows, because checking all rows at once is much faster, and presses wait meanwhile.
ALTER TABLE boards ADD FOREIGN KEY (table_id) REFERENCES tables (id) DEFERRABLE;

CREATE INDEX boards_lagging ON boards (behind, table_id, place) WHERE behind IS NOT NULL AND NOT away;

DROP INDEX tables_due;

CREATE INDEX tables_due ON tables ((CASE WHEN look > 0 AND look < due THEN look ELSE due END), id) WHERE due > 0;

-- Copies a table row of the previous version to its board. This version sets none of these columns in new rows.
-- +goose StatementBegin
CREATE FUNCTION board_of_table() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO boards (table_id, place, message, page, drawn, behind, away, posted, repost, seen, tapped, tapper)
    VALUES (NEW.id, NEW.place, NEW.board, NEW.page, NEW.drawn,
        CASE WHEN NEW.drawn < NEW.version THEN NEW.behind END, NEW.away, NEW.posted, NEW.repost,
        CASE WHEN NEW.seen IS NOT NULL THEN NEW.seen_turn WHEN NEW.seen_turn > 0 THEN NEW.seen_turn - 1
            ELSE NEW.turn END, NEW.tapped, NEW.tapper)
    ON CONFLICT (table_id, place) DO UPDATE SET message = excluded.message, page = excluded.page,
        drawn = excluded.drawn, behind = excluded.behind, away = excluded.away, posted = excluded.posted,
        repost = excluded.repost, seen = excluded.seen, tapped = excluded.tapped, tapper = excluded.tapper;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION board_moves() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    UPDATE boards SET place = NEW.place WHERE table_id = NEW.id AND place = OLD.place;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- A board written by this version is copied to the columns of its table: the message always,
-- because it may be encrypted again, the rest only while a replica of the previous version has a
-- lease. Leases of this version begin with 'replica boards '. If the board was drawn, a replica of
-- the previous version that is drawing it loses its claim and draws it again.
-- +goose StatementBegin
CREATE FUNCTION table_of_board() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.message IS DISTINCT FROM OLD.message
        OR EXISTS (SELECT 1 FROM leases WHERE name LIKE 'replica %' AND name NOT LIKE 'replica boards %')
    THEN
        UPDATE tables SET board = NEW.message, page = NEW.page, drawn = NEW.drawn,
            behind = COALESCE(NEW.behind, behind, changed), away = NEW.away, posted = NEW.posted, repost = NEW.repost,
            seen = NULL, seen_turn = NEW.seen + 1, tapped = NEW.tapped, tapper = NEW.tapper,
            drawer = CASE WHEN TG_NARGS > 0 THEN '' ELSE drawer END
        WHERE id = NEW.table_id;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- A replica of the previous version may join again after its lease was deleted. The rows that it has missed are
-- copied first; other rows stay unchanged. No change of a board that has not seen its lease may be committed later.
-- All changes of boards lock their chat first, so those that wait for this lock hold no lock needed here.
-- +goose StatementBegin
CREATE FUNCTION all_tables_of_boards() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    LOCK TABLE chats, boards IN EXCLUSIVE MODE;
    UPDATE tables t SET board = b.message, page = b.page, drawn = b.drawn,
        behind = COALESCE(b.behind, t.behind, t.changed), away = b.away, posted = b.posted, repost = b.repost,
        seen = NULL, seen_turn = b.seen + 1, tapped = b.tapped, tapper = b.tapper, drawer = ''
    FROM boards b WHERE b.table_id = t.id AND b.place = t.place
        AND (t.board, t.page, t.drawn, t.away, t.posted, t.repost, t.tapped, t.tapper, CASE WHEN t.seen IS NOT NULL
            THEN t.seen_turn WHEN t.seen_turn > 0 THEN t.seen_turn - 1 ELSE t.turn END) IS DISTINCT FROM
            (b.message, b.page, b.drawn, b.away, b.posted, b.repost, b.tapped, b.tapper, b.seen);
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER before_joins AFTER INSERT ON leases
    FOR EACH ROW WHEN (NEW.name LIKE 'replica %' AND NEW.name NOT LIKE 'replica boards %')
    EXECUTE FUNCTION all_tables_of_boards();

CREATE TRIGGER a_table_moves AFTER UPDATE OF place ON tables
    FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND NEW.place <> OLD.place) EXECUTE FUNCTION board_moves();

CREATE TRIGGER b_table_is_added AFTER INSERT ON tables
    FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND NEW.drawn IS NOT NULL) EXECUTE FUNCTION board_of_table();

CREATE TRIGGER b_table_is_saved AFTER UPDATE OF drawn, board, away, staged ON tables
    FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION board_of_table();

CREATE TRIGGER board_is_saved AFTER INSERT OR UPDATE OF page, away ON boards
    FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION table_of_board();

CREATE TRIGGER board_is_drawn AFTER UPDATE OF drawn, message ON boards
    FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION table_of_board('drawn');
