package shutbox

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
)

// solve returns the perfect play of a match under rules with that many seats, and the new match.
func solve(t testing.TB, rules games.Rules, seats int) (games.Perfect, games.Match) {
	m, err := Game{}.New(rules, seats)
	check(t, err)
	p, err := Game{}.Solve(rules, seats)
	check(t, err)
	return p, m
}

// TestPerfectInRollOff checks that perfect play of a roll-off maximizes the share of the pool even if totals decide the
// match, and that the roll-off does not change the expected points.
func TestPerfectInRollOff(t *testing.T) {
	shares, one := solve(t, gametest.RulesOf("ties=roll-off shut=scores-zero"), 3)
	points, several := solve(t, gametest.RulesOf("ties=roll-off match=rounds:2"), 3)
	before, err := points.Expect(inRollOff(several, 0, 2))
	check(t, err)
	a, b := inRollOff(one, 0, 2), inRollOff(several, 0, 2)
	luck := newChance(3)
	for b.(*classic).RollOff == 1 && len(b.Turn()) > 0 {
		seat := a.Turn()[0]
		want, err := shares.Worths(a, seat)
		check(t, err)
		got, err := points.Worths(b, seat)
		check(t, err)
		for i := range want {
			if got[i].Tiebreak != want[i].Values[seat] || fmt.Sprint(got[i].Values) != fmt.Sprint(before) {
				t.Fatalf("%+v, for the pool alone %+v", got[i], want[i])
			}
		}
		x, _ := games.Best(want, seat)
		y, _ := games.Best(got, seat)
		if x.Move != y.Move {
			t.Fatalf("plays %s, for the pool alone %s", y.Move, x.Move)
		}
		a, _ = a.Apply(seat, x.Move, luck)
		b, _ = b.Apply(seat, x.Move, dice.NewFallen(luck.faces))
	}
}

// TestOnlyLargePoolsTakeLong checks Laborious for pools and for matches without one.
func TestOnlyLargePoolsTakeLong(t *testing.T) {
	for _, c := range []struct {
		rules string
		seats int
		long  bool
	}{
		{"", 1, false}, {"", 10, false}, {"tiles=16", 1, false}, {"tiles=12", 10, true},
		{"variant=lucky-seven", 4, false}, {"match=rounds:3", 6, false},
	} {
		given, seats, err := Game{}.Alike(gametest.RulesOf(c.rules), c.seats)
		if err != nil {
			t.Fatal(c.rules, err)
		}
		if long := (Game{}).Laborious(given, seats); long != c.long {
			t.Errorf("%q of %d takes long: %v", c.rules, c.seats, long)
		}
	}
}

// TestPerfectRefusesOtherMatches checks the errors for matches whose rules or seats are not those of the solution.
func TestPerfectRefusesOtherMatches(t *testing.T) {
	_, two := solve(t, nil, 2)
	_, forced := solve(t, gametest.RulesOf("one-die=high-shut-forced"), 3)
	_, sevens := solve(t, gametest.RulesOf("variant=lucky-seven"), 2)
	canogas, err := Game{}.New(gametest.RulesOf("variant=canoga"), 2)
	check(t, err)
	for _, c := range []struct {
		rules string
		seats int
	}{{"", 3}, {"match=rounds:9", 3}, {"variant=lucky-seven match=rounds:2", 2}} {
		p, _ := solve(t, gametest.RulesOf(c.rules), c.seats)
		for _, m := range []games.Match{two, forced, sevens, canogas, nil} {
			if _, err := p.Expect(m); err == nil {
				t.Errorf("%q: expects something of a %T", c.rules, m)
			}
			if _, err := p.Worths(m, 0); err == nil {
				t.Errorf("%q: has worths for a %T", c.rules, m)
			}
		}
		if p.Size() <= 0 {
			t.Errorf("%q takes %d bytes", c.rules, p.Size())
		}
	}
}

// TestPerfectIsShared checks which tables share a solution, and that it serves all of them.
func TestPerfectIsShared(t *testing.T) {
	for _, c := range []struct {
		given string
		seats int
		alike string
		n     int
	}{
		{"hints=yes ties=roll-off", 4, "", 4},
		{"shut=pays-double", 1, "", 1},
		{"match=knockout:45 shut=pays-double", 5, "match=rounds:2 shut=wins", 2},
		{"match=until:100", 1, "match=rounds:2 shut=scores-zero", 2},
		{"match=until:100 ties=roll-off", 3, "match=rounds:2 shut=scores-zero ties=roll-off", 3},
		{"variant=lucky-seven ties=roll-off", 5, "variant=lucky-seven", 2},
		{"variant=lucky-seven match=until:50 ties=roll-off", 5,
			"variant=lucky-seven match=rounds:2 shut=scores-zero", 2},
	} {
		like, n, err := Game{}.Alike(gametest.RulesOf(c.given), c.seats)
		want, wrong := Game{}.Check(gametest.RulesOf(c.alike))
		if err != nil || wrong != nil || !maps.Equal(like, want) || n != c.n {
			t.Errorf("%s, %d seats: %s, %d seats, %v", c.given, c.seats, like, n, err)
			continue
		}
		p, _ := solve(t, like, n)
		m, err := Game{}.New(gametest.RulesOf(c.given), c.seats)
		check(t, err)
		if values, err := p.Expect(m); err != nil || len(values) != c.seats {
			t.Errorf("%s, %d seats: %v, %v", c.given, c.seats, values, err)
		}
	}
}

