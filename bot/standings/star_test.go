package standings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// Where points have a star, one line says what it means, and nowhere else; a sheet has that line below it.
func TestStarsAreExplainedWhereTheyAreShown(t *testing.T) {
	for lang, star := range map[string]string{
		"en": "* doubled on the first throw", "de": "* im ersten Wurf verdoppelt",
	} {
		h := bare.New(t, wuerfelpoker.New())
		h.Seeds = bare.Constant(2)
		h.Restart()
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Locale, ben.Locale = lang, lang
		anna.Writes("/wuerfelpoker order=free")
		ben.Sends("1:1:0:!join")
		anna.Sends("1:1:0:!start")
		people := []*bare.Person{anna, ben}
		told, plain := 0, 0
		for anna.Table().State == store.Playing {
			p, m := h.ToMove(people)
			switch said := slices.Contains(m.Lines, star); {
			case said != bare.StarShown(m):
				t.Fatalf("explained is %v:\n%s\n%v", said, bare.Show(m), m.Lines)
			case said:
				told++
			default:
				plain++
			}
			if doubled(m.Sheet) != (m.Sheet.Star == star) {
				t.Fatalf("the sheet %+v is explained by %q", m.Sheet.Rows, m.Sheet.Star)
			}
			b := bare.FirstMove(m)
			if strings.HasSuffix(b.Press, ":!play") { // the first throw is written
				p.Sends(fmt.Sprintf("1:1:%d:!show write", p.Table().Turn))
				b = bare.FirstMove(p.Board())
			}
			p.Sends(b.Press)
		}
		if m := anna.Board(); m.Star() != star || told == 0 || plain == 0 {
			t.Errorf("%d boards with a star, %d without; at the end %q", told, plain, m.Star())
		}
	}
}

func doubled(s *chat.Sheet) bool {
	return slices.ContainsFunc(s.Rows, func(row chat.SheetRow) bool {
		return slices.ContainsFunc(row.Cells, func(c chat.SheetCell) bool { return c.Mark == games.Doubled })
	})
}
