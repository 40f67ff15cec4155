package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/store"
)

// everywhere are all bytes of the database.
func (h *house) everywhere() []byte {
	h.t.Helper()
	if _, err := h.store.Sweep(context.Background()); err != nil {
		h.t.Fatal(err)
	}
	all, err := os.ReadFile(h.file)
	if err != nil {
		h.t.Fatal(err)
	}
	log, _ := os.ReadFile(h.file + "-wal") // there may be none
	return append(all, log...)
}

func TestPrivacyIsExplained(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	ben.locale = "de"
	text := said(t, anna.writes("/privacy"))
	for _, want := range []string{"What I keep of you", "/luck", "Names, ids, seeds and luck words are encrypted",
		"[My data][Off the lists]\n[Forget me…]"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
	if n := len([]rune(text)); n > 1500 {
		t.Errorf("it has %d characters", n)
	}
	anna.sends(pressOn(t, anna.writes("/privacy"), "Off the lists"))
	if text := said(t, anna.writes("/privacy")); !strings.Contains(text, "[On the lists again]") {
		t.Errorf("it is not on the page:\n%s", text)
	}
	if text := said(t, ben.writes("/datenschutz")); !strings.Contains(text, "Was ich von dir behalte") ||
		!strings.Contains(text, "[Von den Listen]") {
		t.Errorf("in German:\n%s", text)
	}
	const ofRooms = "who hosts it"
	if text := said(t, anna.writes("/privacy")); strings.Contains(text, ofRooms) {
		t.Errorf("a chat without a host tells of one:\n%s", text)
	}
	ev := anna.event()
	ev.Command, ev.Hosted = "privacy", true
	if text := said(t, h.bot.Handle(t.Context(), ev)); !strings.Contains(text, ofRooms) {
		t.Errorf("a room of the browser does not tell of its host:\n%s", text)
	}
}

func TestMyData(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox 5")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	r := anna.writes("/mydata")
	if !r.Secret || r.Private == nil || r.Private.File == nil || r.Unsent == "" || r.Toast == "" {
		t.Fatalf("%+v", r)
	}
	f := *r.Private.File
	if f.Name != "knobel.json" || f.Type != "application/json" {
		t.Errorf("%s of %s", f.Name, f.Type)
	}
	var told map[string]json.RawMessage
	if err := json.Unmarshal(f.Bytes, &told); err != nil {
		t.Fatalf("%v:\n%s", err, f.Bytes)
	}
	for _, want := range []string{`"id": "test:Anna"`, `"name": "Anna"`, `"kind": "stakes"`, `"amount": -5`,
		`"at": "2023-11-14T22:13:20Z"`, `"rules": {`} {
		if !strings.Contains(string(f.Bytes), want) {
			t.Errorf("%s is not told:\n%s", want, f.Bytes)
		}
	}
	if seed := anna.table().Seed; bytes.Contains(f.Bytes, seed) || strings.Contains(string(f.Bytes), "test:Ben") {
		t.Errorf("more is told than is theirs:\n%s", f.Bytes)
	}
}

// What is told is what it says: a table's turn is no moment, a move without dice
// has none, and a name that looks like a list is a name.
func TestMyDataSaysWhatItIs(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	h.regulars("[1]")
	anna, ben, list := h.person("Anna"), h.person("Ben"), h.person("[1]")
	anna.writes("/shutbox 5")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	anna.presses("🎲 Throw")
	anna.sends(anna.board().Buttons[0][0].Press)
	ben.writes("/handover")
	list.presses("Take Ben’s seat")
	anna.presses("[1] may sit there")
	for _, who := range []*person{anna, list} {
		f := who.writes("/mydata").Private.File
		var told struct {
			Players []struct{ Name string }
			Seats   []struct{ Since int }
			Moves   []struct{ Dice []int }
		}
		if err := json.Unmarshal(f.Bytes, &told); err != nil {
			t.Fatalf("%v:\n%s", err, f.Bytes)
		}
		if told.Players[0].Name != who.name || len(told.Seats) != 1 || who == anna && len(told.Moves) != 2 {
			t.Errorf("%s is told\n%s", who.name, f.Bytes)
		}
		if strings.Contains(string(f.Bytes), "1970-") || who == list && told.Seats[0].Since != 2 {
			t.Errorf("%s is told of a time that never was:\n%s", who.name, f.Bytes)
		}
	}
}

func TestForgetAsksFirst(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin 5")
	page := anna.writes("/forget")
	text := said(t, page)
	if !strings.Contains(text, "cannot be undone") || !strings.Contains(text, "[Keep me][Forget me]") {
		t.Errorf("asks\n%s", text)
	}
	refused(t, ben.sends(pressOn(t, page, "Forget me")), "That button is for whoever asked. Say /forget yourself.")
	refused(t, anna.writes("/forget yes"), "Say /forget, then press a button.")
	if text := said(t, anna.sends(pressOn(t, page, "Keep me"))); !strings.HasPrefix(text, "All stays as it is.") {
		t.Errorf("kept:\n%s", text)
	}
	if !strings.Contains(show(anna.board()), "Anna") {
		t.Error("Anna was forgotten")
	}
}

// forgets lets somebody be forgotten.
func (p *person) forgets() {
	p.t.Helper()
	if text := said(p.t, p.sends(pressOn(p.t, p.writes("/forget"), "Forget me"))); !strings.HasPrefix(text,
		"You are forgotten.") {
		p.t.Fatalf("answered\n%s", text)
	}
}

// Anna is forgotten: her lobby seat is free, the house plays her match to its
// end, nobody finds her, the books are right, and she can come back as another.
func TestForgotten(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben, alone := h.person("Wilhelmine"), h.person("Ben"), h.person("Wilhelmine")
	lobby := h.person("Wilhelmine")
	lobby.place, alone.place = "test:1/2", "test:own/1"
	anna.writes("/shutbox 5")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	lobby.writes("/shutbox 7")
	own := chat.Event{ID: "test:own", Chat: "test:own", Place: alone.place, User: "test:Wilhelmine", Name: "Wilhelmine",
		Own: true, Command: "shutbox"}
	if r := h.bot.Handle(context.Background(), own); r.Refused || r.Board == 0 {
		t.Fatalf("%+v", r)
	}
	anna.writes("/season Herbst")
	anna.forgets()

	table := anna.table()
	if s := table.Seats[0]; s.Player != "gone:1" || s.Absence != store.Gone {
		t.Errorf("her seat is %+v", s)
	}
	if board := show(anna.board()); !strings.Contains(board, "gone 1") || strings.Contains(board, "Wilhelmine") {
		t.Errorf("the board shows\n%s", board)
	}
	if seats := lobby.table().Seats; len(seats) != 0 {
		t.Errorf("in the lobby sit %+v", seats)
	}
	err := h.store.View(context.Background(), func(tx *store.Tx) error {
		if t1, err := tx.LastTableAt("test:own/1"); err == nil {
			t.Errorf("her own table is %+v", t1)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if all := h.everywhere(); bytes.Contains(all, []byte("Wilhelmine")) || bytes.Contains(all, []byte("test:own")) {
		t.Error("her name is in the file")
	}
	sound(t, h)
	anna.writes("/luck") // somebody new, who sits nowhere
	if r := anna.sends("1:1:0:throw 2"); !r.Refused {
		t.Errorf("she plays on: %+v", r)
	}
}

// Who is forgotten is named by no board any longer: not where they only asked for a
// seat, nor where they opened the table and got up.
func TestNoBoardNamesWhoIsForgotten(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	h.regulars("Wilhelmine")
	people := h.gather("/shutbox 10", "Anna", "Ben")
	anna, ben, dora := people[0], people[1], h.person("Wilhelmine")
	anna.presses("▶ Start")
	anna.writes("/handover")
	dora.presses("Take Anna’s seat")
	if text := show(ben.offers()); !strings.Contains(text, "Wilhelmine would take Anna's seat") {
		t.Fatalf("the board says\n%s", text)
	}
	there := h.person("Ben")
	there.place, dora.place = "test:1/2", "test:1/2"
	dora.writes("/shutbox 5")
	there.presses("Sit down")
	dora.presses("Get up")
	if text := show(there.board()); !strings.Contains(text, "Wilhelmine opens") {
		t.Fatalf("the board says\n%s", text)
	}
	before := there.table().Version
	dora.forgets()
	if text := show(there.board()); there.table().Version == before || strings.Contains(text, "Wilhelmine") {
		t.Errorf("the board says\n%s", text)
	}
	if text := show(ben.offers()); strings.Contains(text, "Wilhelmine") ||
		!strings.Contains(text, "Anna would hand the seat over") {
		t.Errorf("the offer says\n%s", text)
	}
}

// sound wants nothing wrong with the books and the tables.
func sound(t *testing.T, h *house) {
	t.Helper()
	books, err := h.store.Check(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	tables, err := h.bot.Check(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range books {
		t.Error(fault)
	}
	for _, fault := range tables {
		t.Error(fault)
	}
}

// What is open with somebody who was forgotten stands in the books, and can be
// settled by the word of the other side alone.
func TestSettlingWithWhoIsGone(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	owing(h, "chips", map[string]int64{"Anna": 30, "Ben": -30})
	ben.writes("/settle paid 10 Anna")
	ben.writes("/settle paid 5 Anna")
	anna.forgets()
	if text := said(t, ben.writes("/settle")); !strings.Contains(text, "Ben → gone 1 30") {
		t.Errorf("after it:\n%s", text)
	}
	if text := said(t, ben.writes("/settle paid 10 gone 1")); !strings.Contains(text, "10") {
		t.Errorf("told before:\n%s", text)
	}
	ben.writes("/settle paid 20 gone 1")
	err := h.store.View(context.Background(), func(tx *store.Tx) error {
		for _, account := range []string{"player:gone:1", "player:test:Ben"} {
			balance, err := tx.Balance("test:1", "chips", account)
			if err != nil || balance != 0 {
				t.Errorf("%s stands at %d (%v)", account, balance, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	sound(t, h)
}

// Where somebody who was forgotten sat, the house plays on at once, with the dice
// that were to come: the game ends, its record stands up to a check, and the
// money is where it belongs. Alone with the house it ends by itself.
func TestTheHousePlaysForWhoIsGone(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben, cleo := h.person("Anna"), h.person("Ben"), h.person("Cleo")
	cleo.place = "test:1/2"
	anna.writes("/shutbox 5")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	cleo.writes("/shutbox 3")
	cleo.presses("+ House")
	cleo.sends(chat.LobbyPress(cleo.table().ID, "house fewest"))
	cleo.presses("▶ Start")
	anna.forgets()
	cleo.forgets()
	if s := cleo.table().State; s != store.Over {
		t.Errorf("the table of nobody is %s", s)
	}
	for range 100 {
		if ben.table().State == store.Over {
			break
		}
		m := ben.board()
		ben.sends(m.Buttons[0][0].Press)
	}
	if s := ben.table().State; s != store.Over {
		t.Fatalf("Ben's table is %s:\n%s", s, show(ben.board()))
	}
	ben.presses("↻ Rematch")
	if seats := ben.table().Seats; len(seats) != 1 {
		t.Errorf("the rematch has the seats %+v", seats)
	}
	records := strings.Join(h.export(review.Wanted{}), "\n")
	for _, want := range []string{`"name":"gone 1"`, `"name":"gone 2"`, `"auto":true`} {
		if !strings.Contains(records, want) {
			t.Errorf("%s is in no record:\n%s", want, records)
		}
	}
	if strings.Contains(records, "Anna") || strings.Contains(records, "Cleo") {
		t.Errorf("a name is in a record:\n%s", records)
	}
	if text := said(t, ben.writes("/leaderboard")); strings.Contains(text, "gone") {
		t.Errorf("the list shows\n%s", text)
	}
	sound(t, h)
}
