package person_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store/storetest"
)

func TestStories(t *testing.T) { bare.AllStories(t, shutbox.Game{}) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// links are what chat programs make links, commands, tags and calls of.
var links = regexp.MustCompile(`evil\.c|\.com|\.ws|t\.me|discord\.gg|://|/evilword|#tag|\$CASH|\+49|\x{202e}`)

// texts are all that people read of a message but what is set as code, of which no platform makes anything.
func texts(m chat.Message) string {
	var b strings.Builder
	m.Exact = nil
	b.WriteString(bare.Show(m))
	for _, s := range m.People {
		b.WriteString("\n" + s.Name)
	}
	return b.String()
}

// Whatever people call themselves, their unit, their season, their house rules or
// their luck: nothing of it is a link, a command or a call in what the bot says.
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
					said += "\n" + texts(*r.Private)
				}
				said = strings.ReplaceAll(said, "There is no /", "") // the sign is the bot's own
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
			look(ben.Presses("Sit down"))
			look(anna.Presses("▶ Start"))
			look(chat.Reply{Private: ptr(anna.Board())})
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
			look(chat.Reply{Private: ptr(anna.Board())})
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

func ptr[T any](v T) *T { return &v }

// No name looks like that of the house, a forgotten person or another player at the table, or like nothing at all.
func TestNamesThatLookLikeOthers(t *testing.T) {
	for name, want := range map[string]string{
		"the house": "“the house”", "House": "“House”", "HAUS 2": "“HAUS 2”",
		"Нouse": "“Нouse”", "gone 1": "“gone 1”", "weg 3": "“weg 3”",
		"Weg": "Weg", "Housemann": "Housemann", "gone": "gone", "Anna": "Anna",
		"ㅤ": "Somebody", "ᅟᅠﾠ": "Somebody", "⠀": "Somebody", "\u034f": "Somebody", "A\u3164nna": "Anna",
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
		ev.Name, ev.Press = other, first.Button("Sit down").Press
		h.Bot.Handle(t.Context(), ev)
		if got := first.Board().People[1].Name; !strings.HasSuffix(got, " 2") {
			t.Errorf("beside Anna sits %q", got)
		}
	}
}

// A word for the dice cannot turn or hide what stands beside it.
func TestLuckThatTurnsTheLine(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	for _, word := range []string{"a\u202eb", "a\u2066b", "a\u3164b"} {
		if r := anna.Writes("/luck " + word); !r.Refused {
			t.Errorf("%q is taken: %s", word, r.Toast)
		}
	}
	bare.Told(t, anna.Writes("/luck 👩‍👩‍👧 fox"), "Your word is in the dice.")
}
