package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// tally is a game without a pool and without dice: everybody says a number,
// once, and what lies between it and the average is settled.
type tally struct{}

func (tally) Name() string                  { return "tally" }
func (tally) Shape(games.Rules) games.Shape { return games.ShapeDifference }
func (tally) Totals() bool                  { return true }

func (tally) Options() []games.Option {
	return []games.Option{{Name: "point", Values: []string{"0", "1", "2", "7"}}}
}
func (tally) Variants() []games.Variant                  { return []games.Variant{{Name: "plain"}} }
func (tally) Houses() []games.House                      { return pile{}.Houses()[:1] }
func (tally) Seats(games.Rules) (least, m int)           { return 1, 10 }
func (tally) Explain(games.Rules) []games.Line           { return nil }
func (t tally) Check(r games.Rules) (games.Rules, error) { return games.CheckOptions(t.Options(), r) }

func (tally) Words() fs.FS {
	const said = "[tally]\nto-say = '{{.Seat}}?'\nhas = '{{.N}}'\n"
	return fstest.MapFS{"en.toml": {Data: []byte(said)}, "de.toml": {Data: []byte(said)}}
}

func (t tally) New(rules games.Rules, seats int) (games.Match, error) {
	point := 0
	fmt.Sscan(rules["point"], &point)
	return spoken{Seats: seats, Point: point}, nil
}

func (tally) Load(_ games.Rules, state []byte) (games.Match, error) {
	var m spoken
	return m, json.Unmarshal(state, &m)
}

// spoken is a match: the numbers, from -2 to 12, that have been said.
type spoken struct {
	Seats, Point int
	Said         []int
}

func (m spoken) Turn() []games.Seat {
	if len(m.Said) == m.Seats {
		return nil
	}
	return []games.Seat{games.Seat(len(m.Said))}
}

func (m spoken) Moves(s games.Seat) []games.Move {
	var moves []games.Move
	for n := -2; n <= 12 && slices.Contains(m.Turn(), s); n++ {
		moves = append(moves, games.Move(fmt.Sprint("say ", n)))
	}
	return moves
}

func (m spoken) Apply(_ games.Seat, mv games.Move, _ games.Dice) (games.Match, []games.Event) {
	n := 0
	fmt.Sscanf(string(mv), "say %d", &n)
	m.Said = append(slices.Clone(m.Said), n)
	return m, nil
}

