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

// Pages of a review: the components of each result, the costliest decision, and every move with its effect.

// reviewed is a finished game with its review.
type reviewed struct {
	t     store.Table
	g     games.Game
	r     store.Review
	steps reviewSteps
}

// reviewOf returns t with its review. known is false if there is no review, or none yet.
func reviewOf(tx *store.Tx, t store.Table, g games.Game) (rev reviewed, known bool, err error) {
	rev = reviewed{t: t, g: g}
	rev.r, err = tx.Reviews.Review(t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return rev, false, nil
	}
	if err != nil || rev.r.State != store.Reviewed || len(rev.r.Seats) != len(t.Seats) {
		return rev, false, err
	}
	if err = json.Unmarshal(rev.r.Steps, &rev.steps); err != nil {
		err = fmt.Errorf("review of table %d: %w", t.ID, err)
	}
	return rev, true, err
}

// reviewCommand shows the review of the latest game, or of a game by its number: "41". "41 moves 12" lists its moves
// from the 13th, "41 line" shows its chart.
func (v *visit) reviewCommand(args bot.Args) error {
	t, err := v.AskedFor(args)
	switch {
	case err != nil:
		return err
	case t.State != store.Over:
		return v.noReview(reviewed{t: t})
	}
	g, missing := v.bot.Game(t.Game)
	rev, known, err := reviewOf(v.Tx, t, g)
	page := args.Text("page")
	switch drawn := known && page == "line"; {
	case err != nil:
		return err
	case missing != nil && !drawn:
		return missing
	case !known:
		return v.explainMissing(rev)
	}
	readers := askedByOne
	if v.Overheard() {
		readers = askedByAll
	}
	if err := storeRead(v.Tx, rev.r, readers); err != nil {
		return err
	}
	switch page {
	case "moves":
		from, _ := args.Amount("from")
		return v.stepsPage(rev, int(min(from, math.MaxInt32)))
	case "line":
		v.chartPage(rev)
		return nil
	}
	return v.reviewPage(rev)
}

// storeRead stores who has read r, so that nextPuzzle avoids its decision: askedByOne, or askedByAll in the place.
func storeRead(tx *store.Tx, r store.Review, readers int) error {
	var choice reviewChoice
	if r.Weight == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Choices, &choice); err != nil {
		return fmt.Errorf("read choices of table %d: %w", r.Table, err)
	}
	if choice.Asked >= readers {
		return nil
	}
	choice.Asked = readers
	var err error
	if r.Choices, err = json.Marshal(choice); err != nil {
		return err
	}
	return tx.Reviews.SaveChoices(r)
}

// explainMissing refuses with the reason for the missing review or, if one is possible, requests it and shows a toast.
func (v *visit) explainMissing(rev reviewed) error {
	if err := v.noReview(rev); err != nil {
		return err
	}
	if rev.r.State == "" {
		if _, err := v.requestReview(rev.t, rev.g); err != nil {
			return err
		}
	}
	v.Wake(v.bot.wake)
	v.Toast("bot.review.soon", nil)
	return nil
}

// noReview returns a refusal with the reason why rev, which has no review, cannot get one; nil if it can.
func (v *visit) noReview(rev reviewed) error {
	t := rev.t
	switch {
	case t.State == store.Abandoned:
		return games.Refuse("bot.review.none", nil)
	case t.State != store.Over:
		return games.Refuse("bot.review.not-over", nil)
	case board.AnyOut(t):
		return games.Refuse("games.review-out", nil)
	case rev.r.Failed:
		return games.Refuse("bot.review.failed", nil)
	}
	_, err := board.ProblemOf(rev.g, t)
	switch _, unsolvable := games.Refused(err); {
	case unsolvable, rev.r.State == store.NoReview:
		return games.Refuse("bot.review.none", nil)
	case err != nil:
		return err
	}
	if t.Ending.MovesDropped {
		return games.Refuse("bot.review.bare", nil)
	}
	return nil
}

