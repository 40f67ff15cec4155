package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"knobel/store"
)

func TestViewsChangeNothing(t *testing.T) {
	s := openNew(t)
	err := s.View(t.Context(), func(tx *store.Tx) error { return tx.Chats.SaveSetting("x", "1") })
	if err == nil {
		t.Error("a view has written")
	}
	view(t, s, func(tx *store.Tx) error {
		value, err := tx.Chats.Setting("x")
		if value != "" {
			t.Errorf("%q was written", value)
		}
		return err
	})
}

func TestWaitingForATurnEndsWithItsContext(t *testing.T) {
	s := openNew(t)
	inside, leave := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		done <- s.Update(ctx, func(tx *store.Tx) error {
			close(inside)
			<-leave
			return tx.Chats.SaveSetting("x", "1")
		})
	}()
	<-inside
	cancel() // a change that has begun continues
	if err := s.Update(ctx, func(*store.Tx) error { t.Error("it ran"); return nil }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("waiting: %v", err)
	}
	close(leave)
	if err := <-done; err != nil {
		t.Errorf("begun: %v", err)
	}
	if err := s.Update(ctx, func(*store.Tx) error { t.Error("it ran"); return nil }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("not begun: %v", err)
	}
	if err := s.View(ctx, func(*store.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("view: %v", err)
	}
}

