package standings

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/table"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/storetest"
)

// gamesOf returns a game for each letter of results, newest first: w is won, l is lost, a was played alone.
func gamesOf(results string) []store.Played {
	var all []store.Played
	for _, r := range results {
		p := store.Played{Result: store.Result{Place: 1}}
		if r == 'l' {
			p.Place = 2
		}
		if r == 'a' {
			p.Alone = true
		}
		all = append(all, p)
	}
	return all
}

func TestStreaks(t *testing.T) {
	for results, want := range map[string]career{
		"":         {},
		"a":        {alone: 1},
		"l":        {games: 1},
		"w":        {games: 1, won: 1, streak: 1, most: 1},
		"wwlwww":   {games: 6, won: 5, streak: 2, most: 3},
		"lwwww":    {games: 5, won: 4, streak: 0, most: 4},
		"wawlw":    {games: 4, won: 3, streak: 2, most: 2, alone: 1},
		"wwwlwwlw": {games: 8, won: 6, streak: 3, most: 3},
	} {
		if got := careerOf(gamesOf(results)); got != want {
			t.Errorf("%s: %+v, want %+v", results, got, want)
		}
	}
}

func TestEveningsOfAPlayer(t *testing.T) {
	won := int64(7)
	played := []store.Played{
		{Evening: 9, Unit: "chips", Stake: 10, Result: store.Result{Pool: -10}},
		{Evening: 9, Unit: "chips", Alone: true, Result: store.Result{Pool: 99}},
		{Evening: 9, Unit: "coffees", Stake: 10, Result: store.Result{Pool: 50}},
		{Evening: 7, Unit: "chips", Result: store.Result{Difference: store.Difference{N: 4, D: 3},
			Settlement: &won}},
		{Evening: 9, Unit: "chips", Stake: 10, Result: store.Result{Pool: 4}}, // not in order of evenings
		{Evening: 3, Unit: "chips", Stake: 10, Result: store.Result{Pool: 7}},
		{Evening: 4, Unit: "chips"},            // without a stake
		{Evening: 5, Unit: "chips", Stake: 10}, // a tie
		{Evening: 2, Unit: "chips", Result: store.Result{Difference: store.Difference{N: -1, D: 2}}},
	}
	units := sumByEvening(played, wonUnits("chips"))
	want := []evening{{9, -6}, {7, 7}, {3, 7}, {5, 0}}
	if !slices.Equal(units, want) {
		t.Errorf("%v, want %v", units, want)
	}
	best, worst, total := extremes(units)
	if best.day != 7 || worst.day != 9 || total != 8 {
		t.Errorf("best %v, worst %v, %d in all", best, worst, total)
	}
	shares := sumByEvening(played, wonShares)
	if want := []evening{{7, 3360}, {2, -1260}}; !slices.Equal(shares, want) {
		t.Errorf("%v, want %v", shares, want)
	}
	if said := pointsText(3360 - 1260); said != "+5/6" {
		t.Error(said)
	}
}

func TestRivals(t *testing.T) {
	o := func(name string, ahead, behind int64) store.Opponent {
		return store.Opponent{Player: name, Ahead: ahead, Behind: behind}
	}
	for _, c := range []struct {
		all               []store.Opponent
		favourite, dreads string
	}{
		{nil, "", ""},
		{[]store.Opponent{o("Ben", 0, 0)}, "", ""},
		{[]store.Opponent{o("Ben", 2, 0), o("Clara", 0, 2)}, "", ""}, // too few games to name anyone
		{[]store.Opponent{o("Ben", 3, 0), o("Clara", 0, 3)}, "Ben", "Clara"},
		{[]store.Opponent{o("Ben", 5, 2), o("Clara", 9, 7)}, "Ben", ""},
		{[]store.Opponent{o("Ben", 5, 2), o("Clara", 1, 3), o("Dora", 1, 2)}, "Ben", "Clara"},
		{[]store.Opponent{o("Ben", 2, 1), o("Clara", 2, 1)}, "Ben", ""}, // the store lists frequent opponents first
	} {
		favourite, dreaded := rivals(c.all)
		if favourite.Player != c.favourite || dreaded.Player != c.dreads {
			t.Errorf("%v: %q and %q", c.all, favourite.Player, dreaded.Player)
		}
	}
}

