package outbox_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
)

// followers are the people who follow an embedded page.
type followers struct {
	mu   sync.Mutex
	all  []chat.User
	news int // changes that the pages were told of
}

func (f *followers) Changed(chat.Place) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.news++
}

func (f *followers) Follows(_ chat.Place, user chat.User) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Contains(f.all, user)
}

// set makes people, and no others, follow a page.
func (f *followers) set(people ...*bare.Person) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = nil
	for _, p := range people {
		f.all = append(f.all, p.Event().User)
	}
}

// TestABoardIsDrawnOnceATurnBesidePages checks that, where few writes are allowed, a board is drawn once a turn while
// the mover follows a page, and at least every 20 seconds; and as ever for all others.
func TestABoardIsDrawnOnceATurnBesidePages(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, pages := bare.New(t, wuerfelpoker.New()), bare.NewStage(), &followers{}
		stop := h.OnStage(bare.SparingStage{Stage: s, Left: 20})
		defer stop()
		synctest.Wait()
		h.Bot.Outbox.Embed(pages)
		people := h.Gather("/wuerfelpoker", "Anna", "Ben")
		anna, ben := people[0], people[1]
		anna.Presses("▶ Start")
		synctest.Wait()
		drawn := len(s.Requests())
		want := func(when string, more int) {
			t.Helper()
			synctest.Wait()
			if n := len(s.Requests()) - drawn; n != more {
				t.Errorf("%s, the board is drawn %d times: %q", when, n, s.Requests()[drawn:])
			}
			drawn = len(s.Requests())
		}
		roll := func(p *bare.Person) {
			t.Helper()
			before := pages.news
			if r := p.Sends(p.Button("🎲 Roll").Press); r.Refused {
				t.Fatalf("%s cannot roll: %s", p.Name, r.Toast)
			}
			if pages.news == before {
				t.Error("the pages were not told")
			}
		}
		pages.set(anna)
		roll(anna)
		want("after a roll of somebody with a page", 0)
		h.Later(19 * time.Second)
		want("a little later", 0)
		h.Later(2 * time.Second)
		want("after 20 seconds", 1)
		anna.Sends("1:1:1:!pick 0")
		want("after a pick", 0)
		pages.set(ben)
		h.Later(20 * time.Second)
		want("once she has closed the page", 1)
		pages.set(anna, ben)
		anna.Sends("1:1:1:write sixes")
		want("at the end of her turn", 1)
		roll(ben)
		want("after his roll", 0)
		pages.set()
		ben.Sends("1:1:3:!pick 0")
		want("after a pick of somebody without a page", 1)
	})
}

// TestPagesSayThatTheChatIsAway checks that a page goes on where the bot can no longer write, and says so.
func TestPagesSayThatTheChatIsAway(t *testing.T) {
	h, s, anna, _ := playOnStage(t)
	h.Bot.Outbox.Embed(&followers{})
	says := func() bool {
		m, err := h.Bot.View(t.Context(), 1, chat.Viewer{Lang: "en"})
		return err == nil && slices.Contains(m.Lines, "The chat does not show this at present.")
	}
	if says() {
		t.Error("the page says that the chat is away")
	}
	s.Fail = func(string, chat.Place) error { return chat.ErrAway }
	shown := anna.Table().Version
	anna.Sends("1:1:0:!stake more")
	s.Until(t, "the place is away", func([]string) bool { return anna.Table().Board.Away })
	if !says() || anna.Table().Version != shown+2 {
		t.Errorf("the page does not say that the chat is away: %+v", anna.Table())
	}
}
