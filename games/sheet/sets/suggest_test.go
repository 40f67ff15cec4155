package sets_test

import (
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/sheet/sets"
	"knobel/games/wuerfelpoker"
)

// thrown plays moves of somebody alone, with dice that fall as is said behind each: "throw 11111".
func thrown(t *testing.T, g games.Game, rules games.Rules, moves ...string) games.View {
	t.Helper()
	m, err := g.New(rules, 1)
	for _, move := range moves {
		if err != nil {
			t.Fatalf("%s: %v", g.Name(), err)
		}
		move, faces, _ := strings.Cut(move, " = ")
		var fall []int
		for _, face := range faces {
			fall = append(fall, int(face-'0'))
		}
		m, _, err = games.Play(m, 0, games.Move(move), dice.NewScripted(t, fall...))
	}
	if err != nil {
		t.Fatalf("%s %v: %v", g.Name(), moves, err)
	}
	return m.View()
}

// school fills the first part of Würfelpoker.
var school = []string{"throw = 11123", "write ones", "throw = 22213", "write twos", "throw = 33312", "write threes",
	"throw = 44412", "write fours", "throw = 55512", "write fives", "throw = 66612", "write sixes"}

// TestFinishedHands: what nothing betters is written first, and thrown again beside it.
func TestFinishedHands(t *testing.T) {
	for _, c := range []struct {
		game  games.Game
		rules games.Rules
		moves []string
		want  string // "": to throw again is what one nearly always wants
	}{
		{sets.Kniffel(), nil, []string{"throw = 55555"}, "write kniffel"},
		{sets.Kniffel(), nil, []string{"throw = 35462"}, "write large-straight"},
		{sets.Kniffel(), nil, []string{"throw = 33322"}, "write full-house"},
		{sets.Kniffel(), nil, []string{"throw = 11234", "keep 01111 = 5"}, "write large-straight"},
		{sets.Kniffel(), nil, []string{"throw = 44441"}, ""},
		{sets.Kniffel(), nil, []string{"throw = 12346"}, ""},
		{sets.Kniffel(), nil, []string{"throw = 12345", "write large-straight", "throw = 12345"}, ""},
		{sets.Kniffel(), games.Rules{"joker": "forced"}, []string{"throw = 55555", "write kniffel", "throw = 55555"},
			""},
		{sets.Yatzy(), nil, []string{"throw = 66666"}, "write yatzy"},
		{sets.Yatzy(), nil, []string{"throw = 23456"}, "write big-straight"},
		{sets.Yatzy(), nil, []string{"throw = 33322"}, ""},
		{sets.Yatzy(), games.Rules{"order": "forced"}, []string{"throw = 66666"}, ""},
		{sets.MaxiYatzy(), nil, []string{"throw = 123456"}, "write full-straight"},
		{sets.MaxiYatzy(), nil, []string{"throw = 333333"}, "write maxi-yatzy"},
		{sets.MaxiYatzy(), nil, []string{"throw = 123455"}, ""},
		{sets.MaxiYatzy(), nil, []string{"throw = 333222"}, ""},
		{sets.Generala(), nil, []string{"throw = 22333"}, "write full"},
		{sets.Generala(), nil, []string{"throw = 22222"}, "write generala"},
		{sets.Generala(), games.Rules{"double": "yes"}, []string{"throw = 22222", "write generala", "throw = 33333"},
			"write double-generala"},
		{sets.Escalero(), nil, []string{"throw = 22333"}, "write full"},
		{sets.Escalero(), games.Rules{"columns": "3"}, []string{"throw = 23456"}, "write 1 straight"},
		{sets.Kismet(), nil, []string{"throw = 44444"}, "write kismet"},
		{sets.Kismet(), nil, []string{"throw = 12345"}, "write straight"},
		{sets.Kismet(), nil, []string{"throw = 22555"}, ""},
		{sets.Crag(), nil, []string{"throw = 135"}, "write odd"},
		{sets.Crag(), nil, []string{"throw = 661"}, "write crag"},
		{sets.Crag(), nil, []string{"throw = 444"}, "write three"},
		{sets.Crag(), nil, []string{"throw = 652"}, ""},
		{sets.Balut(), nil, []string{"throw = 44444"}, "write balut"},
		{sets.Balut(), nil, []string{"throw = 12345"}, "write straight"},
		{sets.Yamb(), nil, []string{"throw = 44444"}, "write free yamb"},
		{sets.Yamb(), nil, []string{"throw = 12345"}, "write free straight"},
		{wuerfelpoker.New(), nil, []string{"throw = 55555"}, ""}, // its row is not open yet
		{wuerfelpoker.New(), nil, append(school[:12:12], "throw = 55555"), "write poker"},
		{wuerfelpoker.New(), nil, append(school[:12:12], "throw = 12345"), "write small-straight"},
		{wuerfelpoker.New(), nil, append(school[:12:12], "throw = 11234", "keep 00111 = 55"), ""},
		{wuerfelpoker.New(), nil, append(school[:12:12], "throw = 11234", "keep 00000 = 23456"), "write big-straight"},
		{wuerfelpoker.New(), nil, append(school[:12:12], "throw = 66655"), ""},
	} {
		v := thrown(t, c.game, c.rules, c.moves...)
		first := v.Buttons[0][0]
		switch {
		case c.want == "" && (first.Style == games.Primary || v.Pick.Choices[0].Style != games.Primary):
			t.Errorf("%s %v: %q comes before another throw", c.game.Name(), c.moves, first.Move)
		case c.want != "" && (string(first.Move) != c.want || first.Style != games.Primary || v.Pick == nil ||
			v.Pick.Choices[0].Style == games.Primary):
			t.Errorf("%s %v: first is %q, %q, not %s", c.game.Name(), c.moves, first.Move, first.Style, c.want)
		}
	}
}

