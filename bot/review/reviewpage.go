package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// The pages behind the button of a finished board: each result as the sum of its parts, the
// costliest decision, and every move with its effect. Unfinished games have no review.

// maxSteps is the largest number of moves on a page.
const maxSteps = 12

// reviewOf returns the review of a table, and false where there is none (yet).
func reviewOf(tx *store.Tx, t store.Table) (store.Review, bool, error) {
	r, err := tx.Reviews.Review(t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return r, false, nil
	}
	return r, err == nil && r.State == store.Reviewed && len(r.Seats) == len(t.Seats), err
}

// reviewCommand shows the review of the last game here, or of one by its number:
// "41"; "41 moves 12" its moves from the 13th, "41 line" the picture.
func (v *visit) reviewCommand(w bot.Args) error {
	t, err := v.tableToReview(w)
	if err != nil {
		return err
	}
	r, known, err := reviewOf(v.Tx, t)
	if err != nil {
		return err
	}
	if !known {
		return v.noReview(t, r)
	}
	var steps reviewSteps
	if err := json.Unmarshal(r.Steps, &steps); err != nil {
		return fmt.Errorf("review of table %d: %w", t.ID, err)
	}
	if err := v.noteAsked(r); err != nil {
		return err
	}
	switch w.Text("page") {
	case "moves":
		from, _ := w.Amount("from")
		return v.stepsPage(t, r, steps, int(min(from, math.MaxInt32)))
	case "line":
		return v.linePage(t, r, steps)
	}
	return v.reviewPage(t, r, steps)
}

// noteAsked stores that a review is read: the costliest decision that it names is no puzzle for its readers.
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

// tableToReview finds the finished game that is meant: the one with a number,
// the one whose button was pressed, or the last of this place.
func (v *visit) tableToReview(w bot.Args) (store.Table, error) {
	t, err := v.AskedFor(w)
	switch {
	case err != nil || t.State == store.Over:
		return t, err
	case t.State == store.Abandoned:
		return t, games.Refuse("bot.review.none", nil)
	}
	return t, games.Refuse("bot.review.not-over", nil)
}

// noReview says why there is no review, and requests one if none was requested.
func (v *visit) noReview(t store.Table, r store.Review) error {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	switch {
	case board.AnyOut(t):
		return games.Refuse("games.review-out", nil)
	case r.Failed:
		return games.Refuse("bot.review.failed", nil)
	}
	_, err = board.ProblemOf(g, t)
	switch _, unsolvable := games.Refused(err); {
	case unsolvable, r.State == store.NoReview:
		return games.Refuse("bot.review.none", nil)
	case err != nil:
		return err
	}
	if t.Ending.MovesDropped {
		return games.Refuse("bot.review.bare", nil)
	}
	if r.State == "" {
		if _, err := v.wantReview(t, g); err != nil {
			return err
		}
	}
	v.Wake(v.bot.wake)
	v.Toast("bot.review.soon", nil)
	return nil
}

// reviewPage shows the parts of each result, and the costliest decision.
func (v *visit) reviewPage(t store.Table, r store.Review, steps reviewSteps) error {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	v.Shows(fmt.Sprint("review ", t.ID))
	m := v.Private(games.Say("bot.review.head",
		games.Args{"Table": t.ID, "Game": v.bot.TableLabel(g, t.Rules), "Unit": v.inUnits(t, r)}))
	m.Folds = true
	for i := range r.Seats {
		lines, sum := partLines(t, r, i, 2)
		said := make([]string, len(lines))
		for k, line := range lines {
			said[k] = v.Say(line)
		}
		args := games.Args{"Seat": games.Seat(i), "Result": sum, "Parts": strings.Join(said, ", ")}
		m.Lines = append(m.Lines, v.Say(games.Say("bot.review.sum", args)))
		if len(r.Seats) > 1 {
			m.Lines = append(m.Lines, v.Say(v.othersLine(t, r, i)))
		}
	}
	if t.Ending.MovesDropped {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.review.bare", nil)))
		return nil
	}
	costly, err := v.costliest(t, g, r, steps)
	if err != nil {
		return err
	}
	m.Lines = append(m.Lines, costly...)
	m.Buttons = [][]chat.Button{v.reviewButtons(t, "")}
	return nil
}

// othersLine returns a line with the parts that the others' dice and decisions have.
func (v *visit) othersLine(t store.Table, r store.Review, seat int) games.Line {
	s, by := r.Seats[seat], scaleOf(t, r)
	others := []part{{value: by * s.OthersDice}, {value: by * s.OthersDecisions}}
	whole, _ := rounded(others, 100)
	return games.Say("bot.review.of-others", games.Args{
		"Dice": amountOf(t, r, whole[0], 2, true), "Decisions": amountOf(t, r, whole[1], 2, true),
	})
}

