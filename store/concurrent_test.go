package store_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"knobel/store"
)

func TestViewsChangeNothing(t *testing.T) {
	s := fresh(t)
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
	s := fresh(t)
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
	cancel() // the change that has begun is carried through all the same
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

// Many write at once, each counting up and taking from one account to another;
// readers see sums of zero throughout, and each view one state only.
func TestManyAtOnce(t *testing.T) {
	s := fresh(t)
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
					lookAtBooks(t, s)
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
	sound(t, s)
}

// count counts one change more and pays one chip for it.
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

// lookAtBooks wants one state: as many chips paid as changes counted.
func lookAtBooks(t *testing.T, s *store.Store) {
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
