package bot_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

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
		h := newHouse(t, wuerfelpoker.New())
		h.seeds = constant(2)
		h.restart()
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.locale, ben.locale = lang, lang
		anna.writes("/wuerfelpoker order=free")
		ben.sends("1:1:0:!join")
		anna.sends("1:1:0:!start")
		people := []*person{anna, ben}
		told, plain := 0, 0
		for anna.table().State == store.Playing {
			p, m := h.toMove(people)
			switch said := slices.Contains(m.Lines, star); {
			case said != starShown(m):
				t.Fatalf("explained is %v:\n%s\n%v", said, show(m), m.Lines)
			case said:
				told++
			default:
				plain++
			}
			if doubled(m.Sheet) != (m.Sheet.Star == star) {
				t.Fatalf("the sheet %+v is explained by %q", m.Sheet.Rows, m.Sheet.Star)
			}
			b := firstMove(m)
			if strings.HasSuffix(b.Press, ":!play") { // the first throw is written
				p.sends(fmt.Sprintf("1:1:%d:!show write", p.table().Turn))
				b = firstMove(p.board())
			}
			p.sends(b.Press)
		}
		if m := anna.board(); m.Star() != star || told == 0 || plain == 0 {
			t.Errorf("%d boards with a star, %d without; at the end %q", told, plain, m.Star())
		}
	}
}

var pointsWithStar = regexp.MustCompile(`[0-9]\*`)

func starShown(m chat.Message) bool {
	said := strings.Join(m.Lines, "\n")
	for _, b := range slices.Concat(m.Buttons...) {
		said += "\n" + b.Label
	}
	return pointsWithStar.MatchString(said)
}

func doubled(s *chat.Sheet) bool {
	return slices.ContainsFunc(s.Rows, func(row chat.SheetRow) bool {
		return slices.ContainsFunc(row.Cells, func(c chat.SheetCell) bool { return c.Mark == games.Doubled })
	})
}
