package zehntausend

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
)

// drawRules returns random rules with a target that is reached soon.
func drawRules(t *rapid.T) games.Rules {
	rules := games.Rules{}
	for _, o := range (Game{}).Options() {
		rules[o.Name] = rapid.SampledFrom(o.Values).Draw(t, o.Name)
	}
	if rules["nothings"] != "0" {
		rules["least"] = rapid.SampledFrom([]string{"0", "200"}).Draw(t, "least beside nothings")
	}
	rules["target"] = rapid.SampledFrom([]string{"1000", "2000"}).Draw(t, "target")
	checked, err := Game{}.Check(rules)
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

// TestEveryMatchAddsUp plays matches under random rules to the end. It checks that no turn banks fewer points than it
// must, and that the score of each seat is the sum of the points that it banked and lost.
func TestEveryMatchAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		r := parseRules(rules)
		seats := rapid.IntRange(1, 6).Draw(t, "seats")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		d := &dice.Fair{Seed: dice.SeriesSeed(random.Int64(), 0), Table: "test"}
		m, err := Game{}.New(rules, seats)
		if err != nil {
			t.Fatal(err)
		}
		books, in, nothings := make([]int, seats), make([]bool, seats), make([]int, seats)
		for moves := 0; len(m.Turn()) > 0; moves++ {
			before := m.(match)
			seat := m.Turn()[0]
			move := Game{}.Houses()[moves/3%2].Choose(m, seat, random)
			first := d.Next
			if m, _, err = games.Play(m, seat, move, d); err != nil {
				t.Fatal(err)
			}
			verb, spelled, _ := strings.Cut(string(move), " ")
			want := map[string]int{"throw": r.dice, "keep": strings.Count(spelled, "0"), "bank": 0}[verb]
			if verb == "keep" && want == 0 {
				want = r.dice
			}
			if d.Next-first != want {
				t.Fatalf("%q throws %d dice", move, d.Next-first)
			}
			if verb != "bank" {
				if m.(match).Ended.Kind == lost && !before.isRollOff() {
					if nothings[seat]++; nothings[seat]%3 == 0 {
						books[seat] -= r.nothings
					}
				}
				continue
			}
			ended := m.(match).Ended
			if ended.Points < r.minimum(in[seat]) || ended.Points <= before.Points {
				t.Fatalf("%v: %q banks %d points, with %d before", rules, move, ended.Points, books[seat])
			}
			if !before.isRollOff() {
				books[seat] += ended.Points
				in[seat], nothings[seat] = true, 0
			}
		}
		checkEnd(t, m, rules, books)
	})
}

// checkEnd checks that the highest total has won, and that there is one winner if a roll-off decides. banked holds the
// points that each seat has banked.
func checkEnd(t *rapid.T, m games.Match, rules games.Rules, banked []int) {
	result, _ := m.Result()
	highest := 0
	for seat, row := range result.Rows {
		highest = max(highest, row.Score)
		if row.Score != banked[seat] || !row.Threw {
			t.Fatalf("seat %d has banked %d points, and scores %+v", seat, banked[seat], row)
		}
		for other, otherRow := range result.Rows {
			if row.Score > otherRow.Score && row.Place >= otherRow.Place {
				t.Fatalf("seats %d and %d: %+v", seat, other, result.Rows)
			}
		}
	}
	if highest < parseRules(rules).target || len(result.Winners) == 0 ||
		result.Rows[result.Winners[0]].Score != highest {
		t.Fatalf("%v have won with %d points", result.Winners, highest)
	}
	if rules["ties"] == rollOff && len(result.Winners) > 1 {
		t.Fatalf("%v have won together", result.Winners)
	}
	if m.(match).ViewWithout(result.Winners).Stands[result.Winners[0]].State == games.Won {
		t.Fatalf("seat %d is out, and shown as the winner", result.Winners[0])
	}
}

// FuzzLoad loads random bytes as a match. Every accepted one is saved unchanged and can be played on.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"totals":[0,0],"turn":0,"round":0}`), byte(0))
	f.Add([]byte(`{"totals":[350,0],"turn":1,"round":0,"points":100,"dice":[1,2,3,4,4]}`), byte(1))
	f.Add([]byte(`{"totals":[1000,1000],"turn":0,"round":3,"rolls":[[50]],"ended":{"seat":0,"kind":"bank","points":50}}`), byte(2))
	f.Add([]byte(`{"totals":[0,0],"turn":1,"round":0,"ended":{"seat":0,"kind":"lost","points":0,"dice":[2,2,3,3,4,6]}}`), byte(3))
	f.Add([]byte(`{"totals":[-500,300],"losing":[{"nothings":1},{"banked":true}],"turn":0,"round":4,"ended":`+
		`{"seat":1,"kind":"bank","points":300}}`), byte(4))
	f.Add([]byte(`{"totals":[0,0],"turn":0,"round":0,"ended":{"seat":0,"kind":"","points":0,"dice":[]}}`), byte(0))
	f.Fuzz(func(t *testing.T, saved []byte, kind byte) {
		rules := [...]games.Rules{
			{"target": "1000"}, {"dice": "5", "entry": "300", "last": "once-more", "target": "1000"},
			{"ties": "roll-off", "target": "1000"}, {"hot": "may", "pairs": "0", "target": "1000", "least": "200"},
			{"nothings": "500", "target": "1000", "entry": "300", "ties": "roll-off"},
		}[kind%5]
		gametest.Playable(t, Game{}, rules, saved, 200)
	})
}

// TestTurnAgreesWithItself checks that the solved value of each throw is the average, over all results of the dice, of
// the solved value of the best move that the game then offers.
func TestTurnAgreesWithItself(t *testing.T) {
	for _, rules := range []games.Rules{
		nil, {"dice": "5", "more": add}, {"hot": may, "entry": "500", "least": "300"},
		{"more": none, "straight": "0", "pairs": "0"}, variants()[1].Rules,
	} {
		r := parseRules(rules)
		random := rand.New(rand.NewPCG(7, 7))
		for _, points := range []int{0, 50, 250, 1000, 9000, 200_000, 50 * random.IntN(100), 50 * random.IntN(3000)} {
			for count := 1; count <= r.dice; count++ {
				if points == 0 && count < r.dice || count > 4 && points > 50 {
					continue
				}
				for _, total := range []int{0, 1000} {
					checkThrow(t, r, rules, total, points, count)
				}
			}
		}
	}
}

// checkThrow checks the solved value of throwing count dice; points are those of the turn so far, total is the seat's.
func checkThrow(t *testing.T, r *rules, rules games.Rules, total, points, count int) {
	t.Helper()
	m := match{rules: r, Totals: []int{total}, Points: points}
	r.target = 1 << 40 // no effect on the turn
	want, solved := 0.0, r.turn(total > 0)
	ways := int(math.Pow(sides, float64(count)))
	for way := range ways {
		m.Dice = nil
		for range count {
			m.Dice = append(m.Dice, 1+way%sides)
			way /= sides
		}
		best := 0.0
		for _, o := range m.options() {
			best = max(best, solved.figuresAt(points+o.points, r.nextDice(count, o.set.Count())).points)
			if o.bank {
				best = max(best, float64(points+o.points))
			}
		}
		want += best / float64(ways)
	}
	if got := solved.figuresAt(points, count).points; math.Abs(got-want) > 1e-9*want {
		t.Errorf("%v: %d dice after %d points are worth %.9f, and lead to %.9f", rules, count, points, got, want)
	}
}
