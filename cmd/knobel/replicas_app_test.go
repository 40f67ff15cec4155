package main

import (
	"net/http"
	"strings"
	"testing"

	"knobel/bot/telegram/telegramtest"
)

// Replicas share the sessions, tickets and used launch data of the Mini App: its page signs in at one and follows at
// the other, which is killed, and goes on at the first.
func TestAnAppAtTwoReplicas(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2)
	defer f.end()
	meeting := telegramtest.Start(t, telegramtest.Options{Token: telegramToken})
	f.env = append(f.env, "KNOBEL_TELEGRAM_TOKEN="+telegramToken, "KNOBEL_TELEGRAM_API_URL="+meeting.URL(),
		"KNOBEL_PUBLIC_URL=http://"+f.all[0].listen, "KNOBEL_TELEGRAM_APP=dice", "KNOBEL_PROXIES=127.0.0.1")
	f.start(f.all...)
	anna, group := telegramtest.Person{ID: 7, First: "Anna", Language: "en"}, meeting.Group("Friends")
	group.Say(anna, "/shutbox 3 tiles=3")
	f.until("a table", func() bool { return len(group.Messages()) > 0 && len(group.Messages()[0].Keyboard) > 0 })

	launch := group.Launch(anna, map[string]string{"start_param": "t1"})
	annas, other := f.signIn(f.all[0], "telegram", launch), "http://"+f.all[1].listen+"/embed/telegram"
	got, text := fetch(t, http.DefaultClient, other, launch, "X-Forwarded-For", "192.0.2.2")
	if got != http.StatusUnauthorized || !strings.Contains(text, `"refused":"replayed"`) {
		t.Errorf("the same data from elsewhere: %d %s", got, text)
	}
	if got, text := fetch(t, http.DefaultClient, other, launch); got != http.StatusOK {
		t.Errorf("a reload: %d %s", got, text)
	}
	follow := func(from, at *peer) <-chan struct{} {
		ended := annas.watch(from, at)
		f.until("the page shows the table", func() bool { return annas.newest().Table == 1 })
		if annas.at(from); status(t, annas.client, annas.base+"/events"+annas.query) != http.StatusUnauthorized {
			t.Error("a used ticket opens a stream")
		}
		return ended
	}
	ended := follow(f.all[0], f.all[1])
	if a, err := annas.press("1", "1:1:0:!house random"); err != nil || a.Refused {
		t.Errorf("the press is answered %+v %v", a, err)
	}
	f.until("the page shows the computer", func() bool { return len(annas.newest().People) == 2 })
	f.all[1].gate.Lock() // it does not come back
	defer f.all[1].gate.Unlock()
	f.all[1].kill()
	<-ended
	follow(f.all[0], f.all[0])
	annas.act("2", ":!start")
	f.until("the game goes on", func() bool { return strings.Contains(annas.newest().Head, "turn") })
}
