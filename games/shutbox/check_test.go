package shutbox

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"knobel/games"
)

// rulesOf reads "tiles=9 match=rounds:3" for tests.
func rulesOf(text string) games.Rules {
	r := games.Rules{}
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		r[name] = value
	}
	return r
}

// spell is the inverse of rulesOf, by name.
func spell(r games.Rules) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(r)) {
		words = append(words, name+"="+r[name])
	}
	return strings.Join(words, " ")
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"", ""},
		{"tiles=9 dice=2d6 one-die=high-shut close=sum score=sum first-throw=none seven=none match=single shut=wins " +
			"ties=share", ""},
		{"tiles=1-9", ""},
		{"tiles=1-10", "tiles=10"},
		{"tiles=9-4", "refused: shutbox.refuse.tiles"},
		{"shut=scores-zero", "shut=scores-zero"},
		{"shut=pays-double", "shut=pays-double"},
		{"match=rounds:9", "match=rounds:9 shut=scores-zero"},
		{"match=rounds:1", ""},
		{"match=rounds:3 shut=wins", "match=rounds:3 shut=wins"},
		{"match=rounds:3 shut=pays-double", "match=rounds:3 shut=pays-double"},
		{"match=knockout", "match=knockout:45 shut=scores-zero"},
		{"match=until:007", "match=until:7 shut=scores-zero"},
		{"match=rounds:0", "refused: games.no-such-value"},
		{"match=rounds:1000", "refused: games.no-such-value"},
		{"match=rounds:", "refused: games.no-such-value"},
		{"match=single:2", "refused: games.no-such-value"},
		{"match=until:-5", "refused: games.no-such-value"},
		{"match=until:45001", "refused: shutbox.refuse.limit"},
		{"score=digits match=until:45001", "match=until:45001 score=digits shut=scores-zero"},
		{"ties=rolloff", "refused: games.no-such-value"},
		{"tie=share", "refused: games.no-such-option"},

		// Boards that no throw can begin to close.
		{"tiles=13-13", "refused: shutbox.refuse.no-beginning"},
		{"tiles=1", "tiles=1"},
		{"tiles=1 one-die=never", "refused: shutbox.refuse.no-beginning"},
		{"tiles=7-7 dice=1d6", "refused: shutbox.refuse.no-beginning"},
		{"tiles=1-3 dice=4d6", "dice=4d6 tiles=3"},
		{"tiles=1-2 dice=4d6 one-die=never", "refused: shutbox.refuse.no-beginning"},
		{"tiles=13-20 dice=1d20", "dice=1d20 tiles=13-20"},
		{"tiles=21-24 dice=1d20", "refused: shutbox.refuse.no-beginning"},
		{"tiles=7-7", "tiles=7-7"},
		{"tiles=7-7 seven=ends-turn", "refused: shutbox.refuse.no-beginning"},
		{"tiles=1-1 close=sum-or-tile one-die=never", "close=sum-or-tile one-die=never tiles=1"},

		// The first throw.
		{"first-throw=2", "first-throw=2"},
		{"first-throw=2 tiles=4-9", "refused: shutbox.refuse.first-throw"},
		{"first-throw=3 tiles=1,3", "first-throw=3 tiles=1,3"},
		{"first-throw=2 tiles=2,24", "first-throw=2 tiles=2,24"},
		{"first-throw=4", "refused: games.no-such-value"},

		// A board that is read as a number must fit into one.
		{"score=digits tiles=12", "score=digits tiles=12"},
		{"score=digits tiles=13", "refused: shutbox.refuse.digits"},

		// The two that options cannot say.
		{"variant=golf", "refused: games.no-such-variant"},
		{"variant=canoga", "variant=canoga"},
		{"variant=canoga tiles=12 one-die=never close=two-tiles match=rounds:3 ties=roll-off",
			"close=two-tiles match=rounds:3 one-die=never ties=roll-off tiles=12 variant=canoga"},
		{"variant=canoga tiles=8", "refused: shutbox.refuse.variant"},
		{"variant=canoga match=knockout:45", "refused: shutbox.refuse.variant"},
		{"variant=canoga score=count", "refused: shutbox.refuse.variant"},
		{"variant=canoga dice=4d6", "refused: shutbox.refuse.variant"},
		{"variant=canoga shut=pays-double", "refused: shutbox.refuse.variant"},
		{"variant=canoga first-throw=2", "refused: shutbox.refuse.variant"},
		{"variant=canoga seven=ends-turn", "refused: shutbox.refuse.variant"},
		{"variant=lucky-seven", "variant=lucky-seven"},
		{"variant=lucky-seven match=knockout:45 ties=roll-off shut=pays-double",
			"match=knockout:45 shut=pays-double ties=roll-off variant=lucky-seven"},
		{"variant=lucky-seven match=rounds:3", "match=rounds:3 shut=scores-zero variant=lucky-seven"},
		{"variant=lucky-seven match=rounds:3 shut=wins", "match=rounds:3 shut=wins variant=lucky-seven"},
		{"variant=lucky-seven shut=scores-zero", "refused: shutbox.refuse.variant"},
		{"variant=lucky-seven tiles=10", "refused: shutbox.refuse.variant"},
		{"variant=lucky-seven one-die=never", "refused: shutbox.refuse.variant"},
	} {
		got, err := Game{}.Check(rulesOf(c.given))
		said := spell(got)
		if refusal, ok := games.Refused(err); ok {
			said = "refused: " + refusal.Key
		} else if err != nil {
			t.Errorf("%s: %v is no refusal", c.given, err)
		}
		if said != c.want {
			t.Errorf("check %s\n got %s\nwant %s", c.given, said, c.want)
		}
		if err == nil {
			if again, err := (Game{}).Check(got); err != nil || !maps.Equal(again, got) {
				t.Errorf("check %s again: %s, %v", said, spell(again), err)
			}
		}
	}
}

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
	if n := len(variants()); n != len(want) {
		t.Errorf("%d variants, want %d", n, len(want))
	}
	for _, v := range variants() {
		got, err := games.Choose(Game{}, v.Name, nil)
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
			continue
		}
		if spell(got) != want[v.Name] {
			t.Errorf("%s is %s, want %s", v.Name, spell(got), want[v.Name])
		}
		if name := games.VariantOf(Game{}, got); name != v.Name {
			t.Errorf("%s is recognised as %q", v.Name, name)
		}
	}
}

func TestEveryOfferedValueIsCanonical(t *testing.T) {
	for _, o := range options() {
		for _, value := range o.Values {
			got, err := games.CheckOptions(options(), games.Rules{o.Name: value})
			if want := map[bool]string{true: "", false: o.Name + "=" + value}[value == o.Default()]; err != nil ||
				spell(got) != want {
				t.Errorf("%s=%s: %s, %v", o.Name, value, spell(got), err)
			}
			if line := o.Say(value); line.Key == "" {
				t.Errorf("%s=%s has no name", o.Name, value)
			}
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
