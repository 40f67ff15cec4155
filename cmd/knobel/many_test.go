package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"knobel/store"
)

// many is a database of as many games as wished, that are over: a few of them were played, and the others are as these,
// but of other people, in other evenings, and without moves.
type many struct {
	tables, chats int
	people        int // a multiple of the chats
}

// alike is how many games are played for the others to be like.
const alike = 10

// fill makes the database in a file.
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
	db.SetMaxOpenConns(1) // the one to which the other file is attached
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

// manyRows are those of a table.
type manyRows struct {
	into, from string
	times      int               // how often each row of the few is there
	with       map[string]string // what stands in a column that is not as in the game played
}

// rows are those of all tables but the totals. A game has the number n: that of the game that it is like, and ten for
// each time.
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

// insert inserts them.
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
