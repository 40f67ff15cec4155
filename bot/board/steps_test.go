package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// stepwise is a platform that shows moves one by one.
type stepwise struct{ *bare.Stage }

func (stepwise) Traits(chat.Place) chat.Traits { return chat.Traits{Steps: true} }

// showsFaces reports whether a step shows dice with all of faces, possibly among kept ones.
func showsFaces(s chat.Step, faces []int) bool {
	lie := s.Dice
	for _, row := range s.Tiles {
		lie = append(slices.Clone(lie), row.Dice...)
	}
	for _, face := range faces {
		i := slices.IndexFunc(lie, func(d chat.Die) bool { return d.Face == face })
		if i < 0 {
			return false
		}
		lie = slices.Delete(slices.Clone(lie), i, i+1)
	}
	return true
}

// checkSteps checks the steps of the board m against the history of its table: none since the person's last move is
// missing, none was undone, and each shows its roll.
func checkSteps(t *testing.T, m chat.Message, table store.Table, history []store.Move) {
	t.Helper()
	want := map[int64]store.Move{}
	var standing []int64
	for i, move := range history {
		if move.Move == "!undo" {
			delete(want, standing[len(standing)-1])
			standing = standing[:len(standing)-1]
			continue
		}
		want[int64(i)+1] = move
		standing = append(standing, int64(i)+1)
	}
	if m.Turn != int64(len(history)) || len(m.Steps) > 41 {
		t.Fatalf("turn %d after %d moves, %d steps", m.Turn, len(history), len(m.Steps))
	}
	from := max(min(m.Turn-12, table.Board.Seen-1), m.Turn-40, 0)
	last := int64(0)
	for _, step := range m.Steps {
		move, stands := want[step.Turn]
		if !stands || step.Turn <= last || step.Seat != move.Seat || step.Said == "" ||
			strings.Contains(step.Said, "<no") {
			t.Fatalf("after step %d: %+v, the move is %+v", last, step, move)
		}
		if !showsFaces(step, move.Dice) {
			t.Errorf("%v was thrown in move %d, %q; the step shows %+v", move.Dice, step.Turn, move.Move, step)
		}
		for _, die := range step.Dice {
			if die.Press != "" {
				t.Errorf("a die of step %d can be pressed", step.Turn)
			}
		}
		last = step.Turn
	}
	for _, turn := range standing {
		if turn > from && !slices.ContainsFunc(m.Steps, func(s chat.Step) bool { return s.Turn == turn }) {
			t.Errorf("move %d of %d is no step: %+v", turn, m.Turn, want[turn])
		}
	}
}

// TestBoardsShowTheMovesThatLedToThem checks that boards show every move of a game as a step, including the last one,
// after which no person has to press.
func TestBoardsShowTheMovesThatLedToThem(t *testing.T) {
	bare.Beside(t)
	for _, line := range []string{
		"/shutbox 10", "/shutbox 10 match=rounds:3 one-die=never", "/shutbox variant=canoga",
		"/shutbox variant=lucky-seven", "/wuerfelpoker", "/zehntausend target=3000",
	} {
		t.Run(line, func(t *testing.T) {
			bare.Bubble(t, func(t *testing.T) {
				h := bare.New(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
				c := &bare.Clocked{House: h, Stage: bare.NewStage(), People: h.Gather(line, "Anna")}
				anna, id := c.People[0], c.People[0].Table().ID
				for _, house := range []string{"fewest", "greedy", "careful", "random"} {
					anna.Sends(fmt.Sprintf("1:%d:0:!house %s", id, house))
				}
				c.OnStage(stepwise{c.Stage})
				synctest.Wait()
				anna.Presses("▶ Start")
				most, undone := 0, 0
				for range 500 {
					synctest.Wait()
					m, table := c.BoardOf(id), c.TableOf(id)
					checkSteps(t, m, table, c.Moves(id))
					most = max(most, len(m.Steps))
					if table.State != store.Playing {
						break
					}
					undo := fmt.Sprintf("1:%d:%d:!undo", id, table.Turn)
					offers := func(b chat.Button) bool { return b.Press == undo }
					if undone%3 == 0 && slices.ContainsFunc(slices.Concat(m.Buttons...), offers) {
						anna.Sends(undo)
						checkSteps(t, c.BoardOf(id), c.TableOf(id), c.Moves(id))
						m = c.BoardOf(id)
					}
					undone++
					anna.Sends(bare.FirstMove(m).Press)
				}
				if table := c.TableOf(id); table.State != store.Over || table.Board.Page == store.PageStaged {
					t.Errorf("the game is %v, its end is staged: %q", table.State, table.Board.Page)
				}
				if most < 12 && !strings.Contains(line, "lucky") {
					t.Errorf("at most %d moves were steps", most)
				}
				c.Restart()
				c.OnStage(stepwise{c.Stage})
				synctest.Wait()
				checkSteps(t, c.BoardOf(id), c.TableOf(id), c.Moves(id))
				for _, step := range c.BoardOf(id).Steps {
					t.Logf("%d %+v", step.Turn, step)
				}
			})
		})
	}
}

// TestStepsAreForWhoShowsThem checks that platforms without steps get none.
func TestStepsAreForWhoShowsThem(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox 10", "Anna", "Ben")
		c.PressOn(c.People, 3)
		synctest.Wait()
		if m := c.Board(c.People[0].Table().ID); len(m.Steps) > 0 || m.Turn != 3 {
			t.Errorf("turn %d with %d steps", m.Turn, len(m.Steps))
		}
	})
}