// reviewPage replies with the components of each result and the costliest decision.
func (v *visit) reviewPage(rev reviewed) error {
	t := rev.t
	v.Shows(fmt.Sprint("review ", t.ID))
	m := v.Private(games.Say("bot.review.head",
		games.Args{"Table": t.ID, "Game": v.bot.TableLabel(rev.g, t.Rules), "Unit": rev.unitLabel()}))
	m.Folds = true
	for i := range rev.r.Seats {
		components := rev.componentsOf(i)
		rounded, sum := roundComponents(components, 100)
		var texts []string
		for k, p := range components { // the components dice, decisions and other players are shown even if 0
			isBasic := p.key == "bot.review.dice" || p.key == "bot.review.decisions" ||
				p.key == "bot.review.others" && len(rev.r.Seats) > 1 && rev.r.Measure != string(games.Par)
			if rounded[k] != 0 || isBasic {
				texts = append(texts, v.Say(games.Say(p.key,
					games.Args{"Amount": rev.amountLabel(rounded[k], 2, true)})))
			}
		}
		args := games.Args{"Seat": games.Seat(i), "Result": rev.amountLabel(sum, 2, true),
			"Parts": strings.Join(texts, ", ")}
		m.Lines = append(m.Lines, v.Say(games.Say("bot.review.sum", args)))
		if len(rev.r.Seats) > 1 {
			s, factor := rev.r.Seats[i], rev.displayFactor()
			rounded, _ := roundComponents([]component{{value: factor * s.OthersDice},
				{value: factor * s.OthersDecisions}}, 100)
			m.Lines = append(m.Lines, v.Say(games.Say("bot.review.of-others", games.Args{
				"Dice": rev.amountLabel(rounded[0], 2, true), "Decisions": rev.amountLabel(rounded[1], 2, true),
			})))
		}
	}
	verdict := rev.decider()
	if t.Ending.MovesDropped {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.review.bare", nil)))
	} else {
		moves, err := v.MovesOf(t)
		if err != nil {
			return err
		}
		worst := rev.costliestMove(moves)
		costly, err := v.costliest(rev, moves, worst)
		if err != nil {
			return err
		}
		m.Lines = append(m.Lines, costly...)
		m.Buttons = [][]chat.Button{v.reviewButtons(t, "")}
		if worst >= 0 {
			verdict = append(verdict, rev.amountOf("bot.review.worst", moves[worst].Seat, -rev.steps.Moves[worst].Cost))
		}
	}
	if len(verdict) > 0 {
		var said []string
		for _, line := range verdict {
			said = append(said, v.Say(line))
		}
		m.Lines = append([]string{m.Head}, m.Lines...)
		m.Head = strings.Join(said, " ")
	}
	return nil
}

// costliestMove returns the index of the costliest decision among moves, or -1 if none cost anything. It leaves out
// those for absent players.
func (rev reviewed) costliestMove(moves []store.Move) int {
	worst, steps := -1, rev.steps.Moves
	for i, step := range steps {
		if i < len(moves) && !moves[i].Auto && step.Cost > 0 && (worst < 0 || step.Cost > steps[worst].Cost) {
			worst = i
		}
	}
	return worst
}

// costliest returns sentences about the decision with the index worst among moves, and about the better move. If worst
// is -1, it says that no decision cost anything.
func (v *visit) costliest(rev reviewed, moves []store.Move, worst int) ([]string, error) {
	steps := rev.steps.Moves
	if worst < 0 {
		return []string{v.Say(games.Say("bot.review.flawless", nil))}, nil
	}
	match, _, err := table.Replayed(rev.g, rev.t, moves[:worst])
	if err != nil {
		return nil, err
	}
	step, seat := steps[worst], games.Seat(moves[worst].Seat)
	args := games.Args{
		"Seat": seat, "Move": worst + 1,
		"Made": games.SayMove(match, seat, games.Move(moves[worst].Move)),
		"Best": games.SayMove(match, seat, step.Best),
		"Cost": v.costOf(rev, step.Cost), "Worth": v.worthOf(rev, step.Worth),
		"Instead": v.worthOf(rev, step.Worth+step.Cost),
	}
	said := []string{v.Say(games.Say("bot.review.costliest", args)), v.Say(games.Say("bot.review.better", args))}
	if why, ok := games.Why(match, seat, step.Best, games.Move(moves[worst].Move)); ok {
		said = append(said, v.Say(why))
	}
	page := chat.Message{Lines: said}
	board.ExplainSigns(&page, match.View().Sheet, v.Say)
	return page.Lines, nil
}

// costOf returns the text for cost, which is in the measure of the review, converted to the displayed unit.
func (v *visit) costOf(rev reviewed, cost float64) games.Line {
	switch cost *= rev.displayFactor(); {
	case !rev.isInShares():
		return games.Say("bot.hint.points", games.Args{"Points": v.Fraction(cost, false)})
	case rev.t.Stake == 0:
		return games.Say("bot.hint.share", games.Args{"Percent": v.Fraction(cost, false)})
	}
	return v.FractionOf(rev.t.Unit, cost, false)
}

// worthOf returns the text for worth, an expected result in the measure of the review, in the displayed unit.
func (v *visit) worthOf(rev reviewed, worth float64) games.Line {
	switch {
	case !rev.isInShares():
		return games.Say("bot.review.at-points", games.Args{"Points": v.Fraction(worth, true)})
	case rev.t.Stake == 0:
		return v.costOf(rev, worth+1) // the share of the pool that includes the player's own stake
	}
	return v.FractionOf(rev.t.Unit, rev.displayFactor()*worth, true)
}

// reviewButtons returns buttons to the pages of a review ("" is the first) except the current one.
func (v *visit) reviewButtons(t store.Table, current string) []chat.Button {
	var row []chat.Button
	for _, page := range []struct{ key, where string }{
		{"bot.button.review", ""}, {"bot.button.moves", "moves"}, {"bot.button.line", "line"},
	} {
		if page.where != current {
			row = append(row, v.Button(games.Say(page.key, nil),
				strings.TrimSpace(fmt.Sprintf("/review %d %s", t.ID, page.where)), games.Plain))
		}
	}
	return row
}

