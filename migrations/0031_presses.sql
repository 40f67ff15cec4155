-- +goose Up

-- Until now the id of a press in the browser began with the id of whoever
-- pressed. Those are dropped, and the file is written anew once more after whoever
-- was forgotten: their presses may still be in it.
DELETE FROM updates WHERE id LIKE 'web:%';

UPDATE forgotten SET swept = FALSE;
