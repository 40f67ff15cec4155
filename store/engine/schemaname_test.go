package engine

import (
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// TestASchemaOfAnyName works with a schema whose name is to be quoted.
func TestASchemaOfAnyName(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	database := server.Database(t, "")
	usual := open(t, server.Address(database))
	err := usual.Update(t.Context(), "", func(tx *Tx) error { return tx.Run(`CREATE SCHEMA "an Other"`) })
	if err != nil {
		t.Fatal(err)
	}
	address := server.Address(database, `search_path=%22an%20Other%22`)
	st, err := newServer(t.Context(), address, Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Error(err)
	}
	named := open(t, address)
	if faults, err := named.Faults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("faults: %v, %v", faults, err)
	}
	for _, db := range []DB{usual, named} {
		var tables []Table
		err := db.View(t.Context(), func(tx *Tx) (err error) {
			tables, err = tx.Tables()
			if err != nil {
				return err
			}
			strays, err := tx.StrayReferences()
			if err != nil {
				return err
			}
			return tx.Rows(strays, nil, func(row Row) error {
				t.Errorf("strays: %v", row)
				return nil
			})
		})
		if err != nil || len(tables) < 20 {
			t.Errorf("%d tables: %v", len(tables), err)
		}
	}
}
