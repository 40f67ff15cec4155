package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/telegram"
	"knobel/bot/telegram/telegramtest"
	"knobel/bot/web"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/store"
	"knobel/store/storetest"
)

// clients are a running bot on Telegram, and the address of the pages of its Mini App.
type clients struct {
	*testing.B
	server *telegramtest.Server
	page   string // host and port
}

// runApp runs a bot with the store until the benchmark ends.
func runApp(b *testing.B, st *store.Store) *clients {
	c := &clients{B: b, server: telegramtest.Start(b, telegramtest.Options{Guest: true, Forget: true})}
	l, err := new(net.ListenConfig).Listen(b.Context(), "tcp", "127.0.0.1:0")
	check(b, err)
	c.page = l.Addr().String()
	log, said := slog.New(slog.DiscardHandler), wordstest.Of(b, kniffel.Games...)
	knobel := wiring.New(bot.Config{Store: st, Games: kniffel.Games, Words: said, Log: log})
	adapter := telegram.New(telegram.Options{Token: c.server.Token(), URL: c.server.URL(), Log: log,
		App: telegram.App{Name: "dice", URL: "http://" + c.page + telegram.AppPath, Words: pageWords()}})
	w := web.New(web.Config{Listener: l, Key: bytes.Repeat([]byte{7}, 32), Secret: "0123456789abcdef",
		Words: pageWords(), Log: log,
		Proxies: web.Proxies{netip.MustParsePrefix("127.0.0.0/8")}, Store: st, Call: knobel.Calls.Sent,
		Pages: knobel.Pages()})
	w.Embed(web.Embedding{Origin: "http://" + c.page, Doors: []chat.Door{adapter}})
	knobel.Outbox.Embed(w)
	fakes.Running(b, func(ctx context.Context) error {
		knobel.Run(ctx, adapter, w)
		return nil
	})
	return c
}

// client is the Mini App of one person, open at a table.
type client struct {
	*clients
	from   string // the address
	bearer string
	socket *websocket.Conn
	board  AppBoard
}

// post sends a body, and decodes the answer.
func (c *client) post(path, body string, answer any) error {
	r, err := http.NewRequestWithContext(c.Context(), "POST", "http://"+c.page+"/embed/"+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+c.bearer)
	r.Header.Set("X-Forwarded-For", c.from)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is answered %s", path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(answer)
}

// press presses a button of the page. A refusal is an error.
func (c *client) press(data string) error {
	var got struct {
		Toast   string
		Refused bool
	}
	what := map[string]any{"id": fmt.Sprint(time.Now().UnixNano()), "press": data, "on": c.board.Ref}
	err := c.post("press", string(must(json.Marshal(what))), &got)
	if err == nil && got.Refused {
		err = errors.New(data + ": " + got.Toast)
	}
	return err
}

// opens signs a person in who has launched the app, and follows the table by a WebSocket.
func (c *clients) opens(from, launch string) (*client, error) {
	a := &client{clients: c, from: from}
	var got struct{ Bearer, Ticket string }
	if err := a.post("telegram", launch, &got); err != nil {
		return nil, err
	}
	a.bearer = got.Bearer
	if err := a.post("ticket", "{}", &got); err != nil {
		return nil, err
	}
	socket, res, err := websocket.DefaultDialer.DialContext(c.Context(),
		"ws://"+c.page+"/embed/events?ticket="+got.Ticket, http.Header{"X-Forwarded-For": {from}})
	if err != nil {
		return nil, err
	}
	a.socket = socket
	c.Cleanup(func() { socket.Close() })
	return a, errors.Join(res.Body.Close(), socket.SetReadDeadline(time.Now().Add(fakes.Patience)))
}

// until reads events until the page has a board for which holds returns true.
func (c *client) until(holds func(chat.Message) bool) error {
	for !holds(c.board.Message) {
		var m struct {
			Event string
			Data  struct{ Entries []AppBoard }
		}
		if err := c.socket.ReadJSON(&m); err != nil {
			return err
		}
		for _, entry := range m.Data.Entries {
			c.board = entry
		}
	}
	return nil
}

