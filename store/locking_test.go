package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store"
)

// wantInTime checks that the change called what ends in time and without an error. done gets its error.
func wantInTime(t *testing.T, what string, done <-chan error) {
	t.Helper()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	case <-time.After(fakes.Patience):
		t.Fatalf("%s: it waits", what)
	}
}

// launch runs a change with the lock scope in the background and returns a channel for its error.
func launch(s *store.Store, scope store.Scope, change func(*store.Tx) error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- s.UpdateOf(context.Background(), scope, change) }()
	return done
}

// TestChatsChangeAtOnceOnAServer checks that changes of other chats run during a change of one chat, while those of the
// same chat wait, by whichever scope they lock it.
func TestChatsChangeAtOnceOnAServer(t *testing.T) {
	t.Parallel()
	s := onServer(t)
	table := addLobby(t, s, "test:1")
	begun, goOn := make(chan struct{}), make(chan struct{})
	first := launch(s, store.OfChat(table.Chat), func(tx *store.Tx) error {
		if _, err := tx.Tables.Table(table.ID); err != nil {
			return err
		}
		close(begun)
		<-goOn
		table.Turn++
		return tx.Tables.SaveTable(table)
	})
	<-begun
	for _, of := range []store.Scope{store.OfChat("test:other"), store.OfTable(99), store.OfSetting("x"), {}} {
		wantInTime(t, "another chat", launch(s, of, func(tx *store.Tx) error { return tx.Chats.SaveSetting("x", "1") }))
	}
	var ended atomic.Int32
	var waiting []<-chan error
	for _, of := range []store.Scope{store.OfChat(table.Chat), store.OfTable(table.ID), store.OfTable(table.ID)} {
		waiting = append(waiting, launch(s, of, func(tx *store.Tx) error {
			now, err := tx.Tables.Table(table.ID)
			if err != nil {
				return err
			}
			ended.Add(1)
			now.Turn++
			return tx.Tables.SaveTable(now)
		}))
	}
	time.Sleep(50 * time.Millisecond) // waiting is the only way to see that a change does not end
	if n := ended.Load(); n != 0 {
		t.Errorf("%d changes of the chat have run meanwhile", n)
	}
	close(goOn)
	for _, done := range append(waiting, first) {
		wantInTime(t, "the chat", done)
	}
	if now := tableOf(t, s, table.ID); now.Turn != 4 {
		t.Errorf("of 4 changes %d are there", now.Turn)
	}
}

