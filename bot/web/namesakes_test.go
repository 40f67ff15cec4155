package web

import (
	"fmt"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games"
)

// Namesakes have the numbers of the board, in any order of arrival; spectators have further ones. A new name applies
// during a game.
func TestNamesakesInARoomAreToldApart(t *testing.T) {
	r := New(Config{}).newRoom("web:r-1")
	var all []visitor
	for _, name := range []string{"Anna", "Anna", "anna", "Clara", "Anna"} {
		v := newVisitor(name)
		all = append(all, v)
		r.comes(v, time.Now().Add(time.Duration(len(all))*time.Second))
	}
	names := func() (said []string) {
		for _, p := range r.presents() {
			said = append(said, p.Name)
		}
		return said
	}
	if got := fmt.Sprint(names()); got != "[Anna Anna 2 anna 3 Clara Anna 4]" {
		t.Errorf("before a game those here are %s", got)
	}
	m := board(1, "Anna 2 is to throw.")
	m.People = []chat.Person{{Seat: 0, User: all[1].user(0), Name: "Anna", State: games.Waiting},
		{Seat: 1, User: all[0].user(0), Name: "Anna 2", State: games.ToMove},
		{Seat: 2, User: all[3].user(0), Name: "Ben", State: games.Waiting}, {Seat: 3, Name: "House", House: true}}
	r.post(m)
	if got := fmt.Sprint(names()); got != "[Anna 2 Anna anna 3 Clara Anna 4]" {
		t.Errorf("in a game those here are %s", got)
	}
}
