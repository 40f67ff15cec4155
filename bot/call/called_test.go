package call_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
)

// What people call options and values in their language is understood, and
// what is nearly that is offered.
func TestOptionsAreCalledInEveryLanguage(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Locale = "de"
	for line, rule := range map[string][2]string{
		"/shutbox einsatz=5 Variante=Golf":          {"match", "rounds:9"},
		"/shutbox Klappen=4-9 5":                    {"tiles", "4-9"},
		"/shutbox ein-würfel=nie":                   {"one-die", "never"},
		"/shutbox schließen=höchstens-zwei-klappen": {"close", "two-tiles"},
		"/shutbox zugzeit=5m klappen=1-bis-10":      {"tiles", "10"},
		"/shutbox stechen":                          {"ties", "roll-off"},
		"/shutbox close=sum-or-difference":          {"close", "sum-or-difference"},
	} {
		anna.Place += "." // a table of its own
		if r := anna.Writes(line); r.Refused {
			t.Errorf("%s is refused: %s", line, r.Toast)
			continue
		}
		if table := anna.Table(); table.Rules[rule[0]] != rule[1] {
			t.Errorf("%s opens a table with %v", line, table.Rules)
		}
	}
	bare.Refused(t, anna.Writes("/shutbox Klapen=9"), "„Klapen“ kenne ich nicht. Meinst du „klappen“?")
	bare.Refused(t, anna.Writes("/shutbox gleichstant=teilen"),
		"„gleichstant“ kenne ich nicht. Meinst du „gleichstand“?")
	bare.Refused(t, anna.Writes("/rangliste jemals"), "„jemals“ kenne ich nicht. /help leaderboard zeigt, was geht.")
}
