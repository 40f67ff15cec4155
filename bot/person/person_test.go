package person_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/storetest"
)

// TestStories replays the chats in testdata and compares the replies with those expected.
func TestStories(t *testing.T) { bare.AllStories(t, shutbox.Game{}) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// links matches texts that chat programs turn into links, commands, tags and telephone calls.
var links = regexp.MustCompile(`evil\.c|\.com|\.ws|t\.me|discord\.gg|://|/evilword|#tag|\$CASH|\+49|\x{202e}`)

// visibleTexts returns all texts of a message except code, in which no platform makes links.
func visibleTexts(m chat.Message) string {
	var b strings.Builder
	m.Exact = nil
	b.WriteString(bare.Show(m))
	for _, s := range m.People {
		b.WriteString("\n" + s.Name)
	}
	return b.String()
}

// No name of a person, a unit, a season or house rules, and no luck word, becomes a link, a command or a telephone call
// in a message of the bot.
func TestWordsOfPeopleAreNoLinks(t *testing.T) {
	bare.Beside(t)
	for _, word := range bare.HostileWords {
		t.Run(word, func(t *testing.T) {
			h := bare.New(t, shutbox.Game{})
			anna, ben := h.Person(word), h.Person("Ben")
			anna.Admin, ben.Admin = true, true
			look := func(r chat.Reply) {
				t.Helper()
				said := r.Toast
				if r.Private != nil {
					said += "\n" + visibleTexts(*r.Private)
				}
				said = strings.ReplaceAll(said, "There is no /", "") // this slash is the bot's own
				if found := links.FindString(said); found != "" {
					t.Errorf("%q is said in\n%s", found, said)
				}
			}
			look(anna.Writes("/unit " + word))
			look(anna.Writes("/season " + word))
			look(anna.Writes("/season yes " + word))
			anna.Writes("/shutbox 5 match=single tiles=4")
			look(anna.Writes("/luck " + word))
			look(anna.Writes("/house save " + word))
			look(ben.Presses("Join"))
			look(anna.Presses("▶ Start"))
			look(chat.Reply{Private: pointerTo(anna.Board())})
			for range 60 {
				for _, p := range []*bare.Person{anna, ben} {
					m := p.Board()
					for _, row := range m.Buttons {
						if len(row) > 0 && !strings.Contains(row[0].Press, "/") &&
							!strings.Contains(row[0].Press, "!") {
							look(p.Sends(row[0].Press))
							break
						}
					}
				}
			}
			look(chat.Reply{Private: pointerTo(anna.Board())})
			for _, line := range []string{
				"/settle", "/settle why " + word, "/settle paid 3 " + word, "/leaderboard",
				"/leaderboard against=" + word, "/stats", "/stats " + word,
				"/history", "/history 1", "/fair", "/season", "/house", "/house drop " + word, "/unit", "/skill",
				"/review",
				"/rules " + word, "/shutbox " + word,
				"/help " + word, "/language " + word, "/settings zone=" + word, "/settings quiet=" + word,
				"/notify " + word, "/" + word, "/puzzle " + word,
				"/leaderboard period=" + word, "/leaderboard unit=" + word, "/shutbox stake=" + word,
				"/history " + word,
				"/review " + word, "/privacy", "/doctor",
			} {
				for _, p := range []*bare.Person{ben, anna} {
					look(p.Writes(line))
				}
			}
		})
	}
}

// pointerTo returns a pointer to a copy of v.
func pointerTo[T any](v T) *T { return &v }

// No name looks like that of the computer player, a forgotten person or another player at the table, or is invisible.
func TestNamesThatLookLikeOthers(t *testing.T) {
	for name, want := range map[string]string{
		"the house": "“the house”", "House": "“House”", "HAUS 2": "“HAUS 2”",
		"Нouse": "“Нouse”", "gone 1": "“gone 1”", "weg 3": "“weg 3”",
		"Weg": "Weg", "Housemann": "Housemann", "gone": "gone", "Anna": "Anna",
		"ㅤ": "Someone", "ᅟᅠﾠ": "Someone", "⠀": "Someone", "\u034f": "Someone", "A\u3164nna": "Anna",
	} {
		h := bare.New(t)
		p := h.Person(name)
		p.Writes("/coin")
		if got := p.Board().People[0].Name; got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
	for _, other := range []string{"ANNA", "anna", "Аnna", "Anna", "Ａnna"} {
		h := bare.New(t)
		first := h.Person("Anna")
		first.Writes("/coin")
		ev := h.Person("x").Event()
		ev.Name, ev.Press = other, first.Button("Join").Press
		h.Bot.Handle(t.Context(), ev)
		if got := first.Board().People[1].Name; !strings.HasSuffix(got, " 2") {
			t.Errorf("beside Anna sits %q", got)
		}
	}
}

// A luck word cannot turn or hide the text beside it.
func TestLuckThatTurnsTheLine(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	for _, word := range []string{"a\u202eb", "a\u2066b", "a\u3164b"} {
		if r := anna.Writes("/luck " + word); !r.Refused {
			t.Errorf("%q is taken: %s", word, r.Toast)
		}
	}
	bare.Told(t, anna.Writes("/luck 👩‍👩‍👧 fox"), "Your word was added to the dice.")
}

// Stored data of people, and erasing it.

// databaseBytes returns all bytes of the database file and its log, after a sweep.
func databaseBytes(h *bare.House) []byte {
	h.T.Helper()
	if _, err := h.Store.Sweep(context.Background()); err != nil {
		h.T.Fatal(err)
	}
	all, err := os.ReadFile(h.File)
	if err != nil {
		h.T.Fatal(err)
	}
	log, _ := os.ReadFile(h.File + "-wal") // the log may be missing
	return append(all, log...)
}

func TestMyData(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 5")
	ben.Presses("Join")
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
	if seed := anna.Table().Dice.Seed; bytes.Contains(f.Bytes, seed) || strings.Contains(string(f.Bytes), "test:Ben") {
		t.Errorf("more is told than is theirs:\n%s", f.Bytes)
	}
}

// In the file of /mydata, turn numbers are not shown as times, a move may lack dice, and the name "[1]" is not a list.
func TestMyDataSaysWhatItIs(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Regulars("[1]")
	anna, ben, list := h.Person("Anna"), h.Person("Ben"), h.Person("[1]")
	anna.Writes("/shutbox 5")
	ben.Presses("Join")
	anna.Presses("▶ Start")
	anna.Presses("🎲 Roll")
	anna.Sends(anna.Board().Buttons[0][0].Press)
	ben.Writes("/handover")
	list.Presses("Take over for Ben")
	anna.Presses("Let [1] take over")
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

// After Anna is forgotten, her lobby seat is free, the computer plays her match to its end, no search finds her, the
// payments are right, and she can come back as a new person.
func TestForgotten(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben, alone := h.Person("Wilhelmine"), h.Person("Ben"), h.Person("Wilhelmine")
	lobby := h.Person("Wilhelmine")
	lobby.Place, alone.Place = "test:1/2", "test:own/1"
	anna.Writes("/shutbox 5")
	ben.Presses("Join")
	anna.Presses("▶ Start")
	lobby.Writes("/shutbox 7")
	own := chat.Event{ID: "test:own", Chat: "test:own", Place: alone.Place, User: "test:Wilhelmine", Name: "Wilhelmine",
		Traits: chat.Traits{Own: true}, Command: "shutbox"}
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
	h.Reads(func(tx *store.Tx) error {
		if t1, err := tx.Tables.TableHere("test:own/1"); err == nil {
			t.Errorf("her own table is %+v", t1)
		}
		return nil
	})
	if all := databaseBytes(h); bytes.Contains(all, []byte("Wilhelmine")) || bytes.Contains(all, []byte("test:own")) {
		t.Error("her name is in the file")
	}
	h.Sound()
	anna.Writes("/luck") // a new person without a seat
	if r := anna.Sends("1:1:0:throw 2"); !r.Refused {
		t.Errorf("she plays on: %+v", r)
	}
}
