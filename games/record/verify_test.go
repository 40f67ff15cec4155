package record_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/gametest/either"
	"knobel/games/record"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// checkFaults checks that each text in want is part of a fault, or that there are no faults if want is empty, and that
// every fault names its table.
func checkFaults(t *testing.T, faults []record.Fault, want []string) {
	t.Helper()
	if len(want) == 0 && len(faults) > 0 {
		t.Errorf("unexpected: %q", faults)
	}
	for _, sentence := range want {
		if !slices.ContainsFunc(faults, func(f record.Fault) bool { return strings.Contains(f.String(), sentence) }) {
			t.Errorf("%q does not say %q", faults, sentence)
		}
	}
	for _, f := range faults {
		if !strings.HasPrefix(f.String(), "table ") {
			t.Errorf("%q does not say at which table", f)
		}
	}
}

// ignored lists the paths in a record that can be changed without a fault, because nothing else depends on them.
var ignored = []string{".house_rules", ".house_rules.name", ".unit", ".seats[].name", ".seats[].house", ".moves[].auto"}

// checkLeaves checks that every change of a value in line causes an error or a fault, except at the paths in
// ignored, and that there are at least least changes. Without KNOBEL_TEST_LONG=1 it tries only the first few of each
// path.
func checkLeaves(t *testing.T, line string, least int) {
	t.Helper()
	changes, tried := 0, map[string]int{}
	eachChange(t, line, func(place, changed string) {
		changes++
		if tried[place]++; tried[place] > 24 && !isLong() {
			return
		}
		r, err := record.Decode([]byte(changed))
		if err != nil {
			return
		}
		if len(record.Verify(r, all, &record.Solutions{})) == 0 && !slices.Contains(ignored, place) {
			t.Errorf("%s was changed unseen: %s", place, changed)
		}
	})
	if changes < least {
		t.Errorf("only %d changes were tried", changes)
	}
}

// eachChange calls try with many versions of line, each with one value changed, deleted or repeated. path is that of
// the value without indices, such as ".moves[].auto".
func eachChange(t *testing.T, line string, try func(path, changed string)) {
	t.Helper()
	var tree any
	check(t, json.Unmarshal([]byte(line), &tree))
	write := func(path string) {
		changed, err := json.Marshal(tree)
		check(t, err)
		try(path, string(changed))
	}
	var walk func(path string, node any, set func(any))
	walk = func(path string, node any, set func(any)) {
		switch node := node.(type) {
		case map[string]any:
			for key, value := range node {
				walk(path+"."+key, value, func(v any) { node[key] = v })
				delete(node, key)
				write(path + "." + key)
				node[key] = value
			}
		case []any:
			for i, value := range node {
				walk(path+"[]", value, func(v any) { node[i] = v })
			}
			if len(node) > 0 {
				set(node[:len(node)-1])
				write(path)
				set(append(slices.Clone(node), node[len(node)-1]))
				write(path)
				set(node)
			}
		case string:
			for _, other := range []any{node + "x", "", "0" + node[min(1, len(node)):], node + "\n", "house"} {
				if other != node {
					set(other)
					write(path)
				}
			}
			set(node)
		case float64:
			for _, other := range []any{node + 1, node - 1, -node, node + 1000, nil, fmt.Sprint(node)} {
				if other != node {
					set(other)
					write(path)
				}
			}
			set(node)
		}
	}
	walk("", tree, nil)
}

// all holds the games that the tests play and verify.
var all = []games.Game{coin.Game{}, either.Game{}, either.Loser(), either.Lids(), shutbox.Game{}, wuerfelpoker.New(),
	sets.Balut()}

