package web

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/qr"
	"knobel/store"
)

// makeRoom makes a room for a visitor, and returns its path below the server's address.
func makeRoom(t *testing.T, c *http.Client, url string) string {
	t.Helper()
	if res, _ := do(t, c, "POST", url+"/me", ""); res.StatusCode != http.StatusOK {
		t.Fatalf("nobody makes a room: %d", res.StatusCode)
	}
	return postJSON[roomPath](t, c, url+"/rooms", struct{}{}).Path
}

// The QR code holds the room's address as the browser knows it.
func TestTheCodeOfARoomIsItsAddress(t *testing.T) {
	url := serve(t, New(Config{}), &fakeBot{})
	c := newClient(t)
	base := makeRoom(t, c, url)
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
	url := serve(t, w, &fakeBot{})
	c := newClient(t)
	signIn(t, c, url, "open sesame", http.StatusSeeOther)
	base := makeRoom(t, c, url)
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

// Ten thousand guesses find no room, take no memory, and do not keep out people with the right address.
func TestRoomsAreNotGuessed(t *testing.T) {
	w := New(withStore(t, Config{Proxies: must(ParseProxies("127.0.0.1"))}))
	b := &fakeBot{}
	h := w.handler(t.Context(), b)
	v := newVisitor("Anna")
	address := storeRoom(t, w, v.user(0), time.Now())
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
	if n := len(w.guesses.byAddress); n > maxAddresses {
		t.Errorf("%d addresses are remembered", n)
	}
	if n := len(w.rooms.byPlace); n != 1 {
		t.Errorf("%d rooms are in memory", n)
	}
	if get("/r/"+rand.Text(), "9.9.9.9") != http.StatusTooManyRequests {
		t.Error("who has guessed too often may go on")
	}
	if got := get("/r/"+address, "9.9.9.9"); got != http.StatusOK {
		t.Errorf("the right address is answered %d", got)
	}
}

// BenchmarkRooms measures the memory for three hundred rooms with three open pages and a board each, and the time until
// all pages have a change of their board.
func BenchmarkRooms(b *testing.B) {
	const many, pages = 300, 3
	for range b.N {
		w := New(withStore(b, Config{Proxies: must(ParseProxies("127.0.0.1")), Secret: "open sesame street"}))
		url := serveForBenchmark(b, w)
		var addresses []string
		for range many {
			address := storeRoom(b, w, "", time.Now())
			addresses = append(addresses, address)
		}
		before := memoryInUse()
		for i := range many {
			if _, err := w.Post(b.Context(), chat.Place(roomChatOf(int64(i+1))), benchBoard(0)); err != nil {
				b.Fatal(err)
			}
		}
		posted := memoryInUse()
		var open []*bufio.Reader
		for i, address := range addresses {
			for page := range pages {
				open = append(open, openBareStream(b, w, url, address, fmt.Sprintf("10.%d.%d.%d", i/250, i%250, page)))
			}
		}
		followed := memoryInUse()
		began := time.Now()
		for i := range many {
			if _, err := w.Post(b.Context(), chat.Place(roomChatOf(int64(i+1))), benchBoard(1)); err != nil {
				b.Fatal(err)
			}
		}
		for _, page := range open {
			for {
				line, err := page.ReadString('\n')
				done(b, err)
				if strings.Contains(line, "News 1") {
					break
				}
			}
		}
		b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms-to-all")
		b.ReportMetric(float64(posted-before)/many, "B/room")
		b.ReportMetric(float64(followed-posted)/(many*pages), "B/page")
	}
}

// benchBoard returns a board of a usual size; change makes its text differ.
func benchBoard(change int) chat.Message {
	m := board(7, fmt.Sprint("News ", change))
	m.Tiles = []chat.TileRow{{Tiles: make([]chat.Tile, 12)}}
	for i := range 4 {
		m.People = append(m.People,
			chat.Person{Seat: i, User: "web:0123456789abcdef0123:0", Name: "Somebody", Text: "9"})
	}
	return m
}

// memoryInUse returns the bytes of heap and stacks after a garbage collection.
func memoryInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// serveForBenchmark serves w and returns its address, host and port.
func serveForBenchmark(b *testing.B, w *Web) string {
	b.Helper()
	l, err := new(net.ListenConfig).Listen(b.Context(), "tcp", "127.0.0.1:0")
	done(b, err)
	go func() { _ = Serve(b.Context(), l, w.handler(b.Context(), &fakeBot{})) }()
	return l.Addr().String()
}

// openBareStream connects to a server (at), opens a room's stream for a client IP (from), and reads the first board.
func openBareStream(b *testing.B, w *Web, at, address, from string) *bufio.Reader {
	b.Helper()
	conn, err := new(net.Dialer).DialContext(b.Context(), "tcp", at)
	done(b, err)
	b.Cleanup(func() { conn.Close() })
	cookie := http.Cookie{Name: visitorCookie, Value: sealVisitor(w.config.Key, newVisitor("Guest"))}
	fmt.Fprintf(conn, "GET /r/%s/events HTTP/1.1\r\nHost: dice.example\r\nX-Forwarded-For: %s\r\nCookie: %s\r\n\r\n",
		address, from, cookie.String())
	read := bufio.NewReaderSize(conn, 256)
	for {
		line, err := read.ReadString('\n')
		done(b, err)
		if strings.Contains(line, "News 0") {
			return read
		}
	}
}

// A removed person is not present, even with a page opened a moment before, and does not become host.
func TestWhoWasShownOutIsNotHere(t *testing.T) {
	r, ben := New(Config{}).newRoom("web:r-1"), newVisitor("Ben")
	r.openPage(ben, time.Now())
	left := r.removeVisitor(ben.user(0), r.removalHash(ben.Prefix))
	r.openPage(ben, time.Now())
	next, _ := r.checkHost(time.Now().Add(2*hostAway), time.Now().Add(-2*hostAway))
	if all := r.presentPeople(); len(all) > 0 || len(left) != 1 || left[0] != ben.user(0) || next.user != "" {
		t.Errorf("here are %v, next is %v, %v have left", all, next, left)
	}
}

// The room keeps only the newest reactions (signs) for pages that read slowly.
func TestSignsAreForgotten(t *testing.T) {
	r, ben := New(Config{}).newRoom("web:r-1"), newVisitor("Ben")
	for range 40 {
		r.showSign(ben, ben.People[0], "fire")
	}
	if len(r.signs) != maxSigns || r.signs[maxSigns-1].number != 40 {
		t.Errorf("kept are %+v", r.signs)
	}
}

// A visitor is gone a moment after closing their last page.
func TestWhoHasNoPageIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(Config{}).newRoom("web:r-1")
		v := newVisitor("Anna")
		began := time.Now()
		r.openPage(v, began)
		r.openPage(v, began)
		r.closePage(v, began)
		if all := r.presentPeople(); len(all) != 1 {
			t.Errorf("with a page open: %v", all)
		}
		r.closePage(v, began)
		if all := r.presentPeople(); len(all) != 1 {
			t.Errorf("a moment after: %v", all)
		}
		_, _, _, next := r.changesSince(0)
		<-next
		if all := r.presentPeople(); len(all) != 0 || time.Since(began) != linger {
			t.Errorf("%v after: %v", time.Since(began), all)
		}
	})
}

