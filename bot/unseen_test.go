package bot_test

// Turns that nobody saw: a line each on the board, and a game that ends by one ends in two steps.

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// newEvening is a table at which Clara is never there, with a house seat behind her: Anna and Ben
// have played their turns.
func newEvening(t *testing.T, seed byte, platform func(*stage) chat.Platform, line string) *clocked {
	t.Helper()
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	h.seeds = constant(seed)
	h.restart()
	c := &clocked{house: h, stage: newStage(), people: h.gather(line, "Anna", "Ben", "Clara")}
	c.people[0].sends(fmt.Sprintf("1:%d:0:!house fewest", c.people[0].table().ID))
	h.agree(c.people...)
	c.people[0].presses("▶ Start")
	c.onStage(platform(c.stage))
	synctest.Wait()
	for range 100 {
		if c.toMove() == 2 {
			break
		}
		h.pressOn(c.people, 1)
	}
	synctest.Wait()
	return c
}

// awaitsEnd lets time go by until the game is over.
func (c *clocked) awaitsEnd() {
	c.t.Helper()
	for range 600 {
		if c.people[0].table().State == store.Over {
			return
		}
		c.wait(time.Second)
	}
	c.t.Fatal("the game goes on")
}

func plainly(s *stage) chat.Platform { return s }

// toldTurns are the lines that tell the turns of seats, from the moves and the results as they are
// stored.
func (c *clocked) toldTurns(seats ...int) (lines []string) {
	c.t.Helper()
	table := c.people[0].table()
	rows := c.results(table.ID)
	for _, seat := range seats {
		var throws []string
		auto := false
		for _, m := range c.moves(table.ID) {
			if m.Seat != seat {
				continue
			}
			auto = auto || m.Auto
			if len(m.Dice) > 0 {
				throws = append(throws, strings.Trim(fmt.Sprint(m.Dice), "[]"))
			}
		}
		name := c.board(table.ID).People[seat].Name
		if auto {
			name += " (house)"
		}
		lines = append(lines, fmt.Sprintf("%s %s → %d", name, strings.Join(throws, " · "), rows[seat].Score))
	}
	return lines
}

// board is the board of a table as the platform shows it.
func (c *clocked) board(table int64) chat.Message {
	c.stage.mu.Lock()
	defer c.stage.mu.Unlock()
	return c.stage.boards[table]
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
		bubble(t, func(t *testing.T) {
			c := newEvening(t, seed, plainly, "/shutbox 10 turn=1m")
			id := c.people[0].table().ID
			if c.people[0].table().State == store.Over {
				return // somebody shut the box
			}
			c.awaitsEnd()
			table := c.people[0].table()
			if len(c.results(id)) != 4 || table.Staged == 0 {
				t.Fatalf("results %v, staged until %d", c.results(id), table.Staged)
			}
			if !c.results(id)[3].Threw {
				return // Clara has, by the house
			}
			staged++
			told := c.toldTurns(2, 3)
			m := c.board(id)
			last, stands := "House plays the last turn …", m.People[3].Text
			if m.Head != last || len(m.Buttons) > 0 ||
				strings.Contains(m.Small, "seal") || m.People[3].State != games.ToMove {
				t.Errorf("the end is staged as\n%s", show(m))
			}
			if !strings.HasSuffix(stands, " open") || len(m.Lines) != 1 || !alike(m.Lines[0], told[0]) {
				t.Errorf("staged is %q, with %q; Clara's turn was %q", stands, m.Lines, told[0])
			}
			refused(t, c.people[0].sends(fmt.Sprintf("1:%d:%d:throw 2", id, table.Turn)),
				"This game is over. ↻ Rematch plays the next.")
			c.wait(3900 * time.Millisecond)
			if now := c.board(id); now.Head != last {
				t.Errorf("too early the board says %q", now.Head)
			}
			c.wait(200 * time.Millisecond)
			m = c.board(id)
			if len(m.Lines) < 3 || !alike(m.Lines[0], told[0]) || !alike(m.Lines[1], told[1]) {
				t.Errorf("%q were played, the end is\n%s", told, show(m))
			}
			if !slices.Contains(m.Lines, "The house played for Clara.") || c.people[0].table().Staged != 0 {
				t.Errorf("for whom the house has played is not said\n%s", show(m))
			}
			if m.People[2].State == games.Won {
				absent++
			}
			c.verified()
		})
	}
	if staged < 6 || absent == 0 {
		t.Errorf("of %d such ends the absent have won %d: other seeds, please", staged, absent)
	}
}

