package games_test

import (
	"testing"

	"knobel/games"
)

func TestNearest(t *testing.T) {
	words := []string{"rules", "golf", "one-die", "variant", "4-9", "Würfelpoker", "leaderboard", "9"}
	for typed, want := range map[string]string{
		"rules": "rules", "RULES": "rules", "ruels": "rules", "rule": "rules", "rools": "", "gulf": "golf",
		"onedie": "one-die", "varaint": "variant", "wurfelpoker": "Würfelpoker", "würfelpocker": "Würfelpoker",
		"leader": "leaderboard", "le": "",
		"poker": "Würfelpoker", "oker": "", "leaderbroad": "leaderboard", "9": "9", "8": "", "4-8": "4-9", "": "",
		"german": "", "xyz": "", "\xff\xfe\xfd": "", "something else": "",
	} {
		if got := games.Nearest(typed, words); got != want {
			t.Errorf("%q is taken for %q, want %q", typed, got, want)
		}
	}
	if got := games.Nearest("any", nil); got != "" {
		t.Errorf("among no words %q is the nearest", got)
	}
}

func TestInstead(t *testing.T) {
	if l := games.Instead("gulf", []string{"golf"}); l.Key != "games.instead.near" || l.Args["Near"] != "golf" {
		t.Errorf("gulf: %+v", l)
	}
	many := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
	if l := games.Instead("gulf", many); l.Args["These"] != "a, b, c, d, e, f, g, h, …" || len(many) != 9 {
		t.Errorf("one of many: %+v", l)
	}
}