// A host away for a day is replaced by the person who has been present longest.
func TestAHostWhoStaysAwayIsHostNoMore(t *testing.T) {
	w := New(withStore(t, Config{}))
	w.started = time.Now().Add(-48 * time.Hour)
	ctx, anna, ben, clara := t.Context(), newVisitor("Anna"), newVisitor("Ben"), newVisitor("Clara")
	now := time.Now().Truncate(time.Millisecond) // as it is stored
	address := storeRoom(t, w, anna.user(0), now)
	kept, _, _ := w.storedRoomAt(ctx, address)
	room := w.openRoom(kept, address)
	room.openPage(ben, now)
	room.openPage(clara, now.Add(time.Second))
	host := func() chat.User {
		kept, _, _ := w.storedRoomAt(context.Background(), address)
		return chat.User(kept.Host)
	}
	if err := w.upkeep(ctx, now.Add(hostAway)); err != nil || host() != anna.user(0) {
		t.Errorf("after a day: %v, %v", host(), err)
	}
	if err := w.upkeep(ctx, now.Add(hostAway+time.Minute)); err != nil || host() != ben.user(0) {
		t.Errorf("after more than a day: %v, %v", host(), err)
	}
	_, entries, _, _ := room.changesSince(0)
	drawn, _ := room.drawAll(ctx, visitor{Lang: "en"}, entries, true)
	const said = "The host was away for a day. Ben is the host of this room now."
	if len(drawn) != 1 || drawn[0].Message.Head != said {
		t.Errorf("all are told %+v", drawn)
	}
}

