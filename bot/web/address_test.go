package web

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"knobel/bot/chat"
)

func TestAddressesBehindProxies(t *testing.T) {
	for _, c := range []struct{ proxies, remote, forwarded, want string }{
		{"", "203.0.113.7:4000", "", "203.0.113.7"},
		{"", "203.0.113.7:4000", "198.51.100.1", "203.0.113.7"}, // anybody may write that
		{"127.0.0.1", "203.0.113.7:4000", "198.51.100.1", "203.0.113.7"},
		{"127.0.0.1", "127.0.0.1:4000", "", "127.0.0.1"},
		{"127.0.0.1", "127.0.0.1:4000", "198.51.100.1", "198.51.100.1"},
		// the first part came with the request
		{"127.0.0.1", "127.0.0.1:4000", "192.0.2.9, 198.51.100.1", "198.51.100.1"},
		{"127.0.0.1, 10.0.0.0/8", "127.0.0.1:4000", "192.0.2.9, 198.51.100.1,10.1.2.3", "198.51.100.1"},
		{"127.0.0.1,10.0.0.0/8", "127.0.0.1:4000", "10.9.9.9", "10.9.9.9"},
		{"127.0.0.1", "127.0.0.1:4000", "nobody", "127.0.0.1"},
		{"127.0.0.1", "127.0.0.1:4000", "198.51.100.1, nobody", "127.0.0.1"},
		{"127.0.0.1", "[::ffff:127.0.0.1]:4000", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"},
		{"::1", "[::1]:4000", "::ffff:198.51.100.1", "198.51.100.1"},
		{"", "@", "198.51.100.1", "@"},
	} {
		proxies, err := ParseProxies(c.proxies)
		done(t, err)
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		for part := range strings.SplitSeq(c.forwarded, ", ") {
			r.Header.Add("X-Forwarded-For", part)
		}
		if got := New(Config{Proxies: proxies}).address(r); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	for _, wrong := range []string{"proxy", "10.0.0.0/40", "127.0.0.1;10.0.0.1", "127.0.0.1:80"} {
		if _, err := ParseProxies(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// An unknown proxy is logged once, without the addresses behind it.
func TestAProxyThatNobodyHasNamedIsToldOf(t *testing.T) {
	for _, c := range []struct {
		proxies Proxies
		lines   int
	}{{nil, 1}, {must(ParseProxies("127.0.0.1")), 0}} {
		var log bytes.Buffer
		url := serve(t, New(Config{Secret: "s", Proxies: c.proxies, Log: slog.New(slog.NewTextHandler(&log, nil))}),
			&pretend{})
		for range 5 {
			do(t, client(t), "POST", url+"/sign-in", "secret=guess", "Content-Type",
				"application/x-www-form-urlencoded", "X-Forwarded-For", "198.51.100.1")
		}
		if n := strings.Count(log.String(), "KNOBEL_PROXIES"); n != c.lines ||
			strings.Contains(log.String(), "198.51.100.1") {
			t.Errorf("with the proxies %v the log says %d times:\n%s", c.proxies, n, log.String())
		}
	}
}

// Without a secret, what speaks HTTP/1.0 is taken for a proxy and refused.
func TestWithoutASecretHTTP10IsRefused(t *testing.T) {
	at := serve(t, New(Config{}), &pretend{})
	port := at[strings.LastIndex(at, ":")+1:]
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	done(t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "GET / HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n", port)
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.Contains(string(answer), " 421 ") {
		t.Errorf("what speaks HTTP/1.0 gets %v %s", err, answer)
	}
}

// Neither an address, a visitor, a room nor a larger network takes the places of all others, and guests leave places
// for hosts and seated people, at one's own address, too.
func TestStreamsOfOneAddressLeaveRoomForOthers(t *testing.T) {
	w := New(Config{Proxies: must(ParseProxies("192.0.2.1"))})
	follow := func(from, id string, leads bool) bool {
		r := httptest.NewRequest("GET", "/events", nil)
		r.RemoteAddr = "192.0.2.1:99"
		r.Header.Set("X-Forwarded-For", from)
		return w.streams.enter(w.claims(r, visitor{ID: id}), leads) != nil
	}
	for name, c := range map[string]struct {
		from, id string // with the number of the page
		most     int
	}{
		"an IPv4 address": {"198.51.100.7", "v%d", maxStreamsEach},
		"a /64":           {"2001:db8::%x", "v%d", maxStreamsEach},
		"a /56":           {"2001:db8:0:%x::1", "v%d", maxStreams56},
		"a /48":           {"2001:db8:0:%x00::1", "v%d", maxStreams48},
		"a visitor":       {"198.51.100.%d", "v", maxStreamsVisitor},
		"a room":          {"2001:db8:%x::1", "v%d", maxStreamsRoom},
	} {
		for _, leads := range []bool{false, true} {
			w.streams = newStreams(maxStreams, maxStreamsEach)
			n := 0
			for n <= maxStreams && follow(numbered(c.from, n), numbered(c.id, n), leads) {
				n++
			}
			if n != c.most {
				t.Errorf("%s has %d places", name, n)
			}
			if !leads && !follow(numbered(c.from, n), numbered(c.id, n), true) {
				t.Errorf("%s leaves none for hosts", name)
			}
		}
	}
}

// numbered is a text with a number, where it has a place for one.
func numbered(text string, n int) string {
	if !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, n)
}

// A closed stream frees its place, and a part is reserved for hosts and seated people.
func TestStreamsThatLeaveMakeRoom(t *testing.T) {
	s := newStreams(16, 64)
	one := []claim{{"a", 64}}
	var all []*slot
	for _, leads := range []bool{false, true} {
		for place := s.enter(one, leads); place != nil; place = s.enter(one, leads) {
			all = append(all, place)
		}
		if want := map[bool]int{false: 14, true: 16}[leads]; len(all) != want {
			t.Errorf("%d have places, not %d", len(all), want)
		}
	}
	for _, place := range all {
		place.leave()
	}
	if s.all != 0 || len(s.by) != 0 {
		t.Errorf("%d are left: %v", s.all, s.by)
	}
}

// A viewer who leaves their seat follows as a guest, or no longer if guests have no place left.
func TestWhoGetsUpLeavesThePlaceOfThoseWhoSit(t *testing.T) {
	w := New(Config{})
	w.streams = newStreams(16, 1) // one guest and one who sits have this address
	url := serve(t, w, &pretend{})
	anna, a := enter(t, w, url)
	ben, b := enter(t, w, url)
	m := board(1, "x")
	m.People = []chat.Person{{User: a.user(0), Name: "Anna"}}
	ref := must(w.Post(t.Context(), roomPlace, m))
	sits := func(people ...chat.Person) {
		m.People = people
		done(t, w.Edit(t.Context(), roomPlace, ref, m))
	}
	first := listen(t, anna, url, "")
	first.next()
	sits(chat.Person{User: b.user(0), Name: "Ben"})
	first.next()
	second := listen(t, ben, url, "")
	if _, _, ok := second.next(); !ok {
		t.Fatal("who sits there now has no place")
	}
	sits()
	for ok := true; ok; {
		_, _, ok = second.next()
	}
	first.next()
}

func TestATakenPortIsNamedWithAWayOut(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	done(t, err)
	defer l.Close()
	addr := l.Addr().String()
	err = New(kept(t, Config{Listen: addr})).Run(t.Context(), nil)
	if err == nil {
		t.Fatal("two programs listen on one port")
	}
	for _, word := range []string{addr, "taken", "--listen", "KNOBEL_LISTEN"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %s", err, word)
		}
	}
}

func TestBeyondThisMachineASecretIsDemanded(t *testing.T) {
	ended, stop := context.WithCancel(t.Context())
	stop()
	for _, addr := range []string{":8080", "0.0.0.0:0", "[::]:0", "192.0.2.1:80", "knobel.example:80"} {
		err := New(Config{Listen: addr}).Run(ended, nil)
		if err == nil || !strings.Contains(err.Error(), "KNOBEL_WEB_SECRET") {
			t.Errorf("%s: %v", addr, err)
		}
	}
	for _, addr := range []string{"127.0.0.1:80", "localhost:80", "[::1]:80", "127.8.9.1:80"} {
		if !Loopback(addr) {
			t.Errorf("%s counts as reachable from elsewhere", addr)
		}
	}
}
