package books_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/words/wordstest"
)

// What a command begins with is said in any language that has files, one that no code knows as well.
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
