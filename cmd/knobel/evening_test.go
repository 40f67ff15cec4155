package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // for tests that open the database themselves

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/store"
	"knobel/store/storetest"
)

// The players of an evening.
const (
	anna chat.User = "telegram:11"
	ben  chat.User = "telegram:12"
	cleo chat.User = "discord:13"
)

var called = map[chat.User]string{anna: "Anna <b>&amp;", ben: "Ben @everyone", cleo: "Cléo 🎲"}

// evening, as in "evening FILE", fills a database with the games of an evening: table 1 (finished, in a Telegram
// group), table 2 (finished, on Discord), table 3 (ended early) and table 4 (running, in the group).
func evening(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: evening FILE")
	}
	ctx := context.Background()
	ts.Check(withBot(ctx, databaseName(ts, args[0]), func(b *wiring.Bot) error {
		group := &gathering{bot: b, chat: "telegram:-1001", place: "telegram:-1001"}
		server := &gathering{bot: b, chat: "discord:77", place: "discord:77/1"}
		group.open(ctx, "7", anna, ben)
		group.play(ctx, 1000)
		server.counts(ctx, cleo)
		server.open(ctx, "5 golf tiles=4", cleo)
		server.play(ctx, 1000)
		group.open(ctx, "3 golf", ben, anna)
		group.play(ctx, 2)
		group.do(ctx, chat.Event{User: ben, Command: "abandon"})
		group.do(ctx, chat.Event{User: anna, Press: group.button(ctx, "!vote yes")})
		group.open(ctx, "4 golf tiles=12", anna, ben)
		group.play(ctx, 1)
		return errors.Join(group.err, server.err)
	}))
}

// databaseName returns the name of a database: a URL, or the full path of a file in the folder of a script.
func databaseName(ts *testscript.TestScript, arg string) string {
	if store.IsFile(arg) {
		return ts.MkAbs(arg)
	}
	return arg
}

// withBot calls use with a bot on the database in file, and closes the database afterwards.
func withBot(ctx context.Context, file string, use func(*wiring.Bot) error) (err error) {
	st, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	b, err := newBot(st, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return use(b)
}

// gathering is a group of people in one place. After the first error, which err holds, its methods are no-ops.
type gathering struct {
	bot   *wiring.Bot
	chat  chat.Chat
	place chat.Place
	table int64
	err   error
}

// do handles an event. A refusal is an error.
func (g *gathering) do(ctx context.Context, e chat.Event) {
	if g.err != nil {
		return
	}
	e.Chat, e.Place, e.Name, e.Typed = g.chat, g.place, called[e.User], true // typed input is never a double tap
	reply := g.bot.Handle(ctx, e)
	if reply.Refused {
		g.err = fmt.Errorf("%s%s: %s", e.Command, e.Press, reply.Toast)
	}
	if reply.Board != 0 {
		g.table = reply.Board
	}
}

// counts sets the option by which games of one person against computer players count in the chat.
func (g *gathering) counts(ctx context.Context, admin chat.User) {
	may := func(context.Context) bool { return true }
	g.do(ctx, chat.Event{User: admin, Functions: chat.Functions{Admin: may}, Command: "settings", Text: "alone=counts"})
}

// open opens a table by /shutbox with the options in text, adds people and a computer player, and starts the game.
func (g *gathering) open(ctx context.Context, text string, people ...chat.User) {
	g.do(ctx, chat.Event{User: people[0], Command: "shutbox", Text: text})
	for _, u := range people[1:] {
		g.do(ctx, chat.Event{User: u, Press: chat.LobbyPress(chat.Message{Table: g.table}, "join")})
	}
	g.do(ctx, chat.Event{User: people[0], Press: chat.LobbyPress(chat.Message{Table: g.table}, "house fewest")})
	g.do(ctx, chat.Event{User: people[0], Press: chat.LobbyPress(chat.Message{Table: g.table}, "start")})
}

// play presses the first button of the board the given number of times, or until the game is over.
func (g *gathering) play(ctx context.Context, presses int) {
	for range presses {
		m := g.board(ctx)
		at := -1
		for i, p := range m.People {
			if p.State == games.ToMove {
				at = i
			}
		}
		if g.err != nil || at < 0 {
			return
		}
		g.do(ctx, chat.Event{User: m.People[at].User, Press: m.Buttons[0][0].Press})
	}
}

// button returns the data that the first button for an action sends, or "" if there is no such button.
func (g *gathering) button(ctx context.Context, action string) string {
	for _, b := range slices.Concat(g.board(ctx).Buttons...) {
		if strings.HasSuffix(b.Press, ":"+action) {
			return b.Press
		}
	}
	return ""
}

// board returns the latest board of the table.
func (g *gathering) board(ctx context.Context) (board chat.Message) {
	err := g.bot.Draw(ctx, g.table, false, func(_ context.Context, m chat.Message, _ chat.Ref) (chat.Ref,
		chat.Permit, error) {
		board = m
		return chat.Ref(g.place) + "/1", chat.Permit{}, nil
	})
	g.err = errors.Join(g.err, err)
	return board
}

// tamper, as in "tamper FILE SQL", changes a database directly.
func tamper(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tamper FILE SQL")
	}
	name, driver := databaseName(ts, args[0]), "sqlite"
	if !store.IsFile(name) {
		driver = "pgx"
	}
	db, err := sql.Open(driver, name)
	ts.Check(err)
	defer db.Close()
	done, err := db.Exec(args[1])
	ts.Check(err)
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		ts.Fatalf("%s changes nothing (%v)", args[1], err)
	}
}

