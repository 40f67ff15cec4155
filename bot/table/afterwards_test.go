package table_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/store"
)

// door is Shut the Box whose methods block or panic when its doorkeeper says so.
type door struct {
	shutbox.Game
	keeper *doorkeeper // lets the methods run, blocks them or makes them panic
}

// doorkeeper blocks the next call of one method, and signals when it is reached.
type doorkeeper struct {
	mu      sync.Mutex
	blocks  string        // the method that blocks
	breaks  string        // the method that panics
	reached chan struct{} // closed when the method that blocks is called
	opened  chan struct{} // closed by the test, to let the method run
}

// pass runs at the start of each method of door. It blocks or panics if the doorkeeper says so for that method.
func (k *doorkeeper) pass(method string) {
	k.mu.Lock()
	waits, breaks := k.blocks == method, k.breaks == method
	if waits {
		k.blocks = ""
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

// shutAt makes the next call of a method block.
func (k *doorkeeper) shutAt(method string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.blocks, k.reached, k.opened = method, make(chan struct{}), make(chan struct{})
}

func (g door) Shape(rules games.Rules) games.Shape {
	g.keeper.pass("Shape")
	return g.Game.Shape(rules)
}

func (g door) Name() string {
	g.keeper.pass("Name")
	return g.Game.Name()
}

func (g door) New(rules games.Rules, seats int) (games.Match, error) {
	g.keeper.pass("New")
	return g.Game.New(rules, seats)
}

func (g door) ShutByChance(rules games.Rules) (float64, bool) {
	g.keeper.pass("ShutByChance")
	return g.Game.ShutByChance(rules)
}

// TestNobodyWaitsForWhatOthersRead checks that commands which only read do not block the presses of others.
func TestNobodyWaitsForWhatOthersRead(t *testing.T) {
	keeper := &doorkeeper{}
	h := bare.New(t, door{keeper: keeper})
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

// counter counts the outcomes of events.
type counter struct {
	mu       sync.Mutex
	outcomes map[bot.Outcome]int // the number of events with each outcome
}

// Handled implements bot.Meter: it counts the outcome of an event.
func (c *counter) Handled(_ string, _ bot.Deed, outcome bot.Outcome, _ time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outcomes[outcome]++
}

// TestAReadThatBreaksIsToldAndCounted checks a panic after the commit of an event: the person gets one sentence, the
// log one entry and the meter one failure. Afterwards the command works again.
func TestAReadThatBreaksIsToldAndCounted(t *testing.T) {
	for _, c := range []struct{ writes, breaks string }{
		{"/history 1", "New"}, {"/stats", "ShutByChance"}, {"/leaderboard", "Shape"},
	} {
		t.Run(c.writes, func(t *testing.T) {
			keeper, count := &doorkeeper{}, &counter{outcomes: map[bot.Outcome]int{}}
			h := bare.New(t, door{keeper: keeper})
			h.Meter = count
			h.Restart()
			people := h.Gather("/shutbox 5", "Anna", "Ben")
			h.Filmed(people)
			clear(count.outcomes)
			keeper.breaks = c.breaks
			bare.Told(t, people[0].Writes(c.writes), "That counted, but our answer got lost. Ask again.")
			if n := strings.Count(h.Log.String(), "off its hinges"); n != 1 {
				t.Errorf("the log tells of it %d times", n)
			}
			if count.outcomes[bot.Failed] != 1 || len(count.outcomes) != 1 {
				t.Errorf("counted as %v", count.outcomes)
			}
			keeper.breaks = ""
			if r := people[0].Writes(c.writes); r.Private == nil {
				t.Errorf("mended, %s is answered with %q", c.writes, r.Toast)
			}
		})
	}
}

// TestStatsCountOldGamesBitByBit checks that /stats counts the newest of many uncounted games, and how many are left.
func TestStatsCountOldGamesBitByBit(t *testing.T) {
	h := bare.New(t, sets.Crag())
	h.Seeds = &bare.Counting{}
	h.Restart()
	h.Filmed(h.Gather("/crag", "Anna", "Ben"))
	first := h.TableOf(1)
	err := h.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		moves, err := tx.Tables.Moves(1)
		if err != nil {
			return err
		}
		rows, err := tx.Tables.Results(1)
		if err != nil {
			return err
		}
		for i := range 151 { // copies of the same game
			again := first
			again.ID, again.State, again.Place = 0, store.Playing, fmt.Sprint("test:1/old", i)
			if again.ID, err = tx.Tables.AddTable(again); err != nil {
				return err
			}
			for _, m := range moves {
				if err := tx.Tables.AddMove(again.ID, m); err != nil {
					return err
				}
			}
			if err := tx.Tables.Finish(again.ID, first.Ending.Ended, 10000, rows); err != nil {
				return err
			}
			if again, err = tx.Tables.Table(again.ID); err != nil {
				return err
			}
			again.State = store.Over
			if err := tx.Tables.SaveTable(again); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	anna := h.Person("Anna")
	const left = "\n2 older games aren't counted there yet. Ask again.\n"
	if got := bare.Page(t, anna.Writes("/stats")); !strings.Contains(got, "\nCrag: ") || !strings.Contains(got, left) {
		t.Errorf("at first\n%s", got)
	}
	if got := bare.Page(t, anna.Writes("/stats")); !strings.Contains(got, "\nCrag: ") || strings.Contains(got,
		"older") {
		t.Errorf("then\n%s", got)
	}
}

// TestStatsOfManySheets checks that statistics of more than three games have pages.
func TestStatsOfManySheets(t *testing.T) {
	h := bare.New(t, sets.Kniffel(), sets.Crag(), sets.Generala(), sets.Escalero(), sets.Yatzy())
	h.Seeds = &bare.Counting{}
	h.Restart()
	for _, line := range []string{"/crag", "/kniffel", "/generala", "/escalero", "/crag"} {
		h.Filmed(h.Gather(line, "Anna", "Ben"))
	}
	anna := h.Person("Anna")
	first := anna.Writes("/stats")
	for _, name := range []string{"Crag", "Escalero", "Generala"} {
		if !strings.Contains(bare.Page(t, first), "\n"+name+": strongest on average in ") {
			t.Errorf("no %s in\n%s", name, bare.Page(t, first))
		}
	}
	more := anna.Sends(bare.PressOn(t, first, "More games ▶"))
	const head, headDE = "Anna: rows, bonuses and equal dice, game by game.\nKniffel: strongest on average in ",
		"Anna: Zeilen, Boni und gleiche Würfel, Spiel für Spiel.\nKniffel: im Schnitt am stärksten bei "
	if got := bare.Page(t, more); !strings.HasPrefix(got, head) || !strings.HasSuffix(got, "\n[Statistics]") {
		t.Errorf("the second page is\n%s", got)
	}
	if back := anna.Sends(bare.PressOn(t, more, "Statistics")); bare.Page(t, back) != bare.Page(t, first) {
		t.Errorf("it leads back to\n%s", bare.Page(t, back))
	}
	anna.Locale = "de"
	german := anna.Sends(bare.PressOn(t, anna.Writes("/stats"), "Weitere Spiele ▶"))
	if got := bare.Page(t, german); !strings.HasPrefix(got, headDE) {
		t.Errorf("in German it is\n%s", got)
	}
}

// TestStatsGoOnWithoutAGameThatCannotBeCounted checks that an unreplayable game is logged once and left out.
func TestStatsGoOnWithoutAGameThatCannotBeCounted(t *testing.T) {
	for _, c := range []struct{ damage, logged string }{
		{`UPDATE moves SET move = 'write nonsense' WHERE table_id = 3 AND move LIKE 'write%'`,
			"count moves failed"},
		{`UPDATE moves SET dice = '[7,1,1]' WHERE table_id = 3 AND move = 'throw'`, "count dice failed"},
	} {
		h := bare.New(t, sets.Kniffel(), sets.Crag())
		for _, line := range []string{"/crag", "/kniffel settle=pool stake=3", "/crag"} {
			h.Filmed(h.Gather(line, "Anna", "Ben"))
		}
		anna := h.Person("Anna")
		h.Tamper(c.damage)
		h.Restart()
		got := bare.Page(t, anna.Writes("/stats"))
		for _, part := range []string{"\nCrag: strongest on average in ", "\nKniffel: strongest on average in ",
			"dice with 6 sides"} {
			if !strings.Contains(got, part) {
				t.Errorf("no %q in\n%s", part, got)
			}
		}
		if again := bare.Page(t, anna.Writes("/stats")); again != got || strings.Contains(got, "older") {
			t.Errorf("the second time\n%s\nafter\n%s", again, got)
		}
		if log := h.Log.String(); strings.Count(log, c.logged) != 1 || !strings.Contains(log, "table=3") {
			t.Errorf("not once %q in\n%s", c.logged, log)
		}
	}
}
