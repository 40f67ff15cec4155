package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	lowest "knobel/games/gametest/owing"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// lister is a platform whose chats have menus of their own.
type lister struct {
	*stage
	mu    *sync.Mutex
	made  int
	told  *[]string // the menus, with commas
	fault func() error
}

func newLister(s *stage, made int) lister {
	return lister{stage: s, mu: &sync.Mutex{}, made: made, told: &[]string{}, fault: func() error { return nil }}
}

func (l lister) MaxMade() int { return l.made }

func (l lister) Menu(_ context.Context, _ chat.Chat, m chat.Menu) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	*l.told = append(*l.told, strings.Join(m.More, ","))
	return l.fault()
}

// times is how often it was told of menus.
func (l lister) times() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(*l.told)
}

// setting is an event by which an admin sets something of a chat that can have a menu of its own.
func setting(p *person, text string) chat.Event {
	ev := p.event()
	ev.Command, ev.Text, ev.OwnMenu = "settings", text, true
	ev.Admin = func(context.Context) bool { return true }
	return ev
}

// menu is what is stored of the menu of the chat.
func (h *house) menu() (m store.Menu) {
	h.t.Helper()
	if err := h.store.View(context.Background(), func(tx *store.Tx) (err error) {
		m, err = tx.Menu("test:1")
		return err
	}); err != nil {
		h.t.Fatal(err)
	}
	return m
}

// change changes what is stored.
func (h *house) change(by func(tx *store.Tx) error) {
	h.t.Helper()
	if err := h.store.UpdateOf(context.Background(), store.OfAll, by); err != nil {
		h.t.Fatal(err)
	}
}

// within runs a bot on a platform in a bubble.
func within(t *testing.T, made int, fault func() error, test func(h *house, l lister, anna *person)) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), lowest.Loser(), lowest.Lids(),
			sets.Kniffel())
		l := newLister(newStage(), made)
		l.fault = fault
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			h.bot.Run(ctx, l)
		}()
		defer func() { stop(); <-ended }()
		synctest.Wait()
		test(h, l, h.person("Anna"))
	})
}

// A variant that has a command of its own is listed like a game, without its game.
func TestAVariantInTheMenu(t *testing.T) {
	within(t, 4, func() error { return nil }, func(h *house, l lister, anna *person) {
		r := h.bot.Handle(t.Context(), setting(anna, "games=Yahtzee"))
		if said := page(t, r); !strings.Contains(said, "Yahtzee") {
			t.Errorf("answered is\n%s", said)
		}
		h.later(time.Second)
		if got := strings.Join(*l.told, " "); got != "yahtzee" || h.menu().Games != "yahtzee" {
			t.Errorf("told are %q, stored is %+v", got, h.menu())
		}
	})
}

// What is added to menus stays within what the platform takes in a day; the rest is added the day after.
func TestMenusStayWithinADaysCommands(t *testing.T) {
	within(t, 4, func() error { return nil }, func(h *house, l lister, anna *person) {
		set := func(text string) {
			t.Helper()
			if r := h.bot.Handle(t.Context(), setting(anna, text)); r.Refused {
				t.Fatal(r.Toast)
			}
			h.later(time.Second)
		}
		set("games=lids")
		set("games=none")
		set("games=lids,loser")
		set("games=none")
		set("games=lids,loser")
		if got := strings.Join(*l.told, " "); got != "lids  loser,lids " {
			t.Fatalf("told %q", got)
		}
		if m := h.menu(); m.Fault == "" || m.Made != 3 {
			t.Fatalf("stored is %+v", m)
		}
		page := h.bot.Handle(t.Context(), setting(anna, "games=lids")) // one may be added still
		if page.Refused || !strings.Contains(strings.Join(page.Private.Lines, "\n"), "Lids") {
			t.Errorf("%+v", page)
		}
		h.later(time.Second)
		if l.times() != 5 || (*l.told)[4] != "lids" {
			t.Errorf("told %q", *l.told)
		}
		set("games=loser,lids")
		h.later(23 * time.Hour)
		if l.times() != 5 {
			t.Errorf("told %q before a day is over", *l.told)
		}
		h.later(2 * time.Hour)
		if l.times() != 6 || (*l.told)[5] != "loser,lids" || h.menu().Fault != "" {
			t.Errorf("told %q, stored is %+v", *l.told, h.menu())
		}
	})
}

