package books_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/words/wordstest"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// What a command begins with is said in any language that has files, one that no
// code knows as well.
func TestVerbsComeFromFiles(t *testing.T) {
	anna, _ := bare.Another(t)
	anna.Admin = true
	anna.Writes("/shutbox 10 tiles=12")
	speaks := func(line string, refused bool) {
		t.Helper()
		r := anna.Writes(line)
		if r.Refused != refused || strings.Contains(r.Toast, "Friday") == refused {
			t.Errorf("%s is answered %+v", line, r)
		}
		if strange := wordstest.Strange(r.Toast, "Friday"); len(strange) > 0 {
			t.Errorf("%s is answered with %s", line, strange)
		}
	}
	speaks("/house saveski Friday", false)
	speaks("/house dropski Friday", false)
	speaks("/house merken Friday", false) // as everybody's words are understood everywhere
	speaks("/house streichen Friday", false)
	for _, said := range []string{"yes", "ja", "true", "yesski"} {
		r := anna.Writes("/shutbox thread=" + said)
		if strange := wordstest.Strange(r.Toast, said); !r.Refused || len(strange) > 0 ||
			strings.Contains(r.Toast, said) {
			t.Errorf("thread=%s is answered %+v", said, r) // there are no threads here, but the word is known
		}
	}
}

// An option is known from its value by either sign.
func TestOptionsWithAColon(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna := h.Person("Anna")
	anna.Writes("/shutbox stake:5 tiles:10 match:rounds:2 turn:3m")
	if table := anna.Table(); table.Stake != 5 || table.Rules["tiles"] != "10" || table.Rules["match"] != "rounds:2" ||
		table.TurnLimit != 180_000 {
		t.Errorf("the table is %+v", table)
	}
	bare.Refused(t, anna.Writes("/shutbox thread:true"), "No threads here: leave that out to open it right here.")
	bare.Refused(t, anna.Writes("/shutbox tilse:10"), "“tilse:10” is not known. Did you mean “tiles”?")
}

// What is nearly right is offered, also behind a verb.
func TestWordsBehindCommandsAreOffered(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/shutbox 10 tiles=12")
	anna.Writes("/house save Friday")
	for line, near := range map[string]string{
		"/house sav Saturday":  "save",
		"/house Frday":         "Friday",
		"/house streichn x":    "streichen",
		"/house drop Frday":    "Friday",
		"/settle pad 7 Ben":    "paid",
		"/settle bezahl 7 Ben": "bezahlt",
		"/settle paymnts":      "payments",
		"/notify of":           "on, off",
		"/notify perhaps":      "on, off",
		"/settings quite=22-8": "quiet",
		"/shutbox gofl":        "golf",
		"/rules glof":          "golf",
		"/leaderboard mnth":    "month",
		"/language Deutch":     "Deutsch",
		"/leaderbord":          "leaderboard",
	} {
		r := anna.Writes(line)
		_, word, _ := strings.Cut(line, " ")
		word, _, _ = strings.Cut(word, "=")
		if told := strings.ReplaceAll(r.Toast, "“"+word+"”", ""); !r.Refused || !strings.Contains(told, near) {
			t.Errorf("%s is answered %q, not with %s", line, r.Toast, near)
		}
	}
}
