package wuerfelpoker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/wuerfelpoker"
)

// stored returns a match of one seat with a sheet as it is stored.
func stored(t *testing.T, rules games.Rules, sheet, rest string) games.Match {
	t.Helper()
	m, err := wuerfelpoker.New().Load(rules, []byte(`{"sheets":["`+sheet+`"],"turn":0,`+rest+`}`))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const school = "11122 22233 33344 44455 55566 66611 "

// said spells lines as keys and arguments, without the game's name.
func said(lines ...games.Line) string {
	var out []string
	for _, line := range lines {
		r := games.Refusal{Line: line}
		out = append(out, strings.ReplaceAll(r.Error(), "wuerfelpoker.", ""))
	}
	return strings.Join(out, " / ")
}

func TestBoard(t *testing.T) {
	m := stored(t, nil, school+"66123! 66552 - . . . . . 11112", `"round":10,"throws":2,"dice":"44416","kept":"11000"`)
	v := m.View()
	if got, want := said(v.Notes...), "round.combinations Round=5 / offers-nothing"; got != want {
		t.Errorf("the notes say %s, not %s", got, want)
	}
	m = stored(t, nil, school+"66123! - . . . . . . .", `"round":8,"throws":2,"dice":"44416","kept":"11000"`)
	v = m.View()
	buttons := ""
	for _, row := range v.Buttons {
		for _, b := range row {
			buttons += fmt.Sprintf("[%s %s]", b.Move, b.Style)
		}
		buttons += "\n"
	}
	if want := "[write chance ][write three ]\n" +
		"[strike small-straight danger][strike big-straight danger][strike four danger][strike full-house danger]" +
		"[strike poker danger]\n"; buttons != want {
		t.Errorf("the buttons are\n%swanted are\n%s", buttons, want)
	}
	if len(v.Pick.Choices) != 31 || v.Pick.Kind != "dice" || !slices.Equal(v.Pick.Items, []int{4, 4, 4, 1, 6}) {
		t.Errorf("the dice are picked from %+v", v.Pick)
	}
	for _, c := range v.Pick.Choices {
		set := []byte("00000")
		for _, i := range c.Items {
			set[i] = '1'
		}
		if c.Move != games.Move("keep "+string(set)) {
			t.Errorf("the choice %v makes the move %q", c.Items, c.Move)
		}
	}
	var sheet []string
	for _, row := range v.Sheet.Rows {
		cell := row.Cells[0]
		sheet = append(sheet, fmt.Sprintf("%s %s %d", strings.TrimPrefix(row.Name.Key, "wuerfelpoker."), cell.Mark,
			cell.Points))
	}
	if got, want := strings.Join(sheet, ", "),
		"row.ones written 0, row.twos written 0, row.threes written 0, row.fours written 0, "+
			"row.fives written 0, row.sixes written 0, sum.school written 0, sum.bonus written 50, "+
			"row.pair doubled 24, row.two-pairs struck 0, "+
			"row.three open 0, row.small-straight open 0, row.big-straight open 0, row.full-house open 0, "+
			"row.four open 0, row.poker open 0, "+
			"row.chance open 0, sum.combinations written 24, sum.total written 74"; got != want {
		t.Errorf("the sheet is %s\nwanted is %s", got, want)
	}
}

func TestLastThrowOffersTheBestRowFirst(t *testing.T) {
	m := stored(t, games.Rules{"order": "free", "miss": "deferred"}, ". . . . . . . . . . . . . . .",
		`"round":0,"throws":3,"dice":"44416","kept":"11000"`)
	v := m.View()
	if b := v.Buttons[0][0]; b.Move != "write chance" || b.Style != games.Primary || v.Pick != nil {
		t.Errorf("first is %+v, to be picked %v", b, v.Pick)
	}
	if b := v.Buttons[1][0]; b.Move != "miss" || b.Style != games.Danger {
		t.Errorf("given up is by %+v", b)
	}
}

// Rows to strike are behind a button of their own, one alone is struck by its own button.
func TestOneRowToStrikeIsNotApart(t *testing.T) {
	const school = "11123 22213 33312 44412 55512 66612 "
	for sheet, apart := range map[string]bool{
		"- - - - - - - . .": false, "- - - - - - . . .": true, "- - - - - - - - .": false,
	} {
		m := stored(t, games.Rules{"order": "free"}, school+sheet,
			fmt.Sprintf(`"round":%d,"throws":3,"dice":"44416","kept":"11000"`, 15-strings.Count(sheet, ".")))
		v := m.View()
		if got := v.Apart.Key != ""; got != apart {
			t.Errorf("%s: %v, %+v", sheet, got, v.Buttons)
		}
	}
}