// A staged end is drawn twice, and its review comes with it; an end that a person's move brings is
// drawn once, with its review.
func TestAnEndIsDrawnOnceWithItsReview(t *testing.T) {
	edits := func(c *clocked, from int) int {
		c.stage.mu.Lock()
		defer c.stage.mu.Unlock()
		n := 0
		for _, what := range c.stage.done[from:] {
			if strings.HasPrefix(what, "edit") {
				n++
			}
		}
		return n
	}
	done := func(c *clocked) int {
		c.stage.mu.Lock()
		defer c.stage.mu.Unlock()
		return len(c.stage.done)
	}
	bubble(t, func(t *testing.T) {
		c := newEvening(t, 1, plainly, "/shutbox 10 turn=1m tiles=4-9")
		c.lasts()
		from := done(c)
		c.awaitsEnd()
		c.wait(time.Minute)
		if n := edits(c, from); n != 2 {
			t.Errorf("%d edits of an end that is staged", n)
		}
		if text := show(c.board(c.people[0].table().ID)); !strings.Contains(text, "[Review]") {
			t.Errorf("the end has no review\n%s", text)
		}
	})
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox 10 tiles=4-9", "Anna", "Ben")
		for range 100 {
			p, m := c.house.toMove(c.people)
			from := done(c)
			p.sends(m.Buttons[0][0].Press)
			c.wait(2 * time.Second)
			if c.people[0].table().State != store.Over {
				continue
			}
			if n := edits(c, from); n != 1 {
				t.Errorf("%d edits of an end", n)
			}
			break
		}
		if text := show(c.board(c.people[0].table().ID)); !strings.Contains(text, "[Review]") {
			t.Errorf("the end has no review\n%s", text)
		}
	})
}

// spent is a platform that has no room for a drawing more.
type spent struct{ *stage }

func (spent) Budget(chat.Place) chat.Budget { return chat.Budget{Of: "group", Limit: 20} }

func TestAnEndIsNotStagedWhereTheBudgetIsSpent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newEvening(t, 2, func(s *stage) chat.Platform { return spent{s} }, "/shutbox 10 turn=1m")
		c.awaitsEnd()
		m := c.board(c.people[0].table().ID)
		if c.people[0].table().Staged != 0 || !slices.Contains(m.Lines, "The house played for Clara.") {
			t.Errorf("the end is\n%s", show(m))
		}
	})
}

// A process that ends while the end is staged shows the end when it runs again.
func TestAStagedEndIsShownAfterARestart(t *testing.T) {
	for _, away := range []time.Duration{0, time.Hour} {
		bubble(t, func(t *testing.T) {
			h := newHouse(t, shutbox.Game{})
			h.seeds = constant(3)
			h.restart()
			c := &clocked{house: h, stage: newStage(), people: h.gather("/shutbox 10 turn=1m", "Anna", "Ben")}
			c.people[0].presses("▶ Start")
			stop := c.onStage(c.stage)
			for range 100 {
				if c.toMove() != 0 {
					break
				}
				h.pressOn(c.people[:1], 1)
			}
			c.awaitsEnd()
			id := c.people[0].table().ID
			rows := c.results(id)
			if head := c.board(id).Head; head != "The house plays the last turn for Ben …" {
				t.Errorf("staged is %q", head)
			}
			stop()
			c.restart()
			c.wait(away)
			c.onStage(c.stage)
			synctest.Wait()
			c.wait(4 * time.Second)
			if text := show(c.board(id)); !strings.Contains(text, "The house played for Ben.") ||
				strings.Contains(text, "…\n") {
				t.Errorf("after a restart the board says\n%s", text)
			}
			if !slices.Equal(rows, c.results(id)) {
				t.Errorf("the result was %v and is %v", rows, c.results(id))
			}
			c.verified()
		})
	}
}

