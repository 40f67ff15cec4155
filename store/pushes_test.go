package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/store"
	"knobel/store/storetest"
)

// A person has a few endpoints, each in several rooms: a further endpoint ends the oldest. Subscriptions end with their
// endpoint, at the person's wish, and when the person is forgotten; people who want no calls keep theirs unused.
func TestPushes(t *testing.T) {
	s := openSealed(t, storetest.Empty(t), testKey(t))
	const room = "web:r-1"
	push := func(player string, endpoint int) store.Push {
		return store.Push{Player: player, Endpoint: fmt.Sprint("https://push.example/", endpoint), P256dh: "p",
			Auth: "a", Origin: "https://dice.example", Lang: "en", Since: int64(endpoint)}
	}
	has := func(place string, want ...string) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			var all []string
			pushes, err := tx.Rooms.Pushes(place)
			for _, p := range pushes {
				all = append(all, fmt.Sprint(p.Player, " ", p.Since, p.Turn, p.Said))
			}
			if diff := cmp.Diff(want, all); diff != "" {
				t.Error(diff)
			}
			return err
		})
	}
	update(t, s, func(tx *store.Tx) (err error) {
		err = errors.Join(tx.Chats.SavePlayer(store.Player{ID: "web:ab:0", Name: "Anna"}),
			tx.Rooms.AddPush("web:r-2", push("web:ab:0", 2)), tx.Rooms.AddPush(room, push("web:cd:0", 1)))
		for i := 1; i <= store.MaxPushes+1; i++ {
			err = errors.Join(err, tx.Rooms.AddPush(room, push("web:ab:0", i)))
		}
		again := push("web:ab:0", 3)
		again.P256dh = "new"
		return errors.Join(err, tx.Rooms.AddPush(room, again))
	})
	has(room, "web:ab:0 6", "web:ab:0 5", "web:ab:0 4", "web:ab:0 3", "web:ab:0 1", "web:cd:0 1")
	has("web:r-2")
	view(t, s, func(tx *store.Tx) error {
		pushes, err := tx.Rooms.Pushes(room)
		want := push("web:ab:0", 3)
		want.ID, want.P256dh = pushes[3].ID, "new"
		if diff := cmp.Diff(want, pushes[3]); diff != "" {
			t.Error(diff)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error {
		pushes, err := tx.Rooms.Pushes(room)
		return errors.Join(err, tx.Rooms.SavePushed(pushes[0].ID, "!", "?"), tx.Rooms.DropEndpoint(pushes[4].Endpoint),
			tx.Rooms.CountPush("sent"), tx.Rooms.CountPush("sent"))
	})
	has(room, "web:ab:0 6!?", "web:ab:0 5", "web:ab:0 4", "web:ab:0 3")
	view(t, s, func(tx *store.Tx) error {
		outcomes, n, err := tx.Rooms.PushCounts()
		if diff := cmp.Diff(map[string]int64{"sent": 2, "refused": 0, "removed": 0}, outcomes); diff != "" || n != 4 {
			t.Errorf("%d subscriptions; %s", n, diff)
		}
		kept, err1 := tx.Upkeep.About("web:ab:0")
		for _, k := range kept {
			if k.What == "pushes" && (len(k.Rows) != 4 || len(k.Columns) != 4) {
				t.Errorf("her data has %+v", k)
			}
		}
		return errors.Join(err, err1)
	})
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Chats.SaveUncalled(store.Player{ID: "web:ab:0", Name: "Anna", Uncalled: true}),
			tx.Rooms.AddPush(room, push("web:cd:0", 7)), tx.Rooms.AddPush(room, push("web:ef:0", 7)))
	})
	has(room, "web:ef:0 7", "web:cd:0 7")
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Upkeep.Forget("web:ab:0")
		return errors.Join(err, tx.Rooms.DropPushes(room, "web:cd:0"))
	})
	has(room, "web:ef:0 7")
}
