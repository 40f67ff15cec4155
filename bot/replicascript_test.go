package bot_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/bot/lease"
	"knobel/bot/review"
	"knobel/store"
	"knobel/store/storetest"
)

// replicaPair holds two replicas on one server. They use the same times and random numbers as one bot on a file.
type replicaPair struct {
	both  [2]*bare.House
	db    *sql.DB
	stage *bare.Stage
	stops [2]func()
}

// newReplicaPair starts two replicas, each of which runs the loops of some chats.
func newReplicaPair(t *testing.T) *replicaPair {
	t.Helper()
	r := &replicaPair{stage: bare.NewStage()}
	address, clock := storetest.OnServer(t), fakes.NewClockAt(bare.ScriptBegins, false)
	for i, name := range []string{"a", "b"} {
		h := bare.ScriptHouse(t, address, clock, store.Shared())
		h.Leases = lease.New(lease.Config{Store: h.Store, Name: name})
		h.RestartBot()
		r.both[i] = h
		r.stops[i] = h.OnStage(r.stage)
	}
	db, err := sql.Open("pgx", address)
	check(t, err)
	t.Cleanup(func() { _ = db.Close() })
	r.db = db
	r.stage.Until(t, "each holds what half of the chats need", func([]string) bool {
		a, b := r.both[0].Leases.Held(), r.both[1].Leases.Held()
		return len(a) > 0 && len(b) > 0 && fmt.Sprint(a) == fmt.Sprint(b)
	})
	return r
}

