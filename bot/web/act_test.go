package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/games"
)

// serveWithBrowser serves a browser table for a fake bot (b), opened by a new browser (c), whose visitor is v.
func serveWithBrowser(t *testing.T, config Config) (w *Web, b *fakeBot, url string, c *http.Client, v visitor) {
	t.Helper()
	w, b = New(config), &fakeBot{}
	url = serve(t, w, b)
	c, v = openPage(t, w, url)
	return w, b, url, c, v
}

// openPage opens the page with a new browser, and returns the browser and its visitor.
func openPage(t *testing.T, w *Web, url string) (*http.Client, visitor) {
	t.Helper()
	c := newClient(t)
	res, _ := do(t, c, "POST", url+"/me", "")
	want(t, res, http.StatusOK)
	return c, visitorIn(t, w, res)
}

// visitorIn returns the visitor in the cookie that the answer res sets.
func visitorIn(t *testing.T, w *Web, res *http.Response) visitor {
	t.Helper()
	for _, cookie := range res.Cookies() {
		if v, ok := openVisitor(w.config.Key, cookie.Value); ok && strings.HasPrefix(cookie.Name, visitorCookie) {
			return v
		}
	}
	t.Fatal("no visitor was given to the browser")
	return visitor{}
}

// postJSON posts value as JSON and returns the decoded JSON answer.
func postJSON[T any](t *testing.T, c *http.Client, url string, value any) T {
	t.Helper()
	raw, err := json.Marshal(value)
	done(t, err)
	res, body := do(t, c, "POST", url, string(raw))
	want(t, res, http.StatusOK)
	var answer T
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatalf("%s answers %q: %v", url, body, err)
	}
	return answer
}