// What fails is tried ever more seldom, then told to admins, and left alone until somebody sets it again.
func TestMenusThatFail(t *testing.T) {
	broken := true
	fault := func() error {
		if broken {
			return errors.New("no")
		}
		return nil
	}
	within(t, 200, fault, func(h *house, l lister, anna *person) {
		h.bot.Handle(t.Context(), setting(anna, "games=lids"))
		for range 24 * 60 {
			h.later(time.Minute)
		}
		if l.times() != 10 || h.menu().Fault == "" || h.menu().Due != 0 {
			t.Errorf("tried %d times, stored is %+v", l.times(), h.menu())
		}
		for _, first := range []bool{true, false} { // whatever she writes, she reads of it once
			ev := setting(anna, "")
			ev.Command = "help"
			said := page(t, h.bot.Handle(t.Context(), ev))
			if strings.Contains(said, "⚠ The games' commands could not be added") != first {
				t.Errorf("first: %v, answered is\n%s", first, said)
			}
		}
		ev := setting(anna, "")
		ev.Command = "doctor"
		if r := h.bot.Handle(t.Context(), ev); r.Private == nil || !slices.ContainsFunc(r.Private.Lines,
			func(line string) bool { return strings.HasPrefix(line, "⚠ The games' commands could not be added") }) {
			t.Errorf("%+v", r.Private)
		}
		l.mu.Lock()
		broken = false
		l.mu.Unlock()
		h.bot.Handle(t.Context(), setting(anna, "games=lids"))
		h.later(time.Second)
		if l.times() != 11 || h.menu().Fault != "" || h.menu().Games != "lids" {
			t.Errorf("tried %d times, stored is %+v", l.times(), h.menu())
		}
	})
}

// Admins who have read why a menu fails read of another reason, too.
func TestAnotherFaultOfAMenu(t *testing.T) {
	var fault error = chat.Later{After: time.Hour}
	within(t, 200, func() error { return fault }, func(h *house, l lister, anna *person) {
		h.bot.Handle(t.Context(), setting(anna, "games=lids"))
		h.later(time.Second)
		for _, c := range []struct {
			fault error
			says  string
		}{
			{chat.Later{After: time.Hour}, "The games' commands come into this menu within a day"},
			{fmt.Errorf("%w: %w", chat.ErrRefused, chat.ErrUninvited), "I may not. Invite me anew by my link"},
			{chat.ErrRefused, "it was refused. /play opens every game."},
		} {
			l.mu.Lock()
			fault = c.fault
			l.mu.Unlock()
			if h.menu().Due == 0 { // as after an update of the program
				m := h.menu()
				m.Due = 1
				h.change(func(tx *store.Tx) error { return tx.SaveMenu(m) })
			}
			h.later(time.Hour + time.Minute)
			for _, first := range []bool{true, false} {
				help := setting(anna, "")
				help.Command = "help"
				if said := page(t, h.bot.Handle(t.Context(), help)); strings.Contains(said, c.says) != first {
					t.Errorf("first: %v, answered is\n%s", first, said)
				}
			}
		}
	})
}

// A menu whose games do not go is told of like one to which they do not come, and forgotten where the bot was left.
func TestGamesThatStayInAMenu(t *testing.T) {
	for _, c := range []struct {
		fault error
		says  bool
	}{
		{errors.New("no"), true}, {chat.ErrRefused, true}, {chat.ErrAway, false},
		{fmt.Errorf("%w: %w", chat.ErrRefused, chat.ErrUninvited), false},
	} {
		var fault error
		within(t, 200, func() error { return fault }, func(h *house, l lister, anna *person) {
			h.bot.Handle(t.Context(), setting(anna, "games=lids"))
			h.later(time.Second)
			l.mu.Lock()
			fault = c.fault
			l.mu.Unlock()
			h.bot.Handle(t.Context(), setting(anna, "games=none"))
			for range 24 * 60 {
				h.later(time.Minute)
			}
			for _, first := range []bool{true, false} {
				help := setting(anna, "")
				help.Command = "help"
				said := page(t, h.bot.Handle(t.Context(), help))
				if strings.Contains(said, "could not be taken out of this menu") != (first && c.says) {
					t.Errorf("%v, first: %v, answered is\n%s", c.fault, first, said)
				}
			}
			if m := h.menu(); (m.Fault != "") != c.says || m.Due != 0 {
				t.Errorf("%v: stored is %+v", c.fault, m)
			}
			l.mu.Lock()
			fault = nil
			l.mu.Unlock()
			h.bot.Handle(t.Context(), setting(anna, "games=none"))
			h.later(time.Second)
			if m := h.menu(); m.Fault != "" || m.Games != "" {
				t.Errorf("%v: in the end stored is %+v", c.fault, m)
			}
		})
	}
}

// A platform that asks to wait has added nothing yet: what is asked for again counts once a day.
func TestWaitingAddsNothingToAMenu(t *testing.T) {
	waits := true
	fault := func() error {
		if waits {
			return chat.Later{After: time.Minute}
		}
		return nil
	}
	within(t, 200, fault, func(h *house, l lister, anna *person) {
		h.bot.Handle(t.Context(), setting(anna, "games=lids,loser"))
		for range 5 {
			h.later(time.Minute + time.Second)
		}
		h.bot.Handle(t.Context(), setting(anna, "games=lids,loser"))
		h.later(time.Minute + time.Second)
		if m := h.menu(); l.times() < 5 || m.Made != 2 {
			t.Errorf("after %d times stored is %+v", l.times(), m)
		}
		h.later(25 * time.Hour)
		l.mu.Lock()
		waits = false
		l.mu.Unlock()
		h.later(time.Minute + time.Second)
		if m := h.menu(); m.Games != "loser,lids" || m.Made != 2 {
			t.Errorf("the day after stored is %+v", m)
		}
	})
}

