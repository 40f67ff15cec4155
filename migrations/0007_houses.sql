-- +goose Up

-- A computer player has the turn and moves in the background, once its move is
-- computed: no press waits for that.
ALTER TABLE tables ADD COLUMN waits INTEGER NOT NULL DEFAULT FALSE CHECK (waits IN (FALSE, TRUE));

CREATE INDEX tables_waiting ON tables (id) WHERE waits;
