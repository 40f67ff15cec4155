package scenario

// The page of a browser room: actions are sent as the page's scripts send them. Messages come in the stream of events
// and in private answers.

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games"
)

// page is the page in one browser. Browsers.mu guards what it shows.
type page struct {
	*Browsers
	http.Client
	language string
	user     string // the player's id
	run      int    // number of the bot that it follows, 0: none yet
	heard    string // id of the newest event
	feed     []string
	boards   map[string]Message
	calls    []Message
	notes    []Message
	acts     int
}

// newPage opens the page in a new browser and follows the room until the test ends.
func (b *Browsers) newPage(language string) *page {
	jar, err := cookiejar.New(nil)
	check(b.t, err)
	p := &page{Browsers: b, language: language, boards: map[string]Message{}}
	p.Client = http.Client{Jar: jar, Transport: &http.Transport{DialContext: b.dial, IdleConnTimeout: time.Minute}}
	b.open.Go(func() {
		defer p.CloseIdleConnections()
		for b.ends.Err() == nil {
			again := b.news.Next()
			p.follow()
			select {
			case <-again:
			case <-time.After(time.Second): // the delay that the stream asks for
			case <-b.ends.Done():
			}
		}
	})
	return p
}

// request sends an HTTP request as the page's scripts do. lastEvent is the id of the newest event, "" for none.
func (p *page) request(method, path string, body []byte, lastEvent string) (*http.Response, error) {
	p.mu.Lock()
	address := p.at
	p.mu.Unlock()
	if address == "" {
		return nil, errors.New("nobody listens")
	}
	r, err := http.NewRequestWithContext(p.ends, method, address+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept-Language", p.language)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if r.Header.Set("Content-Type", "application/json"); lastEvent != "" {
		r.Header.Set("Last-Event-ID", lastEvent)
	}
	return p.Do(r)
}

