package postgres_test

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"knobel/store/engine"
	"knobel/store/postgres/postgrestest"
)

// errNo ends a change.
var errNo = errors.New("no")

// TestWhatIsAskedAheadIsWhatIsThere has transactions of a few kinds, names and values read and write as they like:
// whatever was asked for ahead, each reads what those before it and its own statements have left.
func TestWhatIsAskedAheadIsWhatIsThere(t *testing.T) {
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, "")))
	model := map[string]string{}
	rapid.Check(t, func(r *rapid.T) {
		kind := rapid.SampledFrom([]string{"one", "two", ""}).Draw(r, "kind")
		value := rapid.SampledFrom([]any{"a", "b", "c", "", nil})
		values := []any{value.Draw(r, "value"), value.Draw(r, "another")}
		before := maps.Clone(model)
		stands := rapid.Bool().Draw(r, "stands")
		err := db.Update(t.Context(), "deeds", func(tx engine.Tx) error {
			if kind != "" {
				tx.Expect(kind, rapid.SampledFrom([]string{"", "x"}).Draw(r, "name"), values...)
			}
			for range rapid.IntRange(1, 8).Draw(r, "statements") {
				if err := deed(r, tx, model); err != nil {
					return err
				}
			}
			if !stands {
				return errNo
			}
			return nil
		})
		if !stands {
			model = before
		}
		if (err == nil) != stands {
			r.Fatal(err)
		}
	})
}

// deed reads or writes, and holds what it has read against the model.
func deed(r *rapid.T, tx engine.Tx, model map[string]string) error {
	key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "key")
	switch rapid.SampledFrom([]string{"read", "read", "all", "write", "delete", "later"}).Draw(r, "what") {
	case "read":
		got := texts(r, tx, `SELECT value FROM settings WHERE name = $1`, key)
		if want, there := model[key]; there != (len(got) == 1) || there && got[0] != want {
			r.Fatalf("%s is %q, not %q", key, got, want)
		}
	case "all":
		got := texts(r, tx, `SELECT value FROM settings ORDER BY value`)
		want := []string{}
		for _, value := range model {
			want = append(want, value)
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			r.Fatalf("all are %q, not %q", got, want)
		}
	case "write":
		model[key] = fmt.Sprint(rapid.IntRange(0, 99).Draw(r, "value"))
		return save(tx, key, model[key])
	case "later":
		was, there := model[key]
		return tx.Later(`SELECT value FROM settings WHERE name = $1`, []any{key}, func(row []driver.Value) {
			if !there || row[0] != was {
				r.Errorf("later %s was %q, not %q", key, row[0], was)
			}
		})
	case "delete":
		delete(model, key)
		return tx.Run(`DELETE FROM settings WHERE name = $1`, key)
	}
	return nil
}

// texts are the texts of a query's only column.
func texts(r *rapid.T, tx engine.Tx, query string, args ...any) []string {
	all := []string{}
	err := tx.Rows(query, args, func(row []driver.Value) error {
		var text string
		err := tx.Scan(row, []any{&text})
		all = append(all, text)
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	return all
}

// TestViewsAreNotAskedAhead writes what a view reads, whose name does not stand in the query.
func TestViewsAreNotAskedAhead(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, "")))
	for round := range 3 {
		err := db.Update(t.Context(), "", func(tx engine.Tx) error {
			tx.Expect("stray calls", "")
			strays := func() (n int) {
				err := tx.Rows(`SELECT id FROM stray_calls`, nil, func([]driver.Value) error { n++; return nil })
				if err != nil {
					t.Error(err)
				}
				return n
			}
			if n := strays(); n != round {
				t.Errorf("round %d begins with %d", round, n)
			}
			if err := tx.Run(`INSERT INTO chats (id) VALUES ('c') ON CONFLICT (id) DO NOTHING`); err != nil {
				return err
			}
			var table int64
			err := tx.Rows(`INSERT INTO tables (chat, place, game, rules, stake, unit, state, page, draft, commitment, seed,
				thrown, turn, box_in, box_out, version, drawn, board, away, behind, changed, posted, opened)
				VALUES ('c', 'p', 'g', '{}', 0, '', 'over', '', '', '', '', 0, 0, 0, 0, 0, 0, '', FALSE, 0, 0, 0, 0)
				RETURNING id`, nil, func(row []driver.Value) error { return tx.Scan(row, []any{&table}) })
			if err != nil {
				return err
			}
			err = tx.Run(`INSERT INTO calls (table_id, seat, since, due, again, sent, message, over, past)
				VALUES ($1, 0, 0, 0, FALSE, FALSE, '', FALSE, FALSE)`, table)
			if n := strays(); n != round+1 {
				t.Errorf("round %d ends with %d", round, n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestAHabitThatFailsIsForgotten has a query that was learned be refused later: it harms one transaction.
func TestAHabitThatFailsIsForgotten(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, "")))
	run := func(statements ...string) error {
		return db.Update(t.Context(), "", func(tx engine.Tx) error {
			tx.Expect("one", "")
			for _, statement := range statements {
				if err := tx.Rows(statement, nil, func([]driver.Value) error { return nil }); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := errors.Join(run(`CREATE TABLE passing (id BIGINT)`), run(`SELECT id FROM passing`),
		run(`DROP TABLE passing`)); err != nil {
		t.Fatal(err)
	}
	_ = run(`SELECT 1`)
	if err := run(`SELECT 1`); err != nil {
		t.Error(err)
	}
}

// TestRowsAreNobodyElses has whoever reads bytes change them, and the bytes of an argument.
func TestRowsAreNobodyElses(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, "")))
	for range 3 {
		err := db.Update(t.Context(), "", func(tx engine.Tx) error {
			tx.Expect("bytes", "")
			for range 2 {
				argument := []byte("abc")
				err := tx.Rows(`SELECT $1::bytea`, []any{argument}, func(row []driver.Value) error {
					content, _ := row[0].([]byte)
					if string(content) != "abc" {
						t.Errorf("read %q", content)
					}
					clear(content)
					return nil
				})
				clear(argument)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
