package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// Whatever row holds a person in any column stands in what they are told,
// whole: of tables that are there now, and those that will be.
func TestAPersonIsToldAll(t *testing.T) {
	file := storetest.Empty(t)
	if err := reopen(t, file).Close(); err != nil {
		t.Fatal(err)
	}
	tables := onePersonEach(t, file)
	db := rawly(t, file)
	schema := columns(t, db)
	s := reopen(t, file)
	var all []store.Kept
	view(t, s, func(tx *store.Tx) (err error) {
		all, err = tx.Upkeep.About(whom)
		return err
	})
	for _, table := range tables {
		i := slices.IndexFunc(all, func(k store.Kept) bool { return k.What == table })
		told := i >= 0
		tells := slices.ContainsFunc(schema[table], func(c column) bool {
			return store.Tells(table+"."+c.name) != "" && !c.names && table+"."+c.name != "updates.id" &&
				table != "fading" // which holds messages
		})
		if tells && !told {
			t.Errorf("nothing of %s is told", table)
		}
		if !told || table == "tables" { // of tables what is secret is left out
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
	s := sealed(t, storetest.Empty(t), aKey(t))
	table := finished(t, s, "test:place")
	started(t, s, "test:place")
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Books.TellPayment(store.Payment{Chat: "test:chat", Unit: "chips", Payer: "player:test:ben",
			Payee: "player:test:anna", Amount: 5, Teller: "test:anna"})
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
