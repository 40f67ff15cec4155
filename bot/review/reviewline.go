package review

import (
	"fmt"
	"math"
	"strings"

	"knobel/bot/chart"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// linePage shows each seat's expectation after every move, as a picture.
func (v *visit) linePage(t store.Table, r store.Review, steps reviewSteps) error {
	names := v.bot.NamesAt(t, v.Lang)
	v.Shows(fmt.Sprintf("review %d line", t.ID))
	m := v.Private(games.Say("bot.review.expected", games.Args{"Table": t.ID, "Unit": v.inUnits(t, r)}))
	l := chart.Lines{
		Title: v.Say(games.Say("bot.review.drawn", games.Args{"Table": t.ID, "Unit": v.inUnits(t, r)})),
		From:  v.Say(games.Say("bot.review.first", nil)),
		To:    v.Say(games.Say("bot.review.last", games.Args{"Moves": len(steps.Moves)})),
	}
	var said []string
	for i := range r.Seats {
		line, words := v.expectedLine(t, r, steps, i)
		line.Name = names[i]
		l.Lines = append(l.Lines, line)
		said = append(said, v.Say(words))
	}
	m.Lines, m.Folds = append(m.Lines, said...), true
	m.Buttons = [][]chat.Button{v.reviewButtons(t, "line")}
	v.Illustrate(fmt.Sprintf("review-%d.png", t.ID), m.Head+" "+strings.Join(said, " "), "", l.PNG)
	return nil
}

// expectedLine is what a seat expected after every move, and the same in words:
// where it began, its best and its worst moment, where it ended.
func (v *visit) expectedLine(t store.Table, r store.Review, steps reviewSteps, seat int) (chart.Line, games.Line) {
	by := scaleOf(t, r)
	values := []float64{by * steps.Start[seat]}
	best, worst := 0, 0
	for i, step := range steps.Moves {
		values = append(values, by*step.Expect[seat])
		if values[i+1] > values[best] {
			best = i + 1
		}
		if values[i+1] < values[worst] {
			worst = i + 1
		}
	}
	told := func(x float64) games.Line { return amountOf(t, r, int(math.Round(10*x)), 1, true) }
	last := told(values[len(values)-1])
	return chart.Line{Values: values, Last: v.Say(last)}, games.Say("bot.review.went", games.Args{
		"Seat": games.Seat(seat), "Start": told(values[0]), "End": last,
		"High": told(values[best]), "Best": best, "Low": told(values[worst]), "Worst": worst,
	})
}