// gather opens a game of Kniffel in the group with a number, with three people in the app.
func (c *clients) gather(number int) (pages []*client, err error) {
	group := c.server.Supergroup(fmt.Sprint("Friends ", number), false)
	var people []telegramtest.Person
	for i, name := range []string{"Anna", "Ben", "Clara"} {
		people = append(people, telegramtest.Person{ID: int64(7_000_000 + 3*number + i), First: name, Language: "en"})
		group.Say(people[i], []string{"/kniffel", "Hello", "Hello"}[i]) // the bot lets in people that it has seen
	}
	table, late := int64(0), time.Now().Add(fakes.Patience)
	for ; table == 0 && time.Now().Before(late); time.Sleep(time.Millisecond) {
		for _, m := range group.Messages() {
			for _, button := range slices.Concat(m.Keyboard...) {
				_, _ = fmt.Sscanf(button.Data, "1:%d:0:!join", &table)
			}
		}
	}
	for i, p := range people {
		a, err := c.opens(fmt.Sprint("10.0.0.", number), group.Launch(p, map[string]string{
			"start_param": fmt.Sprint("t", table)}))
		if err == nil && i > 0 {
			err = a.press(fmt.Sprintf("1:%d:0:!join", table))
		}
		if err != nil {
			return nil, err
		}
		pages = append(pages, a)
	}
	return pages, pages[0].press(fmt.Sprintf("1:%d:0:!start", table))
}

// latencies are how long after presses all pages showed the board, and the presses were answered.
type latencies struct {
	sync.Mutex
	shown, answered []time.Duration
}

// play makes presses in the pages of a table, at a person's pace.
func (l *latencies) play(pages []*client, presses int) error {
	looks := func(m chat.Message) string { return m.Head + fmt.Sprint(m.Dice) }
	for _, page := range pages {
		if err := page.until(func(m chat.Message) bool { return m.Sheet != nil }); err != nil {
			return err
		}
	}
	for range presses {
		time.Sleep(leisure)
		mover := slices.IndexFunc(pages, func(c *client) bool { return sheetPress(pageMessage(c.board.Message)) != "" })
		if mover < 0 {
			return errors.New("no page has a button")
		}
		press := sheetPress(pageMessage(pages[mover].board.Message))
		answered, pressed := make(chan error, 1), time.Now()
		var took time.Duration
		go func() {
			err := pages[mover].press(press)
			took = time.Since(pressed)
			answered <- err
		}()
		for _, page := range pages {
			before := looks(page.board.Message)
			if err := page.until(func(m chat.Message) bool { return looks(m) != before }); err != nil {
				return err
			}
		}
		shown := time.Since(pressed)
		if err := <-answered; err != nil {
			return err
		}
		l.Lock()
		l.shown, l.answered = append(l.shown, shown), append(l.answered, took)
		l.Unlock()
	}
	return nil
}

// within returns the time in milliseconds that this share of all, which it sorts, do not exceed.
func within(share float64, all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[int(math.Ceil(share*float64(len(all))))-1].Microseconds()) / 1000
}

// BenchmarkPressInTheApp measures how long after a press in the Mini App all pages of the table show the new board,
// beside how long the answer to the press takes. Three people play in each of twenty groups, at a person's pace.
func BenchmarkPressInTheApp(b *testing.B) {
	const groups = 20
	c := runApp(b, storetest.Open(b))
	var all [groups][]*client
	for i := range all {
		pages, err := c.gather(i)
		check(b, err)
		all[i] = pages
	}
	var took latencies
	var playing sync.WaitGroup
	for i, pages := range all {
		playing.Go(func() {
			time.Sleep(time.Duration(i) * leisure / groups) // not all press at once
			if err := took.play(pages, (b.N+groups-1)/groups); err != nil {
				b.Error(err)
			}
		})
	}
	playing.Wait()
	if b.Failed() {
		return
	}
	shown, answered := within(0.95, took.shown), within(0.95, took.answered)
	b.ReportMetric(within(0.5, took.shown), "p50-ms")
	b.ReportMetric(shown, "p95-ms")
	b.ReportMetric(answered, "p95-answer-ms")
	b.ReportMetric(shown/answered, "times-answer")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkMention measures how long a mention waits for its answer in a chat where the bot is a guest: with the
// database, and after that was closed.
func BenchmarkMention(b *testing.B) {
	st := storetest.Open(b)
	c := runApp(b, st)
	there, anna := c.server.Foreign(-1001), telegramtest.Person{ID: 7_000_000, First: "Anna", Language: "en"}
	measure := func() float64 {
		var took []time.Duration
		for range b.N {
			began := time.Now()
			query := there.Mention(anna, "@KnobelBot kniffel 10")
			check(b, c.server.Wait(b.Context(), func() bool { return c.server.Sent(query) != "" }))
			took = append(took, time.Since(began))
		}
		return within(0.95, took)
	}
	with := measure()
	check(b, st.Close())
	without := measure()
	b.ReportMetric(with, "p95-ms")
	b.ReportMetric(without, "p95-away-ms")
	b.ReportMetric(without/with, "times-away")
	b.ReportMetric(0, "ns/op")
}
