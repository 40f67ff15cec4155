-- +goose Up

-- settlement now also holds what a seat won or lost in direct payments between seats.
-- Such rows have no difference, which the old check required. The views are unchanged.
DROP VIEW unsettled_accounts;

DROP VIEW ended_accounts;

DROP VIEW recounted_totals;

DROP VIEW counted_results;

ALTER TABLE results ADD COLUMN owed INTEGER;

UPDATE results SET owed = settlement WHERE settlement IS NOT NULL;

ALTER TABLE results DROP COLUMN settlement;

ALTER TABLE results RENAME COLUMN owed TO settlement;

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

CREATE VIEW counted_results AS
SELECT r.table_id, t.chat, k.kind, CASE k.kind WHEN 'season' THEN COALESCE(t.season, 0) ELSE t.evening END AS period,
    t.game, t.rules, t.unit, s.player,
    1 AS games,
    2520 / (SELECT COUNT(*) FROM seats o WHERE o.table_id = t.id AND o.player IS NOT NULL) AS parts,
    CASE WHEN r.place = 1 THEN 1 ELSE 0 END AS won,
    COALESCE(r.turns, 0) AS turns,
    COALESCE(r.shut, 0) AS shut,
    CASE WHEN r.threw THEN 1 ELSE 0 END AS scored,
    CASE WHEN r.threw THEN r.score % 1000000000000 ELSE 0 END AS points,
    CASE WHEN r.threw THEN r.score / 1000000000000 ELSE 0 END AS points_over,
    CASE WHEN r.threw THEN r.score END AS low,
    CASE WHEN r.threw THEN r.score END AS high,
    r.pool,
    COALESCE(r.difference_n * (2520 / r.difference_d), 0) AS shares,
    COALESCE(r.settlement, 0) AS settled
FROM tables t
JOIN results r ON r.table_id = t.id
JOIN seats s ON s.table_id = r.table_id AND s.seat = r.seat
CROSS JOIN (SELECT 'season' AS kind UNION ALL SELECT 'evening') k
WHERE t.state = 'over' AND s.player IS NOT NULL
    AND EXISTS (SELECT 1 FROM seats o WHERE o.table_id = t.id AND o.seat = 1);

CREATE VIEW recounted_totals AS
SELECT chat, kind, period, game, rules, unit, player,
    SUM(games) AS games, SUM(parts) AS parts, SUM(won) AS won, SUM(turns) AS turns, SUM(shut) AS shut, SUM(scored) AS scored,
    SUM(points) AS points, SUM(points_over) AS points_over, MIN(low) AS low, MAX(high) AS high,
    SUM(pool) AS pool, SUM(shares) AS shares, SUM(settled) AS settled
FROM counted_results
GROUP BY chat, kind, period, game, rules, unit, player;
