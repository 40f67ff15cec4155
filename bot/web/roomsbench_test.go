package web

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
)

// BenchmarkRooms tells what three hundred rooms cost that three pages each follow, a board in each, and how long
// it takes until all pages have a change of their board.
func BenchmarkRooms(b *testing.B) {
	const many, pages = 300, 3
	for range b.N {
		w := New(kept(b, Config{Proxies: must(ParseProxies("127.0.0.1")), Secret: "open sesame street"}))
		url := startsServing(b, w)
		var addresses []string
		for range many {
			address := keepsRoom(b, w, "", time.Now())
			addresses = append(addresses, address)
		}
		before := memory()
		for i := range many {
			if _, err := w.Post(b.Context(), chat.Place(chatOf(int64(i+1))), benchBoard(0)); err != nil {
				b.Fatal(err)
			}
		}
		posted := memory()
		var open []*bufio.Reader
		for i, address := range addresses {
			for page := range pages {
				open = append(open, follows(b, w, url, address, fmt.Sprintf("10.%d.%d.%d", i/250, i%250, page)))
			}
		}
		followed := memory()
		began := time.Now()
		for i := range many {
			if _, err := w.Post(b.Context(), chat.Place(chatOf(int64(i+1))), benchBoard(1)); err != nil {
				b.Fatal(err)
			}
		}
		for _, page := range open {
			for {
				line, err := page.ReadString('\n')
				if err != nil {
					b.Fatal(err)
				}
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

// benchBoard is a board of a usual size.
func benchBoard(news int) chat.Message {
	m := board(7, fmt.Sprint("News ", news))
	m.Tiles = []chat.TileRow{{Tiles: make([]chat.Tile, 12)}}
	for i := range 4 {
		m.People = append(m.People,
			chat.Person{Seat: i, User: "web:0123456789abcdef0123:0", Name: "Somebody", Text: "9"})
	}
	return m
}

// memory is what the process holds of memory, in heap and stacks, once all is collected.
func memory() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// startsServing serves for a benchmark and returns host and port.
func startsServing(b *testing.B, w *Web) string {
	b.Helper()
	l, err := new(net.ListenConfig).Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = ServeOn(b.Context(), l, w.handler(b.Context(), &pretend{})) }()
	return l.Addr().String()
}

// follows opens a page's stream over a bare connection, which costs this side hardly anything, and reads until the
// board has come.
func follows(b *testing.B, w *Web, at, address, from string) *bufio.Reader {
	b.Helper()
	conn, err := new(net.Dialer).DialContext(b.Context(), "tcp", at)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	cookie := http.Cookie{Name: visitorCookie, Value: sealVisitor(w.config.Key, newVisitor("Guest"))}
	fmt.Fprintf(conn, "GET /r/%s/events HTTP/1.1\r\nHost: dice.example\r\nX-Forwarded-For: %s\r\nCookie: %s\r\n\r\n",
		address, from, cookie.String())
	read := bufio.NewReaderSize(conn, 256)
	for {
		line, err := read.ReadString('\n')
		if err != nil {
			b.Fatal(err)
		}
		if strings.Contains(line, "News 0") {
			return read
		}
	}
}
