package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// gated is Würfelpoker with a solver that solves when it is let to.
type gated struct {
	sheet.Game
	gate *gate
}

// gate counts what is solved and holds it up while it is closed.
type gate struct {
	open chan struct{} // closed when solvers may go on
	fail func() error  // nil: they find what there is

	mu     sync.Mutex
	solved []string
	gone   bool // there is no perfect play any more
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g gated) Solve(rules games.Rules, seats int) (games.Perfect, error) {
	g.gate.mu.Lock()
	g.gate.solved = append(g.gate.solved, rules["chance"])
	g.gate.mu.Unlock()
	<-g.gate.open
	if g.gate.fail != nil {
		return nil, g.gate.fail()
	}
	return g.Game.Solve(rules, seats)
}

// Alike has no perfect play for double chances with misses that are deferred.
func (g gated) Alike(rules games.Rules, seats int) (games.Rules, int, error) {
	g.gate.mu.Lock()
	defer g.gate.mu.Unlock()
	if g.gate.gone || rules["miss"] == "deferred" && rules["chance"] == "double" {
		return nil, 0, games.Refuse("games.no-perfect-play", nil)
	}
	return g.Game.Alike(rules, seats)
}

// times is how often something was solved.
func (g *gate) times() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.solved)
}

// thinkers is a table in a place of its own, of a person and a perfect house.
func (h *house) thinkers(name, rules string) *person {
	h.t.Helper()
	p := h.person(name)
	p.place = chat.Place("test:1/" + name)
	if r := p.writes("/wuerfelpoker " + rules); r.Refused {
		h.t.Fatal(r.Toast)
	}
	for _, press := range []string{"!house perfect", "!start"} {
		if r := p.sends(fmt.Sprintf("1:%d:0:%s", p.table().ID, press)); r.Refused {
			h.t.Fatal(r.Toast)
		}
	}
	return p
}

// oneTurn plays a person's turn: a throw, and the first row there is.
func (p *person) oneTurn() {
	p.t.Helper()
	p.presses("Throw")
	p.presses("Write…")
	if r := p.sends(p.board().Buttons[0][0].Press); r.Refused {
		p.t.Fatal(r.Toast)
	}
}

func (p *person) thinks() bool {
	return strings.HasSuffix(p.board().Said(), " House is thinking.")
}

// housePlayed reports whether a line of a board tells a turn of the house that has ended.
func housePlayed(line string) bool {
	return strings.HasPrefix(line, "House ") && strings.Contains(line, " → ")
}

func TestNobodyWaitsForASolver(t *testing.T) {
	gate := newGate()
	h := newHouse(t, gated{Game: wuerfelpoker.New(), gate: gate})
	s := newStage()
	stop := h.onStage(s)
	anna, ben := h.thinkers("Anna", "order=parts"), h.thinkers("Ben", "point=5")
	anna.oneTurn()
	ben.oneTurn()
	if m := anna.board(); !anna.thinks() || len(m.Buttons) != 1 || len(m.Buttons[0]) != 1 {
		t.Errorf("while the house thinks:\n%s", show(m))
	}
	table := anna.table()
	refused(t, anna.sends(fmt.Sprintf("1:%d:%d:throw", table.ID, table.Turn)),
		"It is House's turn; the board says when it is yours.")

	clara := h.person("Clara") // another table goes on
	clara.writes("/wuerfelpoker")
	clara.presses("+ House")
	clara.presses("+ takes points at once")
	clara.presses("▶ Start")
	clara.oneTurn()
	if clara.thinks() || clara.table().Waits {
		t.Errorf("a greedy house thinks:\n%s", show(clara.board()))
	}

	s.until(t, "the solver thinks", func([]string) bool { return gate.times() == 1 })
	stop() // and the bot is restarted meanwhile
	h.restart()
	s = newStage()
	h.onStage(s)
	close(gate.open)
	for _, p := range []*person{anna, ben} {
		s.until(t, "the house plays", func([]string) bool { return !p.table().Waits })
		if _, m := h.toMove([]*person{p}); !slices.ContainsFunc(m.Lines, housePlayed) {
			t.Errorf("then:\n%s", show(m))
		}
	}
	if n := gate.times(); n != 2 { // once before the restart, once after
		t.Errorf("two tables alike were solved %d times", n)
	}
	h.pressOut([]*person{anna}) // from now on the house plays at once
	h.pressOut([]*person{ben})
	h.sound()
	if records := h.export(review.Wanted{}); len(records) != 2 {
		t.Errorf("%d records", len(records))
	}
}

func TestWhatIsWrittenIsTakenBackWhileTheHouseThinks(t *testing.T) {
	gate := newGate()
	h := newHouse(t, gated{Game: wuerfelpoker.New(), gate: gate})
	anna := h.thinkers("Anna", "")
	anna.oneTurn()
	table := anna.table()
	told(t, anna.sends(fmt.Sprintf("1:%d:%d:!undo", table.ID, table.Turn)), "Taken back.")
	if anna.table().Waits || anna.thinks() {
		t.Errorf("the house thinks at somebody's turn:\n%s", show(anna.board()))
	}
	anna.presses("Write…")
	anna.sends(anna.board().Buttons[0][0].Press)
	if !anna.thinks() {
		t.Errorf("the house does not think:\n%s", show(anna.board()))
	}
	anna.writes("/abandon")
	told(t, anna.presses("Yes, end it"), "The table is closed.")
	if anna.table().Waits {
		t.Error("the house thinks at a table that was ended")
	}
	close(gate.open)
	h.sound()
}