// stepsPage replies with the page of moves that contains the move with the index from: the luck and cost of each move.
func (v *visit) stepsPage(rev reviewed, from int) error {
	t := rev.t
	moves, err := v.MovesOf(t)
	if err == nil {
		err = rev.checkSteps(moves)
	}
	if err != nil {
		return err
	}
	from = min(max(from, 0), max(len(moves)-1, 0)) / maxSteps * maxSteps
	to := min(from+maxSteps, len(moves))
	match, _, err := table.Replayed(rev.g, t, moves[:from])
	if err != nil {
		return err
	}
	v.Shows(fmt.Sprintf("review %d moves %d", t.ID, from))
	m := v.Private(games.Say("bot.review.steps",
		games.Args{"Table": t.ID, "From": from + 1, "To": to, "Moves": len(moves), "Unit": rev.unitLabel()}))
	m.Folds = true
	steps, err := record.Steps(match, board.Facts(moves[from:to]))
	if err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	for i, step := range steps {
		m.Lines = append(m.Lines, v.Say(rev.stepLine(step, from+i)))
	}
	board.ExplainSigns(m, match.View().Sheet, v.Say)
	var pages []chat.Button
	addPage := func(key string, to int) {
		pages = append(pages, v.Button(games.Say(key, nil), fmt.Sprintf("/review %d moves %d", t.ID, to), games.Plain))
	}
	if from > 0 {
		addPage("bot.button.previous", from-maxSteps)
	}
	if to < len(moves) {
		addPage("bot.button.next", to)
	}
	m.Row(pages...)
	m.Buttons = append(m.Buttons, v.reviewButtons(t, "moves"))
	return nil
}

// checkSteps returns an error unless the review has exactly one step for each of moves.
func (rev reviewed) checkSteps(moves []store.Move) error {
	if len(moves) != len(rev.steps.Moves) {
		return fmt.Errorf("review of table %d: %d steps of %d moves", rev.t.ID, len(rev.steps.Moves), len(moves))
	}
	return nil
}

// stepLine returns a line about the move with this index: its roll, luck and cost.
func (rev reviewed) stepLine(played record.Step, index int) games.Line {
	match, move, factor, step := played.Before, played.Move, rev.displayFactor(), rev.steps.Moves[index]
	args := games.Args{"Move": index + 1, "Seat": move.Seat, "Did": games.SayMove(match, move.Seat, move.Move)}
	key := "bot.review.step"
	if len(move.Dice) > 0 {
		luck := factor * (step.Expect[move.Seat] - step.Worth)
		key = "bot.review.threw"
		args["Dice"] = strings.Trim(fmt.Sprint(move.Dice), "[]")
		args["Luck"] = rev.amountLabel(int(math.Round(100*luck)), 2, true)
	}
	line := games.Say(key, args)
	if move.Auto {
		line = games.Say("bot.review.auto", games.Args{"Step": line})
	}
	if step.Cost > 0 {
		line = games.Say("bot.review.error", games.Args{
			"Step": line, "Cost": rev.amountLabel(int(math.Round(100*factor*step.Cost)), 2, false),
			"Best": games.SayMove(match, move.Seat, step.Best),
		})
	}
	return line
}

// chartPage replies with a chart of each seat's expected result after every move, with its main values as text.
func (v *visit) chartPage(rev reviewed) {
	t, names := rev.t, v.bot.NamesAt(rev.t, v.Lang)
	v.Shows(fmt.Sprintf("review %d line", t.ID))
	m := v.Private(games.Say("bot.review.expected", games.Args{"Table": t.ID, "Unit": rev.unitLabel()}))
	lines := chart.Lines{
		Title: v.Say(games.Say("bot.review.drawn", games.Args{"Table": t.ID, "Unit": rev.unitLabel()})),
		From:  v.Say(games.Say("bot.review.first", nil)),
		To:    v.Say(games.Say("bot.review.last", games.Args{"Moves": len(rev.steps.Moves)})),
	}
	label := func(x float64) games.Line { return rev.amountLabel(int(math.Round(10*x)), 1, true) }
	var texts []string
	for seat := range rev.r.Seats {
		factor := rev.displayFactor()
		values := []float64{factor * rev.steps.Start[seat]}
		best, worst := 0, 0
		for i, step := range rev.steps.Moves {
			values = append(values, factor*step.Expect[seat])
			if values[i+1] > values[best] {
				best = i + 1
			}
			if values[i+1] < values[worst] {
				worst = i + 1
			}
		}
		last := label(values[len(values)-1])
		lines.Lines = append(lines.Lines, chart.Line{Name: names[seat], Values: values, Last: v.Say(last)})
		texts = append(texts, v.Say(games.Say("bot.review.went", games.Args{
			"Seat": games.Seat(seat), "Start": label(values[0]), "End": last,
			"High": label(values[best]), "Best": best, "Low": label(values[worst]), "Worst": worst,
		})))
	}
	m.Lines, m.Folds = append(m.Lines, texts...), true
	m.Buttons = [][]chat.Button{v.reviewButtons(t, "line")}
	v.Illustrate(fmt.Sprintf("review-%d.png", t.ID), m.Head+" "+strings.Join(texts, " "), "", lines.PNG)
}
