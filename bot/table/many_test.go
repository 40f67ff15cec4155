package table_test

import (
	"fmt"
	"testing"

	"knobel/bot/bare"

	"knobel/bot/chat"
)

func TestTwoPressesAtOnceAreOneMove(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/coin")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	throw := anna.Button("Throw").Press
	if n := bare.AtOnce([]*bare.Person{anna, anna, anna, ben},
		func(p *bare.Person) chat.Reply { return p.Sends(throw) }); n != 1 {
		t.Errorf("%d presses counted", n)
	}
	if table := anna.Table(); table.Turn != 1 || len(h.Moves(1)) != 1 {
		t.Errorf("%d moves, %d stored", table.Turn, len(h.Moves(1)))
	}
	h.Sound()
}

func TestTwoRematchesAtOnceAreOne(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/coin")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	ben.Presses("Throw")
	rematch := anna.Button("↻ Rematch").Press
	if n := bare.AtOnce([]*bare.Person{anna, ben},
		func(p *bare.Person) chat.Reply { return p.Sends(rematch) }); n != 2 {
		t.Errorf("%d of two presses counted", n)
	}
	table := anna.Table()
	if table.ID != 2 || len(table.Seats) != 2 || !table.Seats[0].Confirmed || !table.Seats[1].Confirmed {
		t.Errorf("table %d with %v", table.ID, table.Seats)
	}
}

func TestASeatAndAPlaceAreTakenOnce(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	var crowd []*bare.Person
	for i := range 8 {
		crowd = append(crowd, h.Person(fmt.Sprint("P", i)))
	}
	bare.AtOnce(crowd[:2], func(p *bare.Person) chat.Reply { return p.Writes("/pile") })
	if id := crowd[0].Table().ID; id != 1 {
		t.Errorf("the newest table is %d", id)
	}
	if n := bare.AtOnce(crowd, func(p *bare.Person) chat.Reply { return p.Sends("1:1:0:!join") }); n != 3 {
		t.Errorf("%d of 3 seats were taken", n)
	}
}
