package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/record"
	"knobel/games/sheet/sets"
	"knobel/store"
)

// columnTable is a table of a rule set at which Anna and Ben play.
func columnTable(t *testing.T, command string) []*bare.Person {
	t.Helper()
	h := bare.New(t, sets.Escalero(), sets.Balut(), sets.Yamb())
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes(command)
	ben.Sends("1:1:0:!join")
	anna.Sends("1:1:0:!start")
	return []*bare.Person{anna, ben}
}

// moved are what the buttons of a board do, apart from its rows.
func moved(m chat.Message) (all []string) {
	for _, b := range slices.Concat(m.Buttons...) {
		p, _ := chat.ParsePress(b.Press)
		all = append(all, p.What)
	}
	return all
}

// playOut has people press the first moves until their game is over.
func playOut(people []*bare.Person) {
	for people[0].Table().State == store.Playing {
		p, m := people[0].ToMove(people)
		b := bare.FirstMove(m)
		if strings.HasSuffix(b.Press, ":!play") {
			p.Sends(fmt.Sprintf("1:1:%d:!show write", p.Table().Turn))
			b = bare.FirstMove(p.Board())
		}
		p.Sends(b.Press)
	}
}

// More moves than a board has buttons for stand on pages: one for each column.
func TestMovesOfEachColumnHaveAPage(t *testing.T) {
	people := columnTable(t, "/escalero columns=3")
	anna, ben := people[0], people[1]
	for _, press := range []string{"Throw", "Throw 5 dice"} {
		anna.Presses(press)
	}
	anna.Presses("Write…")
	paged := moved(anna.Board())
	anna.Presses("Back")
	anna.Presses("Throw 5 dice")
	last := moved(anna.Board())
	for _, all := range [][]string{paged, last} {
		first := strings.Join(all[:10], ",")
		parts := strings.Join(all[10:13], ",")
		if strings.Contains(first, "!") || parts != "!show write/1,!show write/2,!show write/3" {
			t.Errorf("the page has %q", all)
		}
	}
	bare.Refused(t, ben.Sends(fmt.Sprintf("1:1:%d:!show write/2", ben.Table().Turn)),
		"It is Anna's turn; the board says "+
			"when it is yours.")
	bare.Refused(t, anna.Sends(fmt.Sprintf("1:1:%d:!show write/4", anna.Table().Turn)),
		"The table has moved on. Look at "+
			"the newest board.")
	anna.Presses("2 column 2…")
	m := anna.Board()
	if len(m.Buttons) > 5 || slices.ContainsFunc(m.Buttons, func(row []chat.Button) bool { return len(row) > 5 }) {
		t.Errorf("there is no room for\n%s", bare.Show(m))
	}
	all := moved(m)
	back := slices.Index(all, "!show")
	if back < 1 || back > 10 || len(all) > back+3 {
		t.Fatalf("on the page stand %q", all)
	}
	for _, what := range all[:back] {
		if !strings.HasPrefix(what, "write 2 ") && !strings.HasPrefix(what, "strike 2 ") && what != "!show strike" {
			t.Errorf("column 2 has %q", what)
		}
	}
	anna.Presses("Back")
	if now := moved(anna.Board()); !slices.Equal(now, last) {
		t.Errorf("the way back leads to %q", now)
	}
	anna.Presses("2 column 2…")
	anna.Sends(m.Buttons[0][0].Press)
	if what := moved(ben.Board())[0]; what != "throw" {
		t.Errorf("after the move the board offers %q", what)
	}
}

// Arrows that stand for columns are explained where they are shown, and only there.
func TestArrowsOfColumnsAreExplained(t *testing.T) {
	const legend = "↓ down · ↕ free · ↑ up"
	people := columnTable(t, "/yamb")
	anna := people[0]
	for _, press := range []string{"", "Throw", "Write…"} {
		if press != "" {
			anna.Presses(press)
		}
		board := bare.Show(anna.Board())
		if arrows := strings.ContainsAny(board, "↓↕↑"); arrows != strings.Contains(board, legend) ||
			arrows != (press == "Write…") {
			t.Errorf("after %q:\n%s", press, board)
		}
	}
	anna.Locale = "de"
	sheet := *anna.Presses("Sheet").Private
	playOut(people)
	for _, page := range []chat.Message{sheet, anna.Asks("/history 1 first")} {
		if !slices.Contains(page.Lines, "↓ abwärts · ↕ frei · ↑ aufwärts") {
			t.Errorf("%s", bare.Show(page))
		}
	}
	if page := columnTable(t, "/escalero columns=3")[0].Presses("Sheet").Private; len(page.Lines) > 0 {
		t.Errorf("%s", bare.Show(*page))
	}
}

// The result of Balut is points; the record says the total as well.
func TestBalutIsRecordedWithPointsAndTotals(t *testing.T) {
	for _, command := range []string{"/balut point=5", "/balut settle=pool"} {
		people := columnTable(t, command)
		playOut(people)
		r := people[0].RecordOf(1)
		if faults := record.Verify(r, people[0].Games); len(faults) > 0 {
			t.Errorf("%s: %v", command, faults)
		}
		m := people[0].Board()
		for seat, row := range r.Result {
			if row.Counts == nil || row.Total == nil {
				t.Fatalf("seat %d has %+v", seat, row)
			}
			want := fmt.Sprintf("total %d", *row.Total)
			if said := m.People[seat].Text; !strings.Contains(said, want) || !strings.Contains(said, "point") {
				t.Errorf("seat %d has %s: %q", seat, want, said)
			}
		}
	}
}

// Nobody knows the best play of sheets of several columns, and that is said.
func TestSeveralColumnsAreNotSolved(t *testing.T) {
	for _, command := range []string{"/yamb hints=yes", "/yamb columns=1 hints=yes", "/escalero columns=3 hints=yes"} {
		anna := columnTable(t, command)[0]
		anna.Presses("Throw")
		bare.Refused(t, anna.Writes("/hint"), "Best play of these rules is not computed: there are too many "+
			"positions. Choose another house, or other rules.")
	}
}