// costliest says which decision cost most, and what would have been better.
func (v *visit) costliest(t store.Table, g games.Game, r store.Review, steps reviewSteps) ([]string, error) {
	worst := -1
	moves, err := v.MovesOf(t)
	if err != nil {
		return nil, err
	}
	for i, step := range steps.Moves {
		if i < len(moves) && !moves[i].Auto && step.Cost > 0 && (worst < 0 || step.Cost > steps.Moves[worst].Cost) {
			worst = i
		}
	}
	if worst < 0 {
		return []string{v.Say(games.Say("bot.review.flawless", nil))}, nil
	}
	match, _, err := table.Replayed(g, t, moves[:worst])
	if err != nil {
		return nil, err
	}
	step, seat := steps.Moves[worst], games.Seat(moves[worst].Seat)
	args := games.Args{
		"Seat": seat, "Move": worst + 1,
		"Made": games.SayMove(match, seat, games.Move(moves[worst].Move)),
		"Best": games.SayMove(match, seat, step.Best),
		"Cost": v.costOf(t, r, step.Cost), "Worth": v.worthOf(t, r, step.Worth),
		"Instead": v.worthOf(t, r, step.Worth+step.Cost),
	}
	said := []string{v.Say(games.Say("bot.review.costliest", args)), v.Say(games.Say("bot.review.better", args))}
	if why, ok := games.Why(match, seat, step.Best, games.Move(moves[worst].Move)); ok {
		said = append(said, v.Say(why))
	}
	page := chat.Message{Lines: said}
	board.ExplainSigns(&page, match.View().Sheet, v.Say)
	return page.Lines, nil
}

// costOf says what a decision has cost, and worthOf what a position is worth.
func (v *visit) costOf(t store.Table, r store.Review, cost float64) games.Line {
	return v.counted(t, r, scaleOf(t, r)*cost, false)
}

func (v *visit) worthOf(t store.Table, r store.Review, worth float64) games.Line {
	if r.Measure == string(games.Share) && t.Stake == 0 {
		return v.counted(t, r, scaleOf(t, r)*(worth+1), false) // the share of the pool itself
	}
	if r.Measure != string(games.Share) {
		return games.Say("bot.review.at-points", games.Args{"Points": v.Fraction(worth, true)})
	}
	return v.counted(t, r, scaleOf(t, r)*worth, true)
}

// counted says so much in what the review counts, with its unit.
func (v *visit) counted(t store.Table, r store.Review, x float64, sign bool) games.Line {
	switch {
	case r.Measure != string(games.Share):
		return games.Say("bot.hint.points", games.Args{"Points": v.Fraction(x, sign)})
	case t.Stake == 0:
		return games.Say("bot.hint.share", games.Args{"Percent": v.Fraction(x, sign)})
	}
	return v.FractionOf(t.Unit, x, sign)
}

// reviewButtons lead from one page of a review to the others.
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

// stepsPage lists some of the moves, with what each cost and how lucky its dice were.
func (v *visit) stepsPage(t store.Table, r store.Review, steps reviewSteps, from int) error {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	moves, err := v.MovesOf(t)
	if err != nil {
		return err
	}
	if len(moves) != len(steps.Moves) {
		return fmt.Errorf("review of table %d: %d steps of %d moves", t.ID, len(steps.Moves), len(moves))
	}
	from = min(max(from, 0), max(len(moves)-1, 0)) / maxSteps * maxSteps
	to := min(from+maxSteps, len(moves))
	match, _, err := table.Replayed(g, t, moves[:from])
	if err != nil {
		return err
	}
	v.Shows(fmt.Sprintf("review %d moves %d", t.ID, from))
	m := v.Private(games.Say("bot.review.steps",
		games.Args{"Table": t.ID, "From": from + 1, "To": to, "Moves": len(moves), "Unit": v.inUnits(t, r)}))
	m.Folds = true
	for i := from; i < to; i++ {
		m.Lines = append(m.Lines, v.Say(v.stepLine(t, r, match, moves[i], steps.Moves[i], i)))
		next, err := record.Replay(match, board.Facts(moves[i:i+1]), lying(moves[i].Dice))
		if err != nil {
			return fmt.Errorf("table %d: %w", t.ID, err)
		}
		match = next
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

// lying are dice that show what has fallen already.
type lying []int

func (d lying) Throw(count, _ int) []int { return slices.Clone(d[:min(count, len(d))]) }

// stepLine says what one move did.
func (v *visit) stepLine(t store.Table, r store.Review, match games.Match, move store.Move, step reviewStep,
	i int) games.Line {
	seat, by := games.Seat(move.Seat), scaleOf(t, r)
	args := games.Args{"Move": i + 1, "Seat": seat, "Did": games.SayMove(match, seat, games.Move(move.Move))}
	key := "bot.review.step"
	if len(move.Dice) > 0 {
		luck := by * (step.Expect[move.Seat] - step.Worth)
		key = "bot.review.threw"
		args["Dice"] = strings.Trim(fmt.Sprint(move.Dice), "[]")
		args["Luck"] = amountOf(t, r, int(math.Round(100*luck)), 2, true)
	}
	line := games.Say(key, args)
	if move.Auto {
		line = games.Say("bot.review.auto", games.Args{"Step": line})
	}
	if step.Cost > 0 {
		line = games.Say("bot.review.error", games.Args{
			"Step": line, "Cost": amountOf(t, r, int(math.Round(100*by*step.Cost)), 2, false),
			"Best": games.SayMove(match, seat, step.Best),
		})
	}
	return line
}
