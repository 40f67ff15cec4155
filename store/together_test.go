package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"knobel/store"
	"knobel/store/storetest"
)

// errNo is the error of a change that has to be rolled back.
var errNo = errors.New("no")

// line holds changes that wait for their turn while another change runs, in a bubble of synctest.
type line struct {
	inside sync.WaitGroup // the changes that have not ended
	leave  chan struct{}
}

// turn is the scope of the waiting changes: they wait for each other on a server, too.
var turn = store.OfSetting("turn")

// blockQueue starts a change that runs until line.run is called, so that later changes wait and share a commit.
func blockQueue(t *testing.T, s *store.Store) *line {
	t.Helper()
	l := &line{leave: make(chan struct{})}
	begun := make(chan struct{})
	l.inside.Go(func() {
		// The result of the first change does not matter here.
		_ = s.UpdateOf(context.Background(), turn, func(tx *store.Tx) error {
			close(begun)
			<-l.leave
			return tx.Chats.SaveSetting("first", "1")
		})
	})
	<-begun
	return l
}

// add runs change in the background, behind the waiting ones.
func (l *line) add(change func()) {
	l.inside.Go(change)
	synctest.Wait()
}

// run ends the blocking change and waits until all waiting ones have ended.
func (l *line) run() {
	close(l.leave)
	l.inside.Wait()
}

// settingOf returns the stored value of a setting.
func settingOf(s *store.Store, name string) (value string, err error) {
	err = s.View(context.Background(), func(tx *store.Tx) error {
		value, err = tx.Chats.Setting(name)
		return err
	})
	return value, err
}

// wantSettings checks that exactly those settings are stored, with the value 1, for which stored is true.
func wantSettings(t *testing.T, s *store.Store, stored map[string]bool) {
	t.Helper()
	for name, stands := range stored {
		value, err := settingOf(s, name)
		if err != nil {
			t.Error(err)
		}
		if (value == "1") != stands {
			t.Errorf("setting %s is %q", name, value)
		}
	}
}

func TestChangesThatWaitShareACommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var commits, answered, early atomic.Int32
		storetest.Use(t, storetest.Disk{Flush: func(log bool) bool {
			if log {
				commits.Add(1)
				early.Add(answered.Load())
			}
			return true
		}})
		s := openNew(t)
		// The beginning of a log takes a separate flush, so it is written before flushes are counted.
		update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveSetting("log", "begun") })
		l := blockQueue(t, s)
		commits.Store(0)
		before := s.Commits()
		const changes = 40
		stand := map[string]bool{"first": true}
		for i := range changes {
			name := fmt.Sprint("s", i)
			stand[name] = i%4 != 3
			l.add(func() {
				err := s.Update(t.Context(), func(tx *store.Tx) error {
					if err := tx.Chats.SaveSetting(name, "1"); err != nil || stand[name] {
						return err
					}
					return errNo
				})
				answered.Add(1)
				if (err == nil) != stand[name] || err != nil && err != errNo {
					t.Errorf("%s: %v", name, err)
				}
				if value, err := settingOf(s, name); err != nil || (value == "1") != stand[name] {
					t.Errorf("%s was answered, and reads %q, %v", name, value, err)
				}
			})
		}
		l.run()
		if commits.Load() != 1 {
			t.Errorf("%d changes took %d commits", changes+1, commits.Load())
		}
		after := s.Commits() // 31 were committed, and changes 17 to 32 ran together
		if n := after.Sizes.Sum - before.Sizes.Sum; n != 31 || after.Sizes.Counts[5] != before.Sizes.Counts[5]+1 ||
			after.Failed != 0 {
			t.Errorf("%d changes are counted, and before %+v, now %+v", n, before, after)
		}
		if early.Load() != 0 {
			t.Errorf("%d changes were answered before the commit", early.Load())
		}
		wantSettings(t, s, stand)
	})
}

