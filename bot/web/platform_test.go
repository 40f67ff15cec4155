package web

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
)

// table is a browser table with one browser.
type table struct {
	*testing.T
	browser   *http.Client
	listening chan string            // where the page is, at each start
	url       string                 // "": it has not been read since the last start
	answers   atomic.Pointer[string] // all that were given, one after the other
	acts      atomic.Int64
}

// at is where the page is, once it is.
func (b *table) at() string {
	if b.url == "" {
		b.url = strings.TrimSuffix(<-b.listening, "/")
		res, _ := do(b.T, b.browser, "POST", b.url+"/me", "")
		want(b.T, res, http.StatusOK)
	}
	return b.url
}

// sends does something and keeps the answer.
func (b *table) sends(path string, a act) {
	a.ID = fmt.Sprint(b.acts.Add(1))
	got := send[answer](b.T, b.browser, b.at()+path, a)
	if got.Private != nil {
		got.Toast += got.Private.Head
	}
	all := *b.answers.Load() + got.Toast + "\n"
	b.answers.Store(&all)
}

// room is what the page shows.
func (b *table) room() news {
	s := listen(b.T, b.browser, b.at(), "")
	defer s.res.Body.Close()
	_, now, _ := s.next()
	return now
}

func TestPlatform(t *testing.T) {
	platformtest.Run(t, func(t *testing.T) platformtest.Venue {
		b := &table{T: t, browser: client(t), listening: make(chan string, 1)}
		b.answers.Store(new(string))
		return platformtest.Venue{
			Place: roomPlace, Stored: true,
			New: func() chat.Platform {
				b.url = ""
				return New(kept(t, Config{
					Listen: "127.0.0.1:0", Key: bytes.Repeat([]byte{7}, 32),
					Log:       slog.New(slog.NewTextHandler(t.Output(), nil)),
					Listening: func(url string) { b.listening <- url },
				}))
			},
			Write: func(command, text string) { b.sends("/command", act{Text: "/" + command + " " + text}) },
			Press: func(label string) {
				for _, e := range slices.Backward(b.room().Entries) {
					for _, button := range slices.Concat(e.Message.Buttons...) {
						if button.Label == label {
							b.sends("/press", act{Press: button.Press, On: e.Ref})
							return
						}
					}
				}
				t.Fatalf("no message has a button %q", label)
			},
			Shows: func(text string) bool {
				if strings.Contains(*b.answers.Load(), text) {
					return true
				}
				now := b.room()
				return slices.ContainsFunc(now.Entries, func(e posted) bool {
					return strings.Contains(e.Message.Head, text)
				}) ||
					slices.ContainsFunc(now.Calls, func(n notice) bool { return strings.Contains(n.Text, text) })
			},
		}
	})
}