// TestNothingOfAChatIsLost runs many changes of one chat at once, with every kind of scope.
func TestNothingOfAChatIsLost(t *testing.T) {
	s := openNew(t)
	table, call := lobby("test:1"), store.Call{Due: 1}
	update(t, s, func(tx *store.Tx) (err error) {
		table.ID, err = tx.Tables.AddTable(table)
		call.Table = table.ID
		return errors.Join(err, tx.Calls.SaveCall(&call))
	})
	const each = 12
	var all sync.WaitGroup
	scopes := []store.Scope{store.OfChat(table.Chat), store.OfTable(table.ID), store.OfCall(call.ID)}
	for i := range 2 * len(scopes) {
		all.Go(func() {
			for range each {
				err := s.UpdateOf(context.Background(), scopes[i%len(scopes)], func(tx *store.Tx) error {
					now, err := tx.Tables.Table(table.ID)
					if err != nil {
						return err
					}
					now.Turn++
					return tx.Tables.SaveTable(now)
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if now := tableOf(t, s, table.ID); now.Turn != int64(2*len(scopes)*each) {
		t.Errorf("of %d changes %d are there", 2*len(scopes)*each, now.Turn)
	}
}

// TestANewChatIsMetOnce runs many changes at once for a missing chat and a missing setting: each opens a table if there
// is none, and sets the setting if it is not set. All but one must find that it is done.
func TestANewChatIsMetOnce(t *testing.T) {
	s := openNew(t)
	for n := range 8 {
		place, setting := fmt.Sprint("test:", n), fmt.Sprint("setting ", n)
		var together sync.WaitGroup
		var opened, set atomic.Int32
		for range 6 {
			together.Go(func() {
				var open, fresh bool
				err := s.UpdateOf(context.Background(), store.OfChat(place), func(tx *store.Tx) error {
					open = false
					if _, err := tx.Chats.Chat(place); err != nil {
						return err
					}
					if _, err := tx.Tables.TableAt(place); !errors.Is(err, store.ErrNotFound) {
						return err
					}
					open = true
					table := lobby(place)
					table.Chat = place
					_, err := tx.Tables.AddTable(table)
					return err
				})
				if open {
					opened.Add(1)
				}
				of := store.OfSetting(setting)
				err = errors.Join(err, s.UpdateOf(context.Background(), of, func(tx *store.Tx) error {
					value, err := tx.Chats.Setting(setting)
					if fresh = value == ""; fresh && err == nil {
						err = tx.Chats.SaveSetting(setting, "1")
					}
					return err
				}))
				if fresh {
					set.Add(1)
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		together.Wait()
		if opened.Load() != 1 || set.Load() != 1 {
			t.Errorf("%d tables were opened, and the setting was set %d times", opened.Load(), set.Load())
		}
	}
}

// TestAChangeFollowsItsChatOnAServer gives a chat another id while a change of one of its tables waits for the lock of
// the chat. The change must then lock the chat by its new id.
func TestAChangeFollowsItsChatOnAServer(t *testing.T) {
	needs.Long(t)
	s := onServer(t)
	table := addLobby(t, s, "test:1")
	begun, goOn := make(chan struct{}), make(chan struct{})
	moving := launch(s, store.OfAll, func(tx *store.Tx) error {
		if err := tx.Upkeep.Migrate(table.Chat, "test:new", func(string) string { return "test:new 1" }); err != nil {
			return err
		}
		close(begun)
		<-goOn
		return nil
	})
	<-begun
	runs, held, release := 0, make(chan struct{}), make(chan struct{})
	change := launch(s, store.OfTable(table.ID), func(tx *store.Tx) error {
		runs++
		now, err := tx.Tables.Table(table.ID)
		if err != nil {
			return err
		}
		close(held) // the table is in the new chat
		<-release
		now.Turn++
		return tx.Tables.SaveTable(now)
	})
	time.Sleep(50 * time.Millisecond) // so that it waits already; if not, the test checks less
	close(goOn)
	wantInTime(t, "moving", moving)
	<-held
	other := launch(s, store.OfChat("test:new"), func(tx *store.Tx) error {
		now, err := tx.Tables.Table(table.ID)
		if now.Turn != 1 {
			t.Errorf("the change was not waited for: %d", now.Turn)
		}
		return err
	})
	close(release)
	wantInTime(t, "the change", change)
	wantInTime(t, "the other change", other)
	if now := tableOf(t, s, table.ID); now.Turn != 1 || now.Chat != "test:new" {
		t.Errorf("turn %d in %s after %d runs", now.Turn, now.Chat, runs)
	}
}

// TestForgettingAmongOthers forgets people while they join tables in other chats. People who join afterwards must be
// stored as new ones, and no row may name a forgotten person.
func TestForgettingAmongOthers(t *testing.T) {
	s := openNew(t)
	const chats = 2
	for n := range chats {
		update(t, s, func(tx *store.Tx) error {
			table := lobby(fmt.Sprint("test:", n))
			table.Chat = table.Place
			_, err := tx.Tables.AddTable(table)
			return err
		})
	}
	var all sync.WaitGroup
	for n := range chats {
		all.Go(func() {
			chat := fmt.Sprint("test:", n)
			for range 5 {
				err := s.UpdateOf(context.Background(), store.OfChat(chat), func(tx *store.Tx) error {
					if err := tx.Chats.SavePlayer(store.Player{ID: "test:anna", Name: "Anna"}); err != nil {
						return err
					}
					table, err := tx.Tables.TableAt(chat)
					if err != nil {
						return err
					}
					table.Seats = []store.Seat{{Player: "test:anna", Name: "Anna"}}
					return tx.Tables.SaveTable(table)
				})
				if err != nil {
					t.Errorf("sitting down: %v", err)
				}
			}
		})
		all.Go(func() {
			for range 2 {
				err := s.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
					_, err := tx.Upkeep.Forget("test:anna")
					return err
				})
				if err != nil {
					t.Errorf("forgetting: %v", err)
				}
			}
		})
	}
	all.Wait()
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Upkeep.Forget("test:anna")
		return err
	})
	view(t, s, func(tx *store.Tx) error {
		about, err := tx.Upkeep.About("test:anna")
		if len(about) > 0 {
			t.Errorf("there is left: %v", about)
		}
		return err
	})
	wantNoFaults(t, s)
	wantNoFaults(t, s)
}

// TestALockOutdatesWhatWasReadOnAServer checks that rows prefetched before a lock are read again, if another change of
// the chat was committed before the lock was taken.
func TestALockOutdatesWhatWasReadOnAServer(t *testing.T) {
	needs.Long(t)
	s := onServer(t)
	table := addLobby(t, s, "test:1")
	adds := func(tx *store.Tx, turns int64) error {
		now, err := tx.Tables.Table(table.ID)
		if err != nil {
			return err
		}
		now.Turn += turns
		return tx.Tables.SaveTable(now)
	}
	both := func(meanwhile func()) error {
		return s.UpdateOf(context.Background(), store.OfChat("test:own"), func(tx *store.Tx) error {
			tx.Expect(store.Known{Chat: "test:own"})
			if _, err := tx.Chats.Chat("test:own"); err != nil { // this also reads all prefetched rows
				return err
			}
			meanwhile()
			return errors.Join(tx.Upkeep.LockPerson("test:anna"), adds(tx, 1))
		})
	}
	err := both(func() {})
	err = errors.Join(err, both(func() {
		other := launch(s, store.OfTable(table.ID), func(tx *store.Tx) error { return adds(tx, 100) })
		wantInTime(t, "the other change", other)
	}))
	if now := tableOf(t, s, table.ID); now.Turn != 102 || err != nil {
		t.Errorf("turn %d, %v", now.Turn, err)
	}
}

// TestAChatThatComesIsLockedOnAServer inserts a chat during a change that found no row to lock: the change runs again.
func TestAChatThatComesIsLockedOnAServer(t *testing.T) {
	needs.Long(t)
	s := onServer(t)
	table := addLobby(t, s, "test:1")
	runs := 0
	err := s.UpdateOf(context.Background(), store.OfChat("test:new"), func(tx *store.Tx) error {
		runs++
		if _, err := tx.Chats.Setting("x"); err != nil { // the lock was tried before this
			return err
		}
		if runs == 1 {
			wantInTime(t, "moving", launch(s, store.OfAll, func(tx *store.Tx) error {
				return tx.Upkeep.Migrate(table.Chat, "test:new", func(string) string { return "test:new 1" })
			}))
		}
		_, err := tx.Chats.Chat("test:new")
		return err
	})
	if err != nil || runs != 2 {
		t.Errorf("%d runs: %v", runs, err)
	}
}

// TestABusyChatLeavesConnectionsOnAServer lets many changes wait for one chat: changes of other chats must still run.
func TestABusyChatLeavesConnectionsOnAServer(t *testing.T) {
	needs.Long(t)
	s := onServer(t)
	table := addLobby(t, s, "test:1")
	begun, goOn := make(chan struct{}), make(chan struct{})
	look := func(tx *store.Tx) error {
		_, err := tx.Tables.Table(table.ID)
		return err
	}
	all := []<-chan error{launch(s, store.OfChat(table.Chat), func(tx *store.Tx) error {
		err := look(tx)
		close(begun)
		<-goOn
		return err
	})}
	<-begun
	for range 20 {
		all = append(all, launch(s, store.OfTable(table.ID), look),
			launch(s, store.OfTable(table.ID).In(table.Chat), look), launch(s, store.OfChat(table.Chat), look))
	}
	time.Sleep(100 * time.Millisecond) // so that they wait already; if not, the test checks less
	wantInTime(t, "another chat", launch(s, store.OfChat("test:other"), func(*store.Tx) error { return nil }))
	view(t, s, look)
	close(goOn)
	for _, done := range all {
		wantInTime(t, "the chat", done)
	}
	if s.Commits().Waits.Sum == 0 {
		t.Error("that they have waited is not counted")
	}
}

// TestWhatIsKnownOfAPersonIsStoredApart stores different properties of one person from two chats: neither may be lost.
func TestWhatIsKnownOfAPersonIsStoredApart(t *testing.T) {
	s := openNew(t)
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SavePlayer(store.Player{ID: "test:anna", Name: "Anna"}) })
	was := store.Player{ID: "test:anna", Name: "Anna"}
	uncalled, renamed := was, was
	uncalled.Uncalled, renamed.Name = true, "Anna B."
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveUncalled(uncalled) })
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SavePlayer(renamed) })
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveUncalled(uncalled) })
	view(t, s, func(tx *store.Tx) error {
		now, err := tx.Chats.Player("test:anna")
		if !now.Uncalled || now.Name != "Anna B." {
			t.Errorf("%+v", now)
		}
		return err
	})
}
