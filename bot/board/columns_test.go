package board_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"
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
