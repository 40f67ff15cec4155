-- +goose Up

-- The seasons of a chat. The season that started last is the current one. Games
-- before the first season belong to none.
CREATE TABLE seasons (
    id      INTEGER NOT NULL PRIMARY KEY,
    chat    TEXT    NOT NULL REFERENCES chats (id),
    name    TEXT    NOT NULL CHECK (name <> ''),
    starter TEXT    NOT NULL REFERENCES players (id),
    started INTEGER NOT NULL
) STRICT;

CREATE INDEX seasons_by_chat ON seasons (chat, started, id);

-- Players that the lists of a chat leave out: hidden by themselves, or gone
-- from the chat. Sums include them.
CREATE TABLE unlisted (
    chat   TEXT    NOT NULL REFERENCES chats (id),
    player TEXT    NOT NULL REFERENCES players (id),
    hidden INTEGER NOT NULL CHECK (hidden IN (FALSE, TRUE)),
    gone   INTEGER NOT NULL CHECK (gone IN (FALSE, TRUE)),
    PRIMARY KEY (chat, player)
) STRICT;

-- When a table ended, and in which periods it counts: an evening is a day that
-- ends in the early morning, counted from 1 January 1970 in the time zone of
-- the installation.
ALTER TABLE tables ADD COLUMN ended INTEGER;

ALTER TABLE tables ADD COLUMN evening INTEGER;

ALTER TABLE tables ADD COLUMN season INTEGER REFERENCES seasons (id);

-- How many turns a seat had at a box, and how many of them shut it. NULL: an
-- older result, which the program has to count.
ALTER TABLE results ADD COLUMN turns INTEGER CHECK (turns >= 0);

ALTER TABLE results ADD COLUMN shut INTEGER CHECK (shut >= 0 AND shut <= turns);

CREATE INDEX results_uncounted ON results (table_id) WHERE turns IS NULL;

-- A table ends with its last move. The time zone of the installation is unknown
-- here, so evenings use UTC until the program corrects them.
UPDATE tables
SET ended = COALESCE((SELECT MAX(m.at) FROM moves m WHERE m.table_id = tables.id), changed)
WHERE state = 'over';

UPDATE tables SET evening = (ended - 21600000) / 86400000 WHERE ended IS NOT NULL;

-- Totals of each player's games in a period, updated in the transaction in
-- which a table ends. A leaderboard reads one range of the primary key, however
-- many games and chats there are.
--
-- A seat counts in two rows: the season and the evening. All time is the range
-- of all seasons, of which a chat has few. A month or a week is a range of
-- evenings. Separate rows for these would hardly be faster to read and cost
-- three more rows per seat and game.
--
-- Computer players are not counted, and neither are games of one person, which
-- are practice.
CREATE TABLE totals (
    chat        TEXT    NOT NULL REFERENCES chats (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('season', 'evening')),
    period      INTEGER NOT NULL, -- the season, 0 before the first; or the evening
    game        TEXT    NOT NULL,
    rules       TEXT    NOT NULL,
    unit        TEXT    NOT NULL,
    player      TEXT    NOT NULL REFERENCES players (id),
    games       INTEGER NOT NULL,
    parts       INTEGER NOT NULL, -- 2520 per game, shared equally by its players
    won         INTEGER NOT NULL, -- first places, including ties
    turns       INTEGER NOT NULL, -- at a box
    shut        INTEGER NOT NULL,
    scored      INTEGER NOT NULL, -- games with a score
    points      INTEGER NOT NULL, -- the sum of the scores modulo 10^12 ...
    points_over INTEGER NOT NULL, -- ... and divided by 10^12, because some scores are long
    low         INTEGER,          -- the lowest and the highest score
    high        INTEGER,
    pool        INTEGER NOT NULL,
    shares      INTEGER NOT NULL, -- differences in 1/2520 of a point: every number of seats to 10 divides that
    settled     INTEGER NOT NULL, -- value of the differences, in units
    PRIMARY KEY (chat, kind, period, game, rules, unit, player)
) STRICT;

-- The contribution of each result to the totals, which are the sums of these rows.
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

INSERT INTO totals SELECT * FROM recounted_totals;

-- Totals that differ from the sums of their results.
CREATE VIEW wrong_totals AS
SELECT chat, kind, period, game, rules, unit, player
FROM (SELECT * FROM totals UNION ALL SELECT * FROM recounted_totals) both
GROUP BY chat, kind, period, game, rules, unit, player
HAVING COUNT(*) <> 2
    OR MIN(games) <> MAX(games) OR MIN(parts) <> MAX(parts) OR MIN(won) <> MAX(won) OR MIN(turns) <> MAX(turns) OR MIN(shut) <> MAX(shut)
    OR MIN(scored) <> MAX(scored) OR MIN(points) <> MAX(points) OR MIN(points_over) <> MAX(points_over)
    OR COUNT(low) = 1 OR MIN(low) <> MAX(low) OR COUNT(high) = 1 OR MIN(high) <> MAX(high)
    OR MIN(pool) <> MAX(pool) OR MIN(shares) <> MAX(shares) OR MIN(settled) <> MAX(settled);

-- A table has an end time and an evening if and only if it is over.
CREATE VIEW untimed_tables AS
SELECT id AS table_id, state
FROM tables
WHERE (state = 'over') <> (ended IS NOT NULL) OR (state = 'over') <> (evening IS NOT NULL)
    OR (state <> 'over' AND season IS NOT NULL);