// An unused room leaves memory, and comes back with the next visitor.
func TestRoomsLeaveMemory(t *testing.T) {
	t.Parallel() // it waits until the visitor of a closed page is gone
	w, _, url, c, v := serveWithBrowser(t, Config{})
	at := url + makeRoom(t, c, url)
	do(t, c, "GET", at, "")
	room := w.rooms.get("web:r-1")
	room.openPage(v, time.Now())
	later := func(after time.Duration) {
		t.Helper()
		done(t, w.upkeep(t.Context(), time.Now().Add(after)))
	}
	later(2 * unusedIn)
	if w.rooms.get("web:r-1") != room {
		t.Fatal("a room that is followed leaves memory")
	}
	room.closePage(v, time.Now())
	for len(room.presentPeople()) > 0 {
		_, _, _, next := room.changesSince(0)
		if len(room.presentPeople()) > 0 {
			<-next
		}
	}
	later(3 * unusedIn)
	if w.rooms.byPlace["web:r-1"] != nil {
		t.Fatal("a room that nobody follows stays in memory")
	}
	if _, err := w.Post(t.Context(), "web:r-1", board(1, "While nobody looks.")); err != nil {
		t.Errorf("post into a room that is not in memory: %v", err)
	}
	do(t, c, "GET", at, "")
	if again := w.rooms.get("web:r-1"); again == room || !again.synced {
		t.Error("the room is not drawn for the next visitor")
	}
}

// Rooms unused for thirty days are deleted, once an hour.
func TestIdleRoomsAreForgotten(t *testing.T) {
	w := New(withStore(t, Config{}))
	now := time.Now()
	for _, c := range []struct {
		used, after time.Duration
		there       bool
	}{{-idleFor, -time.Minute, true}, {-idleFor, 0, true}, {-2 * idleFor, 58 * time.Minute, true},
		{-2 * idleFor, time.Hour, false}} {
		address := storeRoom(t, w, "", now.Add(c.used))
		done(t, w.upkeep(t.Context(), now.Add(c.after)))
		if _, there, err := w.storedRoomAt(t.Context(), address); there != c.there || err != nil {
			t.Errorf("%+v: %v, %v", c, there, err)
		}
	}
}

// storeRoom stores a room whose host was last present at a time, and returns its address.
func storeRoom(t testing.TB, w *Web, host chat.User, at time.Time) (address string) {
	t.Helper()
	address = rand.Text()
	kept := store.WebRoom{Print: addressHash(address), Host: string(host), Made: at.UnixMilli(), Used: at.UnixMilli(),
		Seen: at.UnixMilli()}
	must(w.update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Rooms.MakeWebRoom(kept, func(number int64) string { return string(roomChatOf(number)) })
		return err
	}))
	return address
}
