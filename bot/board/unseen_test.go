package board_test

// Turns that nobody saw: a line each on the board, and a game that ends by one ends in two steps.

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// newEvening is a table at which Clara is never there, with a house seat behind her: Anna and Ben
// have played their turns.
func newEvening(t *testing.T, seed byte, platform func(*bare.Stage) chat.Platform, line string) *bare.Clocked {
	t.Helper()
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	h.Seeds = bare.Constant(seed)
	h.Restart()
	c := &bare.Clocked{House: h, Stage: bare.NewStage(), People: h.Gather(line, "Anna", "Ben", "Clara")}
	c.People[0].Sends(fmt.Sprintf("1:%d:0:!house fewest", c.People[0].Table().ID))
	h.Agree(c.People...)
	c.People[0].Presses("▶ Start")
	c.OnStage(platform(c.Stage))
	synctest.Wait()
	for range 100 {
		if c.ToMove() == 2 {
			break
		}
		h.PressOn(c.People, 1)
	}
	synctest.Wait()
	return c
}

// awaitsEnd lets time go by until the game is over.
func awaitsEnd(c *bare.Clocked) {
	c.T.Helper()
	for range 600 {
		if c.People[0].Table().State == store.Over {
			return
		}
		c.Wait(time.Second)
	}
	c.T.Fatal("the game goes on")
}

func plainly(s *bare.Stage) chat.Platform { return s }

// toldTurns are the lines that tell the turns of seats, from the moves and the results as they are
// stored.
func toldTurns(c *bare.Clocked, seats ...int) (lines []string) {
	c.T.Helper()
	table := c.People[0].Table()
	rows := c.Results(table.ID)
	for _, seat := range seats {
		var throws []string
		auto := false
		for _, m := range c.Moves(table.ID) {
			if m.Seat != seat {
				continue
			}
			auto = auto || m.Auto
			if len(m.Dice) > 0 {
				throws = append(throws, strings.Trim(fmt.Sprint(m.Dice), "[]"))
			}
		}
		name := c.Board(table.ID).People[seat].Name
		if auto {
			name += " (house)"
		}
		lines = append(lines, fmt.Sprintf("%s %s → %d", name, strings.Join(throws, " · "), rows[seat].Score))
	}
	return lines
}

// alike reports whether a line is this one, or this one without throws in the middle, which were too
// many for it.
func alike(line, whole string) bool {
	before, after, shorter := strings.Cut(line, " · … · ")
	if !shorter {
		return line == whole
	}
	return strings.HasPrefix(whole, before) && strings.HasSuffix(whole, after) && len([]rune(whole)) > 38
}

// The evening of which the group saw nothing but the loser's tiles: Clara is absent, the house plays
// her turn and then its own, and that ends the game.
func TestTheEndOfAGameThatNobodySawComesInTwoSteps(t *testing.T) {
	staged, absent := 0, 0
	for seed := range byte(12) {
		bare.Bubble(t, func(t *testing.T) {
			c := newEvening(t, seed, plainly, "/shutbox 10 turn=1m")
			id := c.People[0].Table().ID
			if c.People[0].Table().State == store.Over {
				return // somebody shut the box
			}
			awaitsEnd(c)
			table := c.People[0].Table()
			if len(c.Results(id)) != 4 || table.Staged == 0 {
				t.Fatalf("results %v, staged until %d", c.Results(id), table.Staged)
			}
			if !c.Results(id)[3].Threw {
				return // Clara has, by the house
			}
			staged++
			told := toldTurns(c, 2, 3)
			m := c.Board(id)
			last, stands := "House plays the last turn …", m.People[3].Text
			if m.Head != last || len(m.Buttons) > 0 ||
				strings.Contains(m.Small, "seal") || m.People[3].State != games.ToMove {
				t.Errorf("the end is staged as\n%s", bare.Show(m))
			}
			if !strings.HasSuffix(stands, " open") || len(m.Lines) != 1 || !alike(m.Lines[0], told[0]) {
				t.Errorf("staged is %q, with %q; Clara's turn was %q", stands, m.Lines, told[0])
			}
			bare.Refused(t, c.People[0].Sends(fmt.Sprintf("1:%d:%d:throw 2", id, table.Turn)),
				"This game is over. ↻ Rematch plays the next.")
			c.Wait(3900 * time.Millisecond)
			if now := c.Board(id); now.Head != last {
				t.Errorf("too early the board says %q", now.Head)
			}
			c.Wait(200 * time.Millisecond)
			m = c.Board(id)
			if len(m.Lines) < 3 || !alike(m.Lines[0], told[0]) || !alike(m.Lines[1], told[1]) {
				t.Errorf("%q were played, the end is\n%s", told, bare.Show(m))
			}
			if !slices.Contains(m.Lines, "The house played for Clara.") || c.People[0].Table().Staged != 0 {
				t.Errorf("for whom the house has played is not said\n%s", bare.Show(m))
			}
			if m.People[2].State == games.Won {
				absent++
			}
			c.Verified()
		})
	}
	if staged < 6 || absent == 0 {
		t.Errorf("of %d such ends the absent have won %d: other seeds, please", staged, absent)
	}
}

