-- +goose Up

-- practice: the game began with fewer than two people and books nothing. voided: the finished game
-- was removed from the leaderboard; before that, voider has asked for it and voids are the votes.
-- Faces that include automatic rolls are counted again on request.
DROP VIEW unsettled_accounts;

DROP VIEW ended_accounts;

DROP VIEW recounted_totals;

DROP VIEW counted_results;

ALTER TABLE tables ADD COLUMN practice INTEGER NOT NULL DEFAULT FALSE CHECK (practice IN (FALSE, TRUE));

ALTER TABLE tables ADD COLUMN voided INTEGER NOT NULL DEFAULT FALSE CHECK (voided IN (FALSE, TRUE));

ALTER TABLE tables ADD COLUMN voider TEXT REFERENCES players (id);

ALTER TABLE seats ADD COLUMN voids INTEGER NOT NULL DEFAULT FALSE CHECK (voids IN (FALSE, TRUE));

CREATE INDEX tables_by_voider ON tables (voider) WHERE voider IS NOT NULL;

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
JOIN tables t ON t.id = r.table_id
JOIN seats s ON s.table_id = r.table_id AND s.seat = r.seat
WHERE NOT t.practice AND NOT t.voided
UNION ALL
SELECT t.id, 'box', t.box_in - t.box_out
FROM tables t
WHERE t.state = 'over' AND NOT t.practice AND NOT t.voided;

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
WHERE t.state = 'over' AND NOT t.practice AND NOT t.voided AND s.player IS NOT NULL
    AND EXISTS (SELECT 1 FROM seats o WHERE o.table_id = t.id AND o.seat = 1);

CREATE VIEW recounted_totals AS
SELECT chat, kind, period, game, rules, unit, player,
    SUM(games) AS games, SUM(parts) AS parts, SUM(won) AS won, SUM(turns) AS turns,
    SUM(shut) AS shut, SUM(scored) AS scored,
    SUM(points) AS points, SUM(points_over) AS points_over, MIN(low) AS low, MAX(high) AS high,
    SUM(pool) AS pool, SUM(shares) AS shares, SUM(settled) AS settled
FROM counted_results
GROUP BY chat, kind, period, game, rules, unit, player;

DELETE FROM faces WHERE EXISTS (SELECT 1 FROM moves m WHERE m.table_id = faces.table_id AND m.auto);
