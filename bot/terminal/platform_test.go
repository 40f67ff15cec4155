package terminal

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/words"
)

// screen is what a person reads.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) shows(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text.String(), text)
}

// alone waits for nothing: no house sits there, and nothing is reviewed.
type alone struct{}

func (alone) AwaitHouse(context.Context, int64) (bool, error) { return false, nil }
func (alone) AwaitReview(context.Context, int64) error        { return nil }
func (alone) DrawPuzzles(context.Context, chat.Place,
	func(context.Context, chat.Place, chat.Message, chat.Ref) (chat.Ref, error)) error {
	return nil
}

func TestPlatform(t *testing.T) {
	said, err := words.New()
	if err != nil {
		t.Fatal(err)
	}
	platformtest.Run(t, func(t *testing.T) platformtest.Venue {
		var keys *io.PipeWriter
		out := &screen{}
		types := func(line string) {
			if _, err := io.WriteString(keys, line+"\n"); err != nil {
				t.Error(err)
			}
		}
		return platformtest.Venue{
			Place: place,
			New: func() chat.Platform {
				in, typed := io.Pipe()
				keys = typed
				t.Cleanup(func() { typed.Close() })
				return New(alone{}, said, in, out, Table{Game: "shutbox", Seats: []string{"Anna"}, Lang: "en"})
			},
			Write: func(command, text string) { types("/" + command + " " + text) },
			Press: types,
			Shows: out.shows,
		}
	})
}
