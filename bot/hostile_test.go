package bot_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot"
	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/store"
	"knobel/store/storetest"
)

func TestHostileNames(t *testing.T) {
	h := bare.New(t)
	for name, shown := range map[string]string{
		"<b>*_[x](y)@everyone":                "<b>*_[x](y)@everyone",
		strings.Repeat("x", 4000):             strings.Repeat("x", 23) + "…",
		"":                                    "Someone",
		" \t\n ":                              "Someone",
		"\u202e\u2066\u200b\u200d\ufeff":      "Someone",
		"a\u202eb\nc\x00d\x1b[31m":            "ab cd[31m",
		"👩\u200d👩\u200d👧 fam":                 "👩\u200d👩\u200d👧 fam",
		"שלום":                                "\u2068שלום\u2069",
		"Z\u0301\u0301\u0301\u0301\u0301algo": "Z\u0301\u0301algo",
		"\xff\xfeok":                          "ok",
		"{{.Seat}}":                           "{{.Seat}}",
	} {
		anna := h.Person("Anna")
		anna.Place = chat.Place("test:1/" + hex.EncodeToString([]byte(name))[:min(40, 2*len(name))])
		anna.Name = name
		ev := anna.Event()
		ev.User, ev.Command = chat.User("test:hostile"), "coin"
		h.Bot.Handle(context.Background(), ev)
		m := anna.Board()
		if got := m.People[0].Name; got != shown {
			t.Errorf("%q is shown as %q, want %q", name, got, shown)
		}
		if !strings.HasPrefix(m.Head, shown+" invites you to ") || strings.ContainsAny(m.Head, "\n\x00") {
			t.Errorf("the head for %q: %q", name, m.Head)
		}
	}
	// Two people with one name are shown with different names.
	one, two := h.Person("Twin"), h.Person("Twin")
	two.Name = "Twin"
	one.Writes("/coin")
	ev := two.Event()
	ev.User, ev.Press = "test:other", "1:"+fmt.Sprint(one.Table().ID)+":0:!join"
	h.Bot.Handle(context.Background(), ev)
	if p := one.Board().People; p[0].Name != "Twin" || p[1].Name != "Twin 2" {
		t.Errorf("people %v", p)
	}
}

func TestWhoIsHiddenCannotPlay(t *testing.T) {
	h := bare.New(t)
	ev := h.Person("").Event()
	ev.User, ev.Command = "", "coin"
	bare.Refused(t, h.Bot.Handle(context.Background(), ev), "You are hidden here. Press “Show me” to play.")
}

func TestPanicHarmsNobody(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	ev := anna.Event()
	ev.Command = "abandon"
	ev.User = "test:Other"
	ev.Admin = func(context.Context) bool { panic("a library's") }
	bare.Refused(t, h.Bot.Handle(context.Background(), ev), "Our mistake; nothing was changed. Please try again.")
	if log := h.Log.String(); strings.Count(log, "a library's") != 1 || !strings.Contains(log, "hostile_test.go") {
		t.Errorf("logged:\n%s", log)
	}
	anna.Presses("▶ Start")
	h.Wait(time.Minute)
	anna.Presses("Roll")
	h.Sound()
}

// TestTextThatIsNoneIsAnswered sends zero bytes and invalid UTF-8, which no database engine stores, in every text that
// a person may send. The database is unencrypted, as encryption hides the bytes. No reply shows an internal error.
func TestTextThatIsNoneIsAnswered(t *testing.T) {
	h := bare.New(t)
	check(t, h.Store.Close())
	h.File, h.Plain = storetest.Empty(t), true // sealing would hide the bytes
	h.Open()
	anna := h.Person("Anna")
	anna.Admin = true
	for _, bad := range []string{"a\x00b", "\x00", "a\xffb", "\xff"} {
		for _, line := range []string{"/coin 5 " + bad, "/season " + bad, "/season start " + bad, "/house save " + bad,
			"/luck " + bad, "/settings unit=" + bad, "/settings zone=" + bad, "/language " + bad, "/leaderboard " + bad,
			"/settle " + bad, "/settle paid 5 " + bad, "/stats " + bad, "/rules " + bad, "/" + bad, "/help " + bad,
			"/history " + bad} {
			if r := anna.Writes(line); showsError(r) {
				t.Errorf("%q: %+v", line, r)
			}
		}
		odd := anna.Event()
		odd.Command, odd.Name, odd.Locale = "coin", "Anna"+bad, bad
		if r := h.Bot.Handle(t.Context(), odd); showsError(r) {
			t.Errorf("by %q: %+v", odd.Name, r)
		}
		for _, press := range []string{"1:1:0:" + bad, bad, "1:1:0:!join " + bad, "1:0:0:/settle " + bad} {
			if r := anna.Taps(press); showsError(r) {
				t.Errorf("%q: %+v", press, r)
			}
		}
		if log := h.Log.String(); strings.Contains(log, "zero byte") {
			t.Fatalf("logged:\n%s", log)
		}
	}
}

