package bot_test

import (
	"context"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// BenchmarkPressOnBothEngines is a press with its board, on a file and on a PostgreSQL server of this computer in
// turns: the processor time of this process at each, how these compare, and beside it the server's own, and what it
// writes to its log.
func BenchmarkPressOnBothEngines(b *testing.B) {
	server := postgrestest.Need(b)
	file, far := bare.New(b, bare.Relay{}), bare.NewIn(b, storetest.OnServer(b), bare.Relay{})
	onFile, onServer := file.Seat(0), far.Seat(0)
	var spent [2]time.Duration
	var served time.Duration
	var written int64
	const rounds = 8
	for range rounds {
		for i, at := range []*bare.Seated{onFile, onServer} {
			before, log := server.Spent(b), server.Written(b)
			cpu, _ := fakes.Spent(b, func() {
				for range (b.N + rounds - 1) / rounds {
					pressAndDraw(b, at)
				}
			})
			spent[i] += cpu
			if at == onServer {
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

// pressAndDraw is the next press at a table, and its board.
func pressAndDraw(b *testing.B, at *bare.Seated) {
	b.Helper()
	h := at.People[0].House
	h.Wait(bare.Leisure)
	r := h.Bot.Handle(context.Background(), at.Press())
	if r.Refused || r.Board == 0 {
		b.Fatalf("refused: %+v", r)
	}
	err := h.Bot.Draw(context.Background(), r.Board, false,
		func(_ context.Context, _ chat.Message, ref chat.Ref) (chat.Ref, error) {
			if ref == "" {
				ref = "test:1/1/board"
			}
			return ref, nil
		})
	if err != nil {
		b.Fatal(err)
	}
}
