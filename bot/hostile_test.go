package bot_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

func TestHostileNames(t *testing.T) {
	h := bare.New(t)
	for name, shown := range map[string]string{
		"<b>*_[x](y)@everyone":                "<b>*_[x](y)@everyone",
		strings.Repeat("x", 4000):             strings.Repeat("x", 23) + "…",
		"":                                    "Somebody",
		" \t\n ":                              "Somebody",
		"\u202e\u2066\u200b\u200d\ufeff":      "Somebody",
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
		if !strings.HasPrefix(m.Head, shown+" opens") || strings.ContainsAny(m.Head, "\n\x00") {
			t.Errorf("the head for %q: %q", name, m.Head)
		}
	}
	// Two of one name can be told apart.
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
	bare.Refused(t, h.Bot.Handle(context.Background(), ev), "You are hidden here. Show yourself to take a seat.")
}

func TestPanicHarmsNobody(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	ev := anna.Event()
	ev.Command = "abandon"
	ev.User = "test:Other"
	ev.Admin = func(context.Context) bool { panic("a library's") }
	bare.Refused(t, h.Bot.Handle(context.Background(), ev), "Something broke on our side. Nothing changed; try again.")
	if log := h.Log.String(); strings.Count(log, "a library's") != 1 || !strings.Contains(log, "hostile_test.go") {
		t.Errorf("logged:\n%s", log)
	}
	anna.Presses("▶ Start")
	h.Wait(time.Minute)
	anna.Presses("Throw")
	h.Sound()
}
