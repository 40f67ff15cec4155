package bare

// Balances and payments, and a game that is settled by differences.

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Tally is a game without pool and dice: each seat says a number, and differences to the average are settled.
type Tally struct{}

func (Tally) Name() string { return "tally" }

func (Tally) Shape(games.Rules) games.Shape { return games.ShapeDifference }

// Totals returns true: the results are totals (see games.WithTotals).
func (Tally) Totals() bool { return true }

func (Tally) Options() []games.Option {
	return []games.Option{{Name: "point", Values: []string{"0", "1", "2", "7"}}}
}

func (Tally) Variants() []games.Variant { return []games.Variant{{Name: "plain"}} }

func (Tally) Houses() []games.House { return Pile{}.Houses()[:1] }

func (Tally) Seats(games.Rules) (least, m int) { return 1, 10 }

func (Tally) Explain(games.Rules) []games.Line { return nil }

func (t Tally) Check(r games.Rules) (games.Rules, error) { return games.CheckOptions(t.Options(), r) }

func (Tally) Words() fs.FS {
	const said = "[tally]\nto-say = '{{.Seat}}?'\nhas = '{{.N}}'\n"
	return fstest.MapFS{"en.toml": {Data: []byte(said)}, "de.toml": {Data: []byte(said)}}
}

func (t Tally) New(rules games.Rules, seats int) (games.Match, error) {
	point := 0
	fmt.Sscan(rules["point"], &point)
	return tallyMatch{Seats: seats, Point: point}, nil
}

func (Tally) Load(_ games.Rules, state []byte) (games.Match, error) {
	var m tallyMatch
	return m, json.Unmarshal(state, &m)
}

// tallyMatch is a match of Tally: the numbers said so far, from -2 to 12.
type tallyMatch struct {
	Seats, Point int
	Said         []int
}

func (m tallyMatch) Turn() []games.Seat {
	if len(m.Said) == m.Seats {
		return nil
	}
	return []games.Seat{games.Seat(len(m.Said))}
}

func (m tallyMatch) Moves(s games.Seat) []games.Move {
	var moves []games.Move
	for n := -2; n <= 12 && slices.Contains(m.Turn(), s); n++ {
		moves = append(moves, games.Move(fmt.Sprint("say ", n)))
	}
	return moves
}

func (m tallyMatch) Apply(_ games.Seat, mv games.Move, _ games.Dice) (games.Match, []games.Event) {
	n := 0
	fmt.Sscanf(string(mv), "say %d", &n)
	m.Said = append(slices.Clone(m.Said), n)
	return m, nil
}

func (m tallyMatch) View() games.View {
	v := games.View{Head: []games.Line{games.Say("tally.to-say",
		games.Args{"Seat": games.Seat(len(m.Said) % m.Seats)})}}
	for s := range m.Seats {
		stand := games.Stand{State: games.Waiting}
		if s < len(m.Said) {
			stand.Line = games.Say("tally.has", games.Args{"N": m.Said[s]})
		}
		v.Stands = append(v.Stands, stand)
	}
	return v
}

func (m tallyMatch) Result() (games.Result, bool) {
	r := games.Result{Point: m.Point}
	for _, n := range m.Said {
		row := games.Row{Score: n, Threw: true, Place: 1}
		for _, other := range m.Said {
			if other > n {
				row.Place++
			}
		}
		r.Rows = append(r.Rows, row)
	}
	return r, len(m.Said) == m.Seats
}

func (m tallyMatch) Save() ([]byte, error) { return json.Marshal(m) }

// privateText returns the private answer in r as text, and fails the test if there is none.
func privateText(t testing.TB, r chat.Reply) string {
	t.Helper()
	if r.Private == nil {
		t.Fatalf("no answer, but %+v", r)
	}
	Proper(t, *r.Private)
	return Show(*r.Private)
}

// Said returns the private answer in r as text, without dates.
func Said(t testing.TB, r chat.Reply) string {
	t.Helper()
	return regexp.MustCompile(`\d+ [A-Z][a-z]+( \d{4})? · `).ReplaceAllString(privateText(t, r), "")
}

// PressOn returns the data of the button with a label on the private answer in r.
func PressOn(t testing.TB, r chat.Reply, label string) string {
	t.Helper()
	for _, b := range slices.Concat(r.Private.Buttons...) {
		if b.Label == label {
			return b.Press
		}
	}
	t.Fatalf("no button %q on\n%s", label, Show(*r.Private))
	return ""
}

// Owing adds amounts to balances, by name or "house" (the computer). Anna, Ben and Clara get accounts in any case.
func Owing(h *House, unit string, amounts map[string]int64) {
	h.T.Helper()
	err := h.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		p := store.Posting{Chat: "test:1", Unit: unit, Kind: store.Payout}
		names := append([]string{"Anna", "Ben", "Clara", "house"}, slices.Sorted(maps.Keys(amounts))...)
		for i, name := range names {
			if name == "house" || slices.Index(names, name) < i {
				continue
			}
			if err := tx.Chats.SavePlayer(store.Player{ID: "test:" + name, Name: name, Language: "en"}); err != nil {
				return err
			}
			p.Entries = append(p.Entries, store.Entry{Account: "player:test:" + name, Amount: amounts[name]})
		}
		p.Entries = append(p.Entries, store.Entry{Account: "house:meek", Amount: amounts["house"]})
		return tx.Books.Post(p)
	})
	check(h.T, err)
}

// Stands returns all balances of the chat "test:1" in a unit, by account.
func (h *House) Stands(unit string) map[string]int64 {
	h.T.Helper()
	all := map[string]int64{}
	h.Reads(func(tx *store.Tx) error {
		parties, err := tx.Books.Parties("test:1", unit)
		for _, p := range parties {
			all[p.Account] = p.Balance
		}
		return err
	})
	return all
}

// Balance fails the test unless an account of the chat "test:1" has a balance of want chips.
func (h *House) Balance(account string, want int64) {
	h.T.Helper()
	h.Reads(func(tx *store.Tx) error {
		got, err := tx.Books.Balance("test:1", "chips", account)
		if got != want {
			h.T.Errorf("%s has %d, want %d", account, got, want)
		}
		return err
	})
}
