package wuerfelpoker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/wuerfelpoker"
)

// said spells lines as keys and arguments, without the game's name.
func said(lines ...games.Line) string {
	var out []string
	for _, line := range lines {
		r := games.Refusal{Line: line}
		out = append(out, strings.ReplaceAll(r.Error(), "wuerfelpoker.", ""))
	}
	return strings.Join(out, " / ")
}

func TestHeadSaysWhatHappened(t *testing.T) {
	open := ". . . . . . . . . . . . . . ."
	five := "11122 22233 33344 44455 55566 "
	full := school + "66123 66552 - - - - - - 11112"
	for _, c := range []struct {
		rules       games.Rules
		state, want string
	}{
		{nil, `{"sheets":["` + open + `"],"round":0,"turn":0,"throws":0}`, "opens Seat=0"},
		{nil, `{"sheets":["` + open + `"],"round":0,"turn":0,"throws":1,"dice":"44162","kept":"00000"}`,
			"threw.two-left Faces=4 4 1 6 2 Seat=0"},
		{nil, `{"sheets":["` + open + `"],"round":0,"turn":0,"throws":2,"dice":"44162","kept":"11000"}`,
			"kept.one-left Faces=1 6 2 Kept=4 4 Seat=0"},
		{nil, `{"sheets":["` + open + `"],"round":0,"turn":0,"throws":3,"dice":"44162","kept":"11010"}`,
			"kept.none-left Faces=1 2 Kept=4 4 6 Seat=0"},
		{nil, `{"sheets":["` + open + `"],"round":0,"turn":0,"throws":3,"dice":"44162","kept":"00000"}`,
			"threw-again.none-left Faces=4 4 1 6 2 Seat=0"},
		{nil, `{"sheets":["12345` + open[1:] + `","` + open + `"],"round":0,"turn":1,"throws":0,"ended":"write ones"}`,
			"wrote Points=−2 Row=row.ones Seat=0 / to-throw Seat=1"},
		{nil, `{"sheets":["` + five + `66611 . . . . . . . . ."],"round":6,"turn":0,"throws":0,"ended":"write sixes"}`,
			"wrote Points=0 Row=row.sixes Seat=0 / school-won Bonus=+50 Seat=0 Sum=0 / to-throw Seat=0"},
		{games.Rules{"bonus": "minus"},
			`{"sheets":["` + five + `66111 . . . . . . . . ."],"round":6,"turn":0,"throws":0,"ended":"write sixes"}`,
			"wrote Points=−6 Row=row.sixes Seat=0 / school-lost Bonus=−50 Seat=0 Sum=−6 / to-throw Seat=0"},
		{nil, `{"sheets":["` + five + `66111 . . . . . . . . ."],"round":6,"turn":0,"throws":0,"ended":"write sixes"}`,
			"wrote Points=−6 Row=row.sixes Seat=0 / school-whole Bonus=0 Seat=0 Sum=−6 / to-throw Seat=0"},
		{nil, `{"sheets":["` + school + `66123! . . . . . . . ."],"round":7,"turn":0,"throws":0,"ended":"write pair"}`,
			"wrote-doubled Points=24 Row=row.pair Seat=0 / to-throw Seat=0"},
		{nil, `{"sheets":["` + school +
			`. . . . . . . . 11112!"],"round":7,"turn":0,"throws":0,"ended":"write chance"}`,
			"wrote Points=6 Row=row.chance Seat=0 / to-throw Seat=0"},
		{nil, `{"sheets":["` + school + `. . . . . . . 66666 ."],"round":7,"turn":0,"throws":0,"ended":"write poker"}`,
			"wrote-cheers Points=80 Row=row.poker Seat=0 / to-throw Seat=0"},
		{nil, `{"sheets":["` + school + `. . . . . . . - ."],"round":7,"turn":0,"throws":0,"ended":"strike poker"}`,
			"struck Row=row.poker Seat=0 / to-throw Seat=0"},
		{games.Rules{"miss": "deferred"},
			`{"sheets":["` + school + `. . . . . . . . ."],"round":7,"turn":0,"throws":0,"ended":"miss"}`,
			"missed Seat=0 / to-throw Seat=0"},
		{nil, `{"sheets":["` + full + `"],"round":15,"turn":0,"throws":0,"ended":"strike three"}`,
			"finished N=90 Points=90 Seat=0 / struck Row=row.three Seat=0"},
		{nil, `{"sheets":["` + full + `","` + full + `"],"round":15,"turn":0,"throws":0,"ended":"strike three"}`,
			"won-together N=90 Points=90 Seats=[{seat map[Seat:0]} {seat map[Seat:1]}] / struck Row=row.three Seat=1"},
		{nil, `{"sheets":["` + full + `","` + strings.Replace(full, "11112", "11111", 1) +
			`"],"round":15,"turn":0,"throws":0,"ended":"strike three"}`,
			"won N=90 Points=90 Seat=0 / struck Row=row.three Seat=1"},
	} {
		m, err := wuerfelpoker.New().Load(c.rules, []byte(c.state))
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		v := m.View()
		lines := v.Head
		if v.Won.Key != "" {
			lines = append([]games.Line{v.Won}, v.Head...)
		}
		if got := said(lines...); got != c.want {
			t.Errorf("%s\nsays %s\nnot  %s", c.state, got, c.want)
		}
	}
}