// TestOneChangeFailsAlone checks that a failing change does not affect others in the same commit.
func TestOneChangeFailsAlone(t *testing.T) {
	for what, change := range map[string]func(tx *store.Tx) error{
		"refuses":            func(*store.Tx) error { return errNo },
		"panics":             func(*store.Tx) error { panic("ouch") },
		"ends its goroutine": func(*store.Tx) error { runtime.Goexit(); return nil },
		"fails in SQL":       func(tx *store.Tx) error { _ = tx.Tables.AddMove(99, store.Move{}); return nil },
		"goes on after a failure": func(tx *store.Tx) error {
			_ = tx.Tables.AddMove(99, store.Move{})
			_ = tx.Chats.SaveSetting("after", "1")
			return nil
		},
		"spoils the books": func(tx *store.Tx) error {
			return tx.Books.Post(store.Posting{Chat: "c", Unit: "u", Kind: store.Payout, Entries: []store.Entry{
				{Account: "box", Amount: -1}, {Account: "player:a", Amount: 1}}})
		},
		"no longer waits": nil,
	} {
		t.Run(what, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { wantFailsAlone(t, change) }) })
	}
}

// wantFailsAlone runs a failing change between two good ones. If change is nil, it is cancelled while it waits.
func wantFailsAlone(t *testing.T, change func(*store.Tx) error) {
	t.Helper()
	s := openNew(t)
	l := blockQueue(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	saves := func(name string) {
		err := s.UpdateOf(t.Context(), turn, func(tx *store.Tx) error { return tx.Chats.SaveSetting(name, "1") })
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	l.add(func() { saves("before") })
	l.add(func() {
		defer func() {
			if p := recover(); p != nil && !isOuch(p) {
				t.Errorf("the panic came through as %v", p)
			}
		}()
		err := s.UpdateOf(ctx, turn, func(tx *store.Tx) error {
			if change == nil {
				t.Error("it ran")
				return nil
			}
			return errors.Join(tx.Chats.SaveSetting("it", "1"), change(tx))
		})
		if err == nil {
			t.Error("it has no error")
		}
	})
	l.add(func() { saves("behind") })
	if change == nil {
		cancel()
		synctest.Wait()
	}
	l.run()
	wantSettings(t, s, map[string]bool{"before": true, "it": false, "behind": true, "after": false})
	wantNoFaults(t, s)
}

// TestAFailedCommitIsToldToAll checks that all changes of a failed commit get its error, and the next one succeeds.
func TestAFailedCommitIsToldToAll(t *testing.T) {
	var broken atomic.Bool
	works := func(log bool) bool { return !log || !broken.Load() }
	for what, disk := range map[string]storetest.Disk{"full": {Write: works}, "broken": {Flush: works}} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { wantFailsForAll(t, disk, &broken) })
		})
	}
}

// wantFailsForAll breaks the disk by setting broken while changes wait, checks that all fail, and repairs it.
func wantFailsForAll(t *testing.T, disk storetest.Disk, broken *atomic.Bool) {
	storetest.Use(t, disk)
	s := openNew(t)
	l := blockQueue(t, s)
	stand := map[string]bool{"first": false}
	for i := range 12 {
		name := fmt.Sprint("s", i)
		stand[name] = false
		l.add(func() {
			err := s.Update(t.Context(), func(tx *store.Tx) error {
				if err := tx.Chats.SaveSetting(name, "1"); err != nil || i%3 > 0 {
					return err
				}
				return errNo
			})
			if err == nil || !strings.Contains(err.Error(), "commit: ") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	broken.Store(true)
	l.run()
	wantSettings(t, s, stand)
	broken.Store(false)
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveSetting("first", "1") })
	stand["first"] = true
	wantSettings(t, s, stand)
	wantNoFaults(t, s)
}

func TestCloseFinishesWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openNew(t)
		l := blockQueue(t, s)
		for i := range 10 {
			l.add(func() {
				if err := s.Update(t.Context(), func(tx *store.Tx) error {
					return tx.Chats.SaveSetting(fmt.Sprint("s", i), "1")
				}); err != nil {
					t.Error(err)
				}
			})
		}
		l.add(func() {
			closeDB(t, s)
		})
		if err := s.Update(t.Context(), func(*store.Tx) error { return nil }); err == nil {
			t.Error("a change is taken behind the end")
		}
		l.run()
		if err := s.View(t.Context(), func(*store.Tx) error { return nil }); err == nil {
			t.Error("a closed database was read")
		}
		again := reopen(t, s.File())
		for i := range 10 {
			wantSettings(t, again, map[string]bool{fmt.Sprint("s", i): true})
		}
	})
}