// A staged end is drawn twice, and its review comes with it; an end that a person's move brings is
// drawn once, with its review.
func TestAnEndIsDrawnOnceWithItsReview(t *testing.T) {
	edits := func(c *bare.Clocked, from int) int {
		c.Stage.Mu.Lock()
		defer c.Stage.Mu.Unlock()
		n := 0
		for _, what := range c.Stage.Done[from:] {
			if strings.HasPrefix(what, "edit") {
				n++
			}
		}
		return n
	}
	done := func(c *bare.Clocked) int {
		c.Stage.Mu.Lock()
		defer c.Stage.Mu.Unlock()
		return len(c.Stage.Done)
	}
	bare.Bubble(t, func(t *testing.T) {
		c := newEvening(t, 1, plainly, "/shutbox 10 turn=1m tiles=4-9")
		c.Lasts()
		from := done(c)
		awaitsEnd(c)
		c.Wait(time.Minute)
		if n := edits(c, from); n != 2 {
			t.Errorf("%d edits of an end that is staged", n)
		}
		if text := bare.Show(c.Board(c.People[0].Table().ID)); !strings.Contains(text, "[Review]") {
			t.Errorf("the end has no review\n%s", text)
		}
	})
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox 10 tiles=4-9", "Anna", "Ben")
		for range 100 {
			p, m := c.House.ToMove(c.People)
			from := done(c)
			p.Sends(m.Buttons[0][0].Press)
			c.Wait(2 * time.Second)
			if c.People[0].Table().State != store.Over {
				continue
			}
			if n := edits(c, from); n != 1 {
				t.Errorf("%d edits of an end", n)
			}
			break
		}
		if text := bare.Show(c.Board(c.People[0].Table().ID)); !strings.Contains(text, "[Review]") {
			t.Errorf("the end has no review\n%s", text)
		}
	})
}

// spent is a platform that has no room for a drawing more.
type spent struct{ *bare.Stage }

func (spent) Budget(chat.Place) chat.Budget { return chat.Budget{Of: "group", Limit: 20} }

func TestAnEndIsNotStagedWhereTheBudgetIsSpent(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := newEvening(t, 2, func(s *bare.Stage) chat.Platform { return spent{s} }, "/shutbox 10 turn=1m")
		awaitsEnd(c)
		m := c.Board(c.People[0].Table().ID)
		if c.People[0].Table().Staged != 0 || !slices.Contains(m.Lines, "The house played for Clara.") {
			t.Errorf("the end is\n%s", bare.Show(m))
		}
	})
}

// A process that ends while the end is staged shows the end when it runs again.
func TestAStagedEndIsShownAfterARestart(t *testing.T) {
	for _, away := range []time.Duration{0, time.Hour} {
		bare.Bubble(t, func(t *testing.T) {
			h := bare.New(t, shutbox.Game{})
			h.Seeds = bare.Constant(3)
			h.Restart()
			c := &bare.Clocked{House: h, Stage: bare.NewStage(), People: h.Gather("/shutbox 10 turn=1m", "Anna", "Ben")}
			c.People[0].Presses("▶ Start")
			stop := c.OnStage(c.Stage)
			for range 100 {
				if c.ToMove() != 0 {
					break
				}
				h.PressOn(c.People[:1], 1)
			}
			awaitsEnd(c)
			id := c.People[0].Table().ID
			rows := c.Results(id)
			if head := c.Board(id).Head; head != "The house plays the last turn for Ben …" {
				t.Errorf("staged is %q", head)
			}
			stop()
			c.Restart()
			c.Wait(away)
			c.OnStage(c.Stage)
			synctest.Wait()
			c.Wait(4 * time.Second)
			if text := bare.Show(c.Board(id)); !strings.Contains(text, "The house played for Ben.") ||
				strings.Contains(text, "…\n") {
				t.Errorf("after a restart the board says\n%s", text)
			}
			if !slices.Equal(rows, c.Results(id)) {
				t.Errorf("the result was %v and is %v", rows, c.Results(id))
			}
			c.Verified()
		})
	}
}

