package wuerfelpoker_test

import (
	"fmt"
	"testing"

	"knobel/games"
)

func TestWhyAMoveIsBetter(t *testing.T) {
	const (
		fresh   = ". . . . . . . . . . . . . . ."
		all     = school + ". . . . . . . . ."
		chances = school + "- - - - - - - - ."
	)
	for _, c := range []struct {
		sheet, round, throws, dice string
		better, than               games.Move
		want                       string
	}{
		{all, "6", "1", "66655", "write full-house", "write pair", "why.now 56 24"}, // doubled on the first throw
		{all, "6", "3", "66655", "write full-house", "strike poker", "why.now 28 0"},
		{all, "6", "3", "66612", "write three", "write chance", "why.open wuerfelpoker.row.chance"}, // 18 and 21
		{all, "6", "3", "12346", "strike poker", "strike pair", "why.open wuerfelpoker.row.pair"},
		// One die for the chance gives 3.5 on average, and what is kept itself.
		{chances, "14", "2", "66661", "keep 11110", "write chance", "why.then 28 25"}, // 27.5, rounded up
		{chances, "14", "1", "16666", "keep 01111", "keep 10000", "why.then 28 15"},
		{chances, "14", "2", "66666", "write chance", "keep 11110", "why.then 30 28"},
		{chances, "14", "2", "66661", "write chance", "keep 11110", ""}, // it is not more
		// The school: a row with three alike gives nothing, with four its face.
		{fresh, "0", "3", "44441", "write fours", "write ones", "why.now 4 −2"},
	} {
		m := stored(t, nil, c.sheet, `"round":`+c.round+`,"throws":`+c.throws+`,"dice":"`+c.dice+`","kept":"00000"`)
		got := ""
		if line, ok := games.Why(m, 0, c.better, c.than); ok {
			got = line.Key[len("wuerfelpoker."):]
			if row, named := line.Args["Row"]; named {
				got += fmt.Sprint(" ", row)
			} else {
				got += fmt.Sprint(" ", line.Args["More"], " ", line.Args["Fewer"])
			}
		}
		if got != c.want {
			t.Errorf("%s %s: %q, not %q", c.dice, c.better, got, c.want)
		}
	}
}
