-- +goose Up

-- Reviews of games with large scores are stored in coarser steps, so that no
-- value or sum overflows: values of seats are 10^scale billionths of the
-- measure, their squares 10^(2*scale).
ALTER TABLE reviews ADD COLUMN scale INTEGER NOT NULL DEFAULT 0 CHECK (scale BETWEEN 0 AND 40);

-- There is no review, because it could not be computed or stored.
ALTER TABLE reviews ADD COLUMN failed INTEGER NOT NULL DEFAULT FALSE CHECK (failed IN (FALSE, TRUE));

-- Reviews with values too large for a column are computed again if the moves
-- still exist.
UPDATE reviews SET state = 'wanted', failed = FALSE
WHERE state = 'done' AND EXISTS (
    SELECT 1 FROM review_seats s WHERE s.table_id = reviews.table_id AND (
        s.begins NOT BETWEEN -9000000000000000000 AND 9000000000000000000
        OR s.dice NOT BETWEEN -9000000000000000000 AND 9000000000000000000
        OR s.decisions NOT BETWEEN -9000000000000000000 AND 9000000000000000000
        OR s.played_for NOT BETWEEN -9000000000000000000 AND 9000000000000000000
        OR s.others_dice NOT BETWEEN -9000000000000000000 AND 9000000000000000000
        OR s.others_decisions NOT BETWEEN -9000000000000000000 AND 9000000000000000000
        OR s.box NOT BETWEEN -9000000000000000000 AND 9000000000000000000
        OR s.result NOT BETWEEN -9000000000000000000 AND 9000000000000000000
        OR s.costs > 9000000000000000000 OR s.squares > 9000000000000000000));

DELETE FROM review_seats WHERE table_id IN (SELECT table_id FROM reviews WHERE state = 'wanted');

UPDATE reviews SET state = 'none', failed = TRUE
WHERE state = 'wanted' AND table_id IN (SELECT id FROM tables WHERE bare);

-- Other large reviews are stored in coarser steps.
UPDATE reviews SET scale = 4
WHERE state = 'done' AND EXISTS (
    SELECT 1 FROM review_seats s WHERE s.table_id = reviews.table_id AND (
        s.squares > 1000000000000 OR s.costs > 1000000000000
        OR s.begins NOT BETWEEN -1000000000000 AND 1000000000000
        OR s.dice NOT BETWEEN -1000000000000 AND 1000000000000
        OR s.others_dice NOT BETWEEN -1000000000000 AND 1000000000000
        OR s.result NOT BETWEEN -1000000000000 AND 1000000000000));

UPDATE review_seats SET begins = begins / 10000, dice = dice / 10000, decisions = decisions / 10000, played_for = played_for / 10000,
    others_dice = others_dice / 10000, others_decisions = others_decisions / 10000, box = box / 10000, result = result / 10000,
    costs = costs / 10000, squares = squares / 100000000
WHERE table_id IN (SELECT table_id FROM reviews WHERE scale = 4);
