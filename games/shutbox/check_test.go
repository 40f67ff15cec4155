package shutbox

import (
	"fmt"
	"maps"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
)

func TestVariants(t *testing.T) {
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