// TestTheEndShowsTheBoxOfWhoHasWon checks that boards with steps end with the winner's tiles, not those of the last
// turn.
func TestTheEndShowsTheBoxOfWhoHasWon(t *testing.T) {
	for _, line := range []string{"/shutbox 10", "/shutbox 10 match=rounds:3", "/shutbox variant=canoga"} {
		bare.Bubble(t, func(t *testing.T) {
			h := bare.New(t, shutbox.Game{})
			c := &bare.Clocked{House: h, Stage: bare.NewStage(), People: h.Gather(line, "Anna")}
			anna, id := c.People[0], c.People[0].Table().ID
			anna.Sends(fmt.Sprintf("1:%d:0:!house fewest", id))
			c.OnStage(stepwise{c.Stage})
			synctest.Wait()
			anna.Presses("▶ Start")
			for range 500 {
				synctest.Wait()
				if c.TableOf(id).State != store.Playing {
					break
				}
				anna.Sends(bare.FirstMove(c.BoardOf(id)).Press)
			}
			m := c.BoardOf(id)
			won := slices.DeleteFunc(slices.Clone(m.People), func(p chat.Person) bool { return p.State != games.Won })
			if len(won) != 1 {
				t.Fatalf("%s: won have %+v", line, won)
			}
			if len(m.Tiles) == 0 || m.Tiles[0].Owner == "" || len(m.Tiles) == 1 && m.Tiles[0].Owner != won[0].Name {
				t.Errorf("%s: %s has won, the board shows %+v", line, won[0].Name, m.Tiles)
			}
		})
	}
}

// TestMoversSeeTheTilesOfTheirOwnTurn checks the tiles before the first roll of a turn: the mover's page shows those of
// that turn, other pages those that the turn before has left.
func TestMoversSeeTheTilesOfTheirOwnTurn(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox 10", "Anna", "Ben")
		c.OnStage(stepwise{c.Stage})
		id := c.People[0].Table().ID
		for range 40 {
			c.PressOn(c.People, 1)
			synctest.Wait()
			others := viewFor(c.House, id, viewerOf(c.People[0])).Tiles[0]
			if len(others.Dice) == 0 {
				continue
			}
			own := viewFor(c.House, id, viewerOf(c.People[1])).Tiles[0]
			shut := func(tile chat.Tile) bool { return !tile.Open }
			if own.Owner != "" || len(own.Dice) > 0 || slices.ContainsFunc(own.Tiles, shut) ||
				others.Owner != "Anna" || !slices.ContainsFunc(others.Tiles, shut) {
				t.Errorf("Ben sees %+v, Anna %+v", own, others)
			}
			return
		}
		t.Error("Anna's turn did not end")
	})
}
