package store_test

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// The id and name of a person to be forgotten, unlike any other bytes in a file.
const whom, called = "test:9081726354", "Wilhelmine Zwetschgenknödel"

// fillWithPerson adds a row about the same person to every table of the schema, and returns the tables.
func fillWithPerson(t *testing.T, file string) (tables []string) {
	t.Helper()
	db := openRaw(t, file)
	schema := columnsByTable(t, db)
	delete(schema, "seals")
	delete(schema, "forgotten")
	addRowToEach(t, db, schema, func(table string, c column) any {
		switch text := store.Tells(table + "." + c.name); {
		case c.name == "payee": // no one pays themselves
			return store.House
		case c.name == "house": // a seat has a player or a strategy
			return ""
		case text == "id":
			return whom
		case text == "account":
			return "player:" + whom
		case text == "name":
			return called
		}
		return nil
	})
	tables = slices.Collect(maps.Keys(schema))
	slices.Sort(tables)
	return tables
}

// TestForgottenReadsNoOtherIDs checks that Forgotten returns a number only for ids as Forget makes them.
func TestForgottenReadsNoOtherIDs(t *testing.T) {
	for id, number := range map[string]int64{
		"gone:7": 7, "gone:120": 120,
		"gone:": 0, "gone:0": 0, "gone:-7": 0, "gone:+7": 0, "gone:07": 0, "gone:7 ": 0, "gone:7a": 0, "gone:1e3": 0,
		"gone:99999999999999999999": 0, "gone 7": 0, "7": 0, "": 0, "discord:7": 0, "GONE:7": 0,
	} {
		if got := store.Forgotten(id); got != number {
			t.Errorf("%q is %d, want %d", id, got, number)
		}
	}
}

// TestNothingIsLeftOfWhoIsForgotten checks for every table of the schema, also future ones, that no row and no byte of
// the file identifies a forgotten person, and that no row is missing but their subscriptions.
func TestNothingIsLeftOfWhoIsForgotten(t *testing.T) {
	file := storetest.Empty(t)
	check(t, reopen(t, file).Close())
	tables := fillWithPerson(t, file)
	before := storetest.Content(t, file)
	if !bytes.Contains(before, []byte(whom)) || !bytes.Contains(before, []byte(called)) {
		t.Fatal("they were never there")
	}
	s := reopen(t, file)
	left := updateResult(t, s, func(tx *store.Tx) ([]string, error) { return tx.Upkeep.Forget(whom) })
	if len(left) != 1 || store.Forgotten(left[0]) != 2 && store.Forgotten(left[0]) != 1 {
		t.Errorf("what is left is %q", left)
	}
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{whom, called, strings.TrimPrefix(whom, "test:"), "Wilhelmine"} {
		content := storetest.Content(t, file)
		if at := bytes.Index(content, []byte(text)); at >= 0 {
			t.Errorf("%q is left: %q", text, content[max(0, at-100):min(len(content), at+100)])
		}
	}
	db := openRaw(t, file)
	for _, table := range tables {
		var rows int
		if err := db.QueryRow(`SELECT COUNT(*) FROM "` + table + `"`).Scan(&rows); err != nil || (rows < 1) != (table == "pushes") {
			t.Errorf("%s has %d rows (%v)", table, rows, err)
		}
	}
	update(t, s, func(tx *store.Tx) error { // the person comes back as a new player
		p, err := tx.Chats.Player(whom)
		if err == nil && p != (store.Player{ID: whom, Person: whom}) {
			t.Errorf("who comes back is %+v", p)
		}
		return err
	})
}

// TestForgettingKeepsTheBooks checks that sums, results and records stay the same, under another name.
func TestForgettingKeepsTheBooks(t *testing.T) {
	for what, key := range map[string]store.Sealer{"sealed": testKey(t), "open": nil} {
		t.Run(what, func(t *testing.T) {
			s := openSealed(t, storetest.Empty(t), key)
			over := addFinished(t, s, "test:place")
			playing := addPlaying(t, s, "test:place")
			var told int64
			update(t, s, func(tx *store.Tx) (err error) {
				told, err = tx.Books.TellPayment(paymentOf("player:test:anna", "player:test:ben", 5))
				if err == nil {
					err = giveBox(tx, "test:chat", "chips", "test:anna", 7, 2)
				}
				return err
			})
			before := partiesOf(t, s)
			const left = "gone:1"
			forgotten := updateResult(t, s, func(tx *store.Tx) ([]string, error) {
				return tx.Upkeep.Forget("test:anna")
			})
			wantNoFaults(t, s)
			if !slices.Equal(forgotten, []string{left}) {
				t.Errorf("left is %q", forgotten)
			}
			for i, p := range partiesOf(t, s) {
				want := before[i]
				if want.Account == "player:test:anna" {
					want.Account, want.Name = "player:"+left, "gone 1"
				}
				if !reflect.DeepEqual(p, want) {
					t.Errorf("%+v, want %+v", p, want)
				}
			}
			for _, id := range []int64{over.ID, playing.ID} {
				table := tableOf(t, s, id)
				if seat := table.Seats[0]; seat.Player != left || seat.Name != "gone 1" ||
					seat.Entropy != over.Seats[0].Entropy {
					t.Errorf("table %d: %+v", id, seat)
				}
				if table.Opener != left {
					t.Errorf("table %d was opened by %q", id, table.Opener)
				}
			}
			view(t, s, func(tx *store.Tx) error {
				p, err := tx.Books.Payment("test:chat", told)
				if err != nil || p.Payer != "player:"+left || p.Teller != left || p.State != store.Told {
					t.Errorf("the payment is %+v", p)
				}
				box, err := tx.Books.Box("test:chat", "chips")
				if err != nil || box.Holder != left || box.Times != 2 {
					t.Errorf("the box is %+v", box)
				}
				unlisted, err := tx.Chats.Unlisted("test:chat")
				if !unlisted[left].Hidden {
					t.Errorf("not listed are %v", unlisted)
				}
				return err
			})
			update(t, s, func(tx *store.Tx) (err error) {
				if forgotten, err = tx.Upkeep.Forget("test:anna"); err == nil && len(forgotten) > 0 {
					t.Errorf("of nobody %q is left", forgotten)
				}
				return err
			})
		})
	}
}