// Seven house seats play one after the other: three turns have a line, the winner's among them.
func TestSevenHouseSeatsAreToldInFourLines(t *testing.T) {
	for _, lang := range []string{"en", "de"} {
		more := map[string]string{"en": "4 more: Review", "de": "4 weitere: Auswertung"}[lang]
		for seed := range byte(4) {
			bare.Bubble(t, func(t *testing.T) {
				h := bare.New(t, shutbox.Game{})
				h.Seeds = bare.Constant(seed)
				h.Restart()
				anna := h.Person("Anna")
				anna.Locale = lang
				anna.Writes("/shutbox 10 tiles=4-9")
				for range 7 {
					anna.Sends(fmt.Sprintf("1:%d:0:!house fewest", anna.Table().ID))
				}
				anna.Sends(fmt.Sprintf("1:%d:0:!start", anna.Table().ID))
				c := &bare.Clocked{House: h, Stage: bare.NewStage(), People: []*bare.Person{anna}}
				c.OnStage(c.Stage)
				h.PressOut(c.People)
				c.Wait(5 * time.Second)
				m := c.Board(anna.Table().ID)
				at := slices.Index(m.Lines, more)
				if lang == "en" && at < 0 { // with eight seats there may be no review
					at = slices.Index(m.Lines, "4 more")
				} else if at < 0 {
					at = slices.Index(m.Lines, "4 weitere")
				}
				if at != 3 {
					t.Fatalf("the end is\n%s", bare.Show(m))
				}
				for _, p := range m.People {
					won := p.State == games.Won && p.House
					if won && !slices.ContainsFunc(m.Lines[:3], func(line string) bool {
						return strings.HasPrefix(line, p.Name+" ")
					}) {
						t.Errorf("the turn that won is not told\n%s", bare.Show(m))
					}
				}
			})
		}
	}
}

// Turns that nobody saw stay on the board until a person moves, and are a function of what is
// stored.
func TestTurnsStayOnTheBoardUntilAPersonMoves(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t, wuerfelpoker.New())
		people := h.Gather("/wuerfelpoker", "Anna", "Ben")
		anna, id := people[0], people[0].Table().ID
		anna.Sends(fmt.Sprintf("1:%d:0:!house greedy", id))
		h.Agree(people...)
		anna.Presses("▶ Start")
		told := func() (lines []string) {
			for _, line := range anna.Board().Lines {
				if strings.Contains(line, " → ") {
					lines = append(lines, line)
				}
			}
			return lines
		}
		for _, p := range people {
			if lines := told(); len(lines) > 0 {
				t.Errorf("%s's own turn is told: %q", p.Name, lines)
			}
			p.Presses("Throw")
			p.Presses("Write…")
			p.Sends(p.Board().Buttons[0][0].Press)
		}
		lines := told()
		if len(lines) != 1 || !strings.HasPrefix(lines[0], "House ") {
			t.Fatalf("the board tells %q", lines)
		}
		h.Restart()
		if again := told(); !slices.Equal(lines, again) {
			t.Errorf("told %q, after a restart %q", lines, again)
		}
		anna.Sends(fmt.Sprintf("1:%d:0:!show sheet", id))
		if again := told(); !slices.Equal(lines, again) {
			t.Errorf("told %q, beside the sheet %q", lines, again)
		}
		anna.Sends(fmt.Sprintf("1:%d:0:!show sheet", id))
		anna.Presses("Throw")
		if lines := told(); len(lines) > 0 || anna.Table().Seen != nil {
			t.Errorf("after Anna's throw the board still tells %q", lines)
		}
	})
}

// After turns that nobody saw the board shows how the last person's turn ended, which they have seen
// nowhere else, and who is next.
func TestTheTurnBeforeThoseThatNobodySawIsShown(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t, shutbox.Game{})
		h.Seeds = bare.Constant(5)
		h.Restart()
		people := h.Gather("/shutbox match=rounds:3 tiles=4-12", "Anna", "Ben")
		anna, id := people[0], people[0].Table().ID
		anna.Sends(fmt.Sprintf("1:%d:0:!house fewest", id))
		h.Agree(people...)
		anna.Presses("▶ Start")
		var last []int // the dice of Ben's last throw
		for range 100 {
			if moves := h.Moves(id); len(moves) > 0 && moves[len(moves)-1].Seat == 2 {
				for _, m := range moves {
					if m.Seat == 1 && len(m.Dice) > 0 {
						last = m.Dice
					}
				}
				break
			}
			h.PressOn(people, 1)
		}
		m := anna.Board()
		if len(m.Tiles) != 1 || m.Tiles[0].Owner != "Ben" || len(m.Tiles[0].Dice) != len(last) {
			t.Fatalf("Ben threw %v, and the board is %+v\n%s", last, m.Tiles, bare.Show(m))
		}
		for i, die := range m.Tiles[0].Dice {
			if die.Face != last[i] {
				t.Errorf("Ben threw %v, the board has %v", last, m.Tiles[0].Dice)
			}
		}
		if !strings.Contains(m.Head, "Ben") || strings.Contains(m.Head, "House") || len(m.Told) == 0 ||
			!strings.HasPrefix(m.Told[len(m.Told)-1], "Anna") || !strings.HasPrefix(m.Lines[0], "House ") {
			t.Errorf("the board says %q, %q\n%s", m.Head, m.Told, bare.Show(m))
		}
	})
}
