package bot_test

import (
	"context"
	"fmt"
	"testing"

	"knobel/bot/bare"

	"github.com/jackc/pgx/v5"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// BenchmarkGrowth plays whole games of two on a PostgreSQL server of this computer, each with all its boards, each in a
// chat of its own: how many presses a game takes, how many rows and how many bytes it leaves, indexes among them, and
// how much the server has written to its log.
func BenchmarkGrowth(b *testing.B) {
	for _, line := range []string{"shutbox 10", "wuerfelpoker", "zehntausend 10"} {
		b.Run(line, func(b *testing.B) { benchGrowth(b, "/"+line) })
	}
}

func benchGrowth(b *testing.B, line string) {
	server, address := postgrestest.Need(b), storetest.OnServer(b)
	h := bare.NewIn(b, address, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New())
	playThrough(b, h, line, 0) // what is made once is there
	before, log := grown(b, address), server.Written(b)
	presses := 0
	for i := range b.N {
		presses += playThrough(b, h, line, i+1)
	}
	written := server.Written(b) - log
	after := grown(b, address)
	n := float64(b.N)
	b.ReportMetric(float64(presses)/n, "presses")
	b.ReportMetric(float64(after.rows-before.rows)/n, "rows")
	b.ReportMetric(float64(after.bytes-before.bytes)/n, "bytes")
	b.ReportMetric(float64(after.indexes-before.indexes)/n, "index-bytes")
	b.ReportMetric(float64(written)/n, "wal-bytes")
	b.ReportMetric(float64(written)/float64(presses), "wal-bytes/press")
	b.ReportMetric(0, "ns/op")
}

// playThrough plays a game of two in a chat of its own, and returns how many presses that took.
func playThrough(b *testing.B, h *bare.House, line string, i int) (presses int) {
	b.Helper()
	people := []*bare.Person{h.Person(fmt.Sprint("A", i)), h.Person(fmt.Sprint("B", i))}
	for _, p := range people {
		p.Chat, p.Place = chat.Chat(fmt.Sprint("test:", i)), chat.Place(fmt.Sprint("test:", i, "/1"))
	}
	people[0].Writes(line)
	table := people[0].Table().ID
	people[1].Sends(fmt.Sprintf("1:%d:0:!join", table))
	people[0].Sends(fmt.Sprintf("1:%d:0:!start", table))
	for presses = 3; ; presses++ {
		m := h.BoardOf(table)
		if people[0].Table().State == store.Over {
			return presses
		}
		if presses > 2000 || len(m.Buttons) == 0 {
			b.Fatalf("%s does not end:\n%s", line, bare.Show(m))
		}
		h.Wait(bare.Leisure)
		press := bare.Onward(m).Press
		if r := people[0].Sends(press); r.Refused {
			if r = people[1].Sends(press); r.Refused {
				b.Fatalf("nobody may press %q: %s", press, r.Toast)
			}
		}
	}
}

// size is what a database holds.
type size struct{ rows, bytes, indexes int64 }

// grown returns what a database holds by now: rows as they are counted, and bytes without what is unused between them.
func grown(b *testing.B, address string) (s size) {
	b.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `VACUUM FULL`); err != nil {
		b.Fatal(err)
	}
	rows, err := conn.Query(ctx, `
		SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
		WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`)
	if err != nil {
		b.Fatal(err)
	}
	type table struct {
		Name           string
		Bytes, Indexes int64
	}
	tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[table])
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range tables {
		var n int64
		if err := conn.QueryRow(ctx, `SELECT COUNT(*) FROM `+pgx.Identifier{t.Name}.Sanitize()).Scan(&n); err != nil {
			b.Fatal(err)
		}
		s.rows, s.bytes, s.indexes = s.rows+n, s.bytes+t.Bytes+t.Indexes, s.indexes+t.Indexes
	}
	return s
}
