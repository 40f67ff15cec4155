BEGIN TRANSACTION;
CREATE TABLE accounts (
    id   INTEGER NOT NULL PRIMARY KEY,
    chat TEXT    NOT NULL REFERENCES chats (id),
    unit TEXT    NOT NULL,
    name TEXT    NOT NULL,
    UNIQUE (chat, unit, name)
) STRICT;
INSERT INTO "accounts" VALUES(1,'telegram:-1001','chips','pool:1');
INSERT INTO "accounts" VALUES(2,'telegram:-1001','chips','player:telegram:11');
INSERT INTO "accounts" VALUES(3,'telegram:-1001','chips','player:telegram:12');
INSERT INTO "accounts" VALUES(4,'telegram:-1001','chips','house:fewest');
INSERT INTO "accounts" VALUES(5,'discord:77','chips','pool:2');
INSERT INTO "accounts" VALUES(6,'discord:77','chips','player:discord:13');
INSERT INTO "accounts" VALUES(7,'discord:77','chips','house:fewest');
INSERT INTO "accounts" VALUES(8,'telegram:-1001','chips','pool:3');
INSERT INTO "accounts" VALUES(9,'telegram:-1001','chips','pool:4');
CREATE TABLE boxes (
    chat   TEXT    NOT NULL REFERENCES chats (id),
    unit   TEXT    NOT NULL,
    holder TEXT    NOT NULL,
    since  INTEGER NOT NULL,
    times  INTEGER NOT NULL,
    PRIMARY KEY (chat, unit)
) STRICT;
INSERT INTO "boxes" VALUES('telegram:-1001','chips','telegram:11',1795241359236,1);
INSERT INTO "boxes" VALUES('discord:77','chips','house:fewest',1795241359264,1);
CREATE TABLE chats (
    id       TEXT    NOT NULL PRIMARY KEY,
    language TEXT    NOT NULL DEFAULT '',
    unit     TEXT    NOT NULL DEFAULT '',
    away     INTEGER NOT NULL DEFAULT FALSE CHECK (away IN (FALSE, TRUE))
) STRICT;
INSERT INTO "chats" VALUES('telegram:-1001','','',0);
INSERT INTO "chats" VALUES('discord:77','','',0);
CREATE TABLE entries (
    posting_id INTEGER NOT NULL REFERENCES postings (id),
    line       INTEGER NOT NULL CHECK (line >= 0),
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    amount     INTEGER NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (posting_id, line)
) STRICT;
INSERT INTO "entries" VALUES(1,0,1,21);
INSERT INTO "entries" VALUES(1,1,2,-7);
INSERT INTO "entries" VALUES(1,2,3,-7);
INSERT INTO "entries" VALUES(1,3,4,-7);
INSERT INTO "entries" VALUES(2,0,1,-21);
INSERT INTO "entries" VALUES(2,1,2,21);
INSERT INTO "entries" VALUES(3,0,5,10);
INSERT INTO "entries" VALUES(3,1,6,-5);
INSERT INTO "entries" VALUES(3,2,7,-5);
INSERT INTO "entries" VALUES(4,0,5,-10);
INSERT INTO "entries" VALUES(4,1,7,10);
INSERT INTO "entries" VALUES(5,0,8,9);
INSERT INTO "entries" VALUES(5,1,2,-3);
INSERT INTO "entries" VALUES(5,2,3,-3);
INSERT INTO "entries" VALUES(5,3,4,-3);
INSERT INTO "entries" VALUES(6,0,8,-9);
INSERT INTO "entries" VALUES(6,1,2,3);
INSERT INTO "entries" VALUES(6,2,3,3);
INSERT INTO "entries" VALUES(6,3,4,3);
INSERT INTO "entries" VALUES(7,0,9,12);
INSERT INTO "entries" VALUES(7,1,2,-4);
INSERT INTO "entries" VALUES(7,2,3,-4);
INSERT INTO "entries" VALUES(7,3,4,-4);
CREATE TABLE migrations (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO "migrations" VALUES(1,0,1,'2026-11-21 06:09:19');
INSERT INTO "migrations" VALUES(2,1,1,'2026-11-21 06:09:19');
INSERT INTO "migrations" VALUES(3,2,1,'2026-11-21 06:09:19');
INSERT INTO "migrations" VALUES(4,3,1,'2026-11-21 06:09:19');
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
INSERT INTO "moves" VALUES(1,1,0,'throw 2','[5,2]',0,1795241359214);
INSERT INTO "moves" VALUES(1,2,0,'shut 7','null',0,1795241359215);
INSERT INTO "moves" VALUES(1,3,0,'throw 2','[4,5]',0,1795241359216);
INSERT INTO "moves" VALUES(1,4,0,'shut 9','null',0,1795241359217);
INSERT INTO "moves" VALUES(1,5,0,'throw 2','[2,1]',0,1795241359218);
INSERT INTO "moves" VALUES(1,6,0,'shut 3','null',0,1795241359219);
INSERT INTO "moves" VALUES(1,7,0,'throw 2','[3,4]',0,1795241359220);
INSERT INTO "moves" VALUES(1,8,0,'shut 6+1','null',0,1795241359221);
INSERT INTO "moves" VALUES(1,9,0,'throw 2','[3,1]',0,1795241359223);
INSERT INTO "moves" VALUES(1,10,0,'shut 4','null',0,1795241359224);
INSERT INTO "moves" VALUES(1,11,0,'throw 2','[1,2]',0,1795241359226);
INSERT INTO "moves" VALUES(1,12,1,'throw 2','[1,3]',0,1795241359229);
INSERT INTO "moves" VALUES(1,13,1,'shut 4','null',0,1795241359229);
INSERT INTO "moves" VALUES(1,14,1,'throw 2','[6,4]',0,1795241359230);
INSERT INTO "moves" VALUES(1,15,1,'shut 9+1','null',0,1795241359231);
INSERT INTO "moves" VALUES(1,16,1,'throw 2','[4,6]',0,1795241359232);
INSERT INTO "moves" VALUES(1,17,1,'shut 8+2','null',0,1795241359233);
INSERT INTO "moves" VALUES(1,18,1,'throw 2','[1,2]',0,1795241359234);
INSERT INTO "moves" VALUES(1,19,1,'shut 3','null',0,1795241359235);
INSERT INTO "moves" VALUES(1,20,1,'throw 2','[2,6]',0,1795241359236);
INSERT INTO "moves" VALUES(1,21,2,'throw 2','[2,2]',0,1795241359236);
INSERT INTO "moves" VALUES(1,22,2,'shut 4','null',0,1795241359236);
INSERT INTO "moves" VALUES(1,23,2,'throw 2','[1,2]',0,1795241359236);
INSERT INTO "moves" VALUES(1,24,2,'shut 3','null',0,1795241359236);
INSERT INTO "moves" VALUES(1,25,2,'throw 2','[1,5]',0,1795241359236);
INSERT INTO "moves" VALUES(1,26,2,'shut 6','null',0,1795241359236);
INSERT INTO "moves" VALUES(1,27,2,'throw 2','[5,3]',0,1795241359236);
INSERT INTO "moves" VALUES(1,28,2,'shut 8','null',0,1795241359236);
INSERT INTO "moves" VALUES(1,29,2,'throw 2','[3,1]',0,1795241359236);
INSERT INTO "moves" VALUES(2,1,0,'throw 2','[6,1]',0,1795241359240);
INSERT INTO "moves" VALUES(2,2,0,'shut 4+3','null',0,1795241359242);
INSERT INTO "moves" VALUES(2,3,0,'throw 2','[3,6]',0,1795241359243);
INSERT INTO "moves" VALUES(2,4,1,'throw 2','[6,1]',0,1795241359243);
INSERT INTO "moves" VALUES(2,5,1,'shut 4+3','null',0,1795241359243);
INSERT INTO "moves" VALUES(2,6,1,'throw 2','[6,6]',0,1795241359243);
INSERT INTO "moves" VALUES(2,7,0,'throw 2','[2,5]',0,1795241359244);
INSERT INTO "moves" VALUES(2,8,0,'shut 4+3','null',0,1795241359245);
INSERT INTO "moves" VALUES(2,9,0,'throw 2','[1,6]',0,1795241359246);
INSERT INTO "moves" VALUES(2,10,1,'throw 2','[6,5]',0,1795241359246);
INSERT INTO "moves" VALUES(2,11,0,'throw 2','[5,6]',0,1795241359247);
INSERT INTO "moves" VALUES(2,12,1,'throw 2','[4,5]',0,1795241359247);
INSERT INTO "moves" VALUES(2,13,1,'shut 4+3+2','null',0,1795241359247);
INSERT INTO "moves" VALUES(2,14,1,'declare','null',0,1795241359247);
INSERT INTO "moves" VALUES(2,15,0,'throw 2','[6,5]',0,1795241359249);
INSERT INTO "moves" VALUES(2,16,1,'throw 2','[1,2]',0,1795241359249);
INSERT INTO "moves" VALUES(2,17,1,'shut 3','null',0,1795241359249);
INSERT INTO "moves" VALUES(2,18,1,'declare','null',0,1795241359249);
INSERT INTO "moves" VALUES(2,19,0,'throw 2','[6,2]',0,1795241359250);
INSERT INTO "moves" VALUES(2,20,0,'shut 4+3+1','null',0,1795241359251);
INSERT INTO "moves" VALUES(2,21,0,'throw 2','[4,6]',0,1795241359252);
INSERT INTO "moves" VALUES(2,22,1,'throw 2','[4,1]',0,1795241359252);
INSERT INTO "moves" VALUES(2,23,1,'shut 4+1','null',0,1795241359252);
INSERT INTO "moves" VALUES(2,24,1,'throw 2','[4,3]',0,1795241359252);
INSERT INTO "moves" VALUES(2,25,0,'throw 2','[1,5]',0,1795241359253);
INSERT INTO "moves" VALUES(2,26,0,'shut 4+2','null',0,1795241359254);
INSERT INTO "moves" VALUES(2,27,0,'throw 2','[2,4]',0,1795241359256);
INSERT INTO "moves" VALUES(2,28,1,'throw 2','[5,5]',0,1795241359256);
INSERT INTO "moves" VALUES(2,29,1,'shut 4+3+2+1','null',0,1795241359256);
INSERT INTO "moves" VALUES(2,30,0,'throw 2','[3,5]',0,1795241359257);
INSERT INTO "moves" VALUES(2,31,0,'shut 4+3+1','null',0,1795241359258);
INSERT INTO "moves" VALUES(2,32,0,'throw 2','[4,1]',0,1795241359259);
INSERT INTO "moves" VALUES(2,33,1,'throw 2','[3,4]',0,1795241359259);
INSERT INTO "moves" VALUES(2,34,1,'shut 4+3','null',0,1795241359259);
INSERT INTO "moves" VALUES(2,35,1,'throw 2','[6,2]',0,1795241359259);
INSERT INTO "moves" VALUES(2,36,0,'throw 2','[5,3]',0,1795241359260);
INSERT INTO "moves" VALUES(2,37,0,'shut 4+3+1','null',0,1795241359261);
INSERT INTO "moves" VALUES(2,38,0,'throw 2','[4,1]',0,1795241359263);
INSERT INTO "moves" VALUES(2,39,1,'throw 2','[1,4]',0,1795241359263);
INSERT INTO "moves" VALUES(2,40,1,'shut 4+1','null',0,1795241359263);
INSERT INTO "moves" VALUES(2,41,1,'throw 2','[1,2]',0,1795241359263);
INSERT INTO "moves" VALUES(2,42,1,'shut 3','null',0,1795241359263);
INSERT INTO "moves" VALUES(2,43,1,'throw 2','[4,4]',0,1795241359263);
INSERT INTO "moves" VALUES(2,44,0,'throw 2','[5,6]',0,1795241359264);
INSERT INTO "moves" VALUES(2,45,1,'throw 2','[5,3]',0,1795241359264);
INSERT INTO "moves" VALUES(2,46,1,'shut 4+3+1','null',0,1795241359264);
INSERT INTO "moves" VALUES(2,47,1,'declare','null',0,1795241359264);
INSERT INTO "moves" VALUES(3,1,0,'throw 2','[5,5]',0,1795241359268);
INSERT INTO "moves" VALUES(3,2,0,'shut 9+1','null',0,1795241359269);
INSERT INTO "moves" VALUES(4,1,0,'throw 2','[6,6]',0,1795241359274);
CREATE TABLE players (
    id       TEXT NOT NULL PRIMARY KEY,
    name     TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO "players" VALUES('telegram:11','Anna <b>&amp;','');
INSERT INTO "players" VALUES('telegram:12','Ben @everyone','');
INSERT INTO "players" VALUES('discord:13','Cléo 🎲','');
CREATE TABLE postings (
    id       INTEGER NOT NULL PRIMARY KEY,
    chat     TEXT    NOT NULL REFERENCES chats (id),
    unit     TEXT    NOT NULL,
    table_id INTEGER REFERENCES tables (id),
    kind     TEXT    NOT NULL,
    at       INTEGER NOT NULL
) STRICT;
INSERT INTO "postings" VALUES(1,'telegram:-1001','chips',1,'stakes',1795241359211);
INSERT INTO "postings" VALUES(2,'telegram:-1001','chips',1,'payout',1795241359236);
INSERT INTO "postings" VALUES(3,'discord:77','chips',2,'stakes',1795241359238);
INSERT INTO "postings" VALUES(4,'discord:77','chips',2,'payout',1795241359264);
INSERT INTO "postings" VALUES(5,'telegram:-1001','chips',3,'stakes',1795241359267);
INSERT INTO "postings" VALUES(6,'telegram:-1001','chips',3,'refund',1795241359271);
INSERT INTO "postings" VALUES(7,'telegram:-1001','chips',4,'stakes',1795241359273);
CREATE TABLE results (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    score    INTEGER NOT NULL,
    threw    INTEGER NOT NULL CHECK (threw IN (FALSE, TRUE)),
    place    INTEGER NOT NULL CHECK (place >= 1),
    pool     INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;
INSERT INTO "results" VALUES(1,0,15,1,1,14);
INSERT INTO "results" VALUES(1,1,18,1,2,-7);
INSERT INTO "results" VALUES(1,2,24,1,3,-7);
INSERT INTO "results" VALUES(2,0,46,1,2,-5);
INSERT INTO "results" VALUES(2,1,33,1,1,5);
CREATE TABLE seats (
    table_id  INTEGER NOT NULL REFERENCES tables (id),
    seat      INTEGER NOT NULL CHECK (seat >= 0),
    player    TEXT    REFERENCES players (id), -- NULL: the house plays
    name      TEXT    NOT NULL,
    house     TEXT    NOT NULL,
    entropy   TEXT    NOT NULL,
    confirmed INTEGER NOT NULL CHECK (confirmed IN (FALSE, TRUE)),
    PRIMARY KEY (table_id, seat),
    CHECK ((player IS NULL) <> (house = ''))
) STRICT;
INSERT INTO "seats" VALUES(1,0,'telegram:11','Anna <b>&amp;','','957c5d88c97d0863cd9b98ff3ce4f281',1);
INSERT INTO "seats" VALUES(1,1,'telegram:12','Ben @everyone','','7732144d15c08ca041277d1104f2825d',1);
INSERT INTO "seats" VALUES(1,2,NULL,'house fewest','fewest','house',1);
INSERT INTO "seats" VALUES(2,0,'discord:13','Cléo 🎲','','330ce9becc80eb959728b36cb17501bc',1);
INSERT INTO "seats" VALUES(2,1,NULL,'house fewest','fewest','house',1);
INSERT INTO "seats" VALUES(3,0,'telegram:11','Anna <b>&amp;','','6a794350b3d91082ff51a8dc9a7fc3d3',1);
INSERT INTO "seats" VALUES(3,1,'telegram:12','Ben @everyone','','a6ed1af1cf103236f8689c01cd9210d0',1);
INSERT INTO "seats" VALUES(3,2,NULL,'house fewest','fewest','house',1);
INSERT INTO "seats" VALUES(4,0,'telegram:11','Anna <b>&amp;','','07886949cd178c2597ca2fa8258a3343',1);
INSERT INTO "seats" VALUES(4,1,'telegram:12','Ben @everyone','','a269c364335c1ce8b3f724858c878fc2',1);
INSERT INTO "seats" VALUES(4,2,NULL,'house fewest','fewest','house',1);
CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
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
    behind     INTEGER NOT NULL, -- the first change that the board does not show
    changed    INTEGER NOT NULL,
    posted     INTEGER NOT NULL,
    opened     INTEGER NOT NULL,
    CHECK (drawn <= version)
) STRICT;
INSERT INTO "tables" VALUES(1,'telegram:-1001','telegram:-1001','shutbox','{}',7,'chips','telegram:11','over','','','f86d4dcc16412e9ced7bdfb0816bebbdd2136f85c1c6a403eae4d36c78bd3933',X'5B7ABDF9A7367671DC375DEC96C7F5F7F4E45D3B8704E378C259D3295C5D7FDD',32,X'7B227365617473223A332C22726F756E64223A312C22746F74616C73223A5B31352C31382C32345D2C22706C61636573223A5B312C322C335D2C226F766572223A747275652C227475726E223A2D312C226F70656E223A22392B372B352B322B31222C227468726F7773223A352C226661636573223A5B332C315D2C226E657773223A7B2277686174223A22737475636B222C2273656174223A322C2273636F7265223A32347D7D',29,0,0,NULL,24,24,'telegram:-1001/1',0,1795241359236,1795241359236,1795241359213,1795241359206);
INSERT INTO "tables" VALUES(2,'discord:77','discord:77/1','shutbox','{"match":"rounds:9","shut":"scores-zero","tiles":"4"}',5,'chips','discord:13','over','','','a8721c7d5950c916d3216514b861c4d49e782fe1c2f35a3c5a2f588670505536',X'B1E4A0F01F88A19D3954566EDEF0BEA709DB11B9395F6BD0AD41599FFB0C175F',58,X'7B227365617473223A322C22726F756E64223A392C22746F74616C73223A5B34362C33335D2C22706C61636573223A5B322C315D2C226F766572223A747275652C227475726E223A2D312C226F70656E223A2232222C227468726F7773223A312C226E657773223A7B2277686174223A226465636C61726564222C2273656174223A312C2273636F7265223A327D7D',47,0,0,NULL,24,24,'discord:77/1/1',0,1795241359264,1795241359264,1795241359239,1795241359237);
INSERT INTO "tables" VALUES(3,'telegram:-1001','telegram:-1001','shutbox','{}',3,'chips','telegram:12','abandoned','','','095006a1b615acfbded546cde5919e9fedb26a685395101b36799528e451061a',X'BB515443E0664B876588BF4A74B4824AB9CF2B8DEF7490A85050E2D21406C86F',2,X'7B227365617473223A332C22726F756E64223A312C22706C6179696E67223A5B302C312C325D2C22746F74616C73223A5B302C302C305D2C2273636F726573223A5B2D312C2D312C2D315D2C227475726E223A302C226F70656E223A22382B372B362B352B342B332B32222C227468726F7773223A312C226E657773223A7B2277686174223A22636C6F736564222C2274696C6573223A22392B31227D7D',2,0,0,NULL,8,7,'telegram:-1001/1',0,1795241359271,1795241359271,1795241359268,1795241359265);
INSERT INTO "tables" VALUES(4,'telegram:-1001','telegram:-1001','shutbox','{"tiles":"12"}',4,'chips','telegram:11','playing','','','c116a3523d8a09dec34dad267d1dfb81c59df24ee06f0b5ffde869e520a6eb7d',X'4954C3D2B2C01762D11BF263AC1A531E72BAC0603D19C5FFAB035EB730F177E5',2,X'7B227365617473223A332C22726F756E64223A312C22706C6179696E67223A5B302C312C325D2C22746F74616C73223A5B302C302C305D2C2273636F726573223A5B2D312C2D312C2D315D2C227475726E223A302C226F70656E223A2231322B31312B31302B392B382B372B362B352B342B332B322B31222C227468726F7773223A312C226661636573223A5B362C365D2C2263686F6F7365223A747275652C226E657773223A7B7D7D',1,0,0,NULL,5,4,'telegram:-1001/1',0,1795241359274,1795241359274,1795241359274,1795241359271);
CREATE TABLE updates (
    id TEXT    NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX updates_by_age ON updates (at);
CREATE UNIQUE INDEX tables_active ON tables (place) WHERE state IN ('lobby', 'playing');
CREATE INDEX tables_by_place ON tables (place, id);
CREATE INDEX tables_by_chat ON tables (chat, state, id);
CREATE INDEX tables_lagging ON tables (behind, id, place) WHERE drawn < version AND NOT away;
CREATE INDEX seats_by_player ON seats (player, table_id) WHERE player IS NOT NULL;
CREATE UNIQUE INDEX postings_by_table ON postings (table_id, kind);
CREATE UNIQUE INDEX postings_end ON postings (table_id) WHERE kind IN ('payout', 'refund');
CREATE INDEX postings_by_chat ON postings (chat, unit);
CREATE INDEX entries_by_account ON entries (account_id, amount);
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

INSERT INTO "sqlite_sequence" VALUES('migrations',4);
COMMIT;