// jumping is a clock that jumps by days and years, also back to before everything that has happened.
type jumping struct {
	chance *rand.Rand
	ahead  time.Duration
}

func (j *jumping) Now() time.Time {
	switch j.chance.IntN(20) {
	case 0:
		j.ahead = time.Duration(j.chance.IntN(800)-400) * 24 * time.Hour
	case 1:
		j.ahead = -40 * 365 * 24 * time.Hour
	case 2:
		j.ahead = 0
	}
	return time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC).Add(j.ahead)
}

func (j *jumping) After(time.Duration) <-chan time.Time { return nil }

// Games end and payments add up to zero whatever the clock shows.
func TestAClockThatJumps(t *testing.T) {
	st := storetest.Open(t)
	said, err := sharedMessages()
	check(t, err)
	clock := &jumping{chance: rand.New(rand.NewPCG(2026, 21))}
	b := wiring.New(bot.Config{Store: st, Games: allGames(), Words: said, Clock: clock, Zone: time.UTC})
	group := &gathering{bot: b, chat: "telegram:-1001", place: "telegram:-1001"}
	const games = 4
	for range games {
		group.open(t.Context(), "10 tiles=5", "telegram:11", "telegram:12")
		group.play(t.Context(), 1000)
	}
	if group.err != nil {
		t.Fatal(group.err)
	}
	checkSound(t, st, b, games)
}

// many describes a database of finished games. A few of them were really played; the others are copies of these, but
// with other people and evenings, and without moves.
type many struct {
	tables, chats int
	people        int // a multiple of chats
}

// alike is the number of games that are played; the others are copies of them.
const alike = 10

// fill creates the database in a file.
func (m many) fill(t *testing.T, file string) {
	t.Helper()
	few := filepath.Join(t.TempDir(), "few.db")
	check(t, playMany(t.Context(), few, alike))
	st, err := store.Open(t.Context(), file)
	if err == nil {
		err = st.Close()
	}
	check(t, err)
	db, err := sql.Open("sqlite", file+"?_pragma=foreign_keys(0)&_pragma=synchronous(OFF)&_pragma=cache_size(-64000)")
	check(t, err)
	db.SetMaxOpenConns(1) // ATTACH affects only one connection
	defer db.Close()
	if _, err := db.Exec(`ATTACH '` + few + `' AS few`); err != nil {
		t.Fatal(err)
	}
	for _, rows := range m.rows() {
		if err := rows.insert(t.Context(), db); err != nil {
			t.Fatalf("%s: %v", rows.into, err)
		}
	}
	if _, err := db.Exec(`INSERT INTO totals SELECT * FROM recounted_totals`); err != nil {
		t.Fatal(err)
	}
}

