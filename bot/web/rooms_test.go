package web

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/bot/qr"
)

// makes has a visitor make a room, and returns where it is, below the server's address.
func makes(t *testing.T, c *http.Client, url string) string {
	t.Helper()
	if res, _ := do(t, c, "POST", url+"/me", ""); res.StatusCode != http.StatusOK {
		t.Fatalf("nobody makes a room: %d", res.StatusCode)
	}
	return send[roomPath](t, c, url+"/rooms", struct{}{}).Path
}

// Each room has a feed of its own, and acts of its visitors are told with its place.
func TestRoomsAreApart(t *testing.T) {
	w, b, url, anna, v := enters(t, Config{})
	one, other := makes(t, anna, url), makes(t, anna, url)
	if one == other {
		t.Fatalf("two rooms have one address: %s", one)
	}
	for _, place := range []chat.Place{"web:r-1", "web:r-2", roomPlace} {
		must(w.Post(t.Context(), place, board(1, string(place))))
	}
	for base, place := range map[string]chat.Place{one: "web:r-1", other: "web:r-2", strings.ToLower(one): "web:r-1",
		"": roomPlace} {
		at := url + strings.Replace(base, "/R/", "/r/", 1)
		_, n, _ := listen(t, anna, at, "").next()
		if diff := cmp.Diff([]string{string(place)}, told(n)); diff != "" {
			t.Errorf("%s shows: %s", at, diff)
		}
		send[answer](t, anna, at+"/press", act{Press: "t"})
		if ev, _ := b.last(); ev.Chat != chat.Chat(place) || ev.Place != place || ev.User != v.user(0) {
			t.Errorf("a press in %s is told of %s in %s", at, ev.Chat, ev.Place)
		}
		send[answer](t, anna, at+"/command", act{Text: "/help"})
		if ev, _ := b.last(); ev.Place != place {
			t.Errorf("a command in %s is told of %s", at, ev.Place)
		}
	}
}

func TestUnknownRoomsAnswerAlike(t *testing.T) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	for _, path := range []string{"/r/x", "/r/" + strings.Repeat("A", 26), "/r/" + strings.Repeat("A", 26) + "/me",
		"/r/" + strings.Repeat("A", 26) + "/events", "/r/" + strings.Repeat("A", 500)} {
		res, body := do(t, client(t), "GET", url+path, "")
		want(t, res, http.StatusNotFound)
		if !strings.Contains(body, "There is no room here") || !strings.Contains(body, `href="/"`) {
			t.Errorf("%s says %s", path, body)
		}
	}
}

// The code is that of the address as the browser has it.
func TestTheCodeOfARoomIsItsAddress(t *testing.T) {
	url := serve(t, New(Config{}), &pretend{})
	c := client(t)
	base := makes(t, c, url)
	for _, way := range []struct{ base, proto, address string }{
		{base, "", "http://localhost:81" + base}, {base, "https", "https://localhost:81" + base},
		{"", "", "http://localhost:81/table"},
	} {
		drawn := must(qr.Encode(way.address))
		res, body := do(t, c, "GET", url+way.base+"/qr.svg", "", "Host", "localhost:81", "X-Forwarded-Proto",
			way.proto)
		if body != drawn.SVG() || res.Header.Get("Content-Type") != "image/svg+xml" {
			t.Errorf("%+v: %d %.80s", way, res.StatusCode, body)
		}
	}
}

