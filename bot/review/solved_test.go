package review_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// solvedCount returns the number of solved problems.
func solvedCount(g *bare.Gate) int {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	return len(g.Solved)
}

// openAgainstComputer starts a game of the person name with a perfect computer player, by these rules, in a new place.
func openAgainstComputer(h *bare.House, name, rules string) *bare.Person {
	h.T.Helper()
	p := h.Person(name)
	p.Place = chat.Place("test:1/" + name)
	if r := p.Writes("/wuerfelpoker " + rules); r.Refused {
		h.T.Fatal(r.Toast)
	}
	for _, press := range []string{"!house perfect", "!start"} {
		if r := p.Sends(fmt.Sprintf("1:%d:0:%s", p.Table().ID, press)); r.Refused {
			h.T.Fatal(r.Toast)
		}
	}
	return p
}

// playTurn plays a person's turn: a roll, and the first free row.
func playTurn(p *bare.Person) {
	p.T.Helper()
	p.Presses("🎲 Roll")
	p.Presses("Score…")
	if r := p.Sends(p.Board().Buttons[0][0].Press); r.Refused {
		p.T.Fatal(r.Toast)
	}
}

// isComputerThinking reports whether the board says that the computer is thinking.
func isComputerThinking(p *bare.Person) bool {
	return strings.HasSuffix(p.Board().Said(), " Computer is thinking.")
}

func TestNoTableWaitsForASolver(t *testing.T) {
	gate := bare.NewGate()
	h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: gate})
	s := bare.NewStage()
	stop := h.OnStage(s)
	anna, ben := openAgainstComputer(h, "Anna", "order=parts"), openAgainstComputer(h, "Ben", "point=5")
	playTurn(anna)
	playTurn(ben)
	if m := anna.Board(); !isComputerThinking(anna) || len(m.Buttons) != 1 || len(m.Buttons[0]) != 1 {
		t.Errorf("while the house thinks:\n%s", bare.Show(m))
	}
	table := anna.Table()
	bare.Refused(t, anna.Sends(fmt.Sprintf("1:%d:%d:throw", table.ID, table.Turn)),
		"It's Computer's turn. Wait for yours.")

	clara := h.Person("Clara") // another table is not delayed
	clara.Writes("/wuerfelpoker")
	clara.Presses("+ Computer")
	clara.Presses("+ medium")
	clara.Presses("▶ Start")
	playTurn(clara)
	if isComputerThinking(clara) || clara.Table().Waits {
		t.Errorf("a greedy house thinks:\n%s", bare.Show(clara.Board()))
	}

	s.Until(t, "the solver thinks", func([]string) bool { return solvedCount(gate) == 1 })
	stop() // the bot restarts meanwhile
	h.Restart()
	s = bare.NewStage()
	h.OnStage(s)
	close(gate.Open)
	for _, p := range []*bare.Person{anna, ben} {
		s.Until(t, "the house plays", func([]string) bool { return !p.Table().Waits })
		_, m := h.ToMove([]*bare.Person{p})
		if !slices.ContainsFunc(m.Lines, func(line string) bool { // the computer player has finished a turn
			return strings.HasPrefix(line, "Computer ") && strings.Contains(line, " → ")
		}) {
			t.Errorf("then:\n%s", bare.Show(m))
		}
	}
	if n := solvedCount(gate); n != 2 { // once before the restart and once after it
		t.Errorf("two tables alike were solved %d times", n)
	}
	h.PressOut([]*bare.Person{anna}) // the computer player no longer needs to wait
	h.PressOut([]*bare.Person{ben})
	h.Sound()
	if records := h.Export(review.Wanted{}); len(records) != 2 {
		t.Errorf("%d records", len(records))
	}
}

func TestWhatIsWrittenIsTakenBackWhileTheHouseThinks(t *testing.T) {
	gate := bare.NewGate()
	h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: gate})
	anna := openAgainstComputer(h, "Anna", "")
	playTurn(anna)
	table := anna.Table()
	bare.Told(t, anna.Sends(fmt.Sprintf("1:%d:%d:!undo", table.ID, table.Turn)), "Undone.")
	if anna.Table().Waits || isComputerThinking(anna) {
		t.Errorf("the house thinks at somebody's turn:\n%s", bare.Show(anna.Board()))
	}
	anna.Presses("Score…")
	anna.Sends(anna.Board().Buttons[0][0].Press)
	if !isComputerThinking(anna) {
		t.Errorf("the house does not think:\n%s", bare.Show(anna.Board()))
	}
	anna.Writes("/abandon")
	bare.Told(t, anna.Presses("End game"), "The game was stopped early, without a result.")
	if anna.Table().Waits {
		t.Error("the house thinks at a table that was ended")
	}
	close(gate.Open)
	h.Sound()
}