// showsError reports whether a reply shows an internal error.
func showsError(r chat.Reply) bool { return strings.Contains(r.Toast, "on our side") }

// Accepted commands, refused commands and completions get an event that can ask the platform. Their transactions get
// one that cannot.
func TestATransactionCannotAskThePlatform(t *testing.T) {
	var seen []string
	look := func(v *bot.Visit) {
		if seen = append(seen, v.Event.Text); v.Event.Admin != nil || v.Event.Thread != nil ||
			v.Event.Confide != nil {
			t.Errorf("%q can ask the platform", v.Event.Text)
		}
	}
	core := bot.New(bot.Config{Store: storetest.Open(t), Words: wordstest.Of(t)})
	core.Add(nil, bot.Feature{
		Before: func(v *bot.Visit) error {
			look(v)
			return nil
		},
		Commands: []bot.Command{{Name: "ask", Options: []bot.Option{{
			Name: "what", Type: chat.TypeWord,
			More: func(v *bot.Visit) ([]bot.Choice, error) {
				look(v)
				return nil, nil
			},
		}}, Run: func(v *bot.Visit, w bot.Args) error {
			if w.Text("what") == "refused" {
				return games.Refuse("bot.no-table", nil)
			}
			_, err := v.IsAdmin(true)
			return err
		}}},
	})
	asked := 0
	ev := chat.Event{ID: "test:1", Chat: "test:1", Place: "test:1/1", User: "test:Anna", Name: "Anna", Command: "ask",
		Functions: chat.Functions{
			Admin: func(context.Context) bool {
				asked++
				return true
			},
			Thread:  func(context.Context, string) (chat.Place, error) { return "test:1/2", nil },
			Confide: func(context.Context, chat.Message) bool { return true },
		}}
	ev.Text = "done"
	if r := core.Handle(t.Context(), ev); r.Refused {
		t.Errorf("refused: %+v", r)
	}
	ev.ID, ev.Text = "test:2", "refused"
	if r := core.Handle(t.Context(), ev); !r.Refused {
		t.Errorf("not refused: %+v", r)
	}
	ev.ID, ev.Text = "", "completed"
	core.Complete(t.Context(), ev, "what", "")
	want := []string{"done", "done", "refused", "refused", "completed"} // a question or a refusal runs the hook twice
	if !slices.Equal(seen, want) || asked != 1 {
		t.Errorf("seen %q, want %q; asked %d times", seen, want, asked)
	}
}

// TestAnAnswerThatBreaksAfterTheCommitSaysWhatCounts lets the reading of an answer fail after the commit, in a place to
// which the bot could not write: the reply says that the event counted, the board is drawn, and the error logged once.
func TestAnAnswerThatBreaksAfterTheCommitSaysWhatCounts(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, _, people := bare.Begun(t, "/coin 10", "Anna", "Ben")
		anna := people[0]
		err := h.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
			lost, err := tx.Tables.Table(1)
			if err != nil {
				return err
			}
			lost.Board.Away = true
			lost.Version++
			return tx.Tables.SaveTable(lost)
		})
		check(t, err)
		h.Tamper(`UPDATE players SET name = 'torn' WHERE rowid = (SELECT MAX(rowid) FROM players)`)
		for locale, want := range map[string]string{
			"en": "That counted, but our answer got lost. Ask again.",
			"de": "Das zählt, nur die Antwort ging verloren. Frag noch einmal.",
		} {
			anna.Locale = locale
			r := anna.Writes("/settle")
			bare.Told(t, r, want)
			if r.Refused || r.Private != nil {
				t.Errorf("%+v", r)
			}
		}
		synctest.Wait()
		if table := anna.Table(); table.Board.Away || table.Board.Drawn != table.Version {
			t.Errorf("the board is at %d of %d, away: %v", table.Board.Drawn, table.Version, table.Board.Away)
		}
		if n := strings.Count(h.Log.String(), "answer event failed"); n != 2 {
			t.Errorf("two faults are logged %d times", n)
		}
		h.Tamper(`UPDATE players SET name = '' WHERE name = 'torn'`)
	})
}