// manyRows describes the copied rows of one database table.
type manyRows struct {
	into, from string
	times      int               // copies of each row of the played games
	with       map[string]string // SQL for the columns that differ from the played game
}

// rows returns the rows of all database tables except totals. Copied games are numbered n: the number of the played
// game plus a multiple of ten.
func (m many) rows() []manyRows {
	times := m.tables / alike
	chat := fmt.Sprintf(`('discord:' || (n %% %d))`, m.chats)
	player := fmt.Sprintf(`('discord:' || (1000 + n %% %d))`, m.people)
	account := fmt.Sprintf(`CASE WHEN a.name LIKE 'pool:%%' THEN n WHEN a.name LIKE 'player:%%' THEN %d + n %% %d
		ELSE %d + n %% %d END`, m.tables+1, m.people, m.tables+m.people+1, m.chats)
	of := func(table, number string) string {
		return `(SELECT o.*, o.` + number + ` + 10 * times.n AS n FROM few.` + table + ` o JOIN times)`
	}
	one := func(table string) string {
		return `(SELECT o.*, times.n AS n FROM (SELECT * FROM few.` + table + ` LIMIT 1) o JOIN times)`
	}
	bare := fmt.Sprintf(`n > %d`, alike)
	return []manyRows{
		{"chats", one("chats"), m.chats, map[string]string{"id": chat}},
		{"players", one("players"), m.people, map[string]string{"id": player}},
		{"tables", of("tables", "id"), times, map[string]string{"id": "n", "chat": chat, "place": chat + ` || '/1'`,
			"opener": player, "evening": "evening - n % 700", "bare": bare}},
		{"boards", of("boards", "table_id"), times, map[string]string{"table_id": "n", "place": chat + ` || '/1'`,
			"message": chat + ` || '/1/' || n`}},
		{"seats", of("seats", "table_id"), times, map[string]string{"table_id": "n",
			"player": `CASE WHEN player IS NULL THEN NULL ELSE ` + player + ` END`}},
		{"moves", `(SELECT * FROM ` + of("moves", "table_id") + ` WHERE NOT ` + bare + `)`, 1,
			map[string]string{"table_id": "n"}},
		{"results", of("results", "table_id"), times, map[string]string{"table_id": "n"}},
		{"accounts", `(SELECT MIN(n) AS n, id, unit, name FROM (SELECT t.n, ` + account + ` AS id, a.unit,
			CASE WHEN a.name LIKE 'pool:%' THEN 'pool:' || n WHEN a.name LIKE 'player:%' THEN 'player:' || ` + player + `
			ELSE a.name END AS name FROM ` + of("tables", "id") + ` t JOIN few.accounts a ON a.chat = t.chat)
			GROUP BY id, unit, name)`, times, map[string]string{"chat": chat}},
		{"postings", of("postings", "table_id"), times, map[string]string{"id": `id + 2 * (n - table_id)`, "table_id": "n",
			"chat": chat}},
		{"entries", `(SELECT p.n, p.id + 2 * (p.n - p.table_id) AS posting_id, e.line, ` + account + ` AS account_id, e.amount
			FROM ` + of("postings", "table_id") + ` p JOIN few.entries e ON e.posting_id = p.id
			JOIN few.accounts a ON a.id = e.account_id)`, times, nil},
	}
}

// insert inserts the rows.
func (r manyRows) insert(ctx context.Context, db *sql.DB) error {
	var names string
	err := db.QueryRowContext(ctx, `SELECT group_concat(name) FROM pragma_table_info($1)`, r.into).Scan(&names)
	if err != nil {
		return err
	}
	values := strings.Split(names, ",")
	for i, name := range values {
		if with := r.with[name]; with != "" {
			values[i] = with
		}
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf(`
		WITH RECURSIVE times (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM times WHERE n < %d)
		INSERT INTO %s (%s) SELECT %s FROM %s`, r.times-1, r.into, names, strings.Join(values, ", "), r.from))
	return err
}