func TestAHouseWithoutASolutionPlaysOn(t *testing.T) {
	bare.Beside(t)
	for what, fail := range map[string]func() error{
		"a solver fails": func() error { return errors.New("out of paper") },
		"a solver panics": func() error {
			panic("out of paper")
		},
	} {
		t.Run(what, func(t *testing.T) {
			gate := bare.NewGate()
			gate.Fail = fail
			close(gate.Open)
			h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: gate})
			s := bare.NewStage()
			stop := h.OnStage(s)
			anna := openAgainstComputer(h, "Anna", "hints=yes")
			playTurn(anna)
			s.Until(t, "the house plays", func([]string) bool { return !anna.Table().Waits })
			bare.Refused(t, anna.Writes("/hint"), "The best move isn't known here. Trust your gut.")
			h.PressOut([]*bare.Person{anna})
			table := anna.Table().ID
			var r store.Review
			s.Until(t, "the review is given up", func([]string) bool {
				h.Reads(func(tx *store.Tx) (err error) {
					r, err = tx.Reviews.Review(table)
					return err
				})
				return r.State == store.NoReview
			})
			stop()
			if n := strings.Count(h.Log.String(), "out of paper"); n != 1 {
				t.Errorf("logged %d times", n)
			}
			h.Sound()
		})
	}
}

// TestPeopleAreToldThatAHousePlaysPerfectlyNoMore removes the solution in the middle of a match.
func TestPeopleAreToldThatAHousePlaysPerfectlyNoMore(t *testing.T) {
	gate := bare.NewGate()
	close(gate.Open)
	h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: gate})
	anna := openAgainstComputer(h, "Anna", "")
	const gone = "Perfect play is no longer known here, so the computer plays on without it."
	told := func() bool { return slices.Contains(anna.Board().Lines, gone) }
	if told() {
		t.Errorf("at first:\n%s", bare.Show(anna.Board()))
	}
	gate.Mu.Lock()
	gate.Gone = true
	gate.Mu.Unlock()
	playTurn(anna)
	if isComputerThinking(anna) || !told() {
		t.Errorf("then:\n%s", bare.Show(anna.Board()))
	}
	h.PressOut([]*bare.Person{anna})
	if n := strings.Count(h.Log.String(), "solution unusable"); n != 1 {
		t.Errorf("logged %d times: %s", n, h.Log.String())
	}
	h.Sound()
}

func TestPerfectHousesNeedRulesThatCanBeSolved(t *testing.T) {
	h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: bare.NewGate()})
	anna := h.Person("Anna")
	const nobody = "Perfect play isn't known here. Pick another opponent."
	anna.Writes("/wuerfelpoker miss=deferred chance=double")
	table := anna.Table().ID
	bare.Refused(t, anna.Sends(fmt.Sprintf("1:%d:0:!house perfect", table)), nobody)
	anna.Presses("+ Computer")
	text := bare.Show(anna.Board())
	if strings.Contains(text, "perfect") || !strings.Contains(text, "+ medium") {
		t.Errorf("offered are\n%s", text)
	}
	anna.Sends(fmt.Sprintf("1:%d:0:!set chance=plain", table))
	anna.Sends(fmt.Sprintf("1:%d:0:!page houses", table))
	anna.Presses("+ perfect")
	bare.Refused(t, anna.Sends(fmt.Sprintf("1:%d:0:!set chance=double", table)), nobody)
	bare.Refused(t, anna.Writes("/wuerfelpoker chance=double"), nobody)
	if rules := anna.Table().Rules; rules["chance"] != "" {
		t.Errorf("the rules are %v", rules)
	}
}

// TestSolutionsKeepTheirBound allows room for a single solution.
func TestSolutionsKeepTheirBound(t *testing.T) {
	gate := bare.NewGate()
	close(gate.Open)
	h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: gate})
	h.Bytes = 1
	h.Restart()
	plain, double := h.Person("Anna"), h.Person("Ben")
	for p, rules := range map[*bare.Person]string{plain: "", double: "chance=double"} {
		p.Place = chat.Place("test:1/" + p.Name)
		p.Writes("/wuerfelpoker hints=yes " + rules)
	}
	asks := func(p *bare.Person) {
		t.Helper()
		bare.NewStage().Until(t, "a hint", func([]string) bool { return p.Writes("/hint").Private != nil })
	}
	for _, p := range []*bare.Person{plain, double} {
		p.Presses("▶ Start")
		asks(p)
		asks(p)
	}
	asks(plain)
	gate.Mu.Lock()
	defer gate.Mu.Unlock()
	if !slices.Equal(gate.Solved, []string{"", "double", ""}) {
		t.Errorf("solved were %q", gate.Solved)
	}
}

func TestAwaitHouseIsGivenUp(t *testing.T) {
	gate := bare.NewGate()
	defer close(gate.Open)
	h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: gate})
	anna := openAgainstComputer(h, "Anna", "")
	if waited, err := h.Bot.AwaitHouse(t.Context(), anna.Table().ID); waited || err != nil {
		t.Errorf("at a person's turn: %v, %v", waited, err)
	}
	playTurn(anna)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Bot.AwaitHouse(ctx, anna.Table().ID); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if anna.Table().State != store.Playing {
		t.Error("the game ended")
	}
}
