package table

import (
	"fmt"
	"math"
	"slices"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// hintCommand tells the person who is to move the best move, its worth, and the cost of the next
// best, at tables that allow hints.
func (v *Visit) hintCommand(bot.Args) error {
	t, err := v.Asked()
	if err != nil {
		return err
	}
	if t.State != store.Playing {
		return Gone(t)
	}
	if !games.AllowsHints(t.Rules) {
		return games.Refuse("bot.hint.forbidden", nil)
	}
	seat := games.Seat(board.SeatOf(t, v.Event.User))
	if seat < 0 {
		return notSeated(t)
	}
	g, m, err := v.bot.Match(t)
	if err != nil {
		return err
	}
	if !slices.Contains(m.Turn(), seat) {
		return games.Refuse("games.not-your-turn", games.Args{"Seat": m.Turn()[0]})
	}
	if v.Event.Aloud && v.Event.Press == "" { // all would read the answer, so it waits behind a button
		head := v.Private(games.Say("bot.hint.behind", nil))
		head.Buttons = [][]chat.Button{{v.Button(games.Say("bot.button.hint", nil), "/hint", games.Primary)}}
		return nil
	}
	return v.hint(t, g, m, seat)
}

// hint answers with the best move of a seat, or says that it is being computed.
func (v *Visit) hint(t store.Table, g games.Game, m games.Match, seat games.Seat) error {
	if err := board.Solvable(g, t.Rules, len(t.Seats)); err != nil {
		return err
	}
	var perfect games.Perfect
	var worths []games.Worth
	known, err := v.perfectly(g, t, func(p games.Perfect) (err error) {
		perfect = p
		if worths, err = p.Worths(m, seat); err == nil && len(worths) == 0 {
			err = fmt.Errorf("seat %d has no move that is worth anything", seat)
		}
		return err
	})
	switch {
	case !known:
		v.Toast("bot.hint.soon", nil)
		return nil
	case err != nil:
		return games.Refuse("bot.hint.unknown", nil)
	}
	best, _ := games.Best(worths, seat)
	lines := []games.Line{v.worth(t, perfect, best.Values[seat])}
	worse := slices.DeleteFunc(slices.Clone(worths), func(w games.Worth) bool {
		return w.Values[seat] >= best.Values[seat]-games.Noise
	})
	if next, ok := games.Best(worse, seat); ok {
		lines = append(lines, games.Say("bot.hint.next", games.Args{
			"Move": games.SayMove(m, seat, next.Move), "Cost": v.cost(t, perfect, best.Values[seat]-next.Values[seat]),
		}))
	} else if len(worths) > 1 {
		lines = append(lines, games.Say("bot.hint.all-alike", nil))
	}
	private := v.Private(games.Say("bot.hint.best", games.Args{"Move": games.SayMove(m, seat, best.Move)}), lines...)
	board.ExplainSigns(private, m.View().Sheet, v.Say)
	v.Reply.Secret = true
	return nil
}

// worth says where a value of perfect play leaves the seat: in units of the pool, in percent of
// it where nothing is played for, or in points.
func (v *Visit) worth(t store.Table, p games.Perfect, value float64) games.Line {
	switch {
	case p.Measure() == games.Share && t.Stake > 0:
		return games.Say("bot.hint.worth", games.Args{"Worth": v.FractionOf(t.Unit, value*float64(t.Stake), true)})
	case p.Measure() == games.Share:
		return games.Say("bot.hint.worth", games.Args{"Worth": games.Say("bot.hint.share",
			games.Args{"Percent": v.Fraction(100*(value+1)/float64(len(t.Seats)), false)})})
	}
	behind, level, ahead := "bot.hint.average.behind", "bot.hint.average.level", "bot.hint.average.ahead"
	if p.Measure() == games.Par || len(t.Seats) == 1 {
		behind, level, ahead = "bot.hint.par.behind", "bot.hint.par.level", "bot.hint.par.ahead"
	}
	points := games.Args{"Points": v.Fraction(math.Abs(value), false)}
	switch {
	case math.Round(value*100) == 0:
		return games.Say(level, nil)
	case value > 0:
		return games.Say(ahead, points)
	}
	return games.Say(behind, points)
}

// cost says what lies between two values of perfect play.
func (v *Visit) cost(t store.Table, p games.Perfect, lost float64) games.Line {
	switch {
	case p.Measure() == games.Share && t.Stake > 0:
		return v.FractionOf(t.Unit, lost*float64(t.Stake), false)
	case p.Measure() == games.Share:
		return games.Say("bot.hint.share", games.Args{"Percent": v.Fraction(100*lost/float64(len(t.Seats)), false)})
	}
	return games.Say("bot.hint.points", games.Args{"Points": v.Fraction(lost, false)})
}

// FractionOf says an amount that need not be whole.
func (v *Visit) FractionOf(unit string, x float64, sign bool) games.Line {
	if unit == money.DefaultUnit || unit == "" {
		return games.Say("bot.chips-part", games.Args{"Amount": v.Fraction(x, sign)})
	}
	return games.Say("bot.units", games.Args{"Amount": v.Fraction(x, sign), "Unit": chat.Isolate(unit)})
}

// Fraction spells a number with at most two digits behind the point, and with
// its sign where that is wanted. What is less than the last of them is so.
func (v *Visit) Fraction(x float64, sign bool) games.Line {
	hundredths := int(math.Round(math.Abs(x) * 100))
	said := map[bool]string{x > 0 && sign: "+", x < 0: "−"}[true]
	switch {
	case hundredths == 0 && x != 0 && !sign:
		return games.Say("bot.number.less", games.Args{"Whole": "0", "Part": "01"})
	case hundredths == 0:
		return games.Say("bot.text", games.Args{"Text": "0"})
	}
	return games.Say("bot.number.decimal", games.Args{
		"Whole": games.Number(said + fmt.Sprint(hundredths/100)), "Part": fmt.Sprintf("%02d", hundredths%100)})
}
