-- +goose Up

-- The books, in double entry: a posting moves amounts between accounts of one
-- chat and unit and adds up to zero. A balance is the sum of its entries.
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
) STRICT;

-- A table collects its stakes once, and either pays them out once or refunds them once.
CREATE UNIQUE INDEX postings_by_table ON postings (table_id, kind);

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

-- The holder of the box. Its content is the balance of the account "box".
CREATE TABLE boxes (
    chat   TEXT    NOT NULL REFERENCES chats (id),
    unit   TEXT    NOT NULL,
    holder TEXT    NOT NULL,
    since  INTEGER NOT NULL,
    times  INTEGER NOT NULL,
    PRIMARY KEY (chat, unit)
) STRICT;

-- The following views are checked at the end of a transaction, and by a check
-- of the whole database. Views named after a fault are empty.

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

-- Entries whose accounts belong to other books than their posting.
CREATE VIEW stray_entries AS
SELECT e.posting_id, e.line, a.chat, a.unit, a.name
FROM entries e
JOIN postings p ON p.id = e.posting_id
JOIN accounts a ON a.id = e.account_id
WHERE a.chat <> p.chat OR a.unit <> p.unit;

-- Each finished table, and no other, has results: one row per seat.
CREATE VIEW missing_results AS
SELECT t.id AS table_id, t.state,
    (SELECT COUNT(*) FROM seats s WHERE s.table_id = t.id) AS seats,
    (SELECT COUNT(*) FROM results r WHERE r.table_id = t.id) AS results
FROM tables t
WHERE (SELECT COUNT(*) FROM results r WHERE r.table_id = t.id)
    <> CASE WHEN t.state = 'over' THEN (SELECT COUNT(*) FROM seats s WHERE s.table_id = t.id) ELSE 0 END
    OR (t.state = 'over' AND NOT EXISTS (SELECT 1 FROM results r WHERE r.table_id = t.id));

-- The postings of an ended table match its result: those of a player add up to
-- the amounts of the seats, those of the box to what it took minus what it
-- gave, and those of the pool to 0. An abandoned table changes no balance. The
-- view has both sides, one of them negated.
CREATE VIEW ended_accounts AS
SELECT p.table_id, a.name AS account, e.amount
FROM postings p
JOIN tables t ON t.id = p.table_id
JOIN entries e ON e.posting_id = p.id
JOIN accounts a ON a.id = e.account_id
WHERE t.state IN ('over', 'abandoned')
UNION ALL
SELECT r.table_id, CASE WHEN s.player IS NULL THEN 'house:' || s.house ELSE 'player:' || s.player END, -r.pool
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