// An invitation from this computer uses an address that other devices reach.
func TestWhoInvitesFromThisComputerPassesOnWhatOthersReach(t *testing.T) {
	w := New(Config{Secret: "open sesame"})
	url := serve(t, w, &pretend{})
	c := client(t)
	signIn(t, c, url, "open sesame", http.StatusSeeOther)
	base := makes(t, c, url)
	var reach []string
	w.config.Reach = func(own string) []string {
		if own != strings.Replace(url, "127.0.0.1", "localhost", 1)+"/" {
			t.Errorf("others are to reach %s", own)
		}
		return reach
	}
	for _, asked := range []struct {
		head, reach   []string
		origin, shown string
	}{
		{[]string{"Host", "localhost:81"}, []string{"http://192.168.1.5:8080/", "http://[fd00::2]:8080/"},
			"http://192.168.1.5:8080", `data-reach="http://192.168.1.5:8080"`},
		{[]string{"Host", "localhost:81"}, nil, "http://localhost:81", ""},
		{[]string{"Host", "dice.test"}, []string{"http://192.168.1.5:8080/"}, "http://dice.test", ""},
		{[]string{"Host", "localhost:81", "X-Forwarded-For", "198.51.100.1"}, []string{"http://192.168.1.5:8080/"},
			"http://localhost:81", ""},
	} {
		reach = asked.reach
		_, drawn := do(t, c, "GET", url+base+"/qr.svg", "", asked.head...)
		if code := must(qr.Encode(asked.origin + base)); drawn != code.SVG() {
			t.Errorf("%v: the code is not that of %s", asked.head, asked.origin)
		}
		_, page := do(t, c, "GET", url+base, "", asked.head...)
		if !strings.Contains(page, asked.shown) || asked.shown == "" && strings.Contains(page, "data-reach") {
			t.Errorf("%v: the page does not carry %q", asked.head, asked.shown)
		}
	}
}

// jsonText is a value as a page sends it.
func jsonText(value any) (string, error) {
	raw, err := json.Marshal(value)
	return string(raw), err
}

// Ten thousand guesses find nothing, take no memory, and do not keep out who knows an address.
func TestRoomsAreNotGuessed(t *testing.T) {
	w := New(kept(t, Config{Proxies: must(ParseProxies("127.0.0.1"))}))
	b := &pretend{}
	h := w.handler(t.Context(), b)
	v := newVisitor("Anna")
	address := keepsRoom(t, w, v.user(0), time.Now())
	get := func(path, from string) int {
		r := httptest.NewRequest("GET", path, nil)
		r.Host, r.RemoteAddr = "localhost", "127.0.0.1:5"
		if from != "" {
			r.RemoteAddr = from + ":5"
		}
		rw := httptest.NewRecorder()
		h.ServeHTTP(rw, r)
		return rw.Code
	}
	counts := map[int]int{}
	for i := range 10_000 {
		path := "/r/" + rand.Text()
		if i%3 == 0 {
			path += "/events"
		}
		from := "9.9.9.9"
		if i%2 == 0 {
			from = fmt.Sprintf("10.%d.%d.1", i/200, i%200)
		}
		counts[get(path, from)]++
	}
	if counts[http.StatusNotFound]+counts[http.StatusTooManyRequests] != 10_000 ||
		counts[http.StatusTooManyRequests] < 4000 {
		t.Errorf("the guesses are answered %v", counts)
	}
	if n := len(w.guesses.by); n > maxAddresses {
		t.Errorf("%d addresses are remembered", n)
	}
	if n := len(w.rooms.by); n != 1 {
		t.Errorf("%d rooms are in memory", n)
	}
	if get("/r/"+rand.Text(), "9.9.9.9") != http.StatusTooManyRequests {
		t.Error("who has guessed too often may go on")
	}
	if got := get("/r/"+address, "9.9.9.9"); got != http.StatusOK {
		t.Errorf("the right address is answered %d", got)
	}
}

