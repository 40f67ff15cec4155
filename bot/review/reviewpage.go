package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chart"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// Pages of a review: the parts of each result, the costliest decision, and every move with its effect.

// reviewed is a finished game with its review.
type reviewed struct {
	t     store.Table
	g     games.Game
	r     store.Review
	steps reviewSteps
}

// reviewOf returns t with its review. known is false if there is none, or none yet.
func reviewOf(tx *store.Tx, t store.Table, g games.Game) (of reviewed, known bool, err error) {
	of = reviewed{t: t, g: g}
	of.r, err = tx.Reviews.Review(t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return of, false, nil
	}
	if err != nil || of.r.State != store.Reviewed || len(of.r.Seats) != len(t.Seats) {
		return of, false, err
	}
	if err = json.Unmarshal(of.r.Steps, &of.steps); err != nil {
		err = fmt.Errorf("review of table %d: %w", t.ID, err)
	}
	return of, true, err
}

// reviewCommand shows the review of the latest game, or of a game by its number, as in "41". "41 moves 12" lists its
// moves from the 13th, "41 line" shows its chart.
func (v *visit) reviewCommand(w bot.Args) error {
	t, err := v.AskedFor(w)
	switch {
	case err != nil:
		return err
	case t.State == store.Abandoned:
		return games.Refuse("bot.review.none", nil)
	case t.State != store.Over:
		return games.Refuse("bot.review.not-over", nil)
	}
	g, missing := v.bot.Game(t.Game)
	of, known, err := reviewOf(v.Tx, t, g)
	page := w.Text("page")
	switch drawn := known && page == "line"; {
	case err != nil:
		return err
	case missing != nil && !drawn:
		return missing
	case !known:
		return v.noReview(of)
	}
	if err := v.noteAsked(of.r); err != nil {
		return err
	}
	switch page {
	case "moves":
		from, _ := w.Amount("from")
		return v.stepsPage(of, int(min(from, math.MaxInt32)))
	case "line":
		v.linePage(of)
		return nil
	}
	return v.reviewPage(of)
}

// noteAsked stores that the user, or everyone in the place, has read r, so nextPuzzle avoids its decision.
func (v *visit) noteAsked(r store.Review) error {
	asked := askedByOne
	if v.Overheard() {
		asked = askedByAll
	}
	var choice reviewChoice
	if r.Weight == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Choices, &choice); err != nil {
		return fmt.Errorf("choices of table %d: %w", r.Table, err)
	}
	if choice.Asked >= asked {
		return nil
	}
	choice.Asked = asked
	var err error
	if r.Choices, err = json.Marshal(choice); err != nil {
		return err
	}
	return v.Tx.Reviews.SaveChoices(r)
}

// noReview refuses with the reason why there is no review or, if one can be made, requests it and says so.
func (v *visit) noReview(of reviewed) error {
	t := of.t
	switch {
	case board.AnyOut(t):
		return games.Refuse("games.review-out", nil)
	case of.r.Failed:
		return games.Refuse("bot.review.failed", nil)
	}
	_, err := board.ProblemOf(of.g, t)
	switch _, unsolvable := games.Refused(err); {
	case unsolvable, of.r.State == store.NoReview:
		return games.Refuse("bot.review.none", nil)
	case err != nil:
		return err
	}
	if t.Ending.MovesDropped {
		return games.Refuse("bot.review.bare", nil)
	}
	if of.r.State == "" {
		if _, err := v.wantReview(t, of.g); err != nil {
			return err
		}
	}
	v.Wake(v.bot.wake)
	v.Toast("bot.review.soon", nil)
	return nil
}