// partiesOf returns the parties of the tests' chat with their balances in chips.
func partiesOf(t *testing.T, s *store.Store) []store.Party {
	t.Helper()
	return viewResult(t, s, func(tx *store.Tx) ([]store.Party, error) { return tx.Books.Parties("test:chat", "chips") })
}

// TestAPrivateChatIsForgottenToo checks that a private conversation gets another id, and a group keeps its own.
func TestAPrivateChatIsForgottenToo(t *testing.T) {
	s := openNew(t)
	const own = "test:@4711"
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Chats.SavePlayer(store.Player{ID: whom, Name: called}); err != nil {
			return err
		}
		return tx.Chats.SaveChat(store.Chat{ID: own, Owner: whom, Unit: "coffees"})
	})
	table := lobby("test:@4711:0")
	table.Chat, table.State = own, store.Abandoned
	update(t, s, func(tx *store.Tx) (err error) {
		if table.ID, err = tx.Tables.AddTable(table); err != nil {
			return err
		}
		if err := drawAs(tx, table, table.Version, "test:@4711:99"); err != nil {
			return err
		}
		_, err = tx.Upkeep.Forget(whom)
		return err
	})
	wantNoFaults(t, s)
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if content := storetest.Content(t, s.File()); bytes.Contains(content, []byte("4711")) ||
		bytes.Contains(content, []byte(called)) {
		t.Error("the conversation is left")
	}
	if got := tableOf(t, s, table.ID); got.Chat != "gone:1.1" || got.Place != "gone:1.1.1" || got.Board.Message != "" {
		t.Errorf("its table is in %s at %s, shown by %q", got.Chat, got.Place, got.Board.Message)
	}
}

// TestSweepingBesidePlay checks that forgotten people are swept once, even while other people play and read.
func TestSweepingBesidePlay(t *testing.T) {
	s := openNew(t)
	for i := range 30 {
		addFinished(t, s, fmt.Sprintf("test:place %d", i))
	}
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Upkeep.Forget("test:anna")
		return err
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 20 {
			addLobby(t, s, fmt.Sprintf("test:other %d", i))
		}
	}()
	if swept, err := s.Sweep(t.Context()); err != nil || !swept {
		t.Errorf("swept: %v, %v", swept, err)
	}
	<-done
	wantNoFaults(t, s)
	if swept, err := s.Sweep(t.Context()); err != nil || swept {
		t.Errorf("swept again: %v, %v", swept, err)
	}
}

// TestAPersonIsToldAll checks for every table, also future ones, that About returns whole rows about the person.
func TestAPersonIsToldAll(t *testing.T) {
	file := storetest.Empty(t)
	check(t, reopen(t, file).Close())
	tables := fillWithPerson(t, file)
	db := openRaw(t, file)
	schema := columnsByTable(t, db)
	s := reopen(t, file)
	all := viewResult(t, s, func(tx *store.Tx) ([]store.Kept, error) { return tx.Upkeep.About(whom) })
	for _, table := range tables {
		i := slices.IndexFunc(all, func(k store.Kept) bool { return k.What == table })
		told := i >= 0
		tells := slices.ContainsFunc(schema[table], func(c column) bool {
			return store.Tells(table+"."+c.name) != "" && !c.names && table+"."+c.name != "updates.id" &&
				!slices.Contains([]string{"fading", "boards", "pairs", "notices"}, table) // ids of messages or chats
		})
		if tells && !told {
			t.Errorf("nothing of %s is told", table)
		}
		if !told || table == "tables" || table == "pushes" { // secrets are left out
			continue
		}
		for _, c := range schema[table] {
			if !slices.Contains(all[i].Columns, c.name) {
				t.Errorf("%s.%s is not told", table, c.name)
			}
		}
	}
}

func TestWhatIsToldIsReadable(t *testing.T) {
	s := openSealed(t, storetest.Empty(t), testKey(t))
	table := addFinished(t, s, "test:place")
	addPlaying(t, s, "test:place")
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Books.TellPayment(paymentOf("player:test:ben", "player:test:anna", 5))
		return err
	})
	var told strings.Builder
	view(t, s, func(tx *store.Tx) error {
		all, err := tx.Upkeep.About("test:anna")
		for _, k := range all {
			for _, row := range k.Rows {
				fmt.Fprintln(&told, k.What)
				for i, value := range row {
					fmt.Fprintf(&told, "  %s=%v\n", k.Columns[i], value)
				}
			}
		}
		return err
	})
	for _, want := range []string{
		"id=test:anna", "chat=test:chat", "place=test:place", "name=Anna", "move=throw 2", "dice=[5,6]", "kind=payout",
		"payer=" + table.Seats[1].Name, "payee=player:test:anna", "teller=test:anna", "name=player:test:anna",
		"kind=season",
	} {
		if !strings.Contains(told.String(), "  "+want+"\n") {
			t.Errorf("%q is not told", want)
		}
	}
	for _, not := range []string{"test:ben", "seed=", "0123456789abcdef0123456789abcdef", "saved="} {
		if strings.Contains(told.String(), not) {
			t.Errorf("%q is told", not)
		}
	}
	if t.Failed() {
		t.Log(told.String())
	}
}
