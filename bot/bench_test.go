package bot_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// BenchmarkPresses measures Handle with a database file while a number of tables press at the same time, and compares
// that with presses one after the other. It does so on this computer's disk, and on a simulated disk whose
// flushes take a millisecond longer.
func BenchmarkPresses(b *testing.B) {
	for _, longer := range []time.Duration{0, time.Millisecond} {
		for _, tables := range []int{1, 16, 256} {
			b.Run(fmt.Sprintf("disk=+%s/tables=%d", longer, tables), func(b *testing.B) {
				if longer > 0 {
					storetest.Use(b, storetest.Slow(longer))
				}
				h := bare.New(b, bare.Relay{})
				all := make([]*bare.Seated, tables)
				for i := range all {
					all[i] = h.Seat(i)
				}
				var turn chan struct{} // nil: no press waits for its turn
				storetest.Compare(b, tables, func(table, _ int) error {
					if turn != nil {
						turn <- struct{}{}
						defer func() { <-turn }()
					}
					if r := h.Bot.Handle(context.Background(), all[table].Press()); r.Refused {
						return fmt.Errorf("refused: %s", r.Toast)
					}
					return nil
				}, func(alone bool) {
					turn = nil
					if alone {
						turn = make(chan struct{}, 1)
					}
				})
			})
		}
	}
}

// BenchmarkPressOnBothEngines measures a press with its board on a file and on a local PostgreSQL server, in turns:
// this process's processor time for each, their ratio, the server's own time, and the size of its log.
func BenchmarkPressOnBothEngines(b *testing.B) {
	server := postgrestest.Need(b)
	file, remote := bare.New(b, bare.Relay{}), bare.NewIn(b, storetest.OnServer(b), bare.Relay{})
	onFile, onServer := file.Seat(0), remote.Seat(0)
	var spent [2]time.Duration
	var served time.Duration
	var written int64
	const rounds = 8
	for range rounds {
		for i, table := range []*bare.Seated{onFile, onServer} {
			before, log := server.Spent(b), server.Written(b)
			cpu, _ := fakes.Spent(b, func() {
				for range (b.N + rounds - 1) / rounds {
					pressAndDraw(b, table)
				}
			})
			spent[i] += cpu
			if table == onServer {
				served += server.Spent(b) - before
				written += server.Written(b) - log
			}
		}
	}
	presses := float64((b.N + rounds - 1) / rounds * rounds)
	b.ReportMetric(float64(spent[0].Microseconds())/presses, "file-µs")
	b.ReportMetric(float64(spent[1].Microseconds())/presses, "postgres-µs")
	b.ReportMetric(float64(served.Microseconds())/presses, "server-µs")
	b.ReportMetric(float64(written)/presses, "wal-bytes")
	b.ReportMetric(spent[1].Seconds()/spent[0].Seconds(), "times-file")
	b.ReportMetric(0, "ns/op")
}

// pressAndDraw makes the next press at a table and draws its board.
func pressAndDraw(b *testing.B, table *bare.Seated) {
	b.Helper()
	h := table.People[0].House
	h.Wait(bare.Leisure)
	r := h.Bot.Handle(context.Background(), bare.Carried(table))
	if r.Refused || r.Board == 0 {
		b.Fatalf("refused: %+v", r)
	}
	err := h.Bot.Draw(context.Background(), r.Board, false,
		func(_ context.Context, _ chat.Message, ref chat.Ref) (chat.Ref, chat.Permit, error) {
			if ref == "" {
				ref = "test:1/1/board"
			}
			return ref, chat.Permit{}, nil
		})
	check(b, err)
}

// BenchmarkGrowth plays whole games of two on a PostgreSQL server of this computer, each in another chat and with all
// its boards. It measures the presses of a game, the rows and bytes that it leaves, with indexes, and the size of the
// server's log.
func BenchmarkGrowth(b *testing.B) {
	for _, line := range []string{"shutbox 10", "wuerfelpoker", "zehntausend 10"} {
		b.Run(line, func(b *testing.B) {
			server, address := postgrestest.Need(b), storetest.OnServer(b)
			h := bare.NewIn(b, address, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New())
			playThrough(b, h, "/"+line, 0) // also writes the rows that a database gets only once
			before, log := measureSize(b, address), server.Written(b)
			presses := 0
			for i := range b.N {
				presses += playThrough(b, h, "/"+line, i+1)
			}
			written := server.Written(b) - log
			after := measureSize(b, address)
			n := float64(b.N)
			b.ReportMetric(float64(presses)/n, "presses")
			b.ReportMetric(float64(after.rows-before.rows)/n, "rows")
			b.ReportMetric(float64(after.bytes-before.bytes)/n, "bytes")
			b.ReportMetric(float64(after.indexes-before.indexes)/n, "index-bytes")
			b.ReportMetric(float64(written)/n, "wal-bytes")
			b.ReportMetric(float64(written)/float64(presses), "wal-bytes/press")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// playThrough plays a game of two people in chat number i, opened by the command in line, and returns its presses.
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

// databaseSize holds the numbers of rows and bytes in a database.
type databaseSize struct{ rows, bytes, indexes int64 }

// measureSize returns the current size of a database: counted rows, and bytes without unused space.
func measureSize(b *testing.B, address string) (s databaseSize) {
	b.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	check(b, err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `VACUUM FULL`)
	check(b, err)
	rows, err := conn.Query(ctx, `
		SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
		WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`)
	check(b, err)
	type table struct {
		Name           string
		Bytes, Indexes int64
	}
	tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[table])
	check(b, err)
	for _, t := range tables {
		var n int64
		check(b, conn.QueryRow(ctx, `SELECT COUNT(*) FROM `+pgx.Identifier{t.Name}.Sanitize()).Scan(&n))
		s.rows, s.bytes, s.indexes = s.rows+n, s.bytes+t.Bytes+t.Indexes, s.indexes+t.Indexes
	}
	return s
}
