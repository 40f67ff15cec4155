package person_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/store"
)

// everywhere are all bytes of the database.
func everywhere(h *bare.House) []byte {
	h.T.Helper()
	if _, err := h.Store.Sweep(context.Background()); err != nil {
		h.T.Fatal(err)
	}
	all, err := os.ReadFile(h.File)
	if err != nil {
		h.T.Fatal(err)
	}
	log, _ := os.ReadFile(h.File + "-wal") // there may be none
	return append(all, log...)
}

func TestPrivacyIsExplained(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Locale = "de"
	text := bare.Said(t, anna.Writes("/privacy"))
	for _, want := range []string{"What I keep of you", "/luck", "Names, ids, seeds and luck words are encrypted",
		"[My data][Off the lists]\n[Forget me…]"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
	if n := len([]rune(text)); n > 1500 {
		t.Errorf("it has %d characters", n)
	}
	anna.Sends(bare.PressOn(t, anna.Writes("/privacy"), "Off the lists"))
	if text := bare.Said(t, anna.Writes("/privacy")); !strings.Contains(text, "[On the lists again]") {
		t.Errorf("it is not on the page:\n%s", text)
	}
	if text := bare.Said(t, ben.Writes("/datenschutz")); !strings.Contains(text, "Was ich von dir behalte") ||
		!strings.Contains(text, "[Von den Listen]") {
		t.Errorf("in German:\n%s", text)
	}
	const ofRooms = "who hosts it"
	if text := bare.Said(t, anna.Writes("/privacy")); strings.Contains(text, ofRooms) {
		t.Errorf("a chat without a host tells of one:\n%s", text)
	}
	ev := anna.Event()
	ev.Command, ev.Hosted = "privacy", true
	if text := bare.Said(t, h.Bot.Handle(t.Context(), ev)); !strings.Contains(text, ofRooms) {
		t.Errorf("a room of the browser does not tell of its host:\n%s", text)
	}
}

func TestMyData(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 5")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	r := anna.Writes("/mydata")
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
	if seed := anna.Table().Seed; bytes.Contains(f.Bytes, seed) || strings.Contains(string(f.Bytes), "test:Ben") {
		t.Errorf("more is told than is theirs:\n%s", f.Bytes)
	}
}

// What is told is what it says: a table's turn is no moment, a move without dice
// has none, and a name that looks like a list is a name.
func TestMyDataSaysWhatItIs(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Regulars("[1]")
	anna, ben, list := h.Person("Anna"), h.Person("Ben"), h.Person("[1]")
	anna.Writes("/shutbox 5")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	anna.Presses("🎲 Throw")
	anna.Sends(anna.Board().Buttons[0][0].Press)
	ben.Writes("/handover")
	list.Presses("Take Ben’s seat")
	anna.Presses("[1] may sit there")
	for _, who := range []*bare.Person{anna, list} {
		f := who.Writes("/mydata").Private.File
		var told struct {
			Players []struct{ Name string }
			Seats   []struct{ Since int }
			Moves   []struct{ Dice []int }
		}
		if err := json.Unmarshal(f.Bytes, &told); err != nil {
			t.Fatalf("%v:\n%s", err, f.Bytes)
		}
		if told.Players[0].Name != who.Name || len(told.Seats) != 1 || who == anna && len(told.Moves) != 2 {
			t.Errorf("%s is told\n%s", who.Name, f.Bytes)
		}
		if strings.Contains(string(f.Bytes), "1970-") || who == list && told.Seats[0].Since != 2 {
			t.Errorf("%s is told of a time that never was:\n%s", who.Name, f.Bytes)
		}
	}
}

func TestForgetAsksFirst(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/coin 5")
	page := anna.Writes("/forget")
	text := bare.Said(t, page)
	if !strings.Contains(text, "cannot be undone") || !strings.Contains(text, "[Keep me][Forget me]") {
		t.Errorf("asks\n%s", text)
	}
	bare.Refused(t, ben.Sends(bare.PressOn(t, page, "Forget me")),
		"That button is for whoever asked. Say /forget yourself.")
	bare.Refused(t, anna.Writes("/forget yes"), "Say /forget, then press a button.")
	if text := bare.Said(t, anna.Sends(bare.PressOn(t, page, "Keep me"))); !strings.HasPrefix(text,
		"All stays as it is.") {
		t.Errorf("kept:\n%s", text)
	}
	if !strings.Contains(bare.Show(anna.Board()), "Anna") {
		t.Error("Anna was forgotten")
	}
}

// Anna is forgotten: her lobby seat is free, the house plays her match to its
// end, nobody finds her, the books are right, and she can come back as another.
func TestForgotten(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben, alone := h.Person("Wilhelmine"), h.Person("Ben"), h.Person("Wilhelmine")
	lobby := h.Person("Wilhelmine")
	lobby.Place, alone.Place = "test:1/2", "test:own/1"
	anna.Writes("/shutbox 5")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	lobby.Writes("/shutbox 7")
	own := chat.Event{ID: "test:own", Chat: "test:own", Place: alone.Place, User: "test:Wilhelmine", Name: "Wilhelmine",
		Own: true, Command: "shutbox"}
	if r := h.Bot.Handle(context.Background(), own); r.Refused || r.Board == 0 {
		t.Fatalf("%+v", r)
	}
	anna.Writes("/season Herbst")
	anna.Forgets()

	table := anna.Table()
	if s := table.Seats[0]; s.Player != "gone:1" || s.Absence != store.Gone {
		t.Errorf("her seat is %+v", s)
	}
	if board := bare.Show(anna.Board()); !strings.Contains(board, "gone 1") || strings.Contains(board, "Wilhelmine") {
		t.Errorf("the board shows\n%s", board)
	}
	if seats := lobby.Table().Seats; len(seats) != 0 {
		t.Errorf("in the lobby sit %+v", seats)
	}
	err := h.Store.View(context.Background(), func(tx *store.Tx) error {
		if t1, err := tx.LastTableAt("test:own/1"); err == nil {
			t.Errorf("her own table is %+v", t1)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if all := everywhere(h); bytes.Contains(all, []byte("Wilhelmine")) || bytes.Contains(all, []byte("test:own")) {
		t.Error("her name is in the file")
	}
	sound(t, h)
	anna.Writes("/luck") // somebody new, who sits nowhere
	if r := anna.Sends("1:1:0:throw 2"); !r.Refused {
		t.Errorf("she plays on: %+v", r)
	}
}

// Who is forgotten is named by no board any longer: not where they only asked for a
// seat, nor where they opened the table and got up.
func TestNoBoardNamesWhoIsForgotten(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Regulars("Wilhelmine")
	people := h.Gather("/shutbox 10", "Anna", "Ben")
	anna, ben, dora := people[0], people[1], h.Person("Wilhelmine")
	anna.Presses("▶ Start")
	anna.Writes("/handover")
	dora.Presses("Take Anna’s seat")
	if text := bare.Show(ben.Offers()); !strings.Contains(text, "Wilhelmine would take Anna's seat") {
		t.Fatalf("the board says\n%s", text)
	}
	there := h.Person("Ben")
	there.Place, dora.Place = "test:1/2", "test:1/2"
	dora.Writes("/shutbox 5")
	there.Presses("Sit down")
	dora.Presses("Get up")
	if text := bare.Show(there.Board()); !strings.Contains(text, "Wilhelmine opens") {
		t.Fatalf("the board says\n%s", text)
	}
	before := there.Table().Version
	dora.Forgets()
	if text := bare.Show(there.Board()); there.Table().Version == before || strings.Contains(text, "Wilhelmine") {
		t.Errorf("the board says\n%s", text)
	}
	if text := bare.Show(ben.Offers()); strings.Contains(text, "Wilhelmine") ||
		!strings.Contains(text, "Anna would hand the seat over") {
		t.Errorf("the offer says\n%s", text)
	}
}

// sound wants nothing wrong with the books and the tables.
func sound(t *testing.T, h *bare.House) {
	t.Helper()
	books, err := h.Store.Check(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	tables, err := h.Bot.Check(context.Background(), nil)
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
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	bare.Owing(h, "chips", map[string]int64{"Anna": 30, "Ben": -30})
	ben.Writes("/settle paid 10 Anna")
	ben.Writes("/settle paid 5 Anna")
	anna.Forgets()
	if text := bare.Said(t, ben.Writes("/settle")); !strings.Contains(text, "Ben → gone 1 30") {
		t.Errorf("after it:\n%s", text)
	}
	if text := bare.Said(t, ben.Writes("/settle paid 10 gone 1")); !strings.Contains(text, "10") {
		t.Errorf("told before:\n%s", text)
	}
	ben.Writes("/settle paid 20 gone 1")
	err := h.Store.View(context.Background(), func(tx *store.Tx) error {
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
	h := bare.New(t, shutbox.Game{})
	anna, ben, cleo := h.Person("Anna"), h.Person("Ben"), h.Person("Cleo")
	cleo.Place = "test:1/2"
	anna.Writes("/shutbox 5")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	cleo.Writes("/shutbox 3")
	cleo.Presses("+ House")
	cleo.Sends(chat.LobbyPress(cleo.Table().ID, "house fewest"))
	cleo.Presses("▶ Start")
	anna.Forgets()
	cleo.Forgets()
	if s := cleo.Table().State; s != store.Over {
		t.Errorf("the table of nobody is %s", s)
	}
	for range 100 {
		if ben.Table().State == store.Over {
			break
		}
		m := ben.Board()
		ben.Sends(m.Buttons[0][0].Press)
	}
	if s := ben.Table().State; s != store.Over {
		t.Fatalf("Ben's table is %s:\n%s", s, bare.Show(ben.Board()))
	}
	ben.Presses("↻ Rematch")
	if seats := ben.Table().Seats; len(seats) != 1 {
		t.Errorf("the rematch has the seats %+v", seats)
	}
	records := strings.Join(h.Export(review.Wanted{}), "\n")
	for _, want := range []string{`"name":"gone 1"`, `"name":"gone 2"`, `"auto":true`} {
		if !strings.Contains(records, want) {
			t.Errorf("%s is in no record:\n%s", want, records)
		}
	}
	if strings.Contains(records, "Anna") || strings.Contains(records, "Cleo") {
		t.Errorf("a name is in a record:\n%s", records)
	}
	if text := bare.Said(t, ben.Writes("/leaderboard")); strings.Contains(text, "gone") {
		t.Errorf("the list shows\n%s", text)
	}
	sound(t, h)
}
