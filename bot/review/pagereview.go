package review

import (
	"context"
	"math"
	"net/url"
	"slices"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// Data of the browser page about the review of a game.

// pageReview is a review for a page. All values are in the displayed unit.
type pageReview struct {
	pageTable
	Ready bool   `json:"ready"`          // false: the review is not computed, or there is none
	Soon  bool   `json:"soon,omitempty"` // it is being computed
	Note  string `json:"note,omitempty"` // why there is none
	Unit  string `json:"unit"`           // "in chips"
	// Lesson is a sentence about the mistakes of the viewer or, if the viewer did not play, of all.
	Lesson *reviewLesson  `json:"lesson"`
	Seats  []reviewedSeat `json:"seats"`
	Series []reviewSeries `json:"series"`
	Moves  []reviewedMove `json:"moves"`
	// Costliest is the index in Moves of the costliest mistake of a person; -1: there is none.
	Costliest int `json:"costliest"`
}

// reviewLesson is a sentence about a seat's mistakes; Move is that of its costliest one, 0 if there is none.
type reviewLesson struct {
	Said string `json:"said"`
	Move int    `json:"move"`
	Seat int    `json:"seat"`
}

// reviewedSeat is a seat's result, with its luck and its mistakes (at most 0).
type reviewedSeat struct {
	Seat         int     `json:"seat"`
	Name         string  `json:"name"`
	House        bool    `json:"house,omitempty"`
	You          bool    `json:"you,omitempty"`
	Place        int     `json:"place"`
	Score        string  `json:"score"`
	Amount       string  `json:"amount"`
	Luck         float64 `json:"luck"`
	Mistakes     float64 `json:"mistakes"`
	LuckText     string  `json:"luckText"`
	MistakesText string  `json:"mistakesText"`
}

// reviewSeries holds the result that a seat could expect before the first move and after each.
type reviewSeries struct {
	Seat   int       `json:"seat"`
	Values []float64 `json:"values"`
}

// reviewedMove is a line of a log with the luck of its dice and the cost of its choice.
type reviewedMove struct {
	logMove
	// Before is how many moves were made before the choice: the board then shows the dice.
	Before   int     `json:"before"`
	Luck     float64 `json:"luck"`
	LuckText string  `json:"luckText,omitempty"` // "" if the line is about no dice
	PlayedOn *marks  `json:"playedOn,omitempty"` // what the move selects; nil for a throw
	// The following fields are only set for mistakes.
	Cost     float64 `json:"cost,omitempty"`
	CostText string  `json:"costText,omitempty"` // "−4.8"
	Played   string  `json:"played,omitempty"`   // the move in words
	Better   string  `json:"better,omitempty"`
	BetterOn *marks  `json:"betterOn,omitempty"`
	// Title and Text are a headline and a sentence about the move.
	Title string `json:"title"`
	Text  string `json:"text"`
}

// marks are the tiles of a row, the dice or the cell of a sheet that a move is about. Dice are indices. Of a cell, Row
// and Cell are the indices of its row and, among the cells of that row, of its column.
type marks struct {
	Row   int   `json:"row"`
	Tiles []int `json:"tiles,omitempty"`
	Dice  []int `json:"dice,omitempty"`
	Cell  *int  `json:"cell,omitempty"`
}

// PageReview returns the review of the finished table with the number in query, for the browser page.
func (b *Reviews) PageReview(ctx context.Context, ev chat.Event, query url.Values) (any, error) {
	var p pageReview
	var read store.Review
	err := b.Browse(ctx, ev, func(bv *bot.Visit) error {
		v, t, g, err := b.queried(bv, query)
		if err != nil {
			return err
		}
		p = pageReview{pageTable: v.pageTable(t, g), Costliest: -1, Seats: []reviewedSeat{},
			Series: []reviewSeries{}, Moves: []reviewedMove{}}
		if t.State != store.Over {
			return v.noReview(reviewed{t: t, g: g})
		}
		rev, known, err := reviewOf(v.Tx, t, g)
		switch {
		case err != nil:
			return err
		case known:
			read = rev.r
			return v.fillReview(&p, rev)
		}
		reason := v.noReview(rev)
		if refusal, refused := games.Refused(reason); refused {
			p.Note, reason = v.Say(refusal.Line), nil
		} else if reason == nil {
			p.Soon, p.Note = true, v.Say(games.Say("bot.review.soon", nil))
		}
		return reason
	})
	if err == nil && read.Weight != 0 {
		err = b.Store.UpdateOf(ctx, store.OfTable(read.Table), func(tx *store.Tx) error {
			now, err := tx.Reviews.Review(read.Table)
			if err != nil {
				return err
			}
			return storeRead(tx, now, askedByOne)
		})
	}
	return p, err
}

// fillReview fills p with the review rev.
func (v *visit) fillReview(p *pageReview, rev reviewed) error {
	p.Ready, p.Unit = true, v.Say(rev.unitLabel())
	if err := v.addReviewedSeats(p, rev); err != nil {
		return err
	}
	factor := rev.displayFactor()
	for seat := range rev.r.Seats {
		values := []float64{rounded(factor * rev.steps.Start[seat])}
		for _, step := range rev.steps.Moves {
			values = append(values, rounded(factor*step.Expect[seat]))
		}
		p.Series = append(p.Series, reviewSeries{seat, values})
	}
	if rev.t.Ending.MovesDropped {
		return nil
	}
	if err := v.addReviewedMoves(p, rev); err != nil {
		return err
	}
	p.Lesson = v.lessonOf(p, rev)
	return nil
}

// rounded returns x rounded to two decimals, without a negative zero.
func rounded(x float64) float64 { return math.Round(100*x)/100 + 0 }

// addReviewedSeats adds the seats with their results, luck and mistakes. The figures are rounded as on boards.
func (v *visit) addReviewedSeats(p *pageReview, rev reviewed) error {
	rows, err := v.Tx.Tables.Results(rev.t.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		seat := rev.t.Seats[row.Seat]
		s := reviewedSeat{Seat: row.Seat, Name: v.Names[row.Seat], House: seat.House != "",
			You: seat.Player != "" && v.bot.IsOwn(v.Event, seat.Player), Place: row.Place,
			Amount: v.Number(board.AmountOf(rev.t, row))}
		if hasScore(row) {
			s.Score = v.Number(bot.PlainNumber(row.Score))
		}
		components := rev.componentsOf(row.Seat)
		tenths, _ := roundComponents(components, 10)
		for i, c := range components {
			text := v.Say(rev.amountLabel(tenths[i], 1, true))
			switch c.key {
			case "bot.review.dice":
				s.Luck, s.LuckText = float64(tenths[i])/10, text
			case "bot.review.decisions":
				s.Mistakes, s.MistakesText = float64(tenths[i])/10, text
			}
		}
		p.Seats = append(p.Seats, s)
	}
	return nil
}

// addReviewedMoves adds the lines of the log, with the luck of their dice and the costs of their choices.
func (v *visit) addReviewedMoves(p *pageReview, rev reviewed) error {
	moves, err := v.MovesOf(rev.t)
	if err == nil {
		err = rev.checkSteps(moves)
	}
	if err != nil {
		return err
	}
	match, err := rev.g.New(rev.t.Rules, len(rev.t.Seats))
	if err != nil {
		return err
	}
	steps, err := record.Steps(match, board.Facts(moves))
	if err != nil {
		return err
	}
	log, _, err := v.bot.LogOf(v.Tx, rev.t, rev.g)
	if err != nil {
		return err
	}
	for _, e := range log {
		m := v.reviewedMove(rev, e, steps, decisionOf(rev, log, e))
		if worst := p.Costliest; m.Cost > 0 && rev.t.Seats[m.Seat].House == "" && !m.Auto &&
			(worst < 0 || m.Cost > p.Moves[worst].Cost) {
			p.Costliest = len(p.Moves)
		}
		p.Moves = append(p.Moves, m)
	}
	if worst := p.Costliest; worst >= 0 {
		m := &p.Moves[worst]
		step := steps[m.Before]
		m.Title = v.Say(games.Say("bot.lesson.costliest", games.Args{"Title": m.Title}))
		if why, ok := games.Why(step.Before, step.Move.Seat, rev.steps.Moves[m.Before].Best, step.Move.Move); ok {
			m.Text += " " + v.Say(why)
		}
	}
	return nil
}

// decisionOf returns the number of the move, from 1, whose cost the line e of log shows: its own or, if that cost more,
// that of the roll before it, such as the decision for one die. It is 0 if another line shows that cost.
func decisionOf(rev reviewed, log []board.LogEntry, e board.LogEntry) int {
	other := func(move int) bool {
		return slices.ContainsFunc(log, func(l board.LogEntry) bool {
			return l.Move == move && (!l.Threw || e.Move != move)
		})
	}
	switch {
	case e.Threw && other(e.Move):
		return 0
	case e.Thrown > 0 && e.Thrown != e.Move && !other(e.Thrown) &&
		rev.steps.Moves[e.Thrown-1].Cost > rev.steps.Moves[e.Move-1].Cost:
		return e.Thrown
	}
	return e.Move
}

// reviewedMove returns the line e of the log with the review of a decision, the number of one of the moves steps; if it
// is 0, the line shows none.
func (v *visit) reviewedMove(rev reviewed, e board.LogEntry, steps []record.Step, decision int) reviewedMove {
	m := reviewedMove{logMove: v.logMove(e), Before: e.Move - 1}
	if decision > 0 {
		m.Before = decision - 1
	}
	step := steps[m.Before]
	factor, review := rev.displayFactor(), rev.steps.Moves[m.Before]
	m.Title = v.Say(games.Say("bot.lesson.move", games.Args{"Seat": e.Seat, "Said": m.Said}))
	m.Text = m.News
	if e.Thrown > 0 {
		roll := rev.steps.Moves[e.Thrown-1]
		luck := factor * (roll.Expect[e.Seat] - roll.Worth)
		m.Luck, m.LuckText = rounded(luck), v.Say(rev.amountLabel(int(math.Round(10*luck)), 1, true))
		m.Text = v.Say(games.Say("bot.lesson.luck", games.Args{"Luck": m.LuckText}))
	}
	if decision == 0 {
		return m
	}
	view := step.Before.View()
	m.PlayedOn = marksOf(view, step.Move.Move)
	if review.Cost == 0 {
		return m
	}
	made := games.SayMove(step.Before, e.Seat, step.Move.Move).Spaced()
	best := games.SayMove(step.Before, e.Seat, review.Best).Spaced()
	m.Cost = rounded(factor * review.Cost)
	m.CostText = v.Say(rev.amountLabel(-int(math.Round(10*m.Cost)), 1, true))
	if m.Cost < 0.05 {
		m.CostText = v.Say(rev.amountLabel(-int(math.Round(100*m.Cost)), 2, true))
	}
	m.Played, m.Better = v.Say(made), v.Say(best)
	m.BetterOn = marksOf(view, review.Best)
	m.Title = v.Say(games.Say("bot.lesson.title", games.Args{"Made": made, "Best": best}))
	m.Text = v.Say(games.Say("bot.review.better", games.Args{"Seat": e.Seat, "Move": e.Move, "Made": made,
		"Best": best, "Cost": v.costOf(rev, review.Cost), "Worth": v.worthOf(rev, review.Worth),
		"Instead": v.worthOf(rev, review.Worth+review.Cost)}))
	return m
}

// marksOf returns the tiles, the dice or the cell that a move selects on a view, nil if there are none.
func marksOf(view games.View, mv games.Move) *marks {
	if on := cellOf(view.Sheet, mv); on != nil {
		return on
	}
	for _, row := range view.Buttons {
		for _, b := range row {
			if b.Move == mv && len(b.Tiles) > 0 {
				return &marks{Row: b.Row, Tiles: b.Tiles}
			}
		}
	}
	if view.Pick == nil {
		return nil
	}
	for _, choice := range view.Pick.Choices {
		if choice.Move != mv {
			continue
		}
		if view.Pick.Kind == "dice" {
			return &marks{Dice: choice.Items}
		}
		on := &marks{Row: view.Pick.Row}
		for _, i := range choice.Items {
			on.Tiles = append(on.Tiles, view.Pick.Items[i])
		}
		return on
	}
	return nil
}

// cellOf returns the cell that a move fills on a sheet, which may be nil; nil if there is none.
func cellOf(sheet *games.Sheet, mv games.Move) *marks {
	if sheet == nil {
		return nil
	}
	for i, row := range sheet.Rows {
		for k, cell := range row.Cells {
			if cell.Fill == mv {
				return &marks{Row: i, Cell: &k}
			}
		}
	}
	return nil
}

// lessonOf returns the lesson of the review p: for a viewer who played about their own seat, else about the costliest
// mistake.
func (v *visit) lessonOf(p *pageReview, rev reviewed) *reviewLesson {
	for _, s := range p.Seats {
		if !s.You {
			continue
		}
		worst := reviewedMove{}
		for _, m := range p.Moves {
			if m.Seat == s.Seat && !m.Auto && m.Cost > worst.Cost {
				worst = m
			}
		}
		args := games.Args{"Luck": s.LuckText, "Mistakes": s.MistakesText, "Made": worst.Played,
			"Best": worst.Better, "Cost": v.costOf(rev, worst.Cost/rev.displayFactor())}
		key := "bot.lesson.you"
		if worst.Cost == 0 {
			key = "bot.lesson.you-flawless"
		}
		return &reviewLesson{v.Say(games.Say(key, args)), worst.Move, s.Seat}
	}
	if p.Costliest < 0 {
		return &reviewLesson{v.Say(games.Say("bot.review.flawless", nil)), 0, int(games.Nobody)}
	}
	worst := p.Moves[p.Costliest]
	return &reviewLesson{v.Say(games.Say("bot.lesson.them", games.Args{"Seat": games.Seat(worst.Seat),
		"Made": worst.Played, "Best": worst.Better, "Cost": v.costOf(rev, worst.Cost/rev.displayFactor())})),
		worst.Move, worst.Seat}
}
