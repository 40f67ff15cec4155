package table_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/games/wuerfelpoker"
)

func TestSheetIsReadableOnAPhone(t *testing.T) {
	names := []string{"Anna-Maria von und zu Würfelstein", "😀😀😀😀😀😀😀😀", "<b>*_[x](y)@everyone`", "\u202eشطرنج بطل الملك"}
	for seats := 1; seats <= 4; seats++ {
		for _, locale := range []string{"en", "de"} {
			house := bare.New(t, wuerfelpoker.New())
			var people []*bare.Person
			for i, name := range names[:seats] {
				p := house.Person(name)
				p.Locale = locale
				people = append(people, p)
				if i == 0 {
					p.Writes("/wuerfelpoker chance=double")
				} else {
					p.Sends("1:1:0:!join")
				}
			}
			people[0].Sends("1:1:0:!start")
			for range 4 {
				house.PressOn(people, 11)
				for _, line := range people[0].Board().Sheet.Text(30) {
					if n := utf8.RuneCountInString(strings.NewReplacer("\u2068", "", "\u2069",
						"").Replace(line)); n > 30 {
						t.Errorf("%d seats, %s: %d characters: %q", seats, locale, n, line)
					}
					if strings.Count(line, "\u2068") != strings.Count(line, "\u2069") {
						t.Errorf("%d seats: a name turns the rest of %q", seats, line)
					}
				}
			}
		}
	}
}