// A chat that says again which games it wants, or that it wants none, has its platform asked: it may list others since
// the bot was away.
func TestAMenuThatIsSetAgain(t *testing.T) {
	within(t, 200, func() error { return nil }, func(h *house, l lister, anna *person) {
		for _, text := range []string{"games=none", "games=lids", "games=lids", "games=none"} {
			h.bot.Handle(t.Context(), setting(anna, text))
			h.later(time.Second)
		}
		if got := strings.Join(*l.told, "|"); got != "|lids|lids|" || h.menu().Made != 1 {
			t.Errorf("told are %q, stored is %+v", got, h.menu())
		}
	})
}

// Menus that cannot be written are looked at again with the next sweep, however many they are.
func TestMenusThatCannotBeWritten(t *testing.T) {
	within(t, 200, func() error { return nil }, func(h *house, l lister, anna *person) {
		h.change(func(tx *store.Tx) (err error) {
			for i := range 70 {
				chat := fmt.Sprint("test:", 100+i)
				err = errors.Join(err, tx.SaveChatSetting(chat, "games", "lids"),
					tx.SaveMenu(store.Menu{Chat: chat, Due: 1}))
			}
			return err
		})
		h.tamper(`CREATE TRIGGER broken BEFORE UPDATE ON menus BEGIN SELECT RAISE(ABORT, 'broken'); END`)
		h.later(time.Hour) // the sweep comes upon them
		for range 60 {
			h.later(time.Second)
		}
		if n := strings.Count(h.log.String(), "command menus of chats cannot be written"); n == 0 || n > 2 {
			t.Errorf("the loop has failed %d times in a minute", n)
		}
		if l.times() > 0 {
			t.Errorf("told %d times of what is not stored", l.times())
		}
	})
}

// Of two replicas the one tells the platform that runs the loops of the chat, wherever somebody has set it.
func TestOneReplicaTellsOfAMenu(t *testing.T) {
	told := map[string]lister{}
	var mu sync.Mutex
	on := func(name string, s *side) chat.Platform {
		mu.Lock()
		defer mu.Unlock()
		told[name] = newLister(s.stage, 200)
		return told[name]
	}
	inPairWith(t, func(*house) {}, on, func(p *pair) {
		anna := p.person("Anna")
		for i, text := range []string{"games=lids", "games=lids,loser", "games=none"} {
			p.at([]*side{p.b, p.a}[i%2], setting(anna, text))
			goOn(10 * time.Second)
		}
		a, b := told["a"].times(), told["b"].times()
		if a+b != 3 || a*b != 0 {
			t.Errorf("one has told %d times, the other %d", a, b)
		}
		p.at(p.b, setting(anna, "games=lids"))
		goOn(5 * time.Second)
		p.a.end()
		goOn(30 * time.Second)
		p.at(p.b, setting(anna, "games=loser"))
		goOn(5 * time.Second)
		if n := told["a"].times() + told["b"].times(); n != 5 {
			t.Errorf("told %d times", n)
		}
	}, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), lowest.Loser(), lowest.Lids())
}

// The page of the setting has a button for each further game, which adds it or takes it away, and is short enough for
// every platform.
func TestThePageOfGamesInTheMenu(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), lowest.Loser(), lowest.Lids())
	anna := h.person("Anna")
	page := func(text string) (all []string) {
		r := h.bot.Handle(t.Context(), setting(anna, text))
		if r.Private == nil {
			t.Fatalf("%+v", r)
		}
		for _, row := range r.Private.Buttons {
			for _, b := range row {
				all = append(all, fmt.Sprint(b.Label, " ", b.Press[strings.Index(b.Press, "/"):]))
				if len(b.Press) > 64 {
					t.Errorf("%s has %d bytes", b.Press, len(b.Press))
				}
			}
		}
		return all
	}
	want := "Zehntausend /settings games=+zehntausend|Farkle /settings games=+farkle|Loser /settings games=+loser|" +
		"Lids /settings games=+lids|none /settings games=none|"
	if got := strings.Join(page("games=?"), "|"); !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
	page("games=+lids")
	page("games=+loser,Lids")
	page("games=-lids")
	if got := strings.Join(page("games=?"), "|"); !strings.Contains(got, "games=-loser|Lids /settings games=+lids|") {
		t.Errorf("%s", got)
	}
	for locale, why := range map[string]string{
		"en": "There is no game “losser”. Did you mean “loser”?",
		"de": "Ein Spiel „losser“ gibt es nicht. Meinst du „loser“?",
	} {
		ev := setting(anna, "games=lids,losser")
		ev.Locale = locale
		refused(t, h.bot.Handle(t.Context(), ev), why)
	}
}
