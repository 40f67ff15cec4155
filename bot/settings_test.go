package bot_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/store"
)

// In a room of the browser table it is the host who may change what admins may elsewhere, and who is told of.
func TestOfAHostIsToldWhereThereIsOne(t *testing.T) {
	h := bare.New(t)
	ben := h.Person("Ben")
	ben.Writes("/coin")
	for _, line := range []string{"language de", "settings pace=quick", "season Winter", "doctor", "house save x"} {
		ev := ben.Event()
		ev.Command, ev.Text, _ = strings.Cut(line, " ")
		ev.Hosted = true
		bare.Refused(t, h.Bot.Handle(t.Context(), ev), "Only the host of this room can do that. Ask them.")
	}
	ev := ben.Event()
	ev.Command, ev.Hosted = "settings", true
	if small := h.Bot.Handle(t.Context(), ev).Private.Small; small != "Only the host of this room can change them." {
		t.Errorf("below the settings stands %q", small)
	}
}

func TestSettings(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin = true
	shown := func(r string, want ...string) {
		t.Helper()
		for _, line := range want {
			if !strings.Contains(r, line) {
				t.Errorf("no %q in\n%s", line, r)
			}
		}
	}
	shown(bare.Said(t, ben.Writes("/settings")), "Settings of this chat.",
		"Time zone: the server's clock, UTC+00:00\nQuiet hours: none\nIdle tables: 7 days", "[Quiet hours]")
	shown(bare.Said(t, ben.Writes("/settings")), "Evenings end at six in the morning by this time zone")
	shown(bare.Said(t, ben.Writes("/help settings")), "of evenings, which end at six in the morning")
	shown(bare.Said(t, ben.Writes("/help leaderboard")), "evenings end at six by the chat's time zone")
	page := ben.Sends(bare.PressOn(t, ben.Writes("/settings"), "Quiet hours"))
	shown(bare.Said(t, page), "Quiet hours: none", "quiet=22-8", "[22:00–8:00]", "[Back]")
	bare.Refused(t, ben.Sends(bare.PressOn(t, page, "22:00–8:00")),
		"Only admins of this chat change settings. Ask one of them.")
	shown(bare.Said(t, anna.Sends(bare.PressOn(t, page, "22:00–8:00"))), "Set.", "Quiet hours: 22:00–8:00")
	shown(bare.Said(t, anna.Writes("/settings zone=berlin idle=0")), "Time zone: Europe/Berlin", "Idle tables: never")
	shown(bare.Said(t, anna.Writes("/settings zone=Sao Paulo")), "Time zone: America/São Paulo")
	shown(bare.Said(t, anna.Writes("/settings zone New York")), "Time zone: America/New York")
	shown(bare.Said(t, anna.Writes("/settings idle=0 Zone Köln 22-8")), "Time zone: Europe/Berlin",
		"Quiet hours: 22:00")
	shown(bare.Said(t, anna.Writes("/settings 30 america/new_york")), "Time zone: America/New York",
		"Idle tables: 30 days",
		"Quiet hours: 22:00–8:00")
	shown(bare.Said(t, anna.Writes("/settings quiet=none zone=none idle=7")),
		"Time zone: the server's clock, UTC+00:00\nQuiet hours: none\nIdle tables: 7 days")
	var set map[string]string
	if err := h.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		set, err = tx.ChatSettings("test:1")
		return err
	}); err != nil || len(set) != 0 {
		t.Errorf("what is usual is stored: %v, %v", set, err)
	}
	for line, why := range map[string]string{
		"/settings zone=Atlantis quiet=1-2": "Write a city: /settings zone=Berlin, or none.",
		"/settings zone=../../etc/passwd":   "Write a city: /settings zone=Berlin, or none.",
		"/settings quiet=8-8":               "Write from and until: /settings quiet=22-8, or none.",
		"/settings idle=366":                "Write days up to 365: /settings idle=7; 0 is never.",
	} {
		bare.Refused(t, anna.Writes(line), why)
	}
	alone := ben.Event() // in a chat with the bot alone nobody else is an admin
	alone.Chat, alone.Place, alone.Own, alone.Command = "test:own", "test:own", true, "settings"
	if r := h.Bot.Handle(t.Context(), alone); r.Private == nil || r.Private.Small != "" {
		t.Errorf("Ben reads alone: %+v", r)
	}
	ben.Locale = "de"
	shown(bare.Said(t, ben.Writes("/einstellungen")), "Ruhezeiten: keine", "Vergessene Tische: 7 Tage")
}

// TestSettingsOfBefore has a chat whose settings are gone since: what is stored of them is ignored, and an admin who
// sets one is told that there is no such setting.
func TestSettingsOfBefore(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	usual := bare.Said(t, anna.Writes("/settings"))
	for name, value := range map[string]string{"answers": "open", "tables": "rich", "follow": "0", "games": "lids"} {
		if err := h.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
			return tx.SaveChatSetting("test:1", name, value)
		}); err != nil {
			t.Fatal(err)
		}
		if is := bare.Said(t, anna.Writes("/settings")); is != usual {
			t.Errorf("with %s=%s the settings are\n%s", name, value, is)
		}
		if r := anna.Writes("/settings " + name + "=" + value); !r.Refused || !strings.Contains(r.Toast, name) {
			t.Errorf("%s=%s is answered by %+v", name, value, r)
		}
	}
}

func TestTerms(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna := h.Person("Anna")
	anna.Writes("/pile 5 turn=2h absent=wait")
	note := func(want string) {
		t.Helper()
		if m := anna.Board(); !strings.Contains(bare.Show(m)+m.Small, want) {
			t.Errorf("no %q in\n%s%s", want, bare.Show(m), m.Small)
		}
	}
	note("A turn may take 2 hours; then the table waits and says so.")
	anna.Writes("/pile absent=out turn=90m")
	note("A turn may take 90 minutes. Who takes longer is out: the stake stays in the pool, and the house plays the " +
		"seat to its end.")
	anna.Presses("⚙ Rules")
	anna.Presses("A turn: 90 minutes")
	anna.Presses("1 minute")
	anna.Presses("Then: out, stake lost")
	anna.Presses("the house plays")
	note("[A turn: 1 minute][Then: the house plays]")
	note("1 minute a turn, then the house plays")
	anna.Writes("/pile out")
	anna.Writes("/pile 0")
	note("1 minute a turn, then the house plays")
	anna.Writes("/pile none")
	note("no time limit")
	for line, why := range map[string]string{
		"/pile 0 absent=out": "Only a stake can be lost: play for one first.",
		"/pile turn=59s":     "From 1 minute to 3 days, such as 10m, 2h or 1d, or none.",
		"/pile turn=4d":      "From 1 minute to 3 days, such as 10m, 2h or 1d, or none.",
		"/pile turn=0":       "From 1 minute to 3 days, such as 10m, 2h or 1d, or none.",
		"/pile absent=dance": "absent cannot be “dance”. Take one of: house, wait, out.",
	} {
		bare.Refused(t, anna.Writes(line), why)
	}
}