// TestChiSquare compares chiSquareTail with the critical values in textbooks.
func TestChiSquare(t *testing.T) {
	for _, c := range []struct {
		degrees       int
		square, share float64
	}{
		{1, 3.841, 0.05}, {1, 6.635, 0.01}, {5, 1.145, 0.95}, {5, 4.351, 0.5}, {5, 9.236, 0.1}, {5, 11.070, 0.05},
		{5, 15.086, 0.01}, {5, 20.515, 0.001}, {19, 30.144, 0.05}, {19, 10.117, 0.95},
		{1, 0.00393, 0.95}, {1, 10.828, 0.001}, {2, 0.103, 0.95}, {2, 5.991, 0.05}, {2, 13.816, 0.001},
		{3, 7.815, 0.05}, {3, 0.352, 0.95},
		{4, 9.488, 0.05}, {6, 12.592, 0.05}, {7, 14.067, 0.05}, {8, 15.507, 0.05}, {10, 18.307, 0.05},
		{10, 3.940, 0.95},
		{11, 19.675, 0.05}, {20, 31.410, 0.05}, {30, 43.773, 0.05}, {99, 123.225, 0.05}, {100, 124.342, 0.05},
		{100, 77.929, 0.95},
		{5, 0, 1}, {6, 0, 1}, {5, 30_000, 0}, {6, 1e300, 0},
	} {
		if got := chiSquareTail(c.square, c.degrees); math.Abs(got-c.share) > 0.0002 {
			t.Errorf("%v with %d degrees: %.5f, want %.5f", c.square, c.degrees, got, c.share)
		}
	}
}

func TestOddness(t *testing.T) {
	// A chi-square of 13.4 lies between the critical values for 5 % and for 1 %.
	share, _, enough := testFairness([]int64{5, 8, 9, 8, 10, 20})
	if !enough || math.Abs(share-chiSquareTail(13.4, 5)) > 1e-12 || share > 0.05 || share < 0.01 {
		t.Errorf("%v %v", share, enough)
	}
	if share, _, _ := testFairness([]int64{10, 10, 10, 10, 10, 10}); share != 1 {
		t.Errorf("even dice: %v", share)
	}
	if share, _, _ := testFairness([]int64{6000, 0, 0, 0, 0, 0}); share > 1e-100 {
		t.Errorf("loaded dice: %v", share)
	}
	for _, few := range [][]int64{{5, 5, 5, 5, 5, 4}, {0, 0, 0, 0, 0, 0}, {4, 5}, nil, {100}} {
		if _, needed, enough := testFairness(few); enough || len(few) > 1 && needed != int64(5*len(few)) {
			t.Errorf("%v is enough, or needs %d", few, needed)
		}
	}
	if counts := []int64{1, 2, 3}; sumPips(counts) != 14 || sumOfCounts(counts) != 6 {
		t.Error("pips")
	}
}

// TestFairDiceLookFair rolls fair dice many times and checks that testFairness returns 0.2 or less in a fifth of cases.
func TestFairDiceLookFair(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	below := 0
	const samples = 4000
	for range samples {
		counts := make([]int64, 6)
		for range 120 {
			counts[random.IntN(6)]++
		}
		if share, _, _ := testFairness(counts); share <= 0.2 {
			below++
		}
	}
	if share := float64(below) / samples; share < 0.17 || share > 0.23 {
		t.Errorf("%.3f of fair dice are among the oddest fifth", share)
	}
}

func TestBins(t *testing.T) {
	for _, c := range []struct {
		scores []int64
		want   string
	}{
		{[]int64{7}, "7:1"},
		{[]int64{0, 3, 3}, "0:1 1:0 2:0 3:2"},
		{[]int64{-3, 0, 9}, "−4–−3:1 −2–−1:0 0–1:1 2–3:0 4–5:0 6–7:0 8–9:1"},
		{[]int64{0, 45}, "0–4:1 5–9:0 10–14:0 15–19:0 20–24:0 25–29:0 30–34:0 35–39:0 40–44:0 45–49:1"},
		{[]int64{100, 219}, "100–109:1 110–119:0 120–129:0 130–139:0 140–149:0 150–159:0 160–169:0 170–179:0 " +
			"180–189:0 190–199:0 200–209:0 210–219:1"},
		{[]int64{12000, 12000}, "12,000:2"},
	} {
		var got []string
		for _, b := range makeBins(c.scores) {
			got = append(got, fmt.Sprint(b.label(english(t)), ":", b.count))
		}
		if said := strings.Join(got, " "); said != c.want {
			t.Errorf("%v: %s, want %s", c.scores, said, c.want)
		}
	}
}

// TestOneStretchHasOthersBesideIt checks that a single bar gets empty bars beside it.
func TestOneStretchHasOthersBesideIt(t *testing.T) {
	for score, want := range map[int64]string{0: "0:1 1:0", 7: "6:0 7:1 8:0", -3: "−4:0 −3:1 −2:0"} {
		var got []string
		for _, b := range padBins(makeBins([]int64{score})) {
			got = append(got, fmt.Sprint(b.label(english(t)), ":", b.count))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d: %v, want %s", score, got, want)
		}
	}
	if two := makeBins([]int64{1, 2}); len(padBins(two)) != 2 {
		t.Errorf("%v", padBins(two))
	}
}