// An invitation opens its room and nothing else, even if the secret is asked for elsewhere.
func TestAnInvitationOpensOneRoomAlone(t *testing.T) {
	for _, guarded := range []bool{false, true} {
		w := New(Config{Secret: "open sesame street", GuardRooms: guarded,
			Operator: map[string]http.Handler{"GET /metrics": http.NotFoundHandler()}})
		url := serve(t, w, &pretend{})
		host := client(t)
		signIn(t, host, url, "open sesame street", http.StatusSeeOther)
		at := makes(t, host, url)
		friend := client(t)
		come := http.StatusOK
		if guarded {
			come = http.StatusUnauthorized
			_, body := do(t, friend, "GET", url+at, "")
			if !strings.Contains(body, `name="to" value="`+at+`"`) {
				t.Errorf("the door does not lead on to the room: %s", body)
			}
		}
		for path, method := range map[string]string{"": "GET", "/fair": "GET", "/me": "POST"} {
			res, _ := do(t, friend, method, url+at+path, "")
			want(t, res, come)
		}
		for path, method := range map[string]string{"/table": "GET", "/rooms": "POST", "/me": "POST",
			"/events": "GET", "/press": "POST", "/command": "POST", "/record?table=1": "GET", "/fair": "GET",
			"/metrics": "GET", "/games": "GET", "/people": "POST", "/qr.svg": "GET"} {
			res, _ := do(t, friend, method, url+path, "{}")
			want(t, res, http.StatusUnauthorized)
		}
	}
}

// The form at the door leads on to pages of ours alone.
func TestTheDoorLeadsOn(t *testing.T) {
	at := serve(t, New(Config{Secret: "open sesame"}), &pretend{})
	room := "/r/" + rand.Text()
	ours := map[string]string{"/table": "/table?in", "/fair": "/fair?in", room: room + "?in"}
	ours[room+"/fair"] = room + "/fair?in"
	for _, to := range []string{"", "/", "//evil.test", "https://evil.test/table", "/table/../x"} {
		ours[to] = "/#in"
	}
	for to, wanted := range ours {
		form := url.Values{"secret": {"open sesame"}, "to": {to}}.Encode()
		res, _ := do(t, client(t), "POST", at+"/sign-in", form, "Content-Type", "application/x-www-form-urlencoded")
		if got := res.Header.Get("Location"); got != wanted {
			t.Errorf("%q leads to %q", to, got)
		}
	}
	form := url.Values{"secret": {"wrong"}, "to": {room}}.Encode()
	_, body := do(t, client(t), "POST", at+"/sign-in", form, "Content-Type", "application/x-www-form-urlencoded")
	if !strings.Contains(body, `value="`+room+`"`) {
		t.Error("a secret that is wrong forgets where it was to lead")
	}
}

// Rooms are made at the pace of people.
func TestRoomsAreMadeSlowly(t *testing.T) {
	w := New(Config{})
	at := serve(t, w, &pretend{})
	for i := range 11 {
		c, _ := enter(t, w, at)
		res, body := do(t, c, "POST", at+"/rooms", "")
		if slow := res.StatusCode == http.StatusTooManyRequests; slow != (i == 10) ||
			slow && !strings.Contains(body, "Wait a minute") {
			t.Errorf("room %d: %d %s", i+1, res.StatusCode, body)
		}
	}
}

// While rooms cannot be read, the page shows the error sentence and tries again by itself.
func TestRoomsThatCannotBeLookedUpAreTriedAgain(t *testing.T) {
	var broke []string
	w := New(Config{Log: slog.New(slog.DiscardHandler),
		Broke: func(r *http.Request) { broke = append(broke, r.Method) }})
	url := serve(t, w, &pretend{})
	c, _ := enter(t, w, url)
	done(t, w.config.Store.Close())
	for _, ask := range [][3]string{{"POST", "/press", ""}, {"GET", "/events", ""}, {"GET", "", "js/offline.js"}} {
		accept := "*/*"
		if ask[2] != "" {
			accept = "text/html"
		}
		res, said := do(t, c, ask[0], url+"/r/AAAAAAAAAAAAAAAAAAAAAAAAAA"+ask[1], "{}", "Accept", accept,
			"Accept-Language", "de")
		want(t, res, http.StatusServiceUnavailable)
		if !strings.Contains(said, w.pages.texts["de"][sorry]) || !strings.Contains(said, ask[2]) ||
			res.Header.Get("Retry-After") == "" {
			t.Errorf("%s %s says %q", ask[0], ask[1], said)
		}
	}
	if len(broke) != 3 {
		t.Errorf("%q were counted", broke)
	}
}
