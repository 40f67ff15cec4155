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
INSERT INTO "accounts" VALUES(10,'discord:77','chips','pool:5');
INSERT INTO "accounts" VALUES(11,'discord:77','chips','player:telegram:12');
INSERT INTO "accounts" VALUES(12,'discord:77','chips','pool:6');
INSERT INTO "accounts" VALUES(13,'discord:77','chips','player:telegram:11');
INSERT INTO "accounts" VALUES(14,'discord:77','chips','pool:7');
INSERT INTO "accounts" VALUES(15,'discord:77','coffees','player:telegram:11');
INSERT INTO "accounts" VALUES(16,'discord:77','coffees','player:telegram:12');
INSERT INTO "accounts" VALUES(17,'discord:77','coffees','player:discord:13');
CREATE TABLE boxes (
    chat   TEXT    NOT NULL REFERENCES chats (id),
    unit   TEXT    NOT NULL,
    holder TEXT    NOT NULL,
    since  INTEGER NOT NULL,
    times  INTEGER NOT NULL,
    PRIMARY KEY (chat, unit)
) STRICT;
INSERT INTO "boxes" VALUES('telegram:-1001','chips','telegram:11',1795248268976,1);
INSERT INTO "boxes" VALUES('discord:77','chips','discord:13',1795248269360,1);
CREATE TABLE chats (
    id       TEXT    NOT NULL PRIMARY KEY,
    language TEXT    NOT NULL DEFAULT '',
    unit     TEXT    NOT NULL DEFAULT '',
    away     INTEGER NOT NULL DEFAULT FALSE CHECK (away IN (FALSE, TRUE))
) STRICT;
INSERT INTO "chats" VALUES('telegram:-1001','','',0);
INSERT INTO "chats" VALUES('discord:77','','coffees',0);
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
INSERT INTO "entries" VALUES(4,1,6,10);
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
INSERT INTO "entries" VALUES(8,0,10,20);
INSERT INTO "entries" VALUES(8,1,6,-10);
INSERT INTO "entries" VALUES(8,2,11,-10);
INSERT INTO "entries" VALUES(9,0,10,-20);
INSERT INTO "entries" VALUES(9,1,11,20);
INSERT INTO "entries" VALUES(10,0,12,30);
INSERT INTO "entries" VALUES(10,1,11,-10);
INSERT INTO "entries" VALUES(10,2,6,-10);
INSERT INTO "entries" VALUES(10,3,13,-10);
INSERT INTO "entries" VALUES(11,0,12,-30);
INSERT INTO "entries" VALUES(11,1,11,30);
INSERT INTO "entries" VALUES(12,0,14,20);
INSERT INTO "entries" VALUES(12,1,11,-10);
INSERT INTO "entries" VALUES(12,2,6,-10);
INSERT INTO "entries" VALUES(13,0,14,-20);
INSERT INTO "entries" VALUES(13,1,6,20);
INSERT INTO "entries" VALUES(14,0,15,28);
INSERT INTO "entries" VALUES(14,1,16,-24);
INSERT INTO "entries" VALUES(14,2,17,-4);
INSERT INTO "entries" VALUES(15,0,11,3);
INSERT INTO "entries" VALUES(15,1,6,-3);
CREATE TABLE migrations (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO "migrations" VALUES(1,0,1,'2026-11-21 08:04:28');
INSERT INTO "migrations" VALUES(2,1,1,'2026-11-21 08:04:28');
INSERT INTO "migrations" VALUES(3,2,1,'2026-11-21 08:04:28');
INSERT INTO "migrations" VALUES(4,3,1,'2026-11-21 08:04:28');
INSERT INTO "migrations" VALUES(5,4,1,'2026-11-21 08:04:28');
INSERT INTO "migrations" VALUES(6,5,1,'2026-11-21 08:04:28');
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
INSERT INTO "moves" VALUES(1,1,0,'throw 2','[2,1]',0,1795248268932);
INSERT INTO "moves" VALUES(1,2,0,'shut 3','null',0,1795248268933);
INSERT INTO "moves" VALUES(1,3,0,'throw 2','[3,5]',0,1795248268935);
INSERT INTO "moves" VALUES(1,4,0,'shut 8','null',0,1795248268940);
INSERT INTO "moves" VALUES(1,5,0,'throw 2','[5,6]',0,1795248268944);
INSERT INTO "moves" VALUES(1,6,0,'shut 9+2','null',0,1795248268949);
INSERT INTO "moves" VALUES(1,7,0,'throw 2','[6,3]',0,1795248268951);
INSERT INTO "moves" VALUES(1,8,0,'shut 5+4','null',0,1795248268954);
INSERT INTO "moves" VALUES(1,9,0,'throw 2','[4,2]',0,1795248268956);
INSERT INTO "moves" VALUES(1,10,0,'shut 6','null',0,1795248268960);
INSERT INTO "moves" VALUES(1,11,0,'throw 2','[4,4]',0,1795248268967);
INSERT INTO "moves" VALUES(1,12,0,'shut 7+1','null',0,1795248268976);
INSERT INTO "moves" VALUES(2,1,0,'throw 2','[1,2]',0,1795248268995);
INSERT INTO "moves" VALUES(2,2,0,'shut 3','null',0,1795248268997);
INSERT INTO "moves" VALUES(2,3,0,'throw 2','[2,2]',0,1795248268999);
INSERT INTO "moves" VALUES(2,4,0,'shut 4','null',0,1795248269000);
INSERT INTO "moves" VALUES(2,5,0,'throw 2','[1,5]',0,1795248269001);
INSERT INTO "moves" VALUES(2,6,1,'throw 2','[4,1]',0,1795248269001);
INSERT INTO "moves" VALUES(2,7,1,'shut 4+1','null',0,1795248269001);
INSERT INTO "moves" VALUES(2,8,1,'throw 2','[1,3]',0,1795248269001);
INSERT INTO "moves" VALUES(2,9,0,'throw 2','[6,2]',0,1795248269002);
INSERT INTO "moves" VALUES(2,10,0,'shut 4+3+1','null',0,1795248269003);
INSERT INTO "moves" VALUES(2,11,0,'throw 2','[1,1]',0,1795248269012);
INSERT INTO "moves" VALUES(2,12,0,'shut 2','null',0,1795248269020);
INSERT INTO "moves" VALUES(2,13,1,'throw 2','[5,6]',0,1795248269020);
INSERT INTO "moves" VALUES(2,14,0,'throw 2','[6,5]',0,1795248269032);
INSERT INTO "moves" VALUES(2,15,1,'throw 2','[2,5]',0,1795248269032);
INSERT INTO "moves" VALUES(2,16,1,'shut 4+3','null',0,1795248269032);
INSERT INTO "moves" VALUES(2,17,1,'declare','null',0,1795248269032);
INSERT INTO "moves" VALUES(2,18,0,'throw 2','[1,3]',0,1795248269041);
INSERT INTO "moves" VALUES(2,19,0,'shut 4','null',0,1795248269042);
INSERT INTO "moves" VALUES(2,20,0,'throw 2','[1,4]',0,1795248269044);
INSERT INTO "moves" VALUES(2,21,0,'shut 3+2','null',0,1795248269045);
INSERT INTO "moves" VALUES(2,22,0,'throw 2','[1,1]',0,1795248269046);
INSERT INTO "moves" VALUES(2,23,1,'throw 2','[3,6]',0,1795248269046);
INSERT INTO "moves" VALUES(2,24,1,'shut 4+3+2','null',0,1795248269046);
INSERT INTO "moves" VALUES(2,25,1,'throw 2','[6,4]',0,1795248269046);
INSERT INTO "moves" VALUES(2,26,0,'throw 2','[6,4]',0,1795248269047);
INSERT INTO "moves" VALUES(2,27,0,'shut 4+3+2+1','null',0,1795248269048);
INSERT INTO "moves" VALUES(2,28,1,'throw 2','[2,4]',0,1795248269048);
INSERT INTO "moves" VALUES(2,29,1,'shut 4+2','null',0,1795248269048);
INSERT INTO "moves" VALUES(2,30,1,'throw 2','[1,6]',0,1795248269048);
INSERT INTO "moves" VALUES(2,31,0,'throw 2','[3,2]',0,1795248269050);
INSERT INTO "moves" VALUES(2,32,0,'shut 4+1','null',0,1795248269051);
INSERT INTO "moves" VALUES(2,33,0,'throw 2','[5,2]',0,1795248269052);
INSERT INTO "moves" VALUES(2,34,1,'throw 2','[5,6]',0,1795248269052);
INSERT INTO "moves" VALUES(2,35,0,'throw 2','[4,5]',0,1795248269053);
INSERT INTO "moves" VALUES(2,36,0,'shut 4+3+2','null',0,1795248269054);
INSERT INTO "moves" VALUES(2,37,0,'throw 2','[2,2]',0,1795248269060);
INSERT INTO "moves" VALUES(2,38,1,'throw 2','[2,2]',0,1795248269060);
INSERT INTO "moves" VALUES(2,39,1,'shut 4','null',0,1795248269060);
INSERT INTO "moves" VALUES(2,40,1,'throw 2','[2,5]',0,1795248269060);
INSERT INTO "moves" VALUES(2,41,0,'throw 2','[5,6]',0,1795248269061);
INSERT INTO "moves" VALUES(2,42,1,'throw 2','[6,4]',0,1795248269061);
INSERT INTO "moves" VALUES(2,43,1,'shut 4+3+2+1','null',0,1795248269061);
INSERT INTO "moves" VALUES(2,44,0,'throw 2','[6,5]',0,1795248269062);
INSERT INTO "moves" VALUES(2,45,1,'throw 2','[3,4]',0,1795248269062);
INSERT INTO "moves" VALUES(2,46,1,'shut 4+3','null',0,1795248269062);
INSERT INTO "moves" VALUES(2,47,1,'declare','null',0,1795248269062);
INSERT INTO "moves" VALUES(3,1,0,'throw 2','[6,2]',0,1795248269068);
INSERT INTO "moves" VALUES(3,2,0,'shut 8','null',0,1795248269070);
INSERT INTO "moves" VALUES(4,1,0,'throw 2','[5,4]',0,1795248269077);
INSERT INTO "moves" VALUES(5,1,0,'throw 2','[2,2]',0,1795248269117);
INSERT INTO "moves" VALUES(5,2,1,'throw 2','[5,5]',0,1795248269119);
INSERT INTO "moves" VALUES(5,3,1,'throw 2','[5,6]',0,1795248269120);
INSERT INTO "moves" VALUES(5,4,1,'cover 9+2','null',0,1795248269121);
INSERT INTO "moves" VALUES(5,5,1,'throw 2','[4,5]',0,1795248269122);
INSERT INTO "moves" VALUES(5,6,1,'cover 8+1','null',0,1795248269124);
INSERT INTO "moves" VALUES(5,7,1,'throw 2','[5,3]',0,1795248269128);
INSERT INTO "moves" VALUES(5,8,1,'cover 5+3','null',0,1795248269129);
INSERT INTO "moves" VALUES(5,9,1,'throw 2','[1,4]',0,1795248269130);
INSERT INTO "moves" VALUES(5,10,0,'throw 2','[1,3]',0,1795248269136);
INSERT INTO "moves" VALUES(5,11,0,'cover 4','null',0,1795248269137);
INSERT INTO "moves" VALUES(5,12,0,'throw 2','[3,6]',0,1795248269138);
INSERT INTO "moves" VALUES(5,13,0,'cover 9','null',0,1795248269140);
INSERT INTO "moves" VALUES(5,14,0,'throw 2','[6,3]',0,1795248269150);
INSERT INTO "moves" VALUES(5,15,0,'cover 8+1','null',0,1795248269160);
INSERT INTO "moves" VALUES(5,16,0,'throw 2','[1,3]',0,1795248269162);
INSERT INTO "moves" VALUES(5,17,0,'uncover 3+1','null',0,1795248269169);
INSERT INTO "moves" VALUES(5,18,0,'throw 2','[6,4]',0,1795248269172);
INSERT INTO "moves" VALUES(5,19,0,'cover 7+3','null',0,1795248269174);
INSERT INTO "moves" VALUES(5,20,0,'throw 2','[6,2]',0,1795248269175);
INSERT INTO "moves" VALUES(5,21,0,'cover 6+2','null',0,1795248269177);
INSERT INTO "moves" VALUES(5,22,0,'throw 2','[6,3]',0,1795248269178);
INSERT INTO "moves" VALUES(5,23,0,'uncover 9','null',0,1795248269179);
INSERT INTO "moves" VALUES(5,24,0,'throw 2','[5,3]',0,1795248269184);
INSERT INTO "moves" VALUES(5,25,0,'uncover 8','null',0,1795248269187);
INSERT INTO "moves" VALUES(5,26,0,'throw 2','[6,2]',0,1795248269188);
INSERT INTO "moves" VALUES(5,27,1,'throw 2','[3,3]',0,1795248269190);
INSERT INTO "moves" VALUES(5,28,1,'cover 6','null',0,1795248269191);
INSERT INTO "moves" VALUES(5,29,1,'throw 2','[4,4]',0,1795248269192);
INSERT INTO "moves" VALUES(5,30,1,'cover 8','null',0,1795248269193);
INSERT INTO "moves" VALUES(5,31,1,'throw 2','[2,3]',0,1795248269194);
INSERT INTO "moves" VALUES(5,32,1,'cover 4+1','null',0,1795248269195);
INSERT INTO "moves" VALUES(5,33,1,'throw 2','[1,6]',0,1795248269202);
INSERT INTO "moves" VALUES(5,34,1,'cover 7','null',0,1795248269204);
INSERT INTO "moves" VALUES(5,35,1,'throw 2','[3,5]',0,1795248269205);
INSERT INTO "moves" VALUES(5,36,1,'uncover 8','null',0,1795248269207);
INSERT INTO "moves" VALUES(5,37,1,'throw 2','[4,2]',0,1795248269208);
INSERT INTO "moves" VALUES(5,38,1,'uncover 6','null',0,1795248269209);
INSERT INTO "moves" VALUES(5,39,1,'throw 2','[4,4]',0,1795248269210);
INSERT INTO "moves" VALUES(5,40,1,'uncover 7+1','null',0,1795248269211);
INSERT INTO "moves" VALUES(5,41,1,'throw 2','[6,4]',0,1795248269212);
INSERT INTO "moves" VALUES(5,42,0,'throw 2','[5,3]',0,1795248269213);
INSERT INTO "moves" VALUES(5,43,0,'cover 8','null',0,1795248269214);
INSERT INTO "moves" VALUES(5,44,0,'throw 2','[3,6]',0,1795248269216);
INSERT INTO "moves" VALUES(5,45,0,'uncover 8+1','null',0,1795248269218);
INSERT INTO "moves" VALUES(5,46,0,'throw 2','[3,6]',0,1795248269219);
INSERT INTO "moves" VALUES(5,47,0,'uncover 7+2','null',0,1795248269220);
INSERT INTO "moves" VALUES(5,48,0,'throw 2','[3,2]',0,1795248269221);
INSERT INTO "moves" VALUES(5,49,0,'cover 5','null',0,1795248269222);
INSERT INTO "moves" VALUES(5,50,0,'throw 2','[3,3]',0,1795248269224);
INSERT INTO "moves" VALUES(5,51,0,'cover 6','null',0,1795248269225);
INSERT INTO "moves" VALUES(5,52,0,'throw 2','[1,2]',0,1795248269226);
INSERT INTO "moves" VALUES(5,53,1,'throw 2','[5,6]',0,1795248269227);
INSERT INTO "moves" VALUES(5,54,1,'cover 9+2','null',0,1795248269228);
INSERT INTO "moves" VALUES(5,55,1,'throw 2','[3,4]',0,1795248269229);
INSERT INTO "moves" VALUES(5,56,1,'cover 7','null',0,1795248269230);
INSERT INTO "moves" VALUES(5,57,1,'throw 2','[4,3]',0,1795248269235);
INSERT INTO "moves" VALUES(5,58,1,'uncover 5+2','null',0,1795248269236);
INSERT INTO "moves" VALUES(5,59,1,'throw 2','[6,2]',0,1795248269240);
INSERT INTO "moves" VALUES(5,60,1,'cover 8','null',0,1795248269241);
INSERT INTO "moves" VALUES(5,61,1,'throw 2','[4,5]',0,1795248269242);
INSERT INTO "moves" VALUES(5,62,1,'uncover 9','null',0,1795248269243);
INSERT INTO "moves" VALUES(5,63,1,'throw 2','[1,5]',0,1795248269244);
INSERT INTO "moves" VALUES(5,64,1,'uncover 6','null',0,1795248269248);
INSERT INTO "moves" VALUES(5,65,1,'throw 2','[6,1]',0,1795248269249);
INSERT INTO "moves" VALUES(5,66,1,'uncover 4+3','null',0,1795248269251);
INSERT INTO "moves" VALUES(5,67,1,'throw 2','[2,6]',0,1795248269252);
INSERT INTO "moves" VALUES(5,68,1,'uncover 8','null',0,1795248269253);
INSERT INTO "moves" VALUES(6,1,0,'throw 2','[2,5]',0,1795248269268);
INSERT INTO "moves" VALUES(7,1,0,'throw 2','[6,1]',0,1795248269279);
INSERT INTO "moves" VALUES(7,2,0,'shut 5+2','null',0,1795248269284);
INSERT INTO "moves" VALUES(7,3,0,'throw 2','[3,3]',0,1795248269288);
INSERT INTO "moves" VALUES(7,4,1,'throw 2','[6,6]',0,1795248269290);
INSERT INTO "moves" VALUES(7,5,1,'shut 5+4+3','null',0,1795248269291);
INSERT INTO "moves" VALUES(7,6,1,'throw 2','[5,4]',0,1795248269293);
INSERT INTO "moves" VALUES(7,7,0,'throw 2','[3,2]',0,1795248269296);
INSERT INTO "moves" VALUES(7,8,0,'shut 5','null',0,1795248269297);
INSERT INTO "moves" VALUES(7,9,0,'throw 2','[4,3]',0,1795248269301);
INSERT INTO "moves" VALUES(7,10,0,'shut 4+3','null',0,1795248269302);
INSERT INTO "moves" VALUES(7,11,0,'throw 2','[6,4]',0,1795248269303);
INSERT INTO "moves" VALUES(7,12,1,'throw 2','[2,1]',0,1795248269308);
INSERT INTO "moves" VALUES(7,13,1,'shut 3','null',0,1795248269313);
INSERT INTO "moves" VALUES(7,14,1,'throw 2','[2,5]',0,1795248269314);
INSERT INTO "moves" VALUES(7,15,1,'shut 5+2','null',0,1795248269316);
INSERT INTO "moves" VALUES(7,16,1,'throw 2','[1,5]',0,1795248269317);
INSERT INTO "moves" VALUES(7,17,0,'throw 2','[2,5]',0,1795248269320);
INSERT INTO "moves" VALUES(7,18,0,'shut 5+2','null',0,1795248269321);
INSERT INTO "moves" VALUES(7,19,0,'throw 2','[4,2]',0,1795248269323);
INSERT INTO "moves" VALUES(7,20,1,'throw 2','[4,5]',0,1795248269324);
INSERT INTO "moves" VALUES(7,21,1,'shut 5+4','null',0,1795248269326);
INSERT INTO "moves" VALUES(7,22,1,'throw 2','[5,5]',0,1795248269327);
INSERT INTO "moves" VALUES(7,23,0,'throw 2','[4,2]',0,1795248269329);
INSERT INTO "moves" VALUES(7,24,0,'shut 5+1','null',0,1795248269331);
INSERT INTO "moves" VALUES(7,25,0,'throw 2','[3,3]',0,1795248269333);
INSERT INTO "moves" VALUES(7,26,0,'shut 4+2','null',0,1795248269335);
INSERT INTO "moves" VALUES(7,27,0,'throw 2','[4,1]',0,1795248269338);
INSERT INTO "moves" VALUES(7,28,1,'throw 2','[2,3]',0,1795248269348);
INSERT INTO "moves" VALUES(7,29,1,'shut 5','null',0,1795248269354);
INSERT INTO "moves" VALUES(7,30,1,'throw 2','[5,1]',0,1795248269356);
INSERT INTO "moves" VALUES(7,31,1,'shut 4+2','null',0,1795248269358);
INSERT INTO "moves" VALUES(7,32,1,'throw 2','[4,1]',0,1795248269360);
INSERT INTO "moves" VALUES(8,1,0,'throw 2','[5,6]',0,1795248269366);
INSERT INTO "moves" VALUES(8,2,0,'shut 6+5','null',0,1795248269367);
INSERT INTO "moves" VALUES(8,3,0,'throw 2','[4,4]',0,1795248269368);
INSERT INTO "moves" VALUES(8,4,0,'shut 4+3+1','null',0,1795248269372);
INSERT INTO "moves" VALUES(8,5,0,'throw 2','[5,1]',0,1795248269374);
INSERT INTO "moves" VALUES(9,1,0,'throw','[2,3,1,3,4]',0,1795248269384);
INSERT INTO "moves" VALUES(9,2,0,'keep 00000','[5,2,3,4,4]',0,1795248269385);
INSERT INTO "moves" VALUES(9,3,0,'keep 00000','[3,1,5,1,4]',0,1795248269387);
INSERT INTO "moves" VALUES(9,4,0,'write ones','null',0,1795248269388);
INSERT INTO "moves" VALUES(9,5,1,'throw','[1,2,4,6,4]',0,1795248269392);
INSERT INTO "moves" VALUES(9,6,1,'keep 00000','[6,6,3,3,3]',0,1795248269393);
INSERT INTO "moves" VALUES(9,7,1,'keep 00000','[1,6,5,3,1]',0,1795248269398);
INSERT INTO "moves" VALUES(9,8,1,'write ones','null',0,1795248269400);
INSERT INTO "moves" VALUES(9,9,2,'throw','[3,3,5,6,4]',0,1795248269404);
INSERT INTO "moves" VALUES(9,10,2,'keep 00000','[4,3,4,6,6]',0,1795248269405);
INSERT INTO "moves" VALUES(9,11,2,'keep 00000','[4,4,2,1,4]',0,1795248269409);
INSERT INTO "moves" VALUES(9,12,2,'write fours','null',0,1795248269412);
INSERT INTO "moves" VALUES(9,13,0,'throw','[2,5,6,4,1]',0,1795248269413);
INSERT INTO "moves" VALUES(9,14,0,'keep 00000','[5,2,5,3,3]',0,1795248269417);
INSERT INTO "moves" VALUES(9,15,0,'keep 00000','[6,6,6,5,4]',0,1795248269418);
INSERT INTO "moves" VALUES(9,16,0,'write sixes','null',0,1795248269425);
INSERT INTO "moves" VALUES(9,17,1,'throw','[2,3,2,5,5]',0,1795248269428);
INSERT INTO "moves" VALUES(9,18,1,'keep 00000','[2,4,6,3,2]',0,1795248269430);
INSERT INTO "moves" VALUES(9,19,1,'keep 00000','[6,6,2,2,3]',0,1795248269432);
INSERT INTO "moves" VALUES(9,20,1,'write twos','null',0,1795248269437);
INSERT INTO "moves" VALUES(9,21,2,'throw','[4,1,3,5,2]',0,1795248269441);
INSERT INTO "moves" VALUES(9,22,2,'keep 00000','[4,5,4,4,3]',0,1795248269443);
INSERT INTO "moves" VALUES(9,23,2,'keep 00000','[3,4,2,2,5]',0,1795248269448);
INSERT INTO "moves" VALUES(9,24,2,'write twos','null',0,1795248269449);
INSERT INTO "moves" VALUES(9,25,0,'throw','[6,4,5,1,6]',0,1795248269452);
INSERT INTO "moves" VALUES(9,26,0,'keep 00000','[5,6,4,5,2]',0,1795248269453);
INSERT INTO "moves" VALUES(9,27,0,'keep 00000','[2,4,4,2,2]',0,1795248269456);
INSERT INTO "moves" VALUES(9,28,0,'write twos','null',0,1795248269457);
INSERT INTO "moves" VALUES(9,29,1,'throw','[6,4,6,5,6]',0,1795248269459);
INSERT INTO "moves" VALUES(9,30,1,'keep 00000','[2,3,3,4,5]',0,1795248269460);
INSERT INTO "moves" VALUES(9,31,1,'keep 00000','[4,3,3,2,5]',0,1795248269461);
INSERT INTO "moves" VALUES(9,32,1,'write threes','null',0,1795248269469);
INSERT INTO "moves" VALUES(9,33,2,'throw','[6,1,2,1,6]',0,1795248269476);
INSERT INTO "moves" VALUES(9,34,2,'keep 00000','[1,2,5,2,6]',0,1795248269485);
INSERT INTO "moves" VALUES(9,35,2,'keep 00000','[1,1,3,5,6]',0,1795248269489);
INSERT INTO "moves" VALUES(9,36,2,'write ones','null',0,1795248269490);
INSERT INTO "moves" VALUES(9,37,0,'throw','[2,1,3,2,5]',0,1795248269492);
INSERT INTO "moves" VALUES(9,38,0,'keep 00000','[1,5,6,3,6]',0,1795248269493);
INSERT INTO "moves" VALUES(9,39,0,'keep 00000','[3,6,5,5,3]',0,1795248269496);
INSERT INTO "moves" VALUES(9,40,0,'write threes','null',0,1795248269561);
INSERT INTO "moves" VALUES(9,41,1,'throw','[3,6,6,1,1]',0,1795248269563);
INSERT INTO "moves" VALUES(9,42,1,'keep 00000','[5,4,4,1,1]',0,1795248269564);
INSERT INTO "moves" VALUES(9,43,1,'keep 00000','[4,4,6,2,2]',0,1795248269566);
INSERT INTO "moves" VALUES(9,44,1,'write fours','null',0,1795248269567);
INSERT INTO "moves" VALUES(9,45,2,'throw','[5,4,4,3,2]',0,1795248269568);
INSERT INTO "moves" VALUES(9,46,2,'keep 00000','[3,2,2,6,2]',0,1795248269569);
INSERT INTO "moves" VALUES(9,47,2,'keep 00000','[2,6,1,6,3]',0,1795248269570);
INSERT INTO "moves" VALUES(9,48,2,'write threes','null',0,1795248269571);
INSERT INTO "moves" VALUES(9,49,0,'throw','[5,6,4,2,5]',0,1795248269572);
INSERT INTO "moves" VALUES(9,50,0,'keep 00000','[5,3,6,4,1]',0,1795248269573);
INSERT INTO "moves" VALUES(9,51,0,'keep 00000','[1,4,4,4,1]',0,1795248269574);
INSERT INTO "moves" VALUES(9,52,0,'write fours','null',0,1795248269575);
INSERT INTO "moves" VALUES(9,53,1,'throw','[6,5,5,5,3]',0,1795248269578);
INSERT INTO "moves" VALUES(9,54,1,'keep 00000','[2,2,6,1,1]',0,1795248269579);
INSERT INTO "moves" VALUES(9,55,1,'keep 00000','[6,6,5,2,3]',0,1795248269580);
INSERT INTO "moves" VALUES(9,56,1,'write sixes','null',0,1795248269581);
INSERT INTO "moves" VALUES(9,57,2,'throw','[2,2,3,4,4]',0,1795248269582);
INSERT INTO "moves" VALUES(9,58,2,'keep 00000','[2,1,2,5,1]',0,1795248269583);
INSERT INTO "moves" VALUES(9,59,2,'keep 00000','[3,5,1,6,4]',0,1795248269584);
INSERT INTO "moves" VALUES(9,60,2,'write fives','null',0,1795248269585);
INSERT INTO "moves" VALUES(9,61,0,'throw','[1,1,2,2,6]',0,1795248269586);
INSERT INTO "moves" VALUES(9,62,0,'keep 00000','[4,6,3,6,2]',0,1795248269587);
INSERT INTO "moves" VALUES(9,63,0,'keep 00000','[3,2,1,3,3]',0,1795248269588);
INSERT INTO "moves" VALUES(9,64,0,'write fives','null',0,1795248269589);
INSERT INTO "moves" VALUES(9,65,1,'throw','[6,3,4,2,3]',0,1795248269590);
INSERT INTO "moves" VALUES(9,66,1,'keep 00000','[2,1,6,5,1]',0,1795248269591);
INSERT INTO "moves" VALUES(9,67,1,'keep 00000','[4,5,4,1,2]',0,1795248269593);
INSERT INTO "moves" VALUES(9,68,1,'write fives','null',0,1795248269594);
INSERT INTO "moves" VALUES(9,69,2,'throw','[5,5,1,2,4]',0,1795248269595);
INSERT INTO "moves" VALUES(9,70,2,'keep 00000','[4,1,3,4,6]',0,1795248269597);
INSERT INTO "moves" VALUES(9,71,2,'keep 00000','[1,2,3,4,6]',0,1795248269598);
INSERT INTO "moves" VALUES(9,72,2,'write sixes','null',0,1795248269599);
INSERT INTO "moves" VALUES(9,73,0,'throw','[3,6,5,2,2]',0,1795248269600);
INSERT INTO "moves" VALUES(9,74,0,'keep 00000','[2,3,2,2,2]',0,1795248269601);
INSERT INTO "moves" VALUES(9,75,0,'keep 00000','[4,5,3,6,5]',0,1795248269603);
INSERT INTO "moves" VALUES(9,76,0,'write chance','null',0,1795248269604);
INSERT INTO "moves" VALUES(9,77,1,'throw','[1,4,1,4,2]',0,1795248269605);
INSERT INTO "moves" VALUES(9,78,1,'keep 00000','[6,2,3,5,5]',0,1795248269606);
INSERT INTO "moves" VALUES(9,79,1,'keep 00000','[3,4,2,1,6]',0,1795248269607);
INSERT INTO "moves" VALUES(9,80,1,'write chance','null',0,1795248269608);
INSERT INTO "moves" VALUES(9,81,2,'throw','[4,2,4,3,4]',0,1795248269609);
INSERT INTO "moves" VALUES(9,82,2,'keep 00000','[3,3,3,5,4]',0,1795248269610);
INSERT INTO "moves" VALUES(9,83,2,'keep 00000','[5,2,2,6,3]',0,1795248269611);
INSERT INTO "moves" VALUES(9,84,2,'write chance','null',0,1795248269612);
INSERT INTO "moves" VALUES(9,85,0,'throw','[1,3,3,4,3]',0,1795248269613);
INSERT INTO "moves" VALUES(9,86,0,'keep 00000','[2,5,1,3,5]',0,1795248269616);
INSERT INTO "moves" VALUES(9,87,0,'keep 00000','[3,5,1,6,2]',0,1795248269624);
INSERT INTO "moves" VALUES(9,88,0,'strike poker','null',0,1795248269632);
INSERT INTO "moves" VALUES(9,89,1,'throw','[1,6,3,6,2]',0,1795248269636);
INSERT INTO "moves" VALUES(9,90,1,'keep 00000','[4,5,2,4,1]',0,1795248269637);
INSERT INTO "moves" VALUES(9,91,1,'keep 00000','[5,4,5,2,1]',0,1795248269640);
INSERT INTO "moves" VALUES(9,92,1,'write pair','null',0,1795248269641);
INSERT INTO "moves" VALUES(9,93,2,'throw','[6,2,5,1,5]',0,1795248269642);
INSERT INTO "moves" VALUES(9,94,2,'keep 00000','[5,5,3,3,4]',0,1795248269643);
INSERT INTO "moves" VALUES(9,95,2,'keep 00000','[3,4,5,1,1]',0,1795248269655);
INSERT INTO "moves" VALUES(9,96,2,'write pair','null',0,1795248269657);
INSERT INTO "moves" VALUES(9,97,0,'throw','[5,4,4,1,5]',0,1795248269658);
INSERT INTO "moves" VALUES(9,98,0,'keep 00000','[1,1,3,4,6]',0,1795248269659);
INSERT INTO "moves" VALUES(9,99,0,'keep 00000','[6,5,1,6,5]',0,1795248269660);
INSERT INTO "moves" VALUES(9,100,0,'write two-pairs','null',0,1795248269661);
INSERT INTO "moves" VALUES(9,101,1,'throw','[4,2,1,4,6]',0,1795248269666);
INSERT INTO "moves" VALUES(9,102,1,'keep 00000','[1,5,6,1,5]',0,1795248269667);
INSERT INTO "moves" VALUES(9,103,1,'keep 00000','[5,3,1,3,4]',0,1795248269668);
INSERT INTO "moves" VALUES(9,104,1,'strike poker','null',0,1795248269669);
INSERT INTO "moves" VALUES(9,105,2,'throw','[6,1,6,1,2]',0,1795248269670);
INSERT INTO "moves" VALUES(9,106,2,'keep 00000','[1,3,1,5,1]',0,1795248269671);
INSERT INTO "moves" VALUES(9,107,2,'keep 00000','[6,6,1,1,6]',0,1795248269673);
INSERT INTO "moves" VALUES(9,108,2,'write full-house','null',0,1795248269674);
INSERT INTO "moves" VALUES(9,109,0,'throw','[4,5,3,6,3]',0,1795248269675);
INSERT INTO "moves" VALUES(9,110,0,'keep 00000','[2,5,3,2,3]',0,1795248269676);
INSERT INTO "moves" VALUES(9,111,0,'keep 00000','[2,1,3,3,1]',0,1795248269677);
INSERT INTO "moves" VALUES(9,112,0,'write pair','null',0,1795248269678);
INSERT INTO "moves" VALUES(9,113,1,'throw','[4,4,6,6,1]',0,1795248269685);
INSERT INTO "moves" VALUES(9,114,1,'keep 00000','[4,6,1,6,5]',0,1795248269687);
INSERT INTO "moves" VALUES(9,115,1,'keep 00000','[1,3,5,6,4]',0,1795248269688);
INSERT INTO "moves" VALUES(9,116,1,'strike small-straight','null',0,1795248269689);
INSERT INTO "moves" VALUES(9,117,2,'throw','[2,3,3,3,5]',0,1795248269690);
INSERT INTO "moves" VALUES(9,118,2,'keep 00000','[6,1,4,6,3]',0,1795248269691);
INSERT INTO "moves" VALUES(9,119,2,'keep 00000','[6,6,6,2,6]',0,1795248269695);
INSERT INTO "moves" VALUES(9,120,2,'write four','null',0,1795248269696);
INSERT INTO "moves" VALUES(9,121,0,'throw','[4,6,1,3,6]',0,1795248269697);
INSERT INTO "moves" VALUES(9,122,0,'keep 00000','[6,3,2,1,6]',0,1795248269700);
INSERT INTO "moves" VALUES(9,123,0,'keep 00000','[3,3,5,2,3]',0,1795248269701);
INSERT INTO "moves" VALUES(9,124,0,'write three','null',0,1795248269702);
INSERT INTO "moves" VALUES(9,125,1,'throw','[5,3,6,1,3]',0,1795248269705);
INSERT INTO "moves" VALUES(9,126,1,'keep 00000','[6,5,5,6,2]',0,1795248269706);
INSERT INTO "moves" VALUES(9,127,1,'keep 00000','[5,2,5,6,5]',0,1795248269712);
INSERT INTO "moves" VALUES(9,128,1,'write three','null',0,1795248269713);
INSERT INTO "moves" VALUES(9,129,2,'throw','[2,1,3,1,1]',0,1795248269715);
INSERT INTO "moves" VALUES(9,130,2,'keep 00000','[1,1,5,5,5]',0,1795248269716);
INSERT INTO "moves" VALUES(9,131,2,'keep 00000','[3,2,1,2,3]',0,1795248269717);
INSERT INTO "moves" VALUES(9,132,2,'write two-pairs','null',0,1795248269718);
INSERT INTO "moves" VALUES(9,133,0,'throw','[3,5,4,3,1]',0,1795248269720);
INSERT INTO "moves" VALUES(9,134,0,'keep 00000','[1,2,5,6,5]',0,1795248269721);
INSERT INTO "moves" VALUES(9,135,0,'keep 00000','[2,6,2,6,2]',0,1795248269727);
INSERT INTO "moves" VALUES(9,136,0,'write full-house','null',0,1795248269768);
INSERT INTO "moves" VALUES(9,137,1,'throw','[5,1,3,6,6]',0,1795248269778);
INSERT INTO "moves" VALUES(9,138,1,'keep 00000','[3,5,1,6,2]',0,1795248269784);
INSERT INTO "moves" VALUES(9,139,1,'keep 00000','[2,2,2,4,5]',0,1795248269785);
INSERT INTO "moves" VALUES(9,140,1,'strike big-straight','null',0,1795248269786);
INSERT INTO "moves" VALUES(9,141,2,'throw','[4,1,6,3,6]',0,1795248269792);
INSERT INTO "moves" VALUES(9,142,2,'keep 00000','[6,4,5,4,2]',0,1795248269793);
INSERT INTO "moves" VALUES(9,143,2,'keep 00000','[1,6,3,6,2]',0,1795248269799);
INSERT INTO "moves" VALUES(9,144,2,'strike poker','null',0,1795248269810);
INSERT INTO "moves" VALUES(9,145,0,'throw','[3,6,4,1,6]',0,1795248269822);
INSERT INTO "moves" VALUES(9,146,0,'keep 00000','[3,1,5,1,6]',0,1795248269836);
INSERT INTO "moves" VALUES(9,147,0,'keep 00000','[3,1,4,3,1]',0,1795248269842);
INSERT INTO "moves" VALUES(9,148,0,'strike small-straight','null',0,1795248269849);
INSERT INTO "moves" VALUES(9,149,1,'throw','[4,2,6,4,4]',0,1795248269850);
INSERT INTO "moves" VALUES(9,150,1,'keep 00000','[3,4,2,4,4]',0,1795248269851);
INSERT INTO "moves" VALUES(9,151,1,'keep 00000','[6,2,3,6,3]',0,1795248269852);
INSERT INTO "moves" VALUES(9,152,1,'write two-pairs','null',0,1795248269853);
INSERT INTO "moves" VALUES(9,153,2,'throw','[3,2,5,5,5]',0,1795248269854);
INSERT INTO "moves" VALUES(9,154,2,'keep 00000','[5,5,1,1,2]',0,1795248269858);
INSERT INTO "moves" VALUES(9,155,2,'keep 00000','[4,6,5,5,4]',0,1795248269864);
INSERT INTO "moves" VALUES(9,156,2,'strike small-straight','null',0,1795248269865);
INSERT INTO "moves" VALUES(9,157,0,'throw','[4,3,1,1,5]',0,1795248269866);
INSERT INTO "moves" VALUES(9,158,0,'keep 00000','[5,6,3,4,1]',0,1795248269867);
INSERT INTO "moves" VALUES(9,159,0,'keep 00000','[5,3,1,1,2]',0,1795248269876);
INSERT INTO "moves" VALUES(9,160,0,'strike big-straight','null',0,1795248269878);
INSERT INTO "moves" VALUES(9,161,1,'throw','[6,3,5,2,5]',0,1795248269879);
INSERT INTO "moves" VALUES(9,162,1,'keep 00000','[6,2,5,3,4]',0,1795248269880);
INSERT INTO "moves" VALUES(9,163,1,'keep 00000','[6,2,4,3,4]',0,1795248269881);
INSERT INTO "moves" VALUES(9,164,1,'strike four','null',0,1795248269882);
INSERT INTO "moves" VALUES(9,165,2,'throw','[4,5,1,3,5]',0,1795248269883);
INSERT INTO "moves" VALUES(9,166,2,'keep 00000','[1,5,6,2,1]',0,1795248269884);
INSERT INTO "moves" VALUES(9,167,2,'keep 00000','[1,1,5,2,6]',0,1795248269885);
INSERT INTO "moves" VALUES(9,168,2,'strike big-straight','null',0,1795248269886);
INSERT INTO "moves" VALUES(9,169,0,'throw','[6,2,2,6,3]',0,1795248269887);
INSERT INTO "moves" VALUES(9,170,0,'keep 00000','[1,2,5,2,3]',0,1795248269888);
INSERT INTO "moves" VALUES(9,171,0,'keep 00000','[5,2,2,4,2]',0,1795248269889);
INSERT INTO "moves" VALUES(9,172,0,'strike four','null',0,1795248269890);
INSERT INTO "moves" VALUES(9,173,1,'throw','[5,1,1,2,4]',0,1795248269890);
INSERT INTO "moves" VALUES(9,174,1,'keep 00000','[2,4,1,6,2]',0,1795248269891);
INSERT INTO "moves" VALUES(9,175,1,'keep 00000','[3,6,6,3,4]',0,1795248269894);
INSERT INTO "moves" VALUES(9,176,1,'strike full-house','null',0,1795248269895);
INSERT INTO "moves" VALUES(9,177,2,'throw','[5,6,1,4,2]',0,1795248269896);
INSERT INTO "moves" VALUES(9,178,2,'keep 00000','[4,4,3,3,4]',0,1795248269897);
INSERT INTO "moves" VALUES(9,179,2,'keep 00000','[3,4,1,6,4]',0,1795248269898);
INSERT INTO "moves" VALUES(9,180,2,'strike three','null',0,1795248269899);
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
    changed INTEGER NOT NULL,
    CHECK (payer <> payee)
) STRICT;
INSERT INTO "payments" VALUES(1,'discord:77','chips','player:telegram:12','player:discord:13',3,'telegram:12','confirmed',1795241359999,1795241360999);
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
, payment_id INTEGER REFERENCES payments (id)) STRICT;
INSERT INTO "postings" VALUES(1,'telegram:-1001','chips',1,'stakes',1795248268927,NULL);
INSERT INTO "postings" VALUES(2,'telegram:-1001','chips',1,'payout',1795248268976,NULL);
INSERT INTO "postings" VALUES(3,'discord:77','chips',2,'stakes',1795248268988,NULL);
INSERT INTO "postings" VALUES(4,'discord:77','chips',2,'payout',1795248269062,NULL);
INSERT INTO "postings" VALUES(5,'telegram:-1001','chips',3,'stakes',1795248269066,NULL);
INSERT INTO "postings" VALUES(6,'telegram:-1001','chips',3,'refund',1795248269072,NULL);
INSERT INTO "postings" VALUES(7,'telegram:-1001','chips',4,'stakes',1795248269076,NULL);
INSERT INTO "postings" VALUES(8,'discord:77','chips',5,'stakes',1795248269113,NULL);
INSERT INTO "postings" VALUES(9,'discord:77','chips',5,'payout',1795248269253,NULL);
INSERT INTO "postings" VALUES(10,'discord:77','chips',6,'stakes',1795248269258,NULL);
INSERT INTO "postings" VALUES(11,'discord:77','chips',6,'payout',1795248269268,NULL);
INSERT INTO "postings" VALUES(12,'discord:77','chips',7,'stakes',1795248269277,NULL);
INSERT INTO "postings" VALUES(13,'discord:77','chips',7,'payout',1795248269360,NULL);
INSERT INTO "postings" VALUES(14,'discord:77','coffees',9,'payout',1795248269899,NULL);
INSERT INTO "postings" VALUES(15,'discord:77','chips',NULL,'payment',1795241360999,1);
CREATE TABLE results (
    table_id INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    score    INTEGER NOT NULL,
    threw    INTEGER NOT NULL CHECK (threw IN (FALSE, TRUE)),
    place    INTEGER NOT NULL CHECK (place >= 1),
    pool     INTEGER NOT NULL, difference_n INTEGER, difference_d INTEGER CHECK (difference_d IS NULL OR difference_d >= 1), settlement INTEGER CHECK (settlement IS NULL OR difference_n IS NOT NULL),
    PRIMARY KEY (table_id, seat),
    FOREIGN KEY (table_id, seat) REFERENCES seats (table_id, seat)
) STRICT;
INSERT INTO "results" VALUES(1,0,0,1,1,14,NULL,NULL,NULL);
INSERT INTO "results" VALUES(1,1,0,0,2,-7,NULL,NULL,NULL);
INSERT INTO "results" VALUES(1,2,0,0,2,-7,NULL,NULL,NULL);
INSERT INTO "results" VALUES(2,0,40,1,1,5,NULL,NULL,NULL);
INSERT INTO "results" VALUES(2,1,42,1,2,-5,NULL,NULL,NULL);
INSERT INTO "results" VALUES(5,0,0,1,2,-10,NULL,NULL,NULL);
INSERT INTO "results" VALUES(5,1,41,1,1,10,NULL,NULL,NULL);
INSERT INTO "results" VALUES(6,0,0,1,1,20,NULL,NULL,NULL);
INSERT INTO "results" VALUES(6,1,7,1,2,-10,NULL,NULL,NULL);
INSERT INTO "results" VALUES(6,2,7,1,2,-10,NULL,NULL,NULL);
INSERT INTO "results" VALUES(7,0,22,1,2,-10,NULL,NULL,NULL);
INSERT INTO "results" VALUES(7,1,18,1,1,10,NULL,NULL,NULL);
INSERT INTO "results" VALUES(8,0,2,1,1,0,NULL,NULL,NULL);
INSERT INTO "results" VALUES(9,0,59,1,1,0,42,3,28);
INSERT INTO "results" VALUES(9,1,33,1,3,0,-36,3,-24);
INSERT INTO "results" VALUES(9,2,43,1,2,0,-6,3,-4);
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
INSERT INTO "seats" VALUES(1,0,'telegram:11','Anna <b>&amp;','','0ba4b303f52e24676c056b960f2257a2',1);
INSERT INTO "seats" VALUES(1,1,'telegram:12','Ben @everyone','','f4120a0061cc998d8e0afb2343abc40d',1);
INSERT INTO "seats" VALUES(1,2,NULL,'house fewest','fewest','house',1);
INSERT INTO "seats" VALUES(2,0,'discord:13','Cléo 🎲','','cbee8ce296fda85e3aba08b983527123',1);
INSERT INTO "seats" VALUES(2,1,NULL,'house fewest','fewest','house',1);
INSERT INTO "seats" VALUES(3,0,'telegram:11','Anna <b>&amp;','','3c3a74128650d963c4caab0e65e84f17',1);
INSERT INTO "seats" VALUES(3,1,'telegram:12','Ben @everyone','','8adc7e01e027cc095f15a6aeafafa439',1);
INSERT INTO "seats" VALUES(3,2,NULL,'house fewest','fewest','house',1);
INSERT INTO "seats" VALUES(4,0,'telegram:11','Anna <b>&amp;','','0424f21da4895a9bb6d81fcda8f258de',1);
INSERT INTO "seats" VALUES(4,1,'telegram:12','Ben @everyone','','f0887b605781e8fa824f0a3507dd24d9',1);
INSERT INTO "seats" VALUES(4,2,NULL,'house fewest','fewest','house',1);
INSERT INTO "seats" VALUES(5,0,'discord:13','Cléo 🎲','','406bb8b77af9edc9a346b9215ccf34e3',1);
INSERT INTO "seats" VALUES(5,1,'telegram:12','Ben @everyone','','3aa6c714af429e1af9bce95e82f33304',1);
INSERT INTO "seats" VALUES(6,0,'telegram:12','Ben @everyone','','e6d47ee7e6b5bb3814c6cd2ee01716d7',1);
INSERT INTO "seats" VALUES(6,1,'discord:13','Cléo 🎲','','57b9f2186ca54a5547ad33279c307c6b',1);
INSERT INTO "seats" VALUES(6,2,'telegram:11','Anna <b>&amp;','','7bd010ba56b4214b83c135ed51450d5c',1);
INSERT INTO "seats" VALUES(7,0,'telegram:12','Ben @everyone','','429e412f6f856601c1648e5d447c27ad',1);
INSERT INTO "seats" VALUES(7,1,'discord:13','Cléo 🎲','','8f6ea1255b56bcbd08617d1c14a4b42f',1);
INSERT INTO "seats" VALUES(8,0,'discord:13','Cléo 🎲','','396bbce9dab6a44eafcf922938f8f441',1);
INSERT INTO "seats" VALUES(9,0,'telegram:11','Anna <b>&amp;','','5db819a0b646ac2d6f8cf00590bd2240',1);
INSERT INTO "seats" VALUES(9,1,'telegram:12','Ben @everyone','','6f2a4eefe2312855a4a5a39fe7affa1e',1);
INSERT INTO "seats" VALUES(9,2,'discord:13','Cléo 🎲','','fe62573722c2887242ab71c9bc44db92',1);
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
INSERT INTO "tables" VALUES(1,'telegram:-1001','telegram:-1001','shutbox','{}',7,'chips','telegram:11','over','','','6b867a6304466661a4e29660ead9e4c77e71867e807517a45ac97d77cdf88436',X'7571545189C385D45DD64A438E279EA459BD9D5650DA35EA41B13ADA1E02F72C',12,X'7B227365617473223A332C22726F756E64223A312C22746F74616C73223A5B302C302C305D2C226B657074223A5B312C325D2C22706C61636573223A5B312C322C325D2C226F766572223A747275652C227475726E223A2D312C226F70656E223A22222C227468726F7773223A362C226E657773223A7B2277686174223A22626F78222C2274696C6573223A22372B31227D7D',12,0,0,NULL,16,16,'telegram:-1001/1',0,1795248268976,1795248268976,1795248268931,1795248268914);
INSERT INTO "tables" VALUES(2,'discord:77','discord:77/1','shutbox','{"match":"rounds:9","shut":"scores-zero","tiles":"4"}',5,'chips','discord:13','over','','','fcea18b4c9c81182a070e3ed7bf3d5696832d4b83c8874186437b90661bf7401',X'466A84FF9A3D3F03D4A4D50D446EA468731ADA151ED40384E543C7A145A8EFCD',58,X'7B227365617473223A322C22726F756E64223A392C22746F74616C73223A5B34302C34325D2C22706C61636573223A5B312C325D2C226F766572223A747275652C227475726E223A2D312C226F70656E223A22322B31222C227468726F7773223A312C226E657773223A7B2277686174223A226465636C61726564222C2273656174223A312C2273636F7265223A337D7D',47,0,0,NULL,28,28,'discord:77/1/1',0,1795248269062,1795248269062,1795248268992,1795248268982);
INSERT INTO "tables" VALUES(3,'telegram:-1001','telegram:-1001','shutbox','{"match":"rounds:9","shut":"scores-zero"}',3,'chips','telegram:12','abandoned','','','c0d25002ff6919bc6186faad15c528b772377e8f4a5d24e19b86472cccd363ef',X'89B72C5FE23BAFA74C4BA144FF2606B884C7B00B5A843FE94D5BA39CEC89918D',2,X'7B227365617473223A332C22726F756E64223A312C22706C6179696E67223A5B302C312C325D2C22746F74616C73223A5B302C302C305D2C2273636F726573223A5B2D312C2D312C2D315D2C227475726E223A302C226F70656E223A22392B372B362B352B342B332B322B31222C227468726F7773223A312C226E657773223A7B2277686174223A22636C6F736564222C2274696C6573223A2238227D7D',2,0,0,NULL,8,7,'telegram:-1001/1',0,1795248269072,1795248269072,1795248269067,1795248269064);
INSERT INTO "tables" VALUES(4,'telegram:-1001','telegram:-1001','shutbox','{"match":"rounds:9","shut":"scores-zero","tiles":"12"}',4,'chips','telegram:11','playing','','','2329ee90f3a269e0bf2e95f813ea42930da11458d362bd74618608c181cf1f8f',X'37532F21A7DDCBDCBC92D94692194C12E8E2D4B3372123A0C1D67098B79D1963',2,X'7B227365617473223A332C22726F756E64223A312C22706C6179696E67223A5B302C312C325D2C22746F74616C73223A5B302C302C305D2C2273636F726573223A5B2D312C2D312C2D315D2C227475726E223A302C226F70656E223A2231322B31312B31302B392B382B372B362B352B342B332B322B31222C227468726F7773223A312C226661636573223A5B352C345D2C2263686F6F7365223A747275652C226E657773223A7B7D7D',1,0,0,NULL,5,4,'telegram:-1001/1',0,1795248269077,1795248269077,1795248269077,1795248269073);
INSERT INTO "tables" VALUES(5,'discord:77','discord:77/2','shutbox','{"variant":"canoga"}',10,'chips','discord:13','over','','','d6d81163ad935b1c11a1d94448bdb8b6e11032a30a62e45f0dc994102c7c5ee6',X'BD1EE002EA647D1914CF7B6178AF2CB849D6D9A181F8262711A0BBAC171BC822',74,X'7B227365617473223A322C22726F756E64223A312C22746F74616C73223A5B302C34315D2C22706C61636573223A5B322C315D2C226F766572223A747275652C226F70656E223A5B313032322C31305D2C22737461727473223A5B342C31305D2C227475726E223A352C2273656174223A312C226661636573223A5B322C365D2C22746F6C64223A7B226B6579223A22756E636F76657265642D616C6C222C2273656174223A312C22736574223A3235362C22706F696E7473223A34317D7D',68,0,0,NULL,71,71,'discord:77/2/1',0,1795248269253,1795248269253,1795248269117,1795248269102);
INSERT INTO "tables" VALUES(6,'discord:77','discord:77/2','shutbox','{"variant":"lucky-seven"}',10,'chips','discord:13','over','','','06fcfa4e31358ca68257b30c0afd551b78b0d53bcddef8bf28278e2746932d53',X'E21D45A9D2E871A9890ADF3BB5D352DFBFEBD068AB823AD0C412C0E7E6307471',2,X'7B227365617473223A332C22726F756E64223A312C22746F74616C73223A5B302C372C375D2C22706C61636573223A5B312C322C325D2C226F766572223A747275652C2273656174223A302C226C617374223A302C226661636573223A5B322C355D7D',1,0,0,NULL,5,5,'discord:77/2/1',0,1795248269268,1795248269268,1795248269261,1795248269256);
INSERT INTO "tables" VALUES(7,'discord:77','discord:77/2','shutbox','{"match":"rounds:4","shut":"scores-zero","tiles":"5"}',10,'chips','discord:13','over','','','70d5fbc18e8cda29023fc280f4bcdb44b7cdbdf47979db1df69e1d6c54b978ff',X'2FAEC256C253BD443FBDAEE44AA70EB03067C4F3FEB67936EFF51F61F8CED9C8',40,X'7B227365617473223A322C22726F756E64223A342C22746F74616C73223A5B32322C31385D2C22706C61636573223A5B322C315D2C226F766572223A747275652C227475726E223A2D312C226F70656E223A22332B31222C227468726F7773223A332C226661636573223A5B342C315D2C226E657773223A7B2277686174223A22737475636B222C2273656174223A312C2273636F7265223A347D7D',32,0,0,NULL,35,35,'discord:77/2/1',0,1795248269360,1795248269360,1795248269279,1795248269271);
INSERT INTO "tables" VALUES(8,'discord:77','discord:77/2','shutbox','{"tiles":"6"}',0,'chips','discord:13','over','','','d470a0814eba479c64b06caeb011548e34d82b95014c960c5a3cfc1e972fe612',X'AD897829A7BE36C5FB103B0FFF1AE15F0F95001E1A7501CA28DB137AA534956F',6,X'7B227365617473223A312C22726F756E64223A312C22746F74616C73223A5B325D2C22706C61636573223A5B315D2C226F766572223A747275652C227475726E223A2D312C226F70656E223A2232222C227468726F7773223A332C226661636573223A5B352C315D2C226E657773223A7B2277686174223A22737475636B222C2273636F7265223A327D7D',5,0,0,NULL,7,7,'discord:77/2/1',0,1795248269374,1795248269374,1795248269365,1795248269363);
INSERT INTO "tables" VALUES(9,'discord:77','discord:77/2','wuerfelpoker','{"point":"2"}',0,'coffees','telegram:11','over','','','31287e944fae20210c5010e2c10558e581c3e6ff7d640036e680593e8d04a11b',X'7F24FEFF88C06B4CF338E69AA52C8FD03B04160801B3ADC7D957B8A033B0FDC2',675,X'7B22736865657473223A5B223331353134203234343232203336353533203134343431203332313333203636363534203231333331203635313635203333353233202D202D203236323632202D202D203435333635222C223136353331203636323233203433333235203434363232203435343132203636353233203534353231203632333633203532353635202D202D202D202D202D203334323136222C223131333536203334323235203236313633203434323134203335313634203132333436203334353131203332313233202D202D202D203636313136203636363236202D203532323633225D2C22726F756E64223A31352C227475726E223A302C227468726F7773223A302C22656E646564223A22737472696B65207468726565227D',180,0,0,NULL,184,184,'discord:77/2/1',0,1795248269899,1795248269899,1795248269382,1795248269376);
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
CREATE VIEW wrong_differences AS
SELECT r.table_id, r.seat
FROM results r
WHERE EXISTS (SELECT 1 FROM results o WHERE o.table_id = r.table_id AND o.difference_n IS NOT NULL)
    AND (r.difference_n IS NULL OR r.difference_d IS NULL
        OR r.difference_d <> (SELECT COUNT(*) FROM results o WHERE o.table_id = r.table_id)
        OR r.difference_n <> (SELECT COUNT(*) * r.score - SUM(o.score) FROM results o WHERE o.table_id = r.table_id));
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('migrations',6);
COMMIT;
