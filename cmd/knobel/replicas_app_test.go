package main

import (
	"encoding/json"
	"io"
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
	page := func(at int) string { return "http://" + f.all[at].listen + "/embed" }
	f.env = append(f.env, "KNOBEL_TELEGRAM_TOKEN="+telegramToken, "KNOBEL_TELEGRAM_API_URL="+meeting.URL(),
		"KNOBEL_PUBLIC_URL="+strings.TrimSuffix(page(0), "/embed"), "KNOBEL_TELEGRAM_APP=dice",
		"KNOBEL_PROXIES=127.0.0.1")
	f.start(f.all...)
	anna, group := telegramtest.Person{ID: 7, First: "Anna", Language: "en"}, meeting.Group("Friends")
	group.Say(anna, "/shutbox 3 tiles=3")
	f.until("a table", func() bool { return len(group.Messages()) > 0 && len(group.Messages()[0].Keyboard) > 0 })

	bearer := ""
	ask := func(at int, path, body, from string) (status int, got struct{ Bearer, Ticket, Refused string }) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "POST", page(at)+path, strings.NewReader(body))
		check(t, err)
		for _, head := range [][2]string{{"Content-Type", "application/json"}, {"Authorization", "Bearer " + bearer},
			{"X-Forwarded-For", from}} {
			r.Header.Set(head[0], head[1])
		}
		res, err := http.DefaultClient.Do(r)
		check(t, err)
		defer res.Body.Close()
		raw, err := io.ReadAll(res.Body)
		check(t, err)
		_ = json.Unmarshal(raw, &got) // other answers have none of these
		return res.StatusCode, got
	}
	launch := group.Launch(anna, map[string]string{"start_param": "t1"})
	status, in := ask(0, "/telegram", launch, "192.0.2.1")
	if status != http.StatusOK {
		t.Fatalf("signing in answers %d %+v", status, in)
	}
	if status, got := ask(1, "/telegram", launch, "192.0.2.2"); status != http.StatusUnauthorized ||
		got.Refused != "replayed" {
		t.Errorf("the same data from elsewhere: %d %+v", status, got)
	}
	if status, got := ask(1, "/telegram", launch, "192.0.2.1"); status != http.StatusOK {
		t.Errorf("a reload: %d %+v", status, got)
	}
	bearer = in.Bearer
	follow := func(from, at int) (v *visitor, ended chan struct{}) {
		_, got := ask(from, "/ticket", "", "")
		v = &visitor{client: &http.Client{}, base: page(at), query: "?ticket=" + got.Ticket,
			news: make(chan struct{}, 1)}
		ended = make(chan struct{})
		go func() {
			defer close(ended)
			v.follow(t.Context())
		}()
		f.until("the page shows the table", func() bool { return v.newest().Table == 1 })
		if status, _ := getText(t, page(from)+"/events"+v.query); status != http.StatusUnauthorized {
			t.Errorf("a used ticket is answered %d", status)
		}
		return v, ended
	}
	v, ended := follow(0, 1)
	press := func(press, id string) (status int) {
		status, _ = ask(0, "/press", `{"id":"`+id+`","press":"`+press+`","on":"`+string(v.ref)+`"}`, "")
		return status
	}
	if status := press("1:1:0:!house random", "1"); status != http.StatusOK {
		t.Errorf("the press is answered %d", status)
	}
	f.until("the page shows the computer", func() bool { return len(v.newest().People) == 2 })
	f.all[1].gate.Lock() // it does not come back
	defer f.all[1].gate.Unlock()
	f.all[1].kill()
	<-ended
	v, _ = follow(0, 0)
	f.until("the game goes on", func() bool {
		press("1:1:0:!start", "2")
		return strings.Contains(v.newest().Head, "turn")
	})
}