// tables holds the records that testdata refers to by name.
var tables = map[string]func(t *testing.T) record.Record{
	"coins": func(t *testing.T) record.Record { return play(t, coins()) },
	"ten coins": func(t *testing.T) record.Record {
		r := play(t, tenCoins())
		r.HouseRules = &record.HouseRules{Name: "friday", Version: games.VersionOf(r.Game, r.Rules)}
		return r
	},
	"out":   outOfCoins,
	"poker": func(t *testing.T) record.Record { return play(t, poker(games.Rules{"point": "5"})) },
	"poker for two": func(t *testing.T) record.Record {
		terms := poker(games.Rules{"point": "5"})
		terms.Seats = terms.Seats[:2]
		return play(t, terms)
	},
	"either": func(t *testing.T) record.Record { return play(t, settledBy(nil, 0)) },
	"either with a point": func(t *testing.T) record.Record {
		return play(t, settledBy(games.Rules{"settle": "difference", "point": "5"}, 0))
	},
	"either as a pool": func(t *testing.T) record.Record {
		return play(t, settledBy(games.Rules{"settle": "pool"}, 10))
	},
	"either as a friendly pool": func(t *testing.T) record.Record {
		return play(t, settledBy(games.Rules{"settle": "pool"}, 0))
	},
	"loser": func(t *testing.T) record.Record { return play(t, oweTerms(either.Loser())) },
	"lids":  func(t *testing.T) record.Record { return play(t, oweTerms(either.Lids())) },
	"lids for fun": func(t *testing.T) record.Record {
		terms := oweTerms(either.Lids())
		terms.Stake = 0
		return play(t, terms)
	},
	"ten losers":  func(t *testing.T) record.Record { return tenOwing(t, either.Loser()) },
	"ten lids":    func(t *testing.T) record.Record { return tenOwing(t, either.Lids()) },
	"classic":     func(t *testing.T) record.Record { return play(t, boxTerms(t, "classic")) },
	"canoga":      func(t *testing.T) record.Record { return play(t, boxTerms(t, "canoga")) },
	"lucky-seven": func(t *testing.T) record.Record { return play(t, boxTerms(t, "lucky-seven")) },
}

// outOfCoins returns the record of a game of coin for three with 4 units in the jackpot. Two of them would share the
// pool, but one of these two, Ben, has left the game for good.
func outOfCoins(t *testing.T) record.Record {
	r := play(t, coins())
	r.Moves[1].Auto = true
	r.Seats[1].Out = new(1)
	r.Result[0].Place, r.Result[1].Place, r.Result[2].Place = 2, 3, 1
	r.Result[1].Pool, r.Result[2].Pool = -10, 24
	return r
}

// tenOwing returns the record of a match of g, which has no pool, for ten.
func tenOwing(t *testing.T, g games.Game) record.Record {
	terms := tenCoins()
	terms.Game, terms.Box = g, 0
	terms.Seats[2].House = "left"
	return play(t, terms)
}

// TestRecords plays the tables that testdata names, decodes their records, and checks the faults of each case there.
func TestRecords(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no records are told", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(t, err)
		for _, of := range strings.Split(string(text), "\n== ")[1:] {
			name, rest, _ := strings.Cut(of, "\n")
			t.Run(name, func(t *testing.T) { checkTable(t, encode(t, tables[name](t)), strings.Split(rest, "\n\n")) })
		}
	}
}

// checkTable checks that the record line decodes to itself and has no faults, and then each of cases.
func checkTable(t *testing.T, line string, cases []string) {
	again, err := record.Decode([]byte(line))
	check(t, err)
	if got := encode(t, again); got != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
	checkFaults(t, record.Verify(again, all, &record.Solutions{}), nil)
	for i, c := range cases {
		title, steps, _ := strings.Cut(c, "\n")
		if i == 0 {
			title, steps = "", c
		}
		t.Run(title, func(t *testing.T) { checkCase(t, line, strings.Split(strings.Trim(steps, "\n"), "\n")) })
	}
}

// checkCase executes the steps of a case on the record line: "= X" (contains X), "leaves N" (checkLeaves), "! X" (has
// the fault X), "x X" (Decode fails with X) and "A => B" (replaces A by B).
func checkCase(t *testing.T, line string, steps []string) {
	var faults []string
	for _, step := range steps {
		said, rest, _ := strings.Cut(strings.TrimPrefix(step, "  "), " ")
		old, changed, changes := strings.Cut(strings.TrimPrefix(step, "  "), " => ")
		switch {
		case said == "=" && !strings.Contains(line, rest):
			t.Errorf("%s is not in %s", rest, line)
		case said == "leaves":
			var least int
			_, _ = fmt.Sscan(rest, &least)
			checkLeaves(t, line, least)
		case said == "!":
			faults = append(faults, rest)
		case said == "x":
			if _, err := record.Decode([]byte(line)); err == nil || !strings.Contains(err.Error(), rest) {
				t.Errorf("%v, want %s", err, rest)
			}
		case changes:
			if !strings.Contains(line, old) {
				t.Fatalf("%s is not in %s", old, line)
			}
			line = strings.Replace(line, old, changed, 1)
		}
	}
	if len(faults) == 0 {
		return
	}
	r, err := record.Decode([]byte(line))
	check(t, err)
	checkFaults(t, record.Verify(r, all, &record.Solutions{}), faults)
}
