package web

import (
	"encoding/json"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/games"
)

// Of an answer a page shows the buttons that whoever asked may press, of news for all those that somebody of its own
// may press: who that is presses them.
func TestAPageShowsTheButtonsThatItsOwnPeopleMayPress(t *testing.T) {
	b := &pretend{}
	w := New(Config{})
	url := serve(t, w, b)
	c, v := enter(t, w, url)
	send[self](t, c, url+"/people", change{Add: "Ben"})
	button := func(label string, by ...chat.User) chat.Button {
		return chat.Button{Label: label, Press: "1:0:0:/settle " + label, By: by}
	}
	m := chat.Message{Lang: "en", Head: "Balances", Buttons: [][]chat.Button{
		{button("first", v.user(0)), button("second", v.user(1), "web:x:0"), button("others", "web:x:0")},
		{button("others too", "web:x:0")}, {button("anybody")},
	}}
	labels := func(m chat.Message) string {
		var all []string
		for _, row := range m.Buttons {
			var said []string
			for _, b := range row {
				said = append(said, b.Label)
			}
			all = append(all, strings.Join(said, ", "))
		}
		return strings.Join(all, " | ")
	}
	b.says(chat.Reply{Private: &m})
	for as, want := range []string{"first | anybody", "second | anybody"} {
		got := send[answer](t, c, url+"/command", act{ID: want, As: as, Text: "/settle"})
		if said := labels(*got.Private); said != want {
			t.Errorf("person %d is offered %s", as, said)
		}
	}
	on := w.room.post(m)
	e, _ := w.room.find(on)
	seen, _ := w.drawFor(t.Context(), b, reader{v, "en"}, e)
	if said := labels(seen); said != "first, second | anybody" {
		raw, _ := json.Marshal(seen)
		t.Errorf("the page shows %s: %s", said, raw)
	}
	b.says(chat.Reply{})
	for _, press := range []struct {
		as, presses int
		label       string
	}{{0, 0, "first"}, {0, 1, "second"}, {1, 1, "second"}, {1, 0, "first"}, {1, 1, "anybody"}} {
		send[answer](t, c, url+"/press", act{ID: "p" + press.label, As: press.as, On: on,
			Press: "1:0:0:/settle " + press.label})
		if ev, _ := b.last(); ev.User != v.user(press.presses) {
			t.Errorf("%s, pressed as %d, is pressed by %s", press.label, press.as, ev.User)
		}
	}
}

// What only somebody with a seat can do is done by whoever of the browser sits, whoever plays there just now. Where
// several sit, who is to get up has to be chosen.
func TestWhoSitsPressesWhatNeedsASeat(t *testing.T) {
	v := newVisitor("Anna")
	v.People = append(v.People, person{1, "Ben"}, person{2, "Clara"})
	for _, press := range []struct {
		what       string
		sit        []int
		as, actsAs int
	}{
		{"!leave", []int{0}, 1, 0}, {"!leave", []int{0, 1}, 1, 1}, {"!leave", []int{0, 1}, 2, 2}, {"!leave", nil, 2, 2},
		{"!leave", []int{7}, 2, 7}, // who has left the screen sits there
		{"!rematch", []int{0, 1}, 2, 0}, {"!rematch", []int{0, 1}, 1, 1}, {"!start", []int{1}, 0, 1},
		{"!join", []int{1}, 0, 0}, {"/help", []int{1}, 0, 0},
	} {
		m := board(1, "A board")
		for seat, number := range press.sit {
			m.People = append(m.People, chat.Person{Seat: seat, User: v.user(number), State: games.Waiting})
		}
		m.People = append(m.People, chat.Person{Seat: 5, User: "web:x:0", State: games.Waiting},
			chat.Person{Seat: 6, User: v.user(2), State: games.Waiting, Reserved: true})
		if who := v.actor(m, act{As: press.as, Press: "1:1:0:" + press.what}); who.Number != press.actsAs {
			t.Errorf("%s with %v at the table, pressed as %d, is pressed by %d", press.what, press.sit, press.as,
				who.Number)
		}
	}
}

// The end of a game is asked for, and answered, by the one who is chosen, whoever of the browser is to move: but where
// they have nothing to do with the table, or are out, by the first who sits there.
func TestTheEndIsTheBusinessOfWhoeverIsChosen(t *testing.T) {
	v := newVisitor("Anna")
	v.People = append(v.People, person{1, "Ben"}, person{2, "Clara"}, person{3, "Dora"}, person{4, "Emil"})
	m := board(1, "Ben is to throw.")
	m.People = []chat.Person{{Seat: 0, User: v.user(0), State: games.Out},
		{Seat: 1, User: v.user(1), State: games.ToMove}, {Seat: 2, User: v.user(2)}}
	m.Concerns = []chat.User{v.user(3), v.user(0), v.user(1), v.user(2)} // Dora has opened the table
	for what, want := range map[string][5]int{"!end": {1, 1, 2, 3, 1}, "!end yes": {1, 1, 2, 3, 1},
		"!end no": {1, 1, 2, 3, 1}, "throw 2": {1, 1, 1, 1, 1}} {
		for as, acts := range want {
			if who := v.actor(m, act{As: as, Press: "1:1:0:" + what}); who.Number != acts {
				t.Errorf("%s, pressed as %d, is pressed by %d, not %d", what, as, who.Number, acts)
			}
		}
	}
}
