-- The schema that the scripts up to the last number below create in an empty SQLite database. A new
-- database begins with it and then applies later scripts: do not change it.

CREATE TABLE migrations (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);

CREATE TABLE chats (
    id       TEXT    NOT NULL PRIMARY KEY,
    language TEXT    NOT NULL DEFAULT '',
    unit     TEXT    NOT NULL DEFAULT '',
    away     INTEGER NOT NULL DEFAULT FALSE CHECK (away IN (FALSE, TRUE))
, owner TEXT REFERENCES players (id), news INTEGER CHECK (news >= 0), locale TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE players (
    id       TEXT NOT NULL PRIMARY KEY,
    name     TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT ''
, uncalled INTEGER NOT NULL DEFAULT FALSE CHECK (uncalled IN (FALSE, TRUE))) STRICT;

CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE updates (
    id TEXT    NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX updates_by_age ON updates (at);

CREATE TABLE tables (
    id         INTEGER NOT NULL PRIMARY KEY,
    chat       TEXT    NOT NULL REFERENCES chats (id),
    place      TEXT    NOT NULL,
    game       TEXT    NOT NULL,
    rules      TEXT    NOT NULL, -- JSON object of option and value
    stake      INTEGER NOT NULL CHECK (stake >= 0),
    unit       TEXT    NOT NULL,
    opener     TEXT    REFERENCES players (id),
    state      TEXT    NOT NULL CHECK (state IN ('lobby', 'playing', 'over', 'abandoned')),
    page       TEXT    NOT NULL,
    draft      TEXT    NOT NULL,
    commitment TEXT    NOT NULL,
    seed       BLOB    NOT NULL,
    thrown     INTEGER NOT NULL CHECK (thrown >= 0),
    saved      BLOB,             -- the match, NULL in the lobby
    turn       INTEGER NOT NULL CHECK (turn >= 0),
    box_in     INTEGER NOT NULL CHECK (box_in >= 0),
    box_out    INTEGER NOT NULL CHECK (box_out >= 0),
    rematch    INTEGER REFERENCES tables (id),
    version    INTEGER NOT NULL,
    drawn      INTEGER NOT NULL,
    board      TEXT    NOT NULL,
    away       INTEGER NOT NULL CHECK (away IN (FALSE, TRUE)),
    behind     INTEGER NOT NULL, -- time of the first change that the board does not show
    changed    INTEGER NOT NULL,
    posted     INTEGER NOT NULL,
    opened     INTEGER NOT NULL, ended INTEGER, evening INTEGER, season INTEGER REFERENCES seasons (id), waits INTEGER NOT NULL DEFAULT FALSE CHECK (waits IN (FALSE, TRUE)), patience INTEGER CHECK (patience >= 0), absent TEXT NOT NULL DEFAULT '' CHECK (absent IN ('', 'perfect', 'wait', 'out')), due INTEGER NOT NULL DEFAULT 0 CHECK (due >= 0), warned INTEGER NOT NULL DEFAULT 0 CHECK (warned >= 0), house_rules INTEGER REFERENCES house_rules (id), bare INTEGER NOT NULL DEFAULT FALSE CHECK (bare IN (FALSE, TRUE)), terms INTEGER NOT NULL DEFAULT 0 CHECK (terms >= 0), repost INTEGER NOT NULL DEFAULT FALSE CHECK (repost IN (FALSE, TRUE)), moved INTEGER NOT NULL DEFAULT 0 CHECK (moved >= 0), seen BLOB, seen_turn INTEGER NOT NULL DEFAULT 0 CHECK (seen_turn >= 0), staged INTEGER NOT NULL DEFAULT 0 CHECK (staged >= 0), tapped INTEGER NOT NULL DEFAULT 0 CHECK (tapped >= 0), tapper INTEGER NOT NULL DEFAULT -1 CHECK (tapper >= -1), drawer TEXT NOT NULL DEFAULT '', drawing INTEGER NOT NULL DEFAULT 0, turned INTEGER NOT NULL DEFAULT FALSE CHECK (turned IN (FALSE, TRUE)), practice INTEGER NOT NULL DEFAULT FALSE CHECK (practice IN (FALSE, TRUE)), voided INTEGER NOT NULL DEFAULT FALSE CHECK (voided IN (FALSE, TRUE)), voider TEXT REFERENCES players (id), minded INTEGER NOT NULL DEFAULT 0 CHECK (minded >= 0), pressed INTEGER NOT NULL DEFAULT 0 CHECK (pressed >= 0), altered TEXT NOT NULL DEFAULT '', language TEXT NOT NULL DEFAULT '', look INTEGER NOT NULL DEFAULT 0 CHECK (look >= 0),
    CHECK (drawn <= version)
) STRICT;

CREATE UNIQUE INDEX tables_active ON tables (place) WHERE state IN ('lobby', 'playing');

CREATE INDEX tables_by_place ON tables (place, id);

CREATE INDEX tables_by_chat ON tables (chat, state, id);

CREATE INDEX tables_lagging ON tables (behind, id, place) WHERE drawn < version AND NOT away;

CREATE TABLE seats (
    table_id  INTEGER NOT NULL REFERENCES tables (id),
    seat      INTEGER NOT NULL CHECK (seat >= 0),
    player    TEXT    REFERENCES players (id), -- NULL: a computer player
    name      TEXT    NOT NULL,
    house     TEXT    NOT NULL,
    entropy   TEXT    NOT NULL,
    confirmed INTEGER NOT NULL CHECK (confirmed IN (FALSE, TRUE)), missed INTEGER NOT NULL DEFAULT 0 CHECK (missed >= 0), absence TEXT NOT NULL DEFAULT '' CHECK (absence IN ('', 'late', 'away', 'out')), offered INTEGER NOT NULL DEFAULT FALSE CHECK (offered IN (FALSE, TRUE)), ends INTEGER NOT NULL DEFAULT FALSE CHECK (ends IN (FALSE, TRUE)), since INTEGER NOT NULL DEFAULT 0 CHECK (since >= 0), agreed INTEGER NOT NULL DEFAULT 0 CHECK (agreed >= -1), taker TEXT REFERENCES players (id), out_from INTEGER NOT NULL DEFAULT 0 CHECK (out_from >= 0), worded INTEGER NOT NULL DEFAULT 0 CHECK (worded >= 0), voids INTEGER NOT NULL DEFAULT FALSE CHECK (voids IN (FALSE, TRUE)), vouch TEXT NOT NULL DEFAULT '', allowed INTEGER NOT NULL DEFAULT 0 CHECK (allowed >= 0),
    PRIMARY KEY (table_id, seat),
    CHECK ((player IS NULL) <> (house = ''))
) STRICT;

CREATE INDEX seats_by_player ON seats (player, table_id) WHERE player IS NOT NULL;

CREATE TABLE moves (
    table_id INTEGER NOT NULL,
    number   INTEGER NOT NULL CHECK (number >= 1),
    seat     INTEGER NOT NULL,
    move     TEXT    NOT NULL,
    dice     TEXT    NOT NULL, -- faces in order, JSON list
    auto     INTEGER NOT NULL CHECK (auto IN (FALSE, TRUE)),
    at       INTEGER NOT NULL,
    PRIMARY KEY (table_id, number),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;

CREATE TABLE results (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    score    INTEGER NOT NULL,
    threw    INTEGER NOT NULL CHECK (threw IN (FALSE, TRUE)),
    place    INTEGER NOT NULL CHECK (place >= 1),
    pool     INTEGER NOT NULL, difference_n INTEGER, difference_d INTEGER CHECK (difference_d IS NULL OR difference_d >= 1), turns INTEGER CHECK (turns >= 0), shut INTEGER CHECK (shut >= 0 AND shut <= turns), settlement INTEGER, total INTEGER,
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;

CREATE TABLE accounts (
    id   INTEGER NOT NULL PRIMARY KEY,
    chat TEXT    NOT NULL REFERENCES chats (id),
    unit TEXT    NOT NULL,
    name TEXT    NOT NULL,
    UNIQUE (chat, unit, name)
) STRICT;

CREATE TABLE postings (
    id       INTEGER NOT NULL PRIMARY KEY,
    chat     TEXT    NOT NULL REFERENCES chats (id),
    unit     TEXT    NOT NULL,
    table_id INTEGER REFERENCES tables (id),
    kind     TEXT    NOT NULL,
    at       INTEGER NOT NULL
, payment_id INTEGER REFERENCES payments (id)) STRICT;

CREATE UNIQUE INDEX postings_end ON postings (table_id) WHERE kind IN ('payout', 'refund');

CREATE INDEX postings_by_chat ON postings (chat, unit);

CREATE TABLE entries (
    posting_id INTEGER NOT NULL REFERENCES postings (id),
    line       INTEGER NOT NULL CHECK (line >= 0),
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    amount     INTEGER NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (posting_id, line)
) STRICT;

CREATE INDEX entries_by_account ON entries (account_id, amount);

CREATE TABLE boxes (
    chat   TEXT    NOT NULL REFERENCES chats (id),
    unit   TEXT    NOT NULL,
    holder TEXT    NOT NULL,
    since  INTEGER NOT NULL,
    times  INTEGER NOT NULL,
    PRIMARY KEY (chat, unit)
) STRICT;

CREATE VIEW unbalanced_postings AS
SELECT p.id AS posting_id, p.chat, p.unit, COALESCE(SUM(e.amount), 0) AS amount
FROM postings p
LEFT JOIN entries e ON e.posting_id = p.id
GROUP BY p.id, p.chat, p.unit
HAVING COUNT(e.amount) < 2 OR SUM(e.amount) <> 0;

CREATE VIEW unbalanced_books AS
SELECT a.chat, a.unit, SUM(e.amount) AS amount
FROM accounts a
JOIN entries e ON e.account_id = a.id
GROUP BY a.chat, a.unit
HAVING SUM(e.amount) <> 0;

CREATE VIEW overdrawn_boxes AS
SELECT a.chat, a.unit, SUM(e.amount) AS amount
FROM accounts a
JOIN entries e ON e.account_id = a.id
WHERE a.name = 'box'
GROUP BY a.chat, a.unit
HAVING SUM(e.amount) < 0;

CREATE VIEW stray_entries AS
SELECT e.posting_id, e.line, a.chat, a.unit, a.name
FROM entries e
JOIN postings p ON p.id = e.posting_id
JOIN accounts a ON a.id = e.account_id
WHERE a.chat <> p.chat OR a.unit <> p.unit;

CREATE VIEW missing_results AS
SELECT t.id AS table_id, t.state,
    (SELECT COUNT(*) FROM seats s WHERE s.table_id = t.id) AS seats,
    (SELECT COUNT(*) FROM results r WHERE r.table_id = t.id) AS results
FROM tables t
WHERE (SELECT COUNT(*) FROM results r WHERE r.table_id = t.id)
    <> CASE WHEN t.state = 'over' THEN (SELECT COUNT(*) FROM seats s WHERE s.table_id = t.id) ELSE 0 END
    OR (t.state = 'over' AND NOT EXISTS (SELECT 1 FROM results r WHERE r.table_id = t.id));

CREATE VIEW wrong_differences AS
SELECT r.table_id, r.seat
FROM results r
WHERE EXISTS (SELECT 1 FROM results o WHERE o.table_id = r.table_id AND o.difference_n IS NOT NULL)
    AND (r.difference_n IS NULL OR r.difference_d IS NULL
        OR r.difference_d <> (SELECT COUNT(*) FROM results o WHERE o.table_id = r.table_id)
        OR r.difference_n <> (SELECT COUNT(*) * r.score - SUM(o.score) FROM results o WHERE o.table_id = r.table_id));

CREATE TABLE payments (
    id      INTEGER NOT NULL PRIMARY KEY,
    chat    TEXT    NOT NULL REFERENCES chats (id),
    unit    TEXT    NOT NULL,
    payer   TEXT    NOT NULL, -- the name of an account
    payee   TEXT    NOT NULL,
    amount  INTEGER NOT NULL CHECK (amount > 0),
    teller  TEXT    NOT NULL REFERENCES players (id),
    state   TEXT    NOT NULL CHECK (state IN ('told', 'withdrawn', 'confirmed', 'back')),
    told    INTEGER NOT NULL,
    changed INTEGER NOT NULL, asker TEXT REFERENCES players (id), evening INTEGER,
    CHECK (payer <> payee)
) STRICT;

CREATE INDEX payments_by_chat ON payments (chat, state, id);

CREATE UNIQUE INDEX postings_by_payment ON postings (payment_id, kind) WHERE payment_id IS NOT NULL;

CREATE VIEW wrong_payments AS
SELECT m.id AS payment_id, m.state
FROM payments m
WHERE (SELECT COUNT(*) FROM postings p WHERE p.payment_id = m.id AND p.kind = 'payment')
        <> CASE WHEN m.state IN ('confirmed', 'back') THEN 1 ELSE 0 END
    OR (SELECT COUNT(*) FROM postings p WHERE p.payment_id = m.id AND p.kind = 'payback')
        <> CASE WHEN m.state = 'back' THEN 1 ELSE 0 END
    OR (SELECT COUNT(*) FROM postings p JOIN entries e ON e.posting_id = p.id WHERE p.payment_id = m.id)
        <> CASE m.state WHEN 'confirmed' THEN 2 WHEN 'back' THEN 4 ELSE 0 END
    OR EXISTS (
        SELECT 1 FROM postings p
        JOIN entries e ON e.posting_id = p.id
        JOIN accounts a ON a.id = e.account_id
        WHERE p.payment_id = m.id
            AND (p.chat <> m.chat OR p.unit <> m.unit OR p.table_id IS NOT NULL
                OR a.name NOT IN (m.payer, m.payee)
                OR e.amount <> CASE
                    WHEN (a.name = m.payer AND p.kind = 'payment') OR (a.name = m.payee AND p.kind = 'payback') THEN m.amount
                    ELSE -m.amount END));

CREATE TABLE seasons (
    id      INTEGER NOT NULL PRIMARY KEY,
    chat    TEXT    NOT NULL REFERENCES chats (id),
    name    TEXT    NOT NULL CHECK (name <> ''),
    starter TEXT    NOT NULL REFERENCES players (id),
    started INTEGER NOT NULL
) STRICT;

CREATE INDEX seasons_by_chat ON seasons (chat, started, id);

CREATE TABLE unlisted (
    chat   TEXT    NOT NULL REFERENCES chats (id),
    player TEXT    NOT NULL REFERENCES players (id),
    hidden INTEGER NOT NULL CHECK (hidden IN (FALSE, TRUE)),
    gone   INTEGER NOT NULL CHECK (gone IN (FALSE, TRUE)), met INTEGER NOT NULL DEFAULT 0 CHECK (met >= 0),
    PRIMARY KEY (chat, player)
) STRICT;

CREATE INDEX results_uncounted ON results (table_id) WHERE turns IS NULL;

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

CREATE VIEW untimed_tables AS
SELECT id AS table_id, state
FROM tables
WHERE (state = 'over') <> (ended IS NOT NULL) OR (state = 'over') <> (evening IS NOT NULL)
    OR (state <> 'over' AND season IS NOT NULL);

CREATE INDEX tables_waiting ON tables (id) WHERE waits;

CREATE TABLE reviews (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    chat     TEXT    NOT NULL REFERENCES chats (id),
    ended    INTEGER NOT NULL, -- when the last move was made
    state    TEXT    NOT NULL CHECK (state IN ('wanted', 'done', 'none')), -- none: perfect play is unknown
    measure  TEXT    NOT NULL,
    steps    TEXT    NOT NULL, -- JSON: the effect of each move
    weight   INTEGER NOT NULL CHECK (weight >= 0), -- cost of a person's worst decision, in billionths of the least shown cost
    choices  TEXT    NOT NULL  -- JSON: the possible moves of that decision
, scale INTEGER NOT NULL DEFAULT 0 CHECK (scale BETWEEN 0 AND 40), failed INTEGER NOT NULL DEFAULT FALSE CHECK (failed IN (FALSE, TRUE))) STRICT;

CREATE INDEX reviews_wanted ON reviews (table_id) WHERE state = 'wanted';

CREATE INDEX reviews_by_chat ON reviews (chat, ended, table_id);

CREATE TABLE review_seats (
    table_id         INTEGER NOT NULL REFERENCES reviews (table_id),
    seat             INTEGER NOT NULL,
    begins           INTEGER NOT NULL,
    dice             INTEGER NOT NULL,
    decisions        INTEGER NOT NULL,
    played_for       INTEGER NOT NULL,
    others_dice      INTEGER NOT NULL,
    others_decisions INTEGER NOT NULL,
    box              INTEGER NOT NULL,
    result           INTEGER NOT NULL,
    chosen           INTEGER NOT NULL CHECK (chosen >= 0),  -- own decisions
    absent           INTEGER NOT NULL CHECK (absent >= 0),  -- automatic decisions for the seat
    costs            INTEGER NOT NULL CHECK (costs >= 0),   -- costs of its own decisions
    squares          INTEGER NOT NULL CHECK (squares >= 0), -- the sum of their squares
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;

CREATE VIEW stray_reviews AS
SELECT r.table_id, r.state
FROM reviews r
JOIN tables t ON t.id = r.table_id
WHERE t.state <> 'over' OR t.chat <> r.chat
    OR (SELECT COUNT(*) FROM review_seats s WHERE s.table_id = r.table_id)
        <> CASE WHEN r.state = 'done' THEN (SELECT COUNT(*) FROM seats s WHERE s.table_id = r.table_id) ELSE 0 END;

CREATE VIEW wrong_reviews AS
SELECT table_id, seat, result - begins - dice - decisions - played_for - others_dice - others_decisions - box AS missing
FROM review_seats
WHERE ABS(result - begins - dice - decisions - played_for - others_dice - others_decisions - box) > 8;

CREATE TABLE puzzles (
    id       INTEGER NOT NULL PRIMARY KEY,
    chat     TEXT    NOT NULL REFERENCES chats (id),
    place    TEXT    NOT NULL,
    table_id INTEGER NOT NULL REFERENCES reviews (table_id),
    asker    TEXT    NOT NULL REFERENCES players (id),
    asked    INTEGER NOT NULL,
    open     INTEGER NOT NULL CHECK (open IN (FALSE, TRUE)),
    version  INTEGER NOT NULL,
    drawn    INTEGER NOT NULL,
    message  TEXT    NOT NULL, -- id of its message; '': none yet
    away     INTEGER NOT NULL CHECK (away IN (FALSE, TRUE)),
    CHECK (drawn <= version)
) STRICT;

CREATE UNIQUE INDEX puzzles_open ON puzzles (place) WHERE open;

CREATE UNIQUE INDEX puzzles_by_table ON puzzles (table_id);

CREATE INDEX puzzles_lagging ON puzzles (id, place) WHERE drawn < version AND NOT away;

CREATE TABLE guesses (
    puzzle_id INTEGER NOT NULL REFERENCES puzzles (id),
    player    TEXT    NOT NULL REFERENCES players (id),
    move      TEXT    NOT NULL,
    found     INTEGER NOT NULL CHECK (found IN (FALSE, TRUE)),
    at        INTEGER NOT NULL,
    PRIMARY KEY (puzzle_id, player)
) STRICT;

CREATE TABLE faces (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    sides    INTEGER NOT NULL CHECK (sides >= 0),
    throws   INTEGER NOT NULL CHECK (throws >= 0),
    counts   TEXT    NOT NULL, -- JSON list: number of each face, 1 first
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;

CREATE UNIQUE INDEX postings_by_table ON postings (table_id, kind) WHERE kind IN ('stakes', 'payout', 'refund');

CREATE INDEX postings_of_table ON postings (table_id) WHERE table_id IS NOT NULL;

CREATE TABLE chat_settings (
    chat  TEXT NOT NULL REFERENCES chats (id),
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (chat, name)
) STRICT;

CREATE TABLE house_rules (
    id      INTEGER NOT NULL PRIMARY KEY,
    chat    TEXT    NOT NULL REFERENCES chats (id),
    game    TEXT    NOT NULL,
    name    TEXT    NOT NULL CHECK (name <> ''),
    rules   TEXT    NOT NULL, -- JSON object of option and value
    version TEXT    NOT NULL, -- follows from the game and the rules
    kept    INTEGER NOT NULL CHECK (kept IN (FALSE, TRUE))) STRICT;

CREATE INDEX house_rules_by_chat ON house_rules (chat, game, name, id);

CREATE UNIQUE INDEX house_rules_kept ON house_rules (chat, game, name) WHERE kept;

CREATE TABLE seals (
    id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    proof TEXT    NOT NULL
, secrets TEXT NOT NULL DEFAULT 'plain' CHECK (secrets IN ('plain', 'sealed', 'swept'))) STRICT;

CREATE TABLE forgotten (
    id    INTEGER NOT NULL PRIMARY KEY,
    swept INTEGER NOT NULL CHECK (swept IN (FALSE, TRUE))
) STRICT;

CREATE INDEX tables_kept ON tables (changed, id) WHERE state IN ('over', 'abandoned') AND NOT bare;

CREATE VIEW stray_moves AS
SELECT t.id AS table_id, t.state, (SELECT COUNT(*) FROM moves m WHERE m.table_id = t.id) AS moves
FROM tables t
WHERE t.bare AND (t.state NOT IN ('over', 'abandoned') OR EXISTS (SELECT 1 FROM moves m WHERE m.table_id = t.id));

CREATE INDEX tables_going ON tables (state, id) WHERE state IN ('lobby', 'playing');

CREATE INDEX seats_by_taker ON seats (taker) WHERE taker IS NOT NULL;

CREATE TABLE ways (
    owner  TEXT PRIMARY KEY NOT NULL,
    code   TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL
) STRICT;

CREATE TABLE fading (
    id      INTEGER NOT NULL PRIMARY KEY,
    chat    TEXT    NOT NULL,
    message TEXT    NOT NULL, -- the answer; '': only the command is deleted
    above   TEXT    NOT NULL, -- the picture above it; '': none
    command TEXT    NOT NULL, -- the command's message; '': it stays
    due     INTEGER NOT NULL CHECK (due > 0), -- when they are deleted, in Unix milliseconds
    tries   INTEGER NOT NULL CHECK (tries >= 0) -- number of failed attempts
) STRICT;

CREATE INDEX fading_due ON fading (due, id);

CREATE INDEX fading_message ON fading (message);

CREATE INDEX fading_command ON fading (command);

CREATE INDEX staged_tables ON tables (staged) WHERE staged > 0;

CREATE TABLE web_rooms (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    chat  TEXT NOT NULL,
    print TEXT NOT NULL UNIQUE,
    host  TEXT NOT NULL,
    made  INTEGER NOT NULL CHECK (made >= 0),
    used  INTEGER NOT NULL CHECK (used >= 0),
    seen  INTEGER NOT NULL CHECK (seen >= 0)
) STRICT;

CREATE INDEX web_rooms_chat ON web_rooms (chat);

CREATE INDEX web_rooms_used ON web_rooms (used, id);

CREATE INDEX web_rooms_host ON web_rooms (host) WHERE host <> '';

CREATE TABLE web_outs (
    room INTEGER NOT NULL REFERENCES web_rooms (id) ON DELETE CASCADE,
    who  TEXT NOT NULL,
    PRIMARY KEY (room, who)
) STRICT;

CREATE TABLE web_moves (
    id     INTEGER PRIMARY KEY,
    room   INTEGER NOT NULL REFERENCES web_rooms (id) ON DELETE CASCADE,
    print  TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL
) STRICT;

CREATE INDEX web_moves_room ON web_moves (room, id);

CREATE TABLE leases (
    name   TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    fence  INTEGER NOT NULL CHECK (fence >= 1),
    ends   INTEGER NOT NULL, -- Unix milliseconds by the clock of the database
    UNIQUE (name, fence) -- so that checking a fence locks it against changes
) STRICT;

CREATE TABLE web_said (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    chat    TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    at      INTEGER NOT NULL CHECK (at >= 0),
    said    TEXT NOT NULL
) STRICT;

CREATE INDEX web_said_chat ON web_said (chat, id);

CREATE INDEX web_said_age ON web_said (at);

CREATE INDEX puzzles_by_place ON puzzles (place, id);

CREATE TABLE tallies (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    counts   TEXT    NOT NULL, -- JSON object: sums by the game's own names
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;

CREATE TABLE menus (
    chat    TEXT    NOT NULL PRIMARY KEY,
    edition TEXT    NOT NULL, -- fingerprint of the registered commands; '': none
    games   TEXT    NOT NULL, -- listed commands of games, with commas; '?': unknown
    due     INTEGER NOT NULL CHECK (due >= 0), -- time of the next attempt, in Unix milliseconds; 0: none
    tries   INTEGER NOT NULL CHECK (tries >= 0), -- number of failed attempts
    fault   TEXT    NOT NULL, -- why the registration failed; '': it did not
    told    INTEGER NOT NULL CHECK (told IN (FALSE, TRUE)), -- an admin was informed of the failure
    made    INTEGER NOT NULL CHECK (made >= 0), -- number of commands added since the time below
    since   INTEGER NOT NULL CHECK (since >= 0) -- Unix milliseconds
) STRICT;

CREATE INDEX menus_due ON menus (due) WHERE due > 0;

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

CREATE TABLE "calls" (
    id       INTEGER NOT NULL PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    since    INTEGER NOT NULL CHECK (since >= 0), -- the table's turn that began the seat's turn
    due      INTEGER NOT NULL CHECK (due >= 0),   -- when it is sent or ends, in Unix milliseconds; 0: never
    again    INTEGER NOT NULL CHECK (again IN (FALSE, TRUE)), -- a second one: the turn takes too long
    sent     INTEGER NOT NULL CHECK (sent IN (FALSE, TRUE)),  -- or may have been sent
    message  TEXT    NOT NULL,
    over     INTEGER NOT NULL CHECK (over IN (FALSE, TRUE)),  -- its message must be deleted
    past     INTEGER NOT NULL CHECK (past IN (FALSE, TRUE)),  -- its turn has passed
    until    INTEGER NOT NULL DEFAULT 0 CHECK (until >= 0),
    CHECK (due = 0 OR NOT past AND (until > 0 OR NOT sent))
) STRICT;

CREATE UNIQUE INDEX calls_present ON calls (table_id, (until > 0)) WHERE NOT past;

CREATE INDEX calls_due ON calls (due, id) WHERE due > 0;

CREATE INDEX calls_over ON calls (id) WHERE over;

CREATE VIEW stray_calls AS
SELECT c.id, c.table_id, t.state FROM calls c JOIN tables t ON t.id = c.table_id
WHERE NOT c.past AND t.state <> 'playing';

CREATE INDEX tables_due ON tables ((CASE WHEN look > 0 AND look < due THEN look ELSE due END), id)
WHERE due > 0 AND NOT away;

INSERT INTO migrations (version_id, is_applied)
VALUES (0, TRUE), (1, TRUE), (2, TRUE), (3, TRUE), (4, TRUE), (5, TRUE), (6, TRUE), (7, TRUE), (8, TRUE),
    (9, TRUE), (10, TRUE), (11, TRUE), (12, TRUE), (14, TRUE), (15, TRUE), (16, TRUE), (17, TRUE),
    (18, TRUE), (19, TRUE), (20, TRUE), (22, TRUE), (23, TRUE), (24, TRUE), (25, TRUE), (27, TRUE),
    (28, TRUE), (29, TRUE), (31, TRUE), (32, TRUE), (33, TRUE), (34, TRUE), (36, TRUE), (38, TRUE),
    (41, TRUE), (42, TRUE), (43, TRUE), (44, TRUE), (45, TRUE), (46, TRUE), (47, TRUE), (48, TRUE),
    (49, TRUE), (50, TRUE), (51, TRUE), (54, TRUE), (55, TRUE), (60, TRUE), (61, TRUE),
    (62, TRUE);