// reviewPage replies with the parts of each result and the costliest decision.
func (v *visit) reviewPage(of reviewed) error {
	t := of.t
	v.Shows(fmt.Sprint("review ", t.ID))
	m := v.Private(games.Say("bot.review.head",
		games.Args{"Table": t.ID, "Game": v.bot.TableLabel(of.g, t.Rules), "Unit": of.inUnits()}))
	m.Folds = true
	for i := range of.r.Seats {
		parts := of.partsOf(i)
		whole, sum := rounded(parts, 100)
		var said []string
		for k, p := range parts { // dice, decisions and, with other players, theirs are shown even if 0
			always := p.key == "bot.review.dice" || p.key == "bot.review.decisions" ||
				p.key == "bot.review.others" && len(of.r.Seats) > 1 && of.r.Measure != string(games.Par)
			if whole[k] != 0 || always {
				said = append(said, v.Say(games.Say(p.key, games.Args{"Amount": of.amount(whole[k], 2, true)})))
			}
		}
		args := games.Args{"Seat": games.Seat(i), "Result": of.amount(sum, 2, true), "Parts": strings.Join(said, ", ")}
		m.Lines = append(m.Lines, v.Say(games.Say("bot.review.sum", args)))
		if len(of.r.Seats) > 1 {
			s, by := of.r.Seats[i], of.scale()
			whole, _ := rounded([]part{{value: by * s.OthersDice}, {value: by * s.OthersDecisions}}, 100)
			m.Lines = append(m.Lines, v.Say(games.Say("bot.review.of-others", games.Args{
				"Dice": of.amount(whole[0], 2, true), "Decisions": of.amount(whole[1], 2, true),
			})))
		}
	}
	if t.Ending.MovesDropped {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.review.bare", nil)))
		return nil
	}
	costly, err := v.costliest(of)
	if err != nil {
		return err
	}
	m.Lines = append(m.Lines, costly...)
	m.Buttons = [][]chat.Button{v.reviewButtons(t, "")}
	return nil
}

// costliest returns sentences about the costliest decision of a person and the better move.
func (v *visit) costliest(of reviewed) ([]string, error) {
	worst, steps := -1, of.steps.Moves
	moves, err := v.MovesOf(of.t)
	if err != nil {
		return nil, err
	}
	for i, step := range steps {
		if i < len(moves) && !moves[i].Auto && step.Cost > 0 && (worst < 0 || step.Cost > steps[worst].Cost) {
			worst = i
		}
	}
	if worst < 0 {
		return []string{v.Say(games.Say("bot.review.flawless", nil))}, nil
	}
	match, _, err := table.Replayed(of.g, of.t, moves[:worst])
	if err != nil {
		return nil, err
	}
	step, seat := steps[worst], games.Seat(moves[worst].Seat)
	args := games.Args{
		"Seat": seat, "Move": worst + 1,
		"Made": games.SayMove(match, seat, games.Move(moves[worst].Move)),
		"Best": games.SayMove(match, seat, step.Best),
		"Cost": v.costOf(of, step.Cost), "Worth": v.worthOf(of, step.Worth),
		"Instead": v.worthOf(of, step.Worth+step.Cost),
	}
	said := []string{v.Say(games.Say("bot.review.costliest", args)), v.Say(games.Say("bot.review.better", args))}
	if why, ok := games.Why(match, seat, step.Best, games.Move(moves[worst].Move)); ok {
		said = append(said, v.Say(why))
	}
	page := chat.Message{Lines: said}
	board.ExplainSigns(&page, match.View().Sheet, v.Say)
	return page.Lines, nil
}

// costOf returns the text of a decision's cost, and worthOf that of a position's value.
func (v *visit) costOf(of reviewed, cost float64) games.Line {
	switch cost *= of.scale(); {
	case !of.shares():
		return games.Say("bot.hint.points", games.Args{"Points": v.Fraction(cost, false)})
	case of.t.Stake == 0:
		return games.Say("bot.hint.share", games.Args{"Percent": v.Fraction(cost, false)})
	}
	return v.FractionOf(of.t.Unit, cost, false)
}

func (v *visit) worthOf(of reviewed, worth float64) games.Line {
	switch {
	case !of.shares():
		return games.Say("bot.review.at-points", games.Args{"Points": v.Fraction(worth, true)})
	case of.t.Stake == 0:
		return v.costOf(of, worth+1) // adds the own stake: the share of the whole pool
	}
	return v.FractionOf(of.t.Unit, of.scale()*worth, true)
}

// reviewButtons returns buttons to all pages of a review except here ("" is the first page).
func (v *visit) reviewButtons(t store.Table, here string) []chat.Button {
	var row []chat.Button
	for _, page := range []struct{ key, where string }{
		{"bot.button.review", ""}, {"bot.button.moves", "moves"}, {"bot.button.line", "line"},
	} {
		if page.where != here {
			row = append(row, v.Button(games.Say(page.key, nil),
				strings.TrimSpace(fmt.Sprintf("/review %d %s", t.ID, page.where)), games.Plain))
		}
	}
	return row
}