func (m spoken) View() games.View {
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

func (m spoken) Result() (games.Result, bool) {
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

func (m spoken) Save() ([]byte, error) { return json.Marshal(m) }

// owed is what the seats win in units, reckoned by fractions: each amount
// rounded down, and one more for the largest remainders, of equal ones in turn from the table's number on.
func owed(table int64, said []int, point int) []int64 {
	sum := 0
	for _, n := range said {
		sum += n
	}
	amounts, rest := make([]int64, len(said)), make([]*big.Rat, len(said))
	short := int64(0)
	for i, n := range said {
		exact := new(big.Rat).Sub(big.NewRat(int64(n*point), 1), big.NewRat(int64(sum*point), int64(len(said))))
		down := new(big.Int).Div(exact.Num(), exact.Denom()) // rounds down, the divisor being positive
		amounts[i] = down.Int64()
		rest[i] = exact.Sub(exact, new(big.Rat).SetInt(down))
		short -= amounts[i]
	}
	for ; short > 0; short-- {
		first := int(table) % len(rest)
		best := first
		for k := range rest {
			if i := (first + k) % len(rest); rest[i].Cmp(rest[best]) > 0 {
				best = i
			}
		}
		amounts[best]++
		rest[best].SetInt64(-1)
	}
	return amounts
}

// TestSettlements plays games of 1 to 10 with many ties and looks at every
// account after each.
func TestSettlements(t *testing.T) {
	house := newHouse(t, tally{}, pile{})
	games := 0
	rapid.Check(t, func(r *rapid.T) {
		games++
		point := rapid.SampledFrom([]int{0, 1, 2, 7}).Draw(r, "point")
		said := rapid.SliceOfN(rapid.IntRange(-2, 12), 1, 10).Draw(r, "said")
		var people []*person
		for i := range said {
			p := house.person(fmt.Sprint("G", games, "P", i))
			p.place = chat.Place(fmt.Sprint("test:1/", games))
			people = append(people, p)
			if i == 0 {
				p.writes(fmt.Sprint("/tally point=", point))
			} else {
				p.sends(fmt.Sprintf("1:%d:0:!join", p.table().ID))
			}
		}
		id := people[0].table().ID
		people[0].sends(fmt.Sprintf("1:%d:0:!start", id))
		for i, n := range said {
			people[i].sends(fmt.Sprintf("1:%d:%d:say %d", id, i, n))
		}
		if state := people[0].table().State; state != store.Over {
			r.Fatalf("the table is %s", state)
		}
		for i, amount := range owed(id, said, point) {
			house.balance("player:test:"+people[i].name, amount)
		}
		house.balanced(r)
		house.balance("box", 0)
	})
	house.sound()
	if lines := house.export(review.Wanted{}); len(lines) != games {
		t.Errorf("%d records of %d games", len(lines), games)
	}
}

// saying plays a game of tally and shows its end.
func saying(t *testing.T, line string, said ...int) (*house, chat.Message) {
	t.Helper()
	house := newHouse(t, tally{})
	people := house.gather(line, []string{"Anna", "Ben", "Clara", "Dora"}[:len(said)]...)
	people[0].sends("1:1:0:!start")
	for i, n := range said {
		people[i].sends(fmt.Sprintf("1:1:%d:say %d", i, n))
	}
	house.sound()
	return house, people[0].board()
}

func TestDifferencesAreShownExactly(t *testing.T) {
	_, m := saying(t, "/tally", 10, 10, 11)
	want(t, m, `
Anna?
Anna 10 (−1/3)
Ben 10 (−1/3)
Clara 11 (+2/3)
In brackets: the difference to the average.
[↻ Rematch][Dice ✓]`)
	house, m := saying(t, "/tally point=7", 12, 0, -2, 5)
	want(t, m, `
Anna?
Anna 12 (+8 1/4, +57 chips)
Ben 0 (−3 3/4, −26 chips)
Clara −2 (−5 3/4, −40 chips)
Dora 5 (+1 1/4, +9 chips)
In brackets: the difference to the average.
[↻ Rematch][Dice ✓]`)
	line := house.export(review.Wanted{})[0]
	if !strings.Contains(line, `{"seat":1,"total":0,"place":3,"difference":{"n":-15,"d":4},"settlement":-26}`) ||
		strings.Contains(line, "pool") {
		t.Error(line)
	}
	_, m = saying(t, "/tally point=7", 5)
	want(t, m, `
Anna?
Anna 5
[↻ Rematch][Dice ✓]`)
}

// A game without a pool leaves the box, and who holds it, alone; a rematch
// keeps its rules, and one that is ended owes nobody anything.
func TestWithoutAPool(t *testing.T) {
	house := newHouse(t, tally{}, pile{})
	anna, ben, clara := house.person("Anna"), house.person("Ben"), house.person("Clara")
	anna.writes("/pile 1")
	ben.presses("Sit down")
	clara.presses("Sit down")
	anna.presses("▶ Start")
	anna.sends("1:1:0:take 6+2")
	ben.sends("1:1:1:take 5+3")
	clara.sends("1:1:2:take 4+1")
	house.balance("box", 1)
	clara.writes("/tally point=2")
	clara.admin = true
	clara.writes("/unit coffees")
	ben.presses("Sit down")
	clara.presses("▶ Start")
	clara.sends("1:2:0:say 1")
	ben.sends("1:2:1:say 3")
	house.balance("box", 1)
	house.balance("player:test:Ben", 2)
	house.balance("player:test:Clara", -3)
	box := store.Box{}
	err := house.store.View(context.Background(), func(tx *store.Tx) (err error) {
		box, err = tx.Box("test:1", "chips")
		return err
	})
	if err != nil || box.Holder != "test:Anna" || box.Times != 1 {
		t.Errorf("the box is %+v, %v", box, err)
	}
	ben.presses("↻ Rematch")
	clara.presses("Sit down")
	ben.presses("▶ Start")
	clara.sends("1:3:0:say 1")
	if table := ben.table(); table.Rules["point"] != "2" || table.Unit != "coffees" || table.Stake != 0 {
		t.Errorf("the rematch is %+v", table)
	}
	ben.writes("/abandon")
	ben.presses("Yes, end it")
	want(t, ben.board(), `
The table was closed before its time.
Clara
Ben
[↻ Rematch][Dice ✓]`)
	house.balance("player:test:Ben", 2)
	house.sound()
}

// TestEveningsOfBothKinds plays whole random games of Würfelpoker among pools,
// with toggles, pages, rows taken back, and now and then an end before the end.
func TestEveningsOfBothKinds(t *testing.T) {
	evenings := 2
	if needs.IsLong() {
		evenings = 8
	}
	house := newHouse(t, wuerfelpoker.New(), pile{})
	chance := rand.New(rand.NewPCG(3, 4))
	lines := []string{"/pile 7", "/wuerfelpoker point=3", "/wuerfelpoker miss=deferred order=free", "/pile big 1"}
	for evening := range evenings {
		var people []*person
		for i := range 2 + chance.IntN(3) {
			p := house.person(fmt.Sprint("K", evening, "P", i))
			p.place = chat.Place(fmt.Sprint("test:1/kinds", evening))
			people = append(people, p)
		}
		for range 2 {
			people[0].writes(lines[chance.IntN(len(lines))])
			for _, p := range people[1:] {
				p.sends(fmt.Sprintf("1:%d:0:!join", p.table().ID))
			}
			people[0].sends(fmt.Sprintf("1:%d:0:!start", people[0].table().ID))
			house.pressAnything(people, chance, 300)
		}
		books, err := house.store.Check(context.Background())
		if err != nil || len(books) > 0 {
			t.Fatalf("evening %d: %v, %v", evening, books, err)
		}
	}
	house.sound()
	if lines := house.export(review.Wanted{}); len(lines) == 0 {
		t.Error("no game came to its end")
	}
}

// pressAnything has everybody press what one of them chooses, mostly the first
// move, and ends a table that goes on for too long.
func (h *house) pressAnything(people []*person, chance *rand.Rand, most int) {
	h.t.Helper()
	for presses := 0; people[0].table().State == store.Playing; presses++ {
		m := people[0].board()
		all := slices.Concat(m.Buttons...)
		b := firstMove(m)
		if chance.IntN(4) == 0 {
			b = all[chance.IntN(len(all))]
		}
		if presses > most {
			people[0].writes("/abandon")
			all = slices.Concat(people[0].board().Buttons...) // asks, or shows the vote that is held
			b = all[slices.IndexFunc(all, func(b chat.Button) bool {
				return strings.HasSuffix(b.Press, ":!end yes") || strings.HasSuffix(b.Press, ":!vote yes")
			})]
		}
		for _, p := range people {
			if reply := p.sends(b.Press); strings.Contains(reply.Toast, "our side") {
				h.t.Fatalf("an error of ours after %q", b.Press)
			}
		}
	}
}
