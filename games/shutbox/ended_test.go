package shutbox

import (
	"fmt"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// How a turn that has ended is shown: once, as it ended, until the next throw.

// picture is what a view says and shows: who has won, its lines, its rows with their owners, open
// tiles and dice, and the dice of whoever is to move.
func picture(v games.View) string {
	var parts []string
	for _, line := range append([]games.Line{v.Won}, v.Head...) {
		if line.Key != "" {
			parts = append(parts, strings.TrimPrefix(line.Key, "shutbox."))
		}
	}
	for _, row := range v.Tiles {
		text := "box"
		if row.Owner != games.Nobody {
			text = string(rune('A' + row.Owner))
		}
		for _, tile := range row.Tiles {
			if tile.Open {
				text += fmt.Sprint(" ", tile.Number)
			}
		}
		parts = append(parts, text+lying(row.Dice))
	}
	if len(v.Dice) > 0 {
		parts = append(parts, strings.TrimSpace(lying(v.Dice)))
	}
	return strings.Join(parts, " / ")
}

func lying(all []games.Die) (text string) {
	for _, d := range all {
		text += fmt.Sprintf(" [%d]", d.Face)
	}
	return text
}

// step is a move with its dice, and the picture afterwards.
type step struct {
	seat  games.Seat
	move  games.Move
	faces []int
	want  string
}

func TestATurnIsShownOnceAsItEnded(t *testing.T) {
	for name, c := range map[string]struct {
		rules string
		steps []step
	}{
		"a dead end lies there until the next throw": {"", []step{
			{0, "throw 2", []int{5, 6}, "head.close / box 1 2 3 4 5 6 7 8 9 / [5] [6]"},
			{0, "shut 9+2", nil, "head.closed / box 1 3 4 5 6 7 8"},
			{0, "throw 2", []int{1, 1}, "dead.stuck / head.next-beat / A 1 3 4 5 6 7 8 [1] [1]"},
			{1, "throw 2", []int{5, 4}, "head.close / box 1 2 3 4 5 6 7 8 9 / [5] [4]"},
			{1, "shut 9", nil, "head.closed-beat / box 1 2 3 4 5 6 7 8"},
			{1, "throw 2", []int{6, 2}, "head.close / box 1 2 3 4 5 6 7 8 / [6] [2]"},
			{1, "shut 8", nil, "head.closed-ahead / box 1 2 3 4 5 6 7"},
			{1, "throw 2", []int{6, 1}, "head.close / box 1 2 3 4 5 6 7 / [6] [1]"},
			{1, "shut 7", nil, "head.closed-ahead / box 1 2 3 4 5 6"},
			{1, "declare", nil, "head.won / B 1 2 3 4 5 6"},
		}},
		"at the end nothing of a loser's is shown": {"tiles=3", []step{
			{0, "throw 1", []int{3}, "head.close / box 1 2 3 / [3]"},
			{0, "shut 3", nil, "head.closed / box 1 2"},
			{0, "throw 1", []int{4}, "dead.stuck / head.next-beat / A 1 2 [4]"},
			{1, "throw 1", []int{5}, "head.close / box 1 2 3 / [5]"},
			{1, "shut 3+2", nil, "head.closed-ahead / box 1"},
			{1, "throw 1", []int{6}, "head.won / B 1 [6]"},
		}},
		"a first throw that misses its tile": {"first-throw=2", []step{
			{0, "throw 2", []int{5, 4}, "head.close-first / box 1 2 3 4 5 6 7 8 9 / [5] [4]"},
		}},
		"where scores are added": {"match=rounds:2 tiles=1-2 one-die=never", []step{
			{0, "throw 2", []int{5, 4}, "dead.stuck-more / head.next / A 1 2 [5] [4]"},
			{1, "throw 2", []int{1, 1}, "head.close / box 1 2 / [1] [1]"},
			{1, "shut 2", nil, "head.closed / box 1"},
			{1, "throw 2", []int{1, 1}, "dead.stuck-more / head.next / B 1 [1] [1]"},
		}},
		"one throw of lucky seven": {"variant=lucky-seven", []step{
			{0, "throw 2", []int{5, 4}, "lucky-seven.threw / lucky-seven.to-throw / A 7 [5] [4]"},
			{1, "throw 2", []int{5, 2}, "lucky-seven.seven / B [5] [2]"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			rules, err := Game{}.Check(rulesOf(c.rules))
			if err != nil {
				t.Fatal(err)
			}
			m, err := Game{}.New(rules, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range c.steps {
				if m, _, err = games.Play(m, s.seat, s.move, dice.NewScripted(t, s.faces...)); err != nil {
					t.Fatal(s.move, err)
				}
				saved, err := m.Save()
				if err != nil {
					t.Fatal(err)
				}
				if m, err = (Game{}).Load(rules, saved); err != nil { // as the board does
					t.Fatal(s.move, err)
				}
				if got := picture(m.View()); got != s.want {
					t.Errorf("%s %v: %s, want %s", s.move, s.faces, got, s.want)
				}
			}
		})
	}
}

// TestALosersLastTurnIsTold: where the one who has won did not move last, the sentence about the
// last turn stays, and no tiles.
func TestALosersLastTurnIsTold(t *testing.T) {
	rules, err := Game{}.Check(rulesOf("tiles=3"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Game{}.New(rules, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []step{{0, "throw 1", []int{5}, ""}, {0, "shut 3+2", nil, ""}, {0, "throw 1", []int{4}, ""},
		{1, "throw 1", []int{1}, ""}, {1, "shut 1", nil, ""}, {1, "throw 1", []int{4}, ""}} {
		if m, _, err = games.Play(m, s.seat, s.move, dice.NewScripted(t, s.faces...)); err != nil {
			t.Fatal(s.move, err)
		}
	}
	if got := picture(m.View()); got != "head.won / head.stuck" {
		t.Error(got)
	}
}

// TestAloneNobodyWins: who practises ends with points, and gets no trophy.
func TestAloneNobodyWins(t *testing.T) {
	for _, text := range []string{"tiles=2", "variant=lucky-seven"} {
		rules, err := Game{}.Check(rulesOf(text))
		if err != nil {
			t.Fatal(err)
		}
		least, _ := Game{}.Seats(rules)
		if least > 1 {
			continue
		}
		m, err := Game{}.New(rules, 1)
		if err != nil {
			t.Fatal(err)
		}
		luck := newChance(1)
		for len(m.Turn()) > 0 {
			if m, _, err = games.Play(m, 0, m.Moves(0)[0], luck); err != nil {
				t.Fatal(err)
			}
		}
		if v := m.View(); v.Stands[0].State == games.Won || v.Won.Key == "" {
			t.Errorf("%s: %+v", text, v)
		}
	}
}

// TestInCanogaTheThrowOfADeadEndLiesBesideItsRow, and nothing is uncovered where nothing is covered.
func TestInCanogaTheThrowOfADeadEndLiesBesideItsRow(t *testing.T) {
	rules, err := Game{}.Check(rulesOf("variant=canoga"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Game{}.New(rules, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []step{
		{0, "throw 2", []int{2, 1}, "canoga.start / canoga.to-start / A ALL [2] [1] / B ALL"},
		{1, "throw 2", []int{1, 1}, "canoga.begins / A ALL / B ALL"},
		{0, "throw 2", []int{1, 1}, "canoga.threw-cover / A ALL / B ALL / [1] [1]"},
		{0, "cover 2", nil, "canoga.covered / canoga.to-throw / A WITHOUT2 / B ALL"},
		{0, "throw 2", []int{1, 1}, "canoga.dead / canoga.to-throw / A WITHOUT2 [1] [1] / B ALL"},
		{1, "throw 2", []int{1, 1}, "canoga.threw / A WITHOUT2 / B ALL / [1] [1]"},
	} {
		if m, _, err = games.Play(m, s.seat, s.move, dice.NewScripted(t, s.faces...)); err != nil {
			t.Fatal(s.move, err)
		}
		short := strings.NewReplacer("1 2 3 4 5 6 7 8 9", "ALL", "1 3 4 5 6 7 8 9", "WITHOUT2")
		if got := short.Replace(picture(m.View())); got != s.want {
			t.Errorf("%s %v: %s, want %s", s.move, s.faces, got, s.want)
		}
	}
}
