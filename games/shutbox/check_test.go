package shutbox

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
)

func TestVariants(t *testing.T) { // by name, the options that differ from the default
	want := map[string]string{
		"classic": "", "subtraction": "close=sum-or-difference", "golf": "match=rounds:9 shut=scores-zero",
		"missionary": "score=count", "canoga": "variant=canoga", "thai": "close=one-tile one-die=never",
		"digits": "score=digits", "knockout": "match=knockout:45 shut=scores-zero",
		"tournament": "match=until:100 shut=scores-zero", "two-to-go": "first-throw=2", "three-to-go": "first-throw=3",
		"three-down": "tiles=4-9", "odds": "tiles=1,3,5,7,9", "evens": "tiles=2,4,6,8", "full-house": "tiles=12",
		"unlucky-seven": "seven=ends-turn", "lucky-seven": "variant=lucky-seven",
		"three-hundred": "dice=4d6 one-die=never tiles=24", "d20": "dice=1d20 tiles=12",
	}
	if n := len(Game{}.Variants()); n != len(want) {
		t.Errorf("%d variants, want %d", n, len(want))
	}
	for _, v := range (Game{}).Variants() {
		got, err := games.Choose(Game{}, v.Name, nil)
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
			continue
		}
		if !maps.Equal(got, gametest.RulesOf(want[v.Name])) {
			t.Errorf("%s is %v, want %s", v.Name, got, want[v.Name])
		}
		if name := games.VariantOf(Game{}, got); name != v.Name {
			t.Errorf("%s is recognised as %q", v.Name, name)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("tiles", "9", "match", "rounds:3")
	f.Add("variant", "canoga", "tiles", "12")
	f.Add("score", "digits", "tiles", "24")
	f.Add("first-throw", "2", "one-die", "never")
	f.Fuzz(func(t *testing.T, name1, value1, name2, value2 string) {
		once, err := Game{}.Check(games.Rules{name1: value1, name2: value2})
		if err != nil {
			if _, ok := games.Refused(err); !ok {
				t.Fatalf("%v is no refusal", err)
			}
			return
		}
		if again, err := (Game{}).Check(once); err != nil || !maps.Equal(again, once) {
			t.Fatal(fmt.Sprint(once, again, err))
		}
	})
}

func TestSetsOf24OnTheLongBoard(t *testing.T) {
	found := sumSets(upTo(24), 24, highestTile)
	if len(found) != 122 {
		t.Errorf("a 24 has %d sets on tiles 1 to 24, want 122", len(found))
	}
}

// TestSetsAgainstAllSubsets checks that sumSets returns exactly the sets that a search of all subsets finds, in the
// documented order.
func TestSetsAgainstAllSubsets(t *testing.T) {
	for open := tiles(0); open <= upTo(10); open += 2 {
		for total := range 20 {
			var want []tiles
			for set := open; set != 0; set = (set - 1) & open {
				if set.sum() == total && set.count() <= 3 {
					want = append(want, set)
				}
			}
			fewestFirst(want)
			if got := sumSets(open, total, 3); !slices.Equal(got, want) {
				t.Fatalf("%d of %s: %v, want %v", total, open, got, want)
			}
		}
	}
}

func TestTilesGrammar(t *testing.T) {
	for given, want := range map[string]string{
		"9": "9", "24": "24", "1": "1", "1-9": "9", "4-9": "4-9", "1,3,5,7,9": "1,3,5,7,9",
		"7-7": "7-7", "1-3,7": "1-3,7", "7,1-3": "1-3,7", "1,2,4": "1,2,4", "8-9": "8,9",
		"1,2,3": "3", " 1, 3 ": "1,3", "3-5,4-7": "3-7", "2-2": "2-2", "09": "9", "5,5": "5-5",
		"": "-", "0": "-", "25": "-", "0-3": "-", "5-4": "-", "1,,2": "-", "1-": "-", "-1": "-", "1-2-3": "-",
		"a": "-", "1.5": "-", "99999999999999999999": "-", "1;2": "-", "+3": "-", "٣": "-",
	} {
		got, err := canonicalTiles(given)
		if err != nil {
			got = "-"
		}
		if got != want {
			t.Errorf("tiles=%q is %q, want %q", given, got, want)
		}
	}
}

func FuzzTiles(f *testing.F) {
	for _, s := range []string{"9", "4-9", "1,3,5,7,9", "7-7", "1-3,7", "24-1", ",", "1-24"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, err := canonicalTiles(s)
		if err != nil {
			return
		}
		set, _ := parseTiles(s)
		if set == 0 || set&^upTo(highestTile) != 0 {
			t.Fatalf("%q is the board %b", s, set)
		}
		if again, err := canonicalTiles(once); err != nil || again != once {
			t.Fatalf("%q is %q, and that is %q, %v", s, once, again, err)
		}
		if back, _ := parseTiles(once); back != set {
			t.Fatalf("%q is %s, but its spelling %q is %s", s, set, once, back)
		}
	})
}

func FuzzSetSpelling(f *testing.F) {
	for _, s := range []string{"9+2", "2+9", "24+1", "9+9", "9+", "+", "09"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if set, ok := parseSet(s); ok && set.String() != s {
			t.Fatalf("%q is read as %s", s, set)
		}
	})
}

func TestARefusalSaysHowManySeatsARuleTakes(t *testing.T) {
	for rules, want := range map[string]string{"": "shutbox.refuse.seats",
		"variant=canoga": "shutbox.refuse.seats-exactly"} {
		_, err := Game{}.New(gametest.RulesOf(rules), 99)
		if refusal, ok := games.Refused(err); !ok || refusal.Line.Key != want {
			t.Errorf("%q with 99 seats: %v, want %s", rules, err, want)
		}
	}
}