// A press reaches the bot, and its answer the page.
func TestAPressIsToldAndAnswered(t *testing.T) {
	_, b, url, c, v := serveWithBrowser(t, Config{})
	b.setReply(chat.Reply{Toast: "You sit down.", Board: 3, Fresh: true})
	got := postJSON[answer](t, c, url+"/press", act{ID: "abc", As: 0, Press: "join:3", On: "web:x-1"})
	if diff := cmp.Diff(answer{Toast: "You sit down.", Board: 3, Fresh: true}, got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	ev, _ := b.lastEvent()
	if !ev.Admin(t.Context()) {
		t.Error("whoever is in the room may not change it")
	}
	ev.Admin = nil
	if diff := cmp.Diff(chat.Event{
		ID: "web:" + shortHash("knobel press "+v.ID+" abc"), Chat: "web:room", Place: "web:room", User: v.user(0),
		Name: v.People[0].Name, Locale: "en",
		Press: "join:3", On: "web:x-1", Traits: chat.Traits{Equals: true, Pages: true},
	}, ev); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
}

// A typed command reaches the bot split into its name and the rest.
func TestACommandIsSplitAndTold(t *testing.T) {
	w, b, url, c, _ := serveWithBrowser(t, Config{})
	b.setReply(chat.Reply{Private: &chat.Message{Lang: "de", Head: "Hilfe"}})
	got := postJSON[answer](t, c, url+"/command", act{ID: "1", Text: " /ShutBox 10 golf  one-die=never "})
	if got.Private == nil || got.Private.Head != "Hilfe" {
		t.Errorf("the private answer is %v", got.Private)
	}
	ev, n := b.lastEvent()
	if ev.Command != "shutbox" || ev.Text != "10 golf  one-die=never" || ev.Press != "" {
		t.Errorf("told %q %q", ev.Command, ev.Text)
	}
	for _, text := range []string{"", "hello", "/", "/<b>", "/ shutbox", "/" + strings.Repeat("x", 40)} {
		got := postJSON[answer](t, c, url+"/command", act{ID: "2", Text: text})
		if !got.Refused || got.Toast != w.pages.texts["en"]["not-a-command"] {
			t.Errorf("%q is answered %+v", text, got)
		}
	}
	if _, after := b.lastEvent(); after != n {
		t.Error("what is no command reached the bot")
	}
}

// If a press changes the private answer with the button, the presser alone sees that. All people see a public answer.
func TestAPageThatTurns(t *testing.T) {
	page, news := chat.Message{Lang: "en", Head: "All is paid."}, chat.Message{Lang: "en", Head: "Paid."}
	w, b, url, c, _ := serveWithBrowser(t, Config{})
	b.setReply(chat.Reply{Page: &page, Private: &news, Public: true})
	got := postJSON[answer](t, c, url+"/press", act{ID: "1", Press: "1:0:0:/settle confirm 1 plan"})
	_, entries, _, _ := w.room.changesSince(0)
	if got.Private == nil || got.Private.Head != page.Head || len(entries) != 1 ||
		entries[0].message.Head != news.Head {
		t.Errorf("the person reads %+v, all read %+v", got, entries)
	}
}

// A public answer replaces the message whose button was pressed, and no other.
func TestNewsStandWhereTheyWereToldOf(t *testing.T) {
	told := chat.Message{Lang: "en", Head: "Told.",
		Buttons: [][]chat.Button{{{Label: "✓", Press: "1:0:0:/settle confirm 1 here"}}}}
	w, b, url, c, _ := serveWithBrowser(t, Config{})
	b.setReply(chat.Reply{Private: &chat.Message{Lang: "en", Head: "Paid."}, Public: true, Instead: true})
	first, board := w.room.post(told), w.room.post(chat.Message{Lang: "en", Head: "Board.", Table: 1})
	heads := func() (all []string) {
		_, entries, _, _ := w.room.changesSince(0)
		for _, e := range entries {
			all = append(all, e.message.Head)
		}
		return all
	}
	press := func(on chat.Ref) {
		postJSON[answer](t, c, url+"/press", act{ID: string(on), Press: told.Buttons[0][0].Press, On: on})
	}
	press(first)
	if got := fmt.Sprint(heads()); got != "[Paid. Board.]" {
		t.Errorf("the room shows %s", got)
	}
	press(board) // which has no such button
	if got := fmt.Sprint(heads()); got != "[Paid. Board. Paid.]" {
		t.Errorf("the room shows %s", got)
	}
}

func TestHostileTextArrivesUnchanged(t *testing.T) {
	_, b, url, c, _ := serveWithBrowser(t, Config{})
	for _, word := range []string{"<b>*_[x](y)@everyone", "\u202eabc", strings.Repeat("😀", 4000), "\"\\\u2028\""} {
		postJSON[answer](t, c, url+"/command", act{ID: "1", Text: "/luck " + word})
		if ev, _ := b.lastEvent(); ev.Text != word {
			t.Errorf("%.20q became %.20q", word, ev.Text)
		}
	}
}

// A person who was removed from the browser still plays at their seat.
func TestSomebodyWhoLeftTheScreenStillMoves(t *testing.T) {
	w, b, url, c, v := serveWithBrowser(t, Config{})
	m := board(1, "Ben is to throw.")
	m.People = []chat.Person{{Seat: 0, User: v.user(9), Name: "Ben", State: games.ToMove}}
	postJSON[answer](t, c, url+"/press", act{ID: "x", As: 9, Press: "t", On: w.room.post(m)})
	if ev, _ := b.lastEvent(); ev.User != v.user(9) || ev.Name != "Ben" {
		t.Errorf("%s %s pressed", ev.User, ev.Name)
	}
}

func FuzzCommand(f *testing.F) {
	for _, s := range []string{"/help", "/shutbox 10 golf", "/", "", "//", "/a\x00b", "/é"} {
		f.Add(s)
	}
	commands := (&fakeBot{}).Commands()
	f.Fuzz(func(t *testing.T, s string) {
		if name, _, ok := splitCommand(s); ok && (name == "" || len(name) > 32 || strings.ToLower(name) != name) {
			t.Errorf("%q is the command %q", s, name)
		}
		for _, one := range suggest(commands, "en", s, func(string, string, string, string) []chat.CommandChoice {
			return nil
		}) {
			if one.Text == "" {
				t.Errorf("%q: an empty suggestion", s)
			}
		}
	})
}

// In a private answer, a page shows only the buttons that the asking person may press. In a message to all, it shows
// those that any person at this browser may press, and it knows who may press each of them.
func TestAPageShowsTheButtonsThatItsOwnPeopleMayPress(t *testing.T) {
	w, b, url, c, v := serveWithBrowser(t, Config{})
	postJSON[self](t, c, url+"/people", change{Add: "Ben"})
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
	b.setReply(chat.Reply{Private: &m})
	for as, want := range []string{"first | anybody", "second | anybody"} {
		got := postJSON[answer](t, c, url+"/command", act{ID: want, As: as, Text: "/settle"})
		if said := labels(*got.Private); said != want {
			t.Errorf("person %d is offered %s", as, said)
		}
	}
	on := w.room.post(m)
	e := w.room.entries[w.room.indexOf(on)]
	seen, _ := w.room.drawFor(t.Context(), v, e)
	if said := labels(seen); said != "first, second | anybody" {
		raw, _ := json.Marshal(seen)
		t.Errorf("the page shows %s: %s", said, raw)
	}
	want := map[string][]int{"1:0:0:/settle first": {0}, "1:0:0:/settle second": {1}}
	if diff := cmp.Diff(want, v.pageMessage(e, seen).Whose); diff != "" {
		t.Errorf("whose they are (-want +got):\n%s", diff)
	}
}

// pressersByButton checks for which person at a browser each button acts, depending on the person chosen on the page.
func pressersByButton(t *testing.T, tab *tab) {
	w := New(Config{})
	w.pages.statics = unbundledFiles(w.pages)
	v := newVisitor("Anna")
	v.People = append(v.People, person{1, "Ben"}, person{2, "Clara"}, person{3, "Dora"})
	type pressing struct {
		Entry pageMessage `json:"entry"`
		Press string      `json:"press"`
	}
	var all []pressing
	var wants [][]int // for each press, by chosen person: the number of the person who acts
	add := func(what string, change func(*chat.Message), want ...int) {
		m := board(1, "A board")
		m.Buttons = [][]chat.Button{{{Press: "1:1:0:" + what}}}
		change(&m)
		all = append(all, pressing{v.pageMessage(entry{}, m), "1:1:0:" + what})
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
	// To join or take a seat, a person without one acts; a seated person does all else at the table. The chosen person
	// acts if possible, and sends commands. If several sit, only the chosen person leaves.
	add("!leave", sit(0), 0, 0, 0, 0)
	add("!leave", sit(0, 1), 0, 1, 2, 3)
	add("!leave", sit(), 0, 1, 2, 3)
	add("!leave", sit(7), 7, 7, 7, 7) // a person removed from the screen has that seat
	add("!rematch", sit(0, 1), 0, 1, 0, 0)
	add("!start", sit(1), 1, 1, 1, 1)
	add("!join", sit(1), 0, 0, 2, 3)
	add("!take 5", sit(0, 1, 2, 3), 0, 1, 2, 3)
	add("/help", sit(1), 0, 1, 2, 3)
	add("!house random", func(m *chat.Message) { sit(0, 1)(m); m.Buttons[0][0].For = v.user(1) }, 1, 1, 1, 1)
	// A mover makes a move. The chosen person, if allowed, asks for the end of the game, else the first who is allowed.
	moves := func(m *chat.Message) {
		m.People = []chat.Person{{Seat: 0, User: v.user(0), State: games.Out},
			{Seat: 1, User: v.user(1), State: games.ToMove}, {Seat: 2, User: v.user(2), State: games.ToMove}}
		m.Concerns = []chat.User{v.user(3), v.user(0), v.user(1), v.user(2)} // Dora opened the table
		m.Ends = "1:1:0:!end"
	}
	add("throw 2", moves, 1, 1, 2, 1)
	add("!pick 1", moves, 1, 1, 2, 1)
	add("!end", moves, 1, 1, 2, 3)
	add("!end yes", moves, 1, 1, 2, 3)
	tab.do(chromedp.Navigate(serve(t, w, &fakeBot{}) + "/fair"))
	got := ask[[][]int](tab, `(async () => {
		const { acting } = await import(`+quoted(must(w.pages.statics.path("frame/acting.js")))+`);
		return `+string(must(json.Marshal(all)))+`.map(({ entry, press }) => [0, 1, 2, 3]
			.map((chosen) => acting(press, entry, [0, 1, 2, 3], chosen)));
	})()`)
	for i, want := range wants {
		if !slices.Equal(got[i], want) {
			t.Errorf("%s at %v is pressed by %v, not %v", all[i].Press, all[i].Entry.Mine, got[i], want)
		}
	}
}
