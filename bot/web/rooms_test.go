package web

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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