func TestAHouseWithoutASolutionPlaysOn(t *testing.T) {
	beside(t)
	for what, fail := range map[string]func() error{
		"a solver fails": func() error { return errors.New("out of paper") },
		"a solver panics": func() error {
			panic("out of paper")
		},
	} {
		t.Run(what, func(t *testing.T) {
			gate := newGate()
			gate.fail = fail
			close(gate.open)
			h := newHouse(t, gated{Game: wuerfelpoker.New(), gate: gate})
			s := newStage()
			stop := h.onStage(s)
			anna := h.thinkers("Anna", "hints=yes")
			anna.oneTurn()
			s.until(t, "the house plays", func([]string) bool { return !anna.table().Waits })
			refused(t, anna.writes("/hint"), "Nobody knows the best move here. Trust your own eye.")
			h.pressOut([]*person{anna})
			table := anna.table().ID
			s.until(t, "the review is given up", func([]string) bool { return h.review(table).State == store.NoReview })
			stop()
			if n := strings.Count(h.log.String(), "out of paper"); n != 1 {
				t.Errorf("logged %d times", n)
			}
			h.sound()
		})
	}
}

// TestPeopleAreToldThatAHousePlaysPerfectlyNoMore takes the solution away in the middle of a match.
func TestPeopleAreToldThatAHousePlaysPerfectlyNoMore(t *testing.T) {
	gate := newGate()
	close(gate.open)
	h := newHouse(t, gated{Game: wuerfelpoker.New(), gate: gate})
	anna := h.thinkers("Anna", "")
	const gone = "Perfect play is not known here any more: the house plays on without it."
	told := func() bool { return slices.Contains(anna.board().Lines, gone) }
	if told() {
		t.Errorf("at first:\n%s", show(anna.board()))
	}
	gate.mu.Lock()
	gate.gone = true
	gate.mu.Unlock()
	anna.oneTurn()
	if anna.thinks() || !told() {
		t.Errorf("then:\n%s", show(anna.board()))
	}
	h.pressOut([]*person{anna})
	if n := strings.Count(h.log.String(), "perfect play cannot be used"); n != 1 {
		t.Errorf("logged %d times: %s", n, h.log.String())
	}
	h.sound()
}

// review is what is stored of a table's review.
func (h *house) review(table int64) (r store.Review) {
	h.t.Helper()
	err := h.store.View(h.t.Context(), func(tx *store.Tx) (err error) {
		r, err = tx.Review(table)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func TestPerfectHousesNeedRulesThatCanBeSolved(t *testing.T) {
	h := newHouse(t, gated{Game: wuerfelpoker.New(), gate: newGate()})
	anna := h.person("Anna")
	const nobody = "Nobody knows perfect play here. Take another house player."
	anna.writes("/wuerfelpoker miss=deferred chance=double")
	table := anna.table().ID
	refused(t, anna.sends(fmt.Sprintf("1:%d:0:!house perfect", table)), nobody)
	anna.presses("+ House")
	text := show(anna.board())
	if strings.Contains(text, "perfect") || !strings.Contains(text, "takes points at once") {
		t.Errorf("offered are\n%s", text)
	}
	anna.sends(fmt.Sprintf("1:%d:0:!set chance=plain", table))
	anna.sends(fmt.Sprintf("1:%d:0:!page houses", table))
	anna.presses("+ perfect")
	refused(t, anna.sends(fmt.Sprintf("1:%d:0:!set chance=double", table)), nobody)
	refused(t, anna.writes("/wuerfelpoker chance=double"), nobody)
	if rules := anna.table().Rules; rules["chance"] != "" {
		t.Errorf("the rules are %v", rules)
	}
}

// TestSolutionsKeepTheirBound has room for one solution only.
func TestSolutionsKeepTheirBound(t *testing.T) {
	gate := newGate()
	close(gate.open)
	h := newHouse(t, gated{Game: wuerfelpoker.New(), gate: gate})
	h.bytes = 1
	h.restart()
	plain, double := h.person("Anna"), h.person("Ben")
	for p, rules := range map[*person]string{plain: "", double: "chance=double"} {
		p.place = chat.Place("test:1/" + p.name)
		p.writes("/wuerfelpoker hints=yes " + rules)
	}
	asks := func(p *person) {
		t.Helper()
		newStage().until(t, "a hint", func([]string) bool { return p.writes("/hint").Private != nil })
	}
	for _, p := range []*person{plain, double} {
		p.presses("▶ Start")
		asks(p)
		asks(p)
	}
	asks(plain)
	gate.mu.Lock()
	defer gate.mu.Unlock()
	if !slices.Equal(gate.solved, []string{"", "double", ""}) {
		t.Errorf("solved were %q", gate.solved)
	}
}

func TestAwaitHouseIsGivenUp(t *testing.T) {
	gate := newGate()
	defer close(gate.open)
	h := newHouse(t, gated{Game: wuerfelpoker.New(), gate: gate})
	anna := h.thinkers("Anna", "")
	if waited, err := h.bot.AwaitHouse(t.Context(), anna.table().ID); waited || err != nil {
		t.Errorf("at a person's turn: %v, %v", waited, err)
	}
	anna.oneTurn()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.bot.AwaitHouse(ctx, anna.table().ID); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if anna.table().State != store.Playing {
		t.Error("the game ended")
	}
}
