package table_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games"
	"knobel/games/shutbox"
)

// door is Shut the Box with a door in some of its methods, at which the first who comes by waits once it is shut.
type door struct {
	shutbox.Game
	at *doorkeeper
}

// doorkeeper shuts one door at a time, and tells when a caller waits at it.
type doorkeeper struct {
	mu      sync.Mutex
	shut    string // the method whose door is shut
	breaks  string // the method that panics
	reached chan struct{}
	opened  chan struct{}
}

func (k *doorkeeper) pass(method string) {
	k.mu.Lock()
	waits, breaks := k.shut == method, k.breaks == method
	if waits {
		k.shut = ""
	}
	k.mu.Unlock()
	if breaks {
		panic("a door that falls off its hinges")
	}
	if waits {
		close(k.reached)
		<-k.opened
	}
}

func (k *doorkeeper) shutAt(method string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.shut, k.reached, k.opened = method, make(chan struct{}), make(chan struct{})
}

func (g door) Shape(rules games.Rules) games.Shape {
	g.at.pass("Shape")
	return g.Game.Shape(rules)
}

func (g door) Name() string {
	g.at.pass("Name")
	return g.Game.Name()
}

func (g door) New(rules games.Rules, seats int) (games.Match, error) {
	g.at.pass("New")
	return g.Game.New(rules, seats)
}

func (g door) ShutByChance(rules games.Rules) (float64, bool) {
	g.at.pass("ShutByChance")
	return g.Game.ShutByChance(rules)
}

// What a command only reads is read beside the presses of others: none of them waits for it.
func TestNobodyWaitsForWhatOthersRead(t *testing.T) {
	keeper := &doorkeeper{}
	h := bare.New(t, door{at: keeper})
	people := h.Gather("/shutbox 5", "Anna", "Ben")
	h.Filmed(people)
	anna, ben := people[0], people[1]
	clara := h.Person("Clara")
	ben.Place, clara.Place = "test:1/2", "test:1/2"
	clara.Writes("/coin 10")
	for _, c := range []struct{ writes, waitsAt, press string }{
		{"/history 1", "New", "1:2:0:!join"},
		{"/stats", "ShutByChance", "1:2:0:!leave"},
		{"/leaderboard", "Shape", "1:2:0:!join"},
		{"/settle why", "Name", "1:2:0:!leave"},
	} {
		keeper.shutAt(c.waitsAt)
		answered := make(chan chat.Reply)
		go func() { answered <- anna.Writes(c.writes) }()
		select {
		case <-keeper.reached:
		case <-time.After(fakes.Patience):
			t.Fatalf("%s never comes to %s", c.writes, c.waitsAt)
		}
		if r := ben.Sends(c.press); r.Refused {
			t.Errorf("a press beside %s: %q", c.writes, r.Toast)
		}
		close(keeper.opened)
		if r := <-answered; r.Private == nil {
			t.Errorf("%s is answered with %q", c.writes, r.Toast)
		}
	}
}

// counter counts what came of commands.
type counter struct {
	mu   sync.Mutex
	came map[bot.Outcome]int
}

func (c *counter) Handled(_ string, _ bot.Deed, came bot.Outcome, _ time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.came[came]++
}

// What breaks when the event is committed already is told like all else that breaks: in one sentence to the person,
// once to the log, and as failed to the meter. Told again by the platform, it does not break again.
func TestAReadThatBreaksIsToldAndCounted(t *testing.T) {
	for _, c := range []struct{ writes, breaks string }{
		{"/history 1", "New"}, {"/stats", "ShutByChance"}, {"/leaderboard", "Shape"},
	} {
		t.Run(c.writes, func(t *testing.T) {
			keeper, count := &doorkeeper{}, &counter{came: map[bot.Outcome]int{}}
			h := bare.New(t, door{at: keeper})
			h.Meter = count
			h.Restart()
			people := h.Gather("/shutbox 5", "Anna", "Ben")
			h.Filmed(people)
			clear(count.came)
			keeper.breaks = c.breaks
			bare.Told(t, people[0].Writes(c.writes), "That counted, but the answer broke. Ask again.")
			if n := strings.Count(h.Log.String(), "off its hinges"); n != 1 {
				t.Errorf("the log tells of it %d times", n)
			}
			if count.came[bot.Failed] != 1 || len(count.came) != 1 {
				t.Errorf("counted as %v", count.came)
			}
			keeper.breaks = ""
			if r := people[0].Writes(c.writes); r.Private == nil {
				t.Errorf("mended, %s is answered with %q", c.writes, r.Toast)
			}
		})
	}
}