// Seven house seats play one after the other: three turns have a line, the winner's among them.
func TestSevenHouseSeatsAreToldInFourLines(t *testing.T) {
	for _, lang := range []string{"en", "de"} {
		more := map[string]string{"en": "4 more: Review", "de": "4 weitere: Auswertung"}[lang]
		for seed := range byte(4) {
			bubble(t, func(t *testing.T) {
				h := newHouse(t, shutbox.Game{})
				h.seeds = constant(seed)
				h.restart()
				anna := h.person("Anna")
				anna.locale = lang
				anna.writes("/shutbox 10 tiles=4-9")
				for range 7 {
					anna.sends(fmt.Sprintf("1:%d:0:!house fewest", anna.table().ID))
				}
				anna.sends(fmt.Sprintf("1:%d:0:!start", anna.table().ID))
				c := &clocked{house: h, stage: newStage(), people: []*person{anna}}
				c.onStage(c.stage)
				h.pressOut(c.people)
				c.wait(5 * time.Second)
				m := c.board(anna.table().ID)
				at := slices.Index(m.Lines, more)
				if lang == "en" && at < 0 { // with eight seats there may be no review
					at = slices.Index(m.Lines, "4 more")
				} else if at < 0 {
					at = slices.Index(m.Lines, "4 weitere")
				}
				if at != 3 {
					t.Fatalf("the end is\n%s", show(m))
				}
				for _, p := range m.People {
					won := p.State == games.Won && p.House
					if won && !slices.ContainsFunc(m.Lines[:3], func(line string) bool {
						return strings.HasPrefix(line, p.Name+" ")
					}) {
						t.Errorf("the turn that won is not told\n%s", show(m))
					}
				}
			})
		}
	}
}

// Turns that nobody saw stay on the board until a person moves, and are a function of what is
// stored.
func TestTurnsStayOnTheBoardUntilAPersonMoves(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t, wuerfelpoker.New())
		people := h.gather("/wuerfelpoker", "Anna", "Ben")
		anna, id := people[0], people[0].table().ID
		anna.sends(fmt.Sprintf("1:%d:0:!house greedy", id))
		h.agree(people...)
		anna.presses("▶ Start")
		told := func() (lines []string) {
			for _, line := range anna.board().Lines {
				if strings.Contains(line, " → ") {
					lines = append(lines, line)
				}
			}
			return lines
		}
		for _, p := range people {
			if lines := told(); len(lines) > 0 {
				t.Errorf("%s's own turn is told: %q", p.name, lines)
			}
			p.presses("Throw")
			p.presses("Write…")
			p.sends(p.board().Buttons[0][0].Press)
		}
		lines := told()
		if len(lines) != 1 || !strings.HasPrefix(lines[0], "House ") {
			t.Fatalf("the board tells %q", lines)
		}
		h.restart()
		if again := told(); !slices.Equal(lines, again) {
			t.Errorf("told %q, after a restart %q", lines, again)
		}
		anna.sends(fmt.Sprintf("1:%d:0:!show sheet", id))
		if again := told(); !slices.Equal(lines, again) {
			t.Errorf("told %q, beside the sheet %q", lines, again)
		}
		anna.sends(fmt.Sprintf("1:%d:0:!show sheet", id))
		anna.presses("Throw")
		if lines := told(); len(lines) > 0 || anna.table().Seen != nil {
			t.Errorf("after Anna's throw the board still tells %q", lines)
		}
	})
}

// After turns that nobody saw the board shows how the last person's turn ended, which they have seen
// nowhere else, and who is next.
func TestTheTurnBeforeThoseThatNobodySawIsShown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t, shutbox.Game{})
		h.seeds = constant(5)
		h.restart()
		people := h.gather("/shutbox match=rounds:3 tiles=4-12", "Anna", "Ben")
		anna, id := people[0], people[0].table().ID
		anna.sends(fmt.Sprintf("1:%d:0:!house fewest", id))
		h.agree(people...)
		anna.presses("▶ Start")
		var last []int // the dice of Ben's last throw
		for range 100 {
			if moves := h.moves(id); len(moves) > 0 && moves[len(moves)-1].Seat == 2 {
				for _, m := range moves {
					if m.Seat == 1 && len(m.Dice) > 0 {
						last = m.Dice
					}
				}
				break
			}
			h.pressOn(people, 1)
		}
		m := anna.board()
		if len(m.Tiles) != 1 || m.Tiles[0].Owner != "Ben" || len(m.Tiles[0].Dice) != len(last) {
			t.Fatalf("Ben threw %v, and the board is %+v\n%s", last, m.Tiles, show(m))
		}
		for i, die := range m.Tiles[0].Dice {
			if die.Face != last[i] {
				t.Errorf("Ben threw %v, the board has %v", last, m.Tiles[0].Dice)
			}
		}
		if !strings.Contains(m.Head, "Ben") || strings.Contains(m.Head, "House") || len(m.Told) == 0 ||
			!strings.HasPrefix(m.Told[len(m.Told)-1], "Anna") || !strings.HasPrefix(m.Lines[0], "House ") {
			t.Errorf("the board says %q, %q\n%s", m.Head, m.Told, show(m))
		}
	})
}
