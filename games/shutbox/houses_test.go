package shutbox

import (
	"math"
	"os"
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// simulate plays games alone and returns the mean score and its standard error.
func simulate(t testing.TB, house string, rules games.Rules, count int) (mean, deviation float64) {
	play := houseNamed(t, house)
	luck := newChance(2026)
	sum, squares := 0.0, 0.0
	for range count {
		m, err := Game{}.New(rules, 1)
		if err != nil {
			t.Fatal(err)
		}
		for len(m.Turn()) > 0 {
			if m, _, err = games.Play(m, 0, play(m, 0, luck), luck); err != nil {
				t.Fatal(err)
			}
		}
		result, _ := m.Result()
		score := float64(result.Rows[0].Score)
		sum += score
		squares += score * score
	}
	n := float64(count)
	mean = sum / n
	return mean, math.Sqrt((squares/n - mean*mean) / n)
}

func houseNamed(t testing.TB, name string) func(games.Match, games.Seat, games.Rand) games.Move {
	for _, h := range (Game{}).Houses() {
		if h.Name == name {
			return h.Choose
		}
	}
	t.Fatalf("no house %s", name)
	return nil
}

// exactMeans are the expected scores on tiles 1 to 9, always with two dice.
var exactMeans = map[string]float64{"random": 20.4188122282, "fewest": 11.3231468697}

// The exact means of the two strategies come out of long play. The dice are
// repeatable, so this test says the same every time.
func TestHousesScoreWhatTheyShould(t *testing.T) {
	count := 20_000
	if os.Getenv("KNOBEL_TEST_LONG") != "" {
		count = 300_000
	}
	for house, exact := range exactMeans {
		mean, deviation := simulate(t, house, games.Rules{"one-die": never}, count)
		t.Logf("%s: %.4f ± %.4f after %d games", house, mean, deviation, count)
		if math.Abs(mean-exact) > 3*deviation {
			t.Errorf("%s scores %.4f ± %.4f, exact is %.10f", house, mean, deviation, exact)
		}
	}
}

// A random set is each set alike: of ten sets every one comes up about as often as the others.
func TestRandomIsEven(t *testing.T) {
	m, err := Game{}.New(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, _ = m.Apply(0, "throw 2", dice.NewFallen([]int{5, 6}))
	const each = 1000
	luck, count := newChance(3), map[games.Move]int{}
	for range 10 * each {
		count[random(m, 0, luck)]++
	}
	for _, mv := range m.Moves(0) {
		if n := count[mv]; math.Abs(float64(n-each)) > 5*math.Sqrt(each) {
			t.Errorf("%s comes %d times in %d", mv, n, 10*each)
		}
	}
}