// stepsPage replies with the page of moves that contains move number from (from 0): the luck and cost of each.
func (v *visit) stepsPage(of reviewed, from int) error {
	t := of.t
	moves, err := v.MovesOf(t)
	if err == nil {
		err = of.fits(moves)
	}
	if err != nil {
		return err
	}
	from = min(max(from, 0), max(len(moves)-1, 0)) / maxSteps * maxSteps
	to := min(from+maxSteps, len(moves))
	match, _, err := table.Replayed(of.g, t, moves[:from])
	if err != nil {
		return err
	}
	v.Shows(fmt.Sprintf("review %d moves %d", t.ID, from))
	m := v.Private(games.Say("bot.review.steps",
		games.Args{"Table": t.ID, "From": from + 1, "To": to, "Moves": len(moves), "Unit": of.inUnits()}))
	m.Folds = true
	steps, err := record.Steps(match, board.Facts(moves[from:to]))
	if err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	for i, step := range steps {
		m.Lines = append(m.Lines, v.Say(of.stepLine(step, from+i)))
	}
	board.ExplainSigns(m, match.View().Sheet, v.Say)
	var pages []chat.Button
	turn := func(key string, to int) {
		pages = append(pages, v.Button(games.Say(key, nil), fmt.Sprintf("/review %d moves %d", t.ID, to), games.Plain))
	}
	if from > 0 {
		turn("bot.button.previous", from-maxSteps)
	}
	if to < len(moves) {
		turn("bot.button.next", to)
	}
	m.Row(pages...)
	m.Buttons = append(m.Buttons, v.reviewButtons(t, "moves"))
	return nil
}

// fits returns an error unless the review has exactly one step for each of moves.
func (of reviewed) fits(moves []store.Move) error {
	if len(moves) != len(of.steps.Moves) {
		return fmt.Errorf("review of table %d: %d steps of %d moves", of.t.ID, len(of.steps.Moves), len(moves))
	}
	return nil
}

// stepLine returns a line about move number i (from 0): its roll, luck and cost.
func (of reviewed) stepLine(played record.Step, i int) games.Line {
	match, move, by, step := played.Before, played.Move, of.scale(), of.steps.Moves[i]
	args := games.Args{"Move": i + 1, "Seat": move.Seat, "Did": games.SayMove(match, move.Seat, move.Move)}
	key := "bot.review.step"
	if len(move.Dice) > 0 {
		luck := by * (step.Expect[move.Seat] - step.Worth)
		key = "bot.review.threw"
		args["Dice"] = strings.Trim(fmt.Sprint(move.Dice), "[]")
		args["Luck"] = of.amount(int(math.Round(100*luck)), 2, true)
	}
	line := games.Say(key, args)
	if move.Auto {
		line = games.Say("bot.review.auto", games.Args{"Step": line})
	}
	if step.Cost > 0 {
		line = games.Say("bot.review.error", games.Args{
			"Step": line, "Cost": of.amount(int(math.Round(100*by*step.Cost)), 2, false),
			"Best": games.SayMove(match, move.Seat, step.Best),
		})
	}
	return line
}

// linePage replies with a chart of each seat's expected result after every move, and with its start, highest and lowest
// points and end as text.
func (v *visit) linePage(of reviewed) {
	t, names := of.t, v.bot.NamesAt(of.t, v.Lang)
	v.Shows(fmt.Sprintf("review %d line", t.ID))
	m := v.Private(games.Say("bot.review.expected", games.Args{"Table": t.ID, "Unit": of.inUnits()}))
	l := chart.Lines{
		Title: v.Say(games.Say("bot.review.drawn", games.Args{"Table": t.ID, "Unit": of.inUnits()})),
		From:  v.Say(games.Say("bot.review.first", nil)),
		To:    v.Say(games.Say("bot.review.last", games.Args{"Moves": len(of.steps.Moves)})),
	}
	told := func(x float64) games.Line { return of.amount(int(math.Round(10*x)), 1, true) }
	var said []string
	for seat := range of.r.Seats {
		by := of.scale()
		values := []float64{by * of.steps.Start[seat]}
		best, worst := 0, 0
		for i, step := range of.steps.Moves {
			values = append(values, by*step.Expect[seat])
			if values[i+1] > values[best] {
				best = i + 1
			}
			if values[i+1] < values[worst] {
				worst = i + 1
			}
		}
		last := told(values[len(values)-1])
		l.Lines = append(l.Lines, chart.Line{Name: names[seat], Values: values, Last: v.Say(last)})
		said = append(said, v.Say(games.Say("bot.review.went", games.Args{
			"Seat": games.Seat(seat), "Start": told(values[0]), "End": last,
			"High": told(values[best]), "Best": best, "Low": told(values[worst]), "Worst": worst,
		})))
	}
	m.Lines, m.Folds = append(m.Lines, said...), true
	m.Buttons = [][]chat.Button{v.reviewButtons(t, "line")}
	v.Illustrate(fmt.Sprintf("review-%d.png", t.ID), m.Head+" "+strings.Join(said, " "), "", l.PNG)
}
