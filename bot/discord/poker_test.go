package discord

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/store"
)

var numbered = regexp.MustCompile(`^1:(\d+):(\d+):`)

// standing is the board in the hall and the table and turn that it is for.
func (s *stage) standing() (m discordtest.Message, table, turn int64) {
	s.Helper()
	m = s.board()
	for _, b := range m.Buttons() {
		if found := numbered.FindStringSubmatch(b.CustomID); found != nil {
			table, _ = strconv.ParseInt(found[1], 10, 64)
			turn, _ = strconv.ParseInt(found[2], 10, 64)
		}
	}
	return m, table, turn
}

// lying are the dice on a board, and which of them are kept.
func lying(text string) (faces []int, kept []bool) {
	_, rest, _ := strings.Cut(text, "🎲")
	line, _, _ := strings.Cut(rest, "\n")
	for _, die := range strings.Fields(line) {
		face, locked := strings.CutSuffix(die, "🔒")
		n, _ := strconv.Atoi(face)
		faces, kept = append(faces, n), append(kept, locked)
	}
	return faces, kept
}

// keepsMost keeps the dice of the face that lies most often, and reports whether
// any are left to throw. The board shows each die at once.
func (s *stage) keepsMost(who *discordtest.Person) bool {
	s.Helper()
	faces, _ := lying(s.board().Text())
	count := map[int]int{}
	for _, f := range faces {
		count[f]++
	}
	best := slices.MaxFunc(faces, func(a, b int) int { return 10*(count[a]-count[b]) + a - b })
	for i, f := range faces {
		if _, kept := lying(s.board().Text()); kept[i] == (f == best) {
			continue
		}
		s.carries(who, fmt.Sprintf(":!pick %d", i))
		if _, kept := lying(s.board().Text()); kept[i] != (f == best) {
			s.Errorf("die %d is not shown as pressed:\n%s", i, s.board().Text())
		}
	}
	return count[best] < len(faces)
}

// rounds plays one row: up to three throws, then the first row on offer.
func (s *stage) rounds(who *discordtest.Person, throws int) {
	s.Helper()
	s.carries(who, ":throw")
	thrown := 1
	for ; thrown < throws && s.keepsMost(who); thrown++ {
		s.carries(who, ":!play")
	}
	if thrown < 3 {
		s.carries(who, ":!show write")
	}
	for _, b := range s.board().Buttons() {
		if strings.Contains(b.CustomID, ":write ") || strings.Contains(b.CustomID, ":strike ") {
			s.carries(who, b.CustomID)
			return
		}
	}
	s.Fatalf("no rows on\n%s", s.board().Text())
}

// A whole game of three, from the command to the last sheet and the settling
// up. Every press changes the board in its answer.
func TestWuerfelpokerForThree(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	people := []*discordtest.Person{s.server.Person("Anna", "de"), s.server.Person("Ben", "en-GB"), s.server.Person("Clara", "de")}
	s.sit(people[0], "wuerfelpoker", with("point", 2), people[1:]...)
	for round := range 15 {
		for i, who := range people {
			s.rounds(who, 1+(round+i+2)%3)
		}
	}
	m := s.board()
	if _, over := next(m); !over || len(s.hall.Messages()) != 1 {
		t.Fatalf("%d messages, the last of them\n%s", len(s.hall.Messages()), m.Text())
	}
	for _, part := range []string{"Anna", "Ben", "Clara", "Poker", "Summe"} {
		if !strings.Contains(m.Text(), part) {
			t.Errorf("%q is not on the last board:\n%s", part, m.Text())
		}
	}
	if n := len(s.server.Requests("PATCH /channels")); n != 0 {
		t.Errorf("%d drawings beside the answers", n)
	}
	if a := s.answer(s.hall.Slash(people[1], "settle")); !a.Message.Private() || !strings.Contains(a.Message.Text(), "→") || len(a.Message.Buttons()) == 0 {
		t.Errorf("the settling up is %d:\n%s", a.Type, a.Message.Text())
	}
	s.stop()
	s.sound()
}

// Dice pressed as fast as eight fingers can, each as soon as its last press is
// answered, are all heard: what is kept is what was pressed an odd number of
// times.
func TestNoToggleIsLost(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "de"), s.server.Person("Ben", "en-GB")
	s.sit(anna, "wuerfelpoker", nil, ben)
	s.carries(anna, ":throw")
	m, table, turn := s.standing()
	var fingers sync.WaitGroup
	dice := make(chan int, 200)
	for die, n := range [5]int{31, 20, 17, 30, 8} {
		for range n {
			dice <- die
		}
	}
	close(dice)
	for range 8 {
		fingers.Go(func() {
			for die := range dice {
				press := s.hall.Press(anna, m.ID, fmt.Sprintf("1:%d:%d:!pick %d", table, turn, die))
				if a, err := press.Answer(s.ctx); err != nil || private(a, "") {
					t.Errorf("a toggle is refused: %s, %v", a.Message.Text(), err)
				}
			}
		})
	}
	fingers.Wait()
	s.until("the board shows what is kept", func() bool {
		last, _ := s.hall.Last()
		_, kept := lying(last.Text())
		return slices.Equal(kept, []bool{true, false, true, false, false})
	})
	s.carries(anna, ":!play")
	var moves []store.Move
	err := s.store.View(s.ctx, func(tx *store.Tx) (err error) {
		moves, err = tx.Moves(table)
		return err
	})
	if err != nil || len(moves) != 2 || moves[1].Move != "keep 10100" {
		t.Errorf("played %+v, %v", moves, err)
	}
}
