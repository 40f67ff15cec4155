package bot_test

import (
	"sync"
	"testing"
	"time"

	"knobel/bot"
	"knobel/games"
	"knobel/games/shutbox"
)

// door is Shut the Box with a door in some of its methods, at which the first who
// comes by waits once it is shut.
type door struct {
	shutbox.Game
	at *doorkeeper
}

// doorkeeper shuts one door at a time, and tells when somebody waits at it.
type doorkeeper struct {
	mu      sync.Mutex
	shut    string // the method whose door is shut
	reached chan struct{}
	opened  chan struct{}
}

func (k *doorkeeper) pass(method string) {
	k.mu.Lock()
	waits := k.shut == method
	if waits {
		k.shut = ""
	}
	k.mu.Unlock()
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

func (g door) Pool() bool {
	g.at.pass("Pool")
	return g.Game.Pool()
}

func (g door) New(rules games.Rules, seats int) (games.Match, error) {
	g.at.pass("New")
	return g.Game.New(rules, seats)
}

func (g door) ShutByChance(rules games.Rules) (float64, bool) {
	g.at.pass("ShutByChance")
	return g.Game.ShutByChance(rules)
}

// What a command only reads is read beside the presses of others: none of them
// waits for it.
func TestNobodyWaitsForWhatOthersRead(t *testing.T) {
	keeper := &doorkeeper{}
	h := newHouse(t, door{at: keeper})
	people := h.gather("/shutbox 5", "Anna", "Ben")
	h.filmed(people)
	anna, ben := people[0], people[1]
	clara := h.person("Clara")
	ben.place, clara.place = "test:1/2", "test:1/2"
	clara.writes("/coin 10")
	for _, c := range []struct{ writes, waitsAt, press string }{
		{"/history 1", "New", "1:2:0:!join"},
		{"/stats", "ShutByChance", "1:2:0:!leave"},
		{"/leaderboard", "Pool", "1:2:0:!join"},
	} {
		keeper.shutAt(c.waitsAt)
		answered := make(chan bot.Reply)
		go func() { answered <- anna.writes(c.writes) }()
		select {
		case <-keeper.reached:
		case <-time.After(time.Minute):
			t.Fatalf("%s never comes to %s", c.writes, c.waitsAt)
		}
		if r := ben.sends(c.press); r.Refused {
			t.Errorf("a press beside %s: %q", c.writes, r.Toast)
		}
		close(keeper.opened)
		if r := <-answered; r.Private == nil {
			t.Errorf("%s is answered with %q", c.writes, r.Toast)
		}
	}
}