// TestSuggestionsOfYamb are in the order of what they add to the total.
func TestSuggestionsOfYamb(t *testing.T) {
	for _, c := range []struct {
		moves []string
		want  string // the first rows
	}{
		{[]string{"throw = 66413"}, "write sixes, write fours, write threes, write ones"},
		{[]string{"throw = 11112", "write ones", "throw = 11112", "write min", "throw = 66543"},
			"write max, write sixes"},
	} {
		v := thrown(t, sets.Yamb(), games.Rules{"columns": "1"}, c.moves...)
		var got []string
		for _, b := range v.Buttons[0] {
			got = append(got, string(b.Move))
		}
		if !strings.HasPrefix(strings.Join(got, ", "), c.want) {
			t.Errorf("%v: %v are offered", c.moves, got)
		}
	}
}

// TestBonusThatIsCertain is on the sheet and in the total while rows of its section are open.
func TestBonusThatIsCertain(t *testing.T) {
	for _, c := range []struct {
		game  games.Game
		moves []string
		want  string // the mark of the bonus, and the total
	}{
		{sets.Kniffel(), []string{"throw = 66666", "write sixes", "throw = 55555", "write fives"}, "open 55"},
		{sets.Kniffel(), []string{"throw = 66666", "write sixes", "throw = 55555", "write fives", "throw = 44444",
			"write fours"}, "written 110"},
		{sets.Kismet(), []string{"throw = 66666", "write sixes", "throw = 55555", "write fives", "throw = 44444",
			"write fours"}, "written 130"},
		{sets.Kismet(), []string{"throw = 66666", "write sixes", "throw = 55555", "write fives", "throw = 44441",
			"write fours"}, "written 126"},
		{wuerfelpoker.New(), []string{"throw = 66666", "write sixes", "throw = 55555", "write fives", "throw = 44444",
			"write fours"}, "written 80"},
		{wuerfelpoker.New(), []string{"throw = 66666", "write sixes", "throw = 55555", "write fives"}, "open 22"},
		{wuerfelpoker.New(), []string{"throw = 66666", "write sixes", "throw = 44444", "write fours"}, "open 20"},
	} {
		sheet := thrown(t, c.game, nil, c.moves...).Sheet
		got := ""
		for _, row := range sheet.Rows {
			switch {
			case strings.HasSuffix(row.Name.Key, ".bonus"):
				got = string(row.Cells[0].Mark)
			case strings.HasSuffix(row.Name.Key, ".total"):
				got += " " + strconv.Itoa(row.Cells[0].Points)
			}
		}
		if got != c.want {
			t.Errorf("%s %v: %s, not %s", c.game.Name(), c.moves, got, c.want)
		}
	}
}