// post sends value as JSON, a second time if the connection breaks, and decodes the response into answer.
func (p *page) post(path string, value, answer any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	res, err := p.request("POST", path, body, "")
	if err != nil {
		res, err = p.request("POST", path, body, "")
	}
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		p.t.Errorf("%s %s is answered %s", path, body, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(answer)
}

// stream opens the stream of events after lastEvent. read decodes the next event and returns its id; !ok: it has ended.
// It skips the lines that people write to each other.
func (p *page) stream(lastEvent string) (read func(any) (id string, ok bool), closeStream func() error, err error) {
	res, err := p.request("GET", "/events", nil, lastEvent)
	if err != nil {
		return nil, nil, err
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<24)
	return func(event any) (id string, ok bool) {
		said := false
		for lines.Scan() {
			kind, text, _ := strings.Cut(lines.Text(), ": ")
			switch {
			case kind == "id":
				id = text
			case kind == "event":
				said = text == "said"
			case kind == "data" && !said:
				if err := json.Unmarshal([]byte(text), event); err != nil {
					p.t.Errorf("event %q: %v", text, err)
				}
				return id, true
			}
		}
		return "", false
	}, res.Body.Close, nil
}

// news is an event of the stream.
type news struct {
	All     []string
	Entries []struct {
		Ref     string
		Message chat.Message
	}
	Calls []struct {
		Ref, Text, Board string
		Off              chat.Button
		Offers           []chat.Button
	}
}

// follow opens the page and shows the events of the stream until the connection breaks.
func (p *page) follow() {
	p.mu.Lock()
	at, run, heard, known := p.at, p.Browsers.run, p.heard, p.user != ""
	p.mu.Unlock()
	if !known {
		if p.post("/me", struct{}{}, &struct{}{}) != nil {
			return
		}
		user := userOf(p.Jar.Cookies(&url.URL{Scheme: "http", Host: strings.TrimPrefix(at, "http://")}))
		p.do(func() { p.user = user })
	}
	read, closes, err := p.stream(heard)
	if err != nil {
		return
	}
	defer closes()
	p.mu.Lock()
	other := p.Browsers.run != run
	p.mu.Unlock()
	for !other {
		var now news
		id, ok := read(&now)
		if !ok {
			p.do(func() { p.run = 0 })
			return
		}
		p.do(func() {
			p.run, p.heard = run, id
			p.apply(now)
		})
	}
}

// userOf returns the player's id from the page's cookie, "" if there is none.
func userOf(cookies []*http.Cookie) string {
	for _, c := range cookies {
		text, _, _ := strings.Cut(c.Value, ".")
		var visitor struct{ V string }
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err == nil && json.Unmarshal(raw, &visitor) == nil && visitor.V != "" {
			sum := sha256.Sum256([]byte("knobel visitor " + visitor.V))
			return fmt.Sprintf("web:%x:0", sum[:10])
		}
	}
	return ""
}

// pageMessage returns a message as the page shows it.
func pageMessage(m chat.Message) Message {
	seen := Message{Pictures: map[string]string{}}
	for _, b := range slices.Concat(m.Buttons...) {
		seen.Buttons = append(seen.Buttons, Button{Label: b.Label, Data: b.Press, Picked: b.Style == games.Success})
	}
	if m.Picture != nil {
		seen.Pictures["picture"] = m.Picture.Alt
	}
	if m.File != nil {
		seen.File = m.File.Bytes
	}
	m.Buttons = nil
	seen.Text = plain.Text(m, "")
	return seen
}

// apply shows the changes of an event on the page.
func (p *page) apply(ev news) {
	for _, e := range ev.Entries {
		m := pageMessage(e.Message)
		if m.ID = e.Ref; slices.Contains(p.feed, m.ID) {
			m.Edits = p.boards[m.ID].Edits + 1
		}
		p.boards[m.ID] = m
	}
	p.feed, p.calls = ev.All, nil
	for _, c := range ev.Calls {
		if len(c.Offers) > 0 {
			m := pageMessage(chat.Message{Head: c.Text, Buttons: [][]chat.Button{c.Offers}})
			m.ID, m.Answers = c.Ref, c.Board
			p.calls = append(p.calls, m)
			continue
		}
		p.calls = append(p.calls, Message{
			ID: c.Ref, Text: c.Text, Alone: true, Answers: c.Board, Calls: []string{p.user},
			Buttons: []Button{{Label: c.Off.Label, Data: c.Off.Press}},
		})
	}
}

// messages returns the messages on the page: the room's, pings, and private answers.
func (p *page) messages() (all []Message) {
	for _, ref := range p.feed {
		all = append(all, p.boards[ref])
	}
	return slices.Concat(all, p.calls, p.notes)
}

// maxNotes is how many private answers a page keeps.
const maxNotes = 5

// act posts action to path at a person's pace, and shows the answer. on is the id of the pressed message, "" for none.
func (p *page) act(path string, action map[string]any, on string) Deed {
	const interval, burst = 50 * time.Millisecond, 40
	p.mu.Lock()
	p.acts++
	action["id"] = fmt.Sprint(p.acts)
	if full := time.Now().Add(-burst * interval); p.next.Before(full) {
		p.next = full
	}
	p.next = p.next.Add(interval)
	pace := time.Until(p.next)
	p.mu.Unlock()
	told, answered := "", false
	p.open.Go(func() {
		time.Sleep(pace)
		var a struct {
			Toast   string
			Private *chat.Message
		}
		if err := p.post(path, action, &a); err != nil {
			a.Toast = "unsent: " + err.Error()
		}
		p.do(func() {
			if told, answered = a.Toast, true; a.Private == nil {
				return
			}
			m := pageMessage(*a.Private)
			m.Alone = true
			if i := slices.IndexFunc(p.notes, func(n Message) bool { return n.ID == on }); i >= 0 {
				m.ID, m.Edits = on, p.notes[i].Edits+1 // the answer replaces the one with the pressed button
				p.notes[i] = m
				return
			}
			m.ID = fmt.Sprint("note ", action["id"])
			p.notes = append(p.notes[max(len(p.notes)+1-maxNotes, 0):], m)
			if on == "" || len(m.Buttons) == 0 {
				told = m.Text
			}
		})
	})
	return func() (string, bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return told, answered
	}
}