// TestManyAtOnce runs many changes at once, each of which counts up and moves a chip between two accounts. Views must
// always read one state with a sum of zero.
func TestManyAtOnce(t *testing.T) {
	s := openNew(t)
	const writers, each = 16, 10
	var writing, reading sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		reading.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					wantBooksMatch(t, s)
				}
			}
		})
	}
	for w := range writers {
		writing.Go(func() {
			for range each {
				if err := s.UpdateOf(t.Context(), store.OfChat("test:chat"),
					func(tx *store.Tx) error { return count(tx, w) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	view(t, s, func(tx *store.Tx) error {
		value, err := tx.Chats.Setting("count")
		if value != strconv.Itoa(writers*each) {
			t.Errorf("counted %s of %d", value, writers*each)
		}
		return err
	})
	wantNoFaults(t, s)
}

// count adds one to the counter of changes and posts one chip from the player with the number writer to "all".
func count(tx *store.Tx, writer int) error {
	value, err := tx.Chats.Setting("count")
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(value) // "" is 0
	err = tx.Books.Post(store.Posting{Chat: "test:chat", Unit: "chips", Kind: store.Payout, Entries: []store.Entry{
		{Account: fmt.Sprintf("player:test:%d", writer), Amount: -1}, {Account: "player:test:all", Amount: 1}}})
	return errors.Join(err, tx.Chats.SaveSetting("count", strconv.Itoa(n+1)))
}

// wantBooksMatch checks that the number of booked chips equals the number of counted changes.
func wantBooksMatch(t *testing.T, s *store.Store) {
	err := s.View(t.Context(), func(tx *store.Tx) error {
		value, err := tx.Chats.Setting("count")
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(value) // "" is 0
		paid, err := tx.Books.Balance("test:chat", "chips", "player:test:all")
		if paid != int64(n) {
			t.Errorf("%d are counted, %d paid", n, paid)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// deed is a change of the property test: it reads two counters, writes one and the journal, and then commits or fails.
type deed struct {
	round    int // the number of the test run; each run has its own settings
	id       int
	from, to int
	end      string

	read string // the journal as this change has read it
	err  error
}

// do is the change. Its writes depend on its reads, so that another order gives another result.
func (d *deed) do(tx *store.Tx) error {
	journal, err := tx.Chats.Setting(fmt.Sprint("journal", d.round))
	if err != nil {
		return err
	}
	d.read = journal
	counters := map[int]int64{}
	for _, c := range []int{d.from, d.to} {
		text, err := tx.Chats.Setting(counterName(d.round, c))
		if err != nil {
			return err
		}
		counters[c], _ = strconv.ParseInt(text, 10, 64) // "" is 0
	}
	d.count(counters)
	if err := tx.Chats.SaveSetting(counterName(d.round, d.to), fmt.Sprint(counters[d.to])); err != nil {
		return err
	}
	if err := tx.Chats.SaveSetting(fmt.Sprint("journal", d.round), fmt.Sprint(journal, d.id, " ")); err != nil {
		return err
	}
	switch d.end {
	case "refuses":
		return errNo
	case "panics":
		panic("ouch")
	case "fails":
		_ = tx.Tables.AddMove(99, store.Move{}) // fails because there is no table 99, though the error is ignored
	}
	return nil
}

// counterName returns the name of the setting that holds counter c in a round.
func counterName(round, c int) string { return fmt.Sprintf("counter %d of %d", c, round) }

// count applies the change to counters in memory.
func (d *deed) count(counters map[int]int64) {
	counters[d.to] = (counters[d.to]*31 + counters[d.from] + int64(d.id)) % 1_000_003
}

// TestSomeOrder runs many changes at once, some of which fail. The final state must result from a serial order of the
// committed ones: that of the journal, in which each has read the changes before it.
func TestSomeOrder(t *testing.T) {
	s, round := openNew(t), 0
	rapid.Check(t, func(r *rapid.T) {
		round++
		deeds := make([]*deed, rapid.IntRange(2, 40).Draw(r, "deeds"))
		for i := range deeds {
			counter := rapid.IntRange(0, 3)
			end := rapid.SampledFrom([]string{"stands", "stands", "stands", "refuses", "panics", "fails", "leaves"})
			deeds[i] = &deed{round: round, id: i + 1, from: counter.Draw(r, "from"), to: counter.Draw(r, "to"),
				end: end.Draw(r, "end")}
		}
		runConcurrently(s, deeds, rapid.IntRange(1, 12).Draw(r, "people"))
		journal, err := settingOf(s, fmt.Sprint("journal", round))
		if err != nil {
			r.Fatal(err)
		}
		counters, stood := replayJournal(r, deeds, journal)
		for _, d := range deeds {
			if d.end != "leaves" && (d.err == nil) != (d.end == "stands") || (d.err == nil) != stood[d.id] {
				r.Errorf("deed %d %s, its answer is %v, and it stands: %t", d.id, d.end, d.err, stood[d.id])
			}
		}
		for c, want := range counters {
			if got, err := settingOf(s, counterName(round, c)); err != nil || got != fmt.Sprint(want) {
				r.Errorf("counter %d is %s, %v; in the journal's order it is %d", c, got, err, want)
			}
		}
	})
}

// runConcurrently runs changes concurrently, divided among people: those of one person run one after the other.
func runConcurrently(s *store.Store, deeds []*deed, people int) {
	var all sync.WaitGroup
	for p := range people {
		all.Go(func() {
			for i := p; i < len(deeds); i += people {
				deeds[i].err = runDeed(s, deeds[i])
			}
		})
	}
	all.Wait()
}

// runDeed runs a change in a transaction. It returns a panic of the change as an error.
func runDeed(s *store.Store, d *deed) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if d.end == "leaves" { // cancels the change at any time
		go cancel()
	}
	return s.UpdateOf(ctx, store.OfSetting(fmt.Sprint("journal", d.round)), d.do)
}

// replayJournal applies the changes that journal names, in order, to counters in memory, and checks that each has read
// the journal before it. It returns counters that are not 0, and the numbers of the changes as applied.
func replayJournal(r *rapid.T, deeds []*deed, journal string) (counters map[int]int64, applied map[int]bool) {
	counters, applied = map[int]int64{}, map[int]bool{}
	before := ""
	for _, id := range strings.Fields(journal) {
		n, err := strconv.Atoi(id)
		if err != nil || n < 1 || n > len(deeds) || applied[n] {
			r.Fatalf("the journal is %q", journal)
		}
		d := deeds[n-1]
		if d.read != before {
			r.Errorf("deed %d has read %q, not %q", n, d.read, before)
		}
		d.count(counters)
		applied[n] = true
		before += id + " "
	}
	for _, c := range slices.Sorted(maps.Keys(counters)) {
		if counters[c] == 0 {
			delete(counters, c) // it was only read
		}
	}
	return counters, applied
}