// alignNumbers makes the server continue with the same ids as a file, where a rollback uses up none. People name
// tables, payments and puzzles by these ids.
func (r *replicaPair) alignNumbers(t *testing.T) {
	t.Helper()
	for _, table := range []string{"tables", "payments", "puzzles"} {
		_, err := r.db.Exec(fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%s', 'id'), COALESCE(MAX(id), 1),
			MAX(id) IS NOT NULL) FROM %[1]s`, table))
		check(t, err)
	}
}

// runCue sends an event to the replicas that the script names, and compares the answers with the script's.
func (r *replicaPair) runCue(t *testing.T, c bare.Cue) {
	t.Helper()
	first, second := r.both[c.At], r.both[1-c.At]
	first.Clock.Advance(c.When.Sub(first.Clock.Now()))
	for _, h := range r.both {
		h.Seeds.(*bare.FromEvent).Is(c.Ev.ID)
	}
	r.alignNumbers(t)
	replies := make([]chat.Reply, 1, 2)
	switch c.Comes {
	case bare.ComesTwice:
		replies = replies[:2]
		var both sync.WaitGroup
		both.Go(func() { replies[1] = r.handle(t, second, c.Ev) })
		replies[0] = r.handle(t, first, c.Ev)
		both.Wait()
	case bare.ComesAgain:
		replies = []chat.Reply{r.handle(t, first, c.Ev), r.handle(t, second, c.Ev)}
	default:
		replies[0] = r.handle(t, first, c.Ev)
	}
	if told := bare.Answers(t, replies...); told != c.Told {
		t.Fatalf("%s %s %s is answered\n%s\nand by one bot on a file\n%s", c.Ev.Name, c.Ev.Command, c.Ev.Press, told,
			c.Told)
	}
}

// handle runs an event at the replica h. It draws the board if the adapter draws it with its answer.
func (r *replicaPair) handle(t *testing.T, h *bare.House, ev chat.Event) chat.Reply {
	reply := h.Bot.Handle(context.Background(), ev)
	if !ev.Carries || reply.Board == 0 {
		return reply
	}
	draw := func(ctx context.Context, m chat.Message, ref chat.Ref) (chat.Ref, chat.Permit, error) {
		if ref == "" {
			ref, err := r.stage.Post(ctx, ev.Place, m)
			return ref, chat.Permit{}, err
		}
		return ref, chat.Permit{}, r.stage.Edit(ctx, ev.Place, ref, m)
	}
	if err := h.Bot.Draw(context.Background(), reply.Board, reply.Fresh, draw); err != nil {
		t.Error(err)
	}
	return reply
}

// staleTables returns the tables whose boards do not show their newest version.
func (r *replicaPair) staleTables() (all []int64) {
	h := r.both[0]
	err := h.Store.View(context.Background(), func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			t, err := tx.Tables.Table(id)
			if t.Board.Drawn != t.Version {
				all = append(all, id)
			}
			return err
		})
	})
	check(h.T, err)
	return all
}

// waitForBoards waits until every board shows its newest version, and stops the replicas. If boards stay stale for some
// seconds it advances the clock, because a board may wait for the end of a claim.
func (r *replicaPair) waitForBoards(t *testing.T) {
	t.Helper()
	advance, late := time.NewTicker(5*time.Second), time.After(fakes.Patience)
	defer advance.Stop()
	for advanced := 0; len(r.staleTables()) > 0; {
		select {
		case <-advance.C:
			if advanced < 6 {
				advanced++
				r.both[0].Clock.Advance(11 * time.Second)
			}
		case <-late:
			t.Fatalf("the boards of tables %v are not drawn", r.staleTables())
		default:
		}
	}
	for _, stop := range r.stops {
		stop()
	}
}

// checkBoards checks that the newest boards on the platform are those in outcome.
func (r *replicaPair) checkBoards(t *testing.T, outcome []string) {
	t.Helper()
	err := r.both[0].Store.View(context.Background(), func(tx *store.Tx) error {
		for i := range len(bare.ScriptWriter{}.Chats) {
			last, err := tx.Tables.TableHere(fmt.Sprint("test:", i, "/1"))
			if err != nil {
				return err
			}
			shown, err := json.Marshal(r.stage.Message(chat.Ref(last.Board.Message)))
			if board := fmt.Sprintf("board %d %s", last.ID, shown); err != nil || !slices.Contains(outcome, board) {
				t.Errorf("people see the %s (%v)", board, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestReplicasDoWhatOneBotDoes draws the acts of some people in three chats from a seed. One bot handles them on a
// file, and two replicas on one PostgreSQL, each event at the replica that the seed names, some at both, while both run
// their loops: the answers and, in the end, the stored data and the boards are the same.
func TestReplicasDoWhatOneBotDoes(t *testing.T) {
	bare.Beside(t)
	seeds := uint64(1)
	if needs.IsLong() {
		seeds = 40
	}
	var played uint64 // number of seeds that were run
	over := 0         // number of finished games
	for seed := uint64(1); seed <= seeds; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := bare.NewScriptWriter(t, seed)
			for range 200 {
				w.Adds()
			}
			r := newReplicaPair(t)
			for _, c := range w.Cues {
				r.runCue(t, c)
			}
			r.waitForBoards(t)
			w.Clock.Advance(r.both[0].Clock.Now().Sub(w.Clock.Now()))
			want := w.Outcome()
			r.checkBoards(t, want)
			for _, h := range append(r.both[:], w.House) {
				got := h.Outcome()
				for i := range max(len(got), len(want)) {
					if i >= len(got) || i >= len(want) || got[i] != want[i] {
						t.Fatalf("replicas have\n%s\nand one bot on a file\n%s", slices.Concat(got, []string{""})[i],
							slices.Concat(want, []string{""})[i])
					}
				}
				h.Sound()
			}
			games := len(w.Export(review.Wanted{}))
			over += games
			played++
			t.Logf("%d events, %d lines of outcome, %d games", len(w.Cues), len(want), games)
			if len(w.Cues) < 150 {
				t.Errorf("hardly anything happens: %d events", len(w.Cues))
			}
		})
	}
	if played == seeds && over < int(seeds) {
		t.Errorf("hardly anything happens: %d games are over", over)
	}
}
