package web

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/games"
)

// Of an answer a page shows the buttons that whoever asked may press, of news for all those that somebody of its own
// may press: who that is presses them.
func TestAPageShowsTheButtonsThatItsOwnPeopleMayPress(t *testing.T) {
	w, b, url, c, v := enters(t, Config{})
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
	seen, _ := w.room.drawFor(t.Context(), v, e)
	if said := labels(seen); said != "first, second | anybody" {
		raw, _ := json.Marshal(seen)
		t.Errorf("the page shows %s: %s", said, raw)
	}
	want := map[string][]int{"1:0:0:/settle first": {0}, "1:0:0:/settle second": {1}}
	if diff := cmp.Diff(want, v.posted(e, seen).Whose); diff != "" {
		t.Errorf("whose they are (-want +got):\n%s", diff)
	}
}

// actsAs looks which person of a screen presses what, by the person who is chosen there.
func actsAs(t *testing.T, tab *tab) {
	w := New(Config{})
	w.pages.statics = unbundled(w.pages)
	v := newVisitor("Anna")
	v.People = append(v.People, person{1, "Ben"}, person{2, "Clara"}, person{3, "Dora"})
	type pressing struct {
		Entry posted `json:"entry"`
		Press string `json:"press"`
	}
	var all []pressing
	var wants [][]int // for each chosen person
	add := func(what string, change func(*chat.Message), want ...int) {
		m := board(1, "A board")
		m.Buttons = [][]chat.Button{{{Press: "1:1:0:" + what}}}
		change(&m)
		all = append(all, pressing{v.posted(entry{}, m), "1:1:0:" + what})
		wants = append(wants, want)
	}
	sit := func(numbers ...int) func(*chat.Message) {
		return func(m *chat.Message) {
			for seat, number := range numbers {
				m.People = append(m.People, chat.Person{Seat: seat, User: v.user(number), State: games.Waiting})
			}
			m.People = append(m.People, chat.Person{Seat: 5, User: "web:x:0", State: games.ToMove},
				chat.Person{Seat: 6, User: v.user(2), State: games.Waiting, Reserved: true})
		}
	}
	// What needs a seat is done by who sits, what needs none by who has none. Who is to get up has to be chosen.
	add("!leave", sit(0), 0, 0, 0, 0)
	add("!leave", sit(0, 1), 0, 1, 2, 3)
	add("!leave", sit(), 0, 1, 2, 3)
	add("!leave", sit(7), 7, 7, 7, 7) // who has left the screen sits there
	add("!rematch", sit(0, 1), 0, 1, 0, 0)
	add("!start", sit(1), 1, 1, 1, 1)
	add("!join", sit(1), 0, 0, 2, 3)
	add("!take 5", sit(0, 1, 2, 3), 0, 1, 2, 3)
	add("/help", sit(1), 0, 1, 2, 3)
	add("!house random", func(m *chat.Message) { sit(0, 1)(m); m.Buttons[0][0].For = v.user(1) }, 1, 1, 1, 1)
	// A move is made by who is to move, the end is asked for by who is chosen: but where they are out, or have nothing
	// to do with the table, by the first who sits there.
	moves := func(m *chat.Message) {
		m.People = []chat.Person{{Seat: 0, User: v.user(0), State: games.Out},
			{Seat: 1, User: v.user(1), State: games.ToMove}, {Seat: 2, User: v.user(2), State: games.ToMove}}
		m.Concerns = []chat.User{v.user(3), v.user(0), v.user(1), v.user(2)} // Dora has opened the table
		m.Ends = "1:1:0:!end"
	}
	add("throw 2", moves, 1, 1, 2, 1)
	add("!pick 1", moves, 1, 1, 2, 1)
	add("!end", moves, 1, 1, 2, 3)
	add("!end yes", moves, 1, 1, 2, 3)
	tab.do(chromedp.Navigate(serve(t, w, &pretend{}) + "/fair"))
	got := ask[[][]int](tab, `(async () => {
		const { acting } = await import(`+quoted(must(w.pages.statics.at("js/acting.js")))+`);
		return `+string(must(json.Marshal(all)))+`.map(({ entry, press }) => [0, 1, 2, 3]
			.map((chosen) => acting(press, entry, [0, 1, 2, 3], chosen)));
	})()`)
	for i, want := range wants {
		if !slices.Equal(got[i], want) {
			t.Errorf("%s at %v is pressed by %v, not %v", all[i].Press, all[i].Entry.Mine, got[i], want)
		}
	}
}