// TestPerfectAtOnce requests more turns of one solution than its cache holds, from several goroutines at once.
func TestPerfectAtOnce(t *testing.T) {
	p, _ := solve(t, gametest.RulesOf("tiles=12"), 2)
	pool := p.(*perfect).pool
	want := pool.startValues(turnKey{1, 30, 1})[0]
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for range 30 {
				best := 1 + random.IntN(len(pool.scores)-1)
				turn := pool.solvedTurn(turnKey{1, best, 1})
				if got := turn.own[turn.full]; best == 30 && got != want {
					t.Errorf("a turn is worth %v, solved were %v", got, want)
				}
			}
		})
	}
	group.Wait()
	if kept := len(pool.turns); kept > pool.maxTurns() {
		t.Errorf("%d turns are kept", kept)
	}
}

// isLong reports whether tests may take longer than a second or two: KNOBEL_TEST_LONG is 1.
func isLong() bool { return os.Getenv("KNOBEL_TEST_LONG") == "1" }

// smallRules returns random rules of classic matches for that many seats, with so few tiles that all kinds of ends are
// reached soon.
func smallRules(t *testing.T, chance *rand.Rand, seats int) games.Rules {
	for {
		given := games.Rules{}
		for _, o := range (Game{}).Options() {
			if o.Name != "tiles" && chance.IntN(2) == 0 {
				given[o.Name] = o.Values[chance.IntN(len(o.Values))]
			}
		}
		if given["dice"] == "4d6" && seats > 1 {
			delete(given, "dice")
		}
		most := []int{6, 4, 3, 2}[seats-1]
		var parts []string
		for _, n := range chance.Perm(3 + 2*most)[:1+chance.IntN(most)] {
			parts = append(parts, fmt.Sprintf("%d-%d", n+1, n+1))
		}
		given["tiles"] = strings.Join(parts, ",")
		rules, err := Game{}.Check(given)
		if err == nil {
			return rules
		}
		if _, refused := games.Refused(err); !refused {
			t.Fatal(err)
		}
	}
}

// inRollOff returns a copy of m in which the seats playing have just begun a roll-off.
func inRollOff(m games.Match, playing ...games.Seat) games.Match {
	c := *m.(*classic)
	c.RollOff, c.Playing = 1, playing
	c.beginTurn(playing[0])
	return &c
}

// TestPerfectOnSmallBoards checks perfect play move by move under smallRules. Half of the matches of one round with
// several seats begin in a roll-off.
func TestPerfectOnSmallBoards(t *testing.T) {
	cases := 300
	if isLong() {
		cases *= 10
	}
	chance := rand.New(rand.NewPCG(44, 1))
	for range cases {
		seats := 1 + chance.IntN(4)
		rules := smallRules(t, chance, seats)
		if rules["match"] == "" {
			delete(rules, "ties") // a tie counts as equal shares until its roll-off begins
		}
		m, err := Game{}.New(rules, seats)
		check(t, err)
		if rules["match"] == "" && seats > 1 && chance.IntN(2) == 0 {
			playing := allSeats(seats)
			for range chance.IntN(seats - 1) {
				i := chance.IntN(len(playing))
				playing = slices.Delete(playing, i, i+1)
			}
			m = inRollOff(m, playing...)
		}
		gametest.PerfectFrom(t, Game{}, rules, m)
	}
}

// BenchmarkSolve measures how long perfect play takes to compute under several rules.
func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules string
		seats int
	}{
		{"score, 9 tiles", "", 1},
		{"score, 12 tiles", "tiles=12", 1},
		{"pool of 2, 9 tiles", "", 2},
		{"pool of 6, 9 tiles", "", 6},
		{"pool of 10, 9 tiles", "", 10},
		{"pool of 6, 12 tiles", "tiles=12", 6},
		{"pool of 6, 9 tiles, digits", "score=digits", 6},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (Game{}).Solve(gametest.RulesOf(c.rules), c.seats); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWorths measures the evaluation of all moves of one position.
func BenchmarkWorths(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules string
		seats int
	}{{"score, 9 tiles", "", 1}, {"pool of 6, 9 tiles", "", 6}, {"pool of 10, 12 tiles", "tiles=12", 10}} {
		p, m := solve(b, gametest.RulesOf(c.rules), c.seats)
		ask := func(b *testing.B, m games.Match) {
			for b.Loop() {
				if _, err := p.Worths(m, 0); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.Run(c.name+", before a throw", func(b *testing.B) { ask(b, m) })
		m, _ = m.Apply(0, "throw 2", dice.NewFallen([]int{5, 6}))
		b.Run(c.name+", after 11", func(b *testing.B) { ask(b, m) })
	}
}