func TestBinsHoldEverything(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		scores := rapid.SliceOfN(rapid.Int64Range(-1e15, 1e15), 1, 50).Draw(r, "scores")
		all := makeBins(scores)
		var held int64
		for i, b := range all {
			held += b.count
			if i > 0 && all[i-1].high+1 != b.low {
				r.Fatalf("a gap between %v and %v", all[i-1], b)
			}
		}
		if held != int64(len(scores)) || len(all) > maxBins || all[0].count == 0 || all[len(all)-1].count == 0 {
			r.Fatalf("%v", all)
		}
	})
}

func TestBalancesOfMany(t *testing.T) {
	var all []companion
	var steps []store.Won
	for i := range 14 {
		name := fmt.Sprint("P", i)
		all = append(all, companion{player: name, name: name})
		steps = append(steps, store.Won{At: 1, Player: name, Amount: int64(i - 6)})
	}
	all = append(all, companion{player: "hidden", off: store.Unlisted{Hidden: true}}, companion{player: "none"})
	steps = append(steps, store.Won{At: 2, Player: "hidden", Amount: 1000}, store.Won{At: 3, Player: "P6", Amount: 3},
		store.Won{At: 3, Player: "P13", Amount: -1})
	lines, rest := balances(steps, all)
	var said []string
	for _, l := range lines {
		said = append(said, fmt.Sprint(l.name, l.values))
	}
	want := "P12[0 6 6 6] P13[0 7 7 6] P11[0 5 5 5] P10[0 4 4 4] P6[0 0 0 3] P9[0 3 3 3] P3[0 -3 -3 -3] P2[0 -4 -4 " +
		"-4] P1[0 -5 -5 -5] P0[0 -6 -6 -6]"
	if got := strings.Join(said, " "); rest != 4 || len(lines) != 10 || got != want {
		t.Errorf("%d left out of\n%s\nwant\n%s", rest, got, want)
	}
	if lines, rest := balances(nil, all); len(lines) != 0 || rest != 0 {
		t.Error("lines of nothing")
	}
}

// TestChancesAreRememberedWithinABound checks that a chance is computed once, and that the size of the cache is
// limited.
func TestChancesAreRememberedWithinABound(t *testing.T) {
	all := []games.Game{shutbox.Game{}}
	b := New(table.New(bot.New(bot.Config{Store: storetest.Open(t), Games: all, Words: wordstest.Of(t, all...)}).Bot))
	for i := range maxChances {
		b.chances[fmt.Sprint(i)] = chance{}
	}
	if worked, err := b.shutByChance("shutbox", "{}"); err != nil || !worked.known || len(b.chances) > maxChances {
		t.Errorf("%v, %v, with %d remembered", worked, err, len(b.chances))
	}
	b.chances["shutbox {}"] = chance{shut: 2}
	if again, err := b.shutByChance("shutbox", "{}"); err != nil || again.shut != 2 {
		t.Errorf("it is worked out again: %v, %v", again, err)
	}
	if _, err := b.shutByChance("shutbox", "no rules"); err == nil || len(b.chances) != 1 {
		t.Errorf("rules that are none: %v, with %d remembered", err, len(b.chances))
	}
}

// TestMovesThatDoNotCount checks that tallies leave out undone moves and moves made for absent players.
func TestMovesThatDoNotCount(t *testing.T) {
	all := []games.Game{sets.Crag(), shutbox.Game{}}
	core := bot.New(bot.Config{Store: storetest.Open(t), Games: all, Words: wordstest.Of(t, all...)})
	b := New(table.New(core.Bot))
	at := store.Table{Game: "crag", Seats: make([]store.Seat, 2)}
	seats, err := b.TalliesAt(at, []store.Move{
		{Seat: 0, Move: "throw", Dice: []int{4, 4, 5}},
		{Seat: 0, Move: "keep 110", Dice: []int{4}},
		{Seat: 0, Move: "write fours"},
		{Seat: 0, Move: board.TakenBack},
		{Seat: 0, Move: "write three"},
		{Seat: 1, Move: "throw", Dice: []int{6, 6, 6}, Auto: true},
		{Seat: 1, Move: "write three", Auto: true},
	})
	want := map[string]int64{"power 2": 1, "power 1": 1, "equal": 1, "filled three": 1, "points three": 25,
		"best three": 25, "worst three": 0}
	if err != nil || len(seats) != 2 || !maps.Equal(seats[0], want) || len(seats[1]) != 0 {
		t.Errorf("%v, %v", seats, err)
	}
	for _, game := range []string{"shutbox", "gone"} {
		if seats, err := b.TalliesAt(store.Table{Game: game, Seats: at.Seats}, nil); err != nil || seats != nil {
			t.Errorf("%s: %v, %v", game, seats, err)
		}
	}
}