// TestLoadRefuses tells stored matches that nobody can have played.
func TestLoadRefuses(t *testing.T) {
	open := ". . . . . . . . . . . . . . ."
	for name, state := range map[string]string{
		"no seats": `{"sheets":[],"round":0,"turn":0,"throws":0}`,
		"eleven seats": `{"sheets":["` + open + strings.Repeat(`","`+open, 10) +
			`"],"round":0,"turn":0,"throws":0}`,
		"a row too few":            `{"sheets":["` + open[2:] + `"],"round":0,"turn":0,"throws":0}`,
		"a seat that is not there": `{"sheets":["` + open + `"],"round":0,"turn":1,"throws":0}`,
		"a round below":            `{"sheets":["` + open + `"],"round":-1,"turn":0,"throws":0}`,
		"a round that nobody has begun": `{"sheets":["` + open +
			`"],"round":1,"turn":0,"throws":0,"ended":"write ones"}`,
		"a fourth throw": `{"sheets":["` + open +
			`"],"round":0,"turn":0,"throws":4,"dice":"44162","kept":"11000"}`,
		"all dice kept": `{"sheets":["` + open +
			`"],"round":0,"turn":0,"throws":2,"dice":"44162","kept":"11111"}`,
		"dice kept before the first": `{"sheets":["` + open +
			`"],"round":0,"turn":0,"throws":1,"dice":"44162","kept":"11000"}`,
		"dice before a throw": `{"sheets":["` + open +
			`"],"round":0,"turn":0,"throws":0,"dice":"44162","kept":"00000"}`,
		"no dice after a throw": `{"sheets":["` + open + `"],"round":0,"turn":0,"throws":1}`,
		"a die with seven": `{"sheets":["` + open +
			`"],"round":0,"turn":0,"throws":1,"dice":"44172","kept":"00000"}`,
		"a row of part two too early": `{"sheets":["` + strings.Replace(open, ". . . . . . .", ". . . . . . 66123",
			1) + `"],"round":1,"turn":0,"throws":0,"ended":"write pair"}`,
		"a school row that is struck": `{"sheets":["-` + open[1:] +
			`"],"round":1,"turn":0,"throws":0,"ended":"strike ones"}`,
		"chance that is struck": `{"sheets":["` + school +
			`. . . . . . . . -"],"round":7,"turn":0,"throws":0,"ended":"strike chance"}`,
		"a pair that is none": `{"sheets":["` + school +
			`12345 . . . . . . . ."],"round":7,"turn":0,"throws":0,"ended":"write pair"}`,
		"a turn that ended otherwise": `{"sheets":["` + school +
			`66123 . . . . . . . ."],"round":7,"turn":0,"throws":0,"ended":"write three"}`,
		"a turn of another part": `{"sheets":["` + school +
			`66123 . . . . . . . ."],"round":7,"turn":0,"throws":0,"ended":"write ones"}`,
		"a turn that did not end": `{"sheets":["` + school +
			`66123 . . . . . . . ."],"round":7,"turn":0,"throws":0}`,
		"a turn that ended long ago": `{"sheets":["` + school +
			`66123 . . . . . . . ."],"round":7,"turn":0,"throws":1,"dice":"44162","kept":"00000","ended":"write pair"}`,
		"a miss where there is none": `{"sheets":["` + school +
			`66123 . . . . . . . ."],"round":7,"turn":0,"throws":0,"ended":"miss"}`,
		"a key that is not ours": `{"sheets":["` + open + `"],"round":0,"turn":0,"throws":0,"seed":1}`,
		"two matches":            `{"sheets":["` + open + `"],"round":0,"turn":0,"throws":0}{}`,
	} {
		if m, err := wuerfelpoker.New().Load(nil, []byte(state)); err == nil {
			t.Errorf("%s is loaded as %+v", name, m)
		}
	}
	for name, state := range map[string]string{
		"a strike with miss=deferred": `{"sheets":["` + school +
			`. . . . . . . - ."],"round":7,"turn":0,"throws":0,"ended":"strike poker"}`,
		"a miss in a round that was filled": `{"sheets":["` + school +
			`66123 . . . . . . . ."],"round":7,"turn":0,"throws":0,"ended":"miss"}`,
		"a miss in part one": `{"sheets":["` + school +
			`. . . . . . . . ."],"round":6,"turn":0,"throws":0,"ended":"miss"}`,
	} {
		if m, err := wuerfelpoker.New().Load(games.Rules{"miss": "deferred"}, []byte(state)); err == nil {
			t.Errorf("%s is loaded as %+v", name, m)
		}
	}
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

func TestSafestMove(t *testing.T) {
	for dice, want := range map[string]games.Move{
		"11123": "write ones",  // 0 points lose nothing
		"11234": "keep 11000",  // one point would be lost, there is a throw left
		"66666": "write sixes", // 12 points
	} {
		m := stored(t, nil, ". . . . . . . . . . . . . . .", `"round":0,"throws":1,"kept":"00000","dice":"`+dice+`"`)
		if got := m.Moves(0)[0]; got != want {
			t.Errorf("%s: the safest move is %q, not %q", dice, got, want)
		}
	}
	m := stored(t, nil, ". . . . . . . . . . . . . . .", `"round":0,"throws":3,"kept":"00000","dice":"11234"`)
	if got := m.Moves(0)[0]; got != "write ones" {
		t.Errorf("at last the safest move is %q", got)
	}
}

func TestPoint(t *testing.T) {
	g := wuerfelpoker.New()
	for value, want := range map[string]string{"0": "", "1": "1", "007": "7", "1000000": "1000000"} {
		rules, err := g.Check(games.Rules{"point": value})
		if err != nil || rules["point"] != want {
			t.Errorf("point=%s is %v, %v", value, rules, err)
		}
	}
	for _, value := range []string{"1000001", "-1", "+1", "1.5", "", "1e3", "١"} {
		if rules, err := g.Check(games.Rules{"point": value}); err == nil {
			t.Errorf("point=%s is %v", value, rules)
		}
	}
	if _, err := g.Check(games.Rules{"variant": "kniffel"}); err == nil {
		t.Error("a variant that options can say stands in the rules")
	}
}
