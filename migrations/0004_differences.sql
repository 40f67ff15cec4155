-- +goose Up

-- The settlement of a game without a pool: for each seat the difference between
-- its score and the average of the game, as an integer divided by the number of
-- seats, and its amount in units if points have a value.
ALTER TABLE results ADD COLUMN difference_n INTEGER;

ALTER TABLE results ADD COLUMN difference_d INTEGER CHECK (difference_d IS NULL OR difference_d >= 1);

ALTER TABLE results ADD COLUMN settlement INTEGER CHECK (settlement IS NULL OR difference_n IS NOT NULL);

-- Differences that do not follow from the scores of their game. Correct ones
-- add up to zero.
CREATE VIEW wrong_differences AS
SELECT r.table_id, r.seat
FROM results r
WHERE EXISTS (SELECT 1 FROM results o WHERE o.table_id = r.table_id AND o.difference_n IS NOT NULL)
    AND (r.difference_n IS NULL OR r.difference_d IS NULL
        OR r.difference_d <> (SELECT COUNT(*) FROM results o WHERE o.table_id = r.table_id)
        OR r.difference_n <> (SELECT COUNT(*) * r.score - SUM(o.score) FROM results o WHERE o.table_id = r.table_id));

-- The same view, including the value of differences.
DROP VIEW unsettled_accounts;

DROP VIEW ended_accounts;

CREATE VIEW ended_accounts AS
SELECT p.table_id, a.name AS account, e.amount
FROM postings p
JOIN tables t ON t.id = p.table_id
JOIN entries e ON e.posting_id = p.id
JOIN accounts a ON a.id = e.account_id
WHERE t.state IN ('over', 'abandoned')
UNION ALL
SELECT r.table_id, CASE WHEN s.player IS NULL THEN 'house:' || s.house ELSE 'player:' || s.player END,
    -r.pool - COALESCE(r.settlement, 0)
FROM results r
JOIN seats s ON s.table_id = r.table_id AND s.seat = r.seat
UNION ALL
SELECT t.id, 'box', t.box_in - t.box_out
FROM tables t
WHERE t.state = 'over';

CREATE VIEW unsettled_accounts AS
SELECT table_id, account, SUM(amount) AS amount
FROM ended_accounts
GROUP BY table_id, account
HAVING SUM(amount) <> 0;
