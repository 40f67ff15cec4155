package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"

	"knobel/bot/chat"
	reviews "knobel/bot/review"
	"knobel/games"
	"knobel/games/record"
	"knobel/games/review"
	"knobel/store"
)

// The commands "review", "verify" and "export".

// maxErrors is how many costly decisions of a game are listed at most.
const maxErrors = 10

// reviewCommand returns the command review, which splits each result into luck and decisions.
func reviewCommand(w world) *cobra.Command {
	rv := recordReviewer{recordReader: recordReader{world: w, name: "review", faultOut: w.err}}
	c := &cobra.Command{
		Use:   "review FILE…",
		Short: "Split results of exported games into luck and decisions",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			rv.games = allGames()
			for _, file := range files {
				if err := rv.reviewFile(c.Context(), file); err != nil {
					return err
				}
			}
			if rv.faults > 0 {
				return errFound
			}
			return nil
		},
	}
	c.Flags().BoolVar(&rv.json, "json", false, "JSON output, one line per game")
	return c
}

// recordReviewer prints the reviews of the games in files of records.
type recordReviewer struct {
	recordReader
	json bool // print JSON instead of text
}

// reviewFile prints the reviews of all games in a file of records.
func (rv *recordReviewer) reviewFile(ctx context.Context, file string) error {
	count := 0
	_, err := rv.readFile(ctx, file, func(g *gate, line int, r record.Record) {
		result, err := rv.review(r)
		g.pass(func() {
			count++
			switch {
			case err != nil:
			case rv.json:
				err = json.NewEncoder(rv.out).Encode(result)
			default:
				err = result.write(rv.out)
			}
			if err == nil {
				return
			}
			why := err.Error()
			if refusal, refused := games.Refused(err); refused {
				why = englishText(refusal.Line)
			}
			rv.printFault(file, line, fmt.Sprintf("table %.64q: %s", r.Table, why))
		})
	})
	if ctx.Err() != nil {
		return fmt.Errorf("review: %s: stopped after %d games", file, count)
	}
	return err
}

// review returns the review of the game in rec, a record without faults.
func (rv *recordReviewer) review(rec record.Record) (result printedReview, err error) {
	index := slices.IndexFunc(rv.games, func(g games.Game) bool { return g.Name() == rec.Game })
	g := rv.games[index] // index is not -1: a record of an unknown game has a fault
	perfect, err := rv.solutions.Of(g, rec.Rules, len(rec.Seats))
	if err != nil {
		return result, err
	}
	r, err := review.Of(perfect, g, rec)
	if err != nil {
		return result, err
	}
	return newPrintedReview(r, rec), nil
}

// printedReview is a review as it is printed. Its numbers are in the unit of the stake, percent of the pool, or points.
type printedReview struct {
	Version int           `json:"review"`
	Table   string        `json:"table"`
	Game    string        `json:"game"`
	Measure games.Measure `json:"measure"`
	Unit    string        `json:"unit"`
	Seats   []printedSeat `json:"seats"`
	Moves   []printedMove `json:"moves"`
	stake   int64
	total   bool // the numbers are points of the total score, not the paid amounts
}

// printedSeat is the part of a printedReview about one seat.
type printedSeat struct {
	Seat            games.Seat `json:"seat"`
	Name            string     `json:"name"`
	Start           float64    `json:"start"`
	Dice            float64    `json:"dice"`
	Decisions       float64    `json:"decisions"`
	PlayedFor       float64    `json:"played_for"`
	OthersDice      float64    `json:"others_dice"`
	OthersDecisions float64    `json:"others_decisions"`
	Box             float64    `json:"box"`
	Result          float64    `json:"result"`
	Chosen          int        `json:"chosen"` // decisions with a choice
	Cost            float64    `json:"cost"`   // sum of the costs of all decisions
}

// printedMove is one move in a printedReview.
type printedMove struct {
	Seat     games.Seat   `json:"seat"`
	Move     games.Move   `json:"move"`
	Dice     []int        `json:"dice,omitempty"`
	Auto     bool         `json:"auto,omitempty"`
	Choice   bool         `json:"choice,omitempty"`
	Decision float64      `json:"decision"` // change of the seat's expected result by the move
	Luck     float64      `json:"luck"`     // change of the seat's expected result by the dice
	Cost     float64      `json:"cost"`
	Best     []games.Move `json:"best,omitempty"`
	Expect   []float64    `json:"expect"`
}

// newPrintedReview converts r, the review of the game in the record rec.
func newPrintedReview(r review.Review, rec record.Record) printedReview {
	scale := review.Scale(r.Measure, len(r.Seats), rec.Stake)
	result := printedReview{Version: 1, Table: rec.Table, Game: rec.Game, Measure: r.Measure, Unit: rec.Unit,
		stake: rec.Stake, total: r.ForTotal}
	switch {
	case r.Measure != games.Share:
		result.Unit = "points"
	case rec.Stake == 0:
		result.Unit = "percent"
	}
	for i, s := range r.Seats {
		name := rec.Seats[i].Name
		if name == "" {
			name = strings.TrimSpace("seat " + fmt.Sprint(i) + " " + rec.Seats[i].House)
		}
		result.Seats = append(result.Seats, printedSeat{
			Seat: games.Seat(i), Name: name, Start: scale * s.Start, Dice: scale * s.Dice,
			Decisions: scale * s.Decisions, PlayedFor: scale * s.PlayedFor, OthersDice: scale * s.OthersDice,
			OthersDecisions: scale * s.OthersDecisions, Box: scale * s.Box, Result: scale * s.Result,
			Chosen: s.Count, Cost: scale * s.Costs,
		})
	}
	for i, m := range r.Moves {
		move := printedMove{
			Seat: m.Seat, Move: m.Move, Dice: m.Dice, Auto: m.Auto, Choice: m.Choice,
			Decision: scale * r.Decision(i, m.Seat), Luck: scale * r.Luck(i, m.Seat),
			Expect: make([]float64, len(m.Expect)),
		}
		for seat, value := range m.Expect {
			move.Expect[seat] = scale * value
		}
		if r.Shown(m.Cost) {
			move.Cost, move.Best = scale*m.Cost, m.Best
		}
		result.Moves = append(result.Moves, move)
	}
	return result
}

// write writes the review to w as text.
func (r printedReview) write(w io.Writer) error {
	in := r.Unit
	switch {
	case r.Measure == games.Share && r.stake > 0:
		in = fmt.Sprintf("%s, a stake of %d", replaceUnprintable(r.Unit), r.stake)
	case r.Unit == "percent":
		in = "percent of the pool"
	case r.total:
		in = "points of the total, not of the amount won"
	}
	fmt.Fprintf(w, "table %s, %s, in %s\n", replaceUnprintable(r.Table), r.Game, in)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "seat\tname\tstart\tdice\tdecisions\tplayed for\tothers' dice\tothers' "+
		"decisions\tbox\tresult\tof decisions\t")
	for _, s := range r.Seats {
		fmt.Fprintf(tab, "%d\t%s\t", s.Seat, replaceUnprintable(s.Name))
		for _, part := range []float64{s.Start, s.Dice, s.Decisions, s.PlayedFor, s.OthersDice, s.OthersDecisions,
			s.Box, s.Result} {
			fmt.Fprintf(tab, "%+.2f\t", math.Round(100*part)/100+0) // adding 0 turns −0 into 0
		}
		fmt.Fprintf(tab, "%d\t\n", s.Chosen)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	var costly []int // indexes of the moves with a cost, costliest first
	for i, m := range r.Moves {
		if m.Cost > 0 {
			costly = append(costly, i)
		}
	}
	slices.SortStableFunc(costly, func(a, b int) int { return cmp.Compare(r.Moves[b].Cost, r.Moves[a].Cost) })
	for _, i := range costly[:min(len(costly), maxErrors)] {
		m := r.Moves[i]
		name := replaceUnprintable(r.Seats[m.Seat].Name)
		if m.Auto {
			name = "played for " + name
		}
		fmt.Fprintf(w, "  move %d, %s: %s costs %.2f, %s was best\n", i+1, name, m.Move, m.Cost, m.Best[0])
	}
	if more := len(costly) - maxErrors; more > 0 {
		fmt.Fprintf(w, "  and %d cheaper mistakes\n", more)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// replaceUnprintable returns text with "·" in place of each character that cannot be printed.
func replaceUnprintable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, text)
}

// verifyCommand returns the command that checks records for faults.
func verifyCommand(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE…",
		Short: "Check exported games: dice, moves, scores and pool",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			r := recordReader{world: w, name: "verify", faultOut: w.out, games: allGames()}
			for _, file := range files {
				before, sound := r.faults, 0
				records, err := r.readFile(c.Context(), file, func(g *gate, _ int, _ record.Record) {
					g.pass(func() { sound++ })
				})
				if c.Context().Err() != nil {
					return fmt.Errorf("verify: %s: stopped after %d good records and %d problems", file,
						sound, r.faults-before)
				}
				if err != nil {
					return err
				}
				if r.faults == before {
					fmt.Fprintf(w.out, "%s: %d records, no problems\n", file, records)
				}
			}
			if r.faults > 0 {
				return errFound
			}
			return nil
		},
	}
}

// exportCommand returns the command that writes finished games as records.
func exportCommand(w world, s *settings) *cobra.Command {
	var wanted reviews.Wanted
	var group string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write finished games as records, one line each (JSON Lines)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("table") && wanted.Table < 1 {
				return fmt.Errorf("no table %d", wanted.Table)
			}
			wanted.Chat = chat.Chat(group)
			return s.withReadOnly(c.Context(),
				func(st *store.Store) error { return export(c.Context(), w, s, st, wanted) })
		},
	}
	c.Flags().Int64Var(&wanted.Table, "table", 0, "number of the only table to export")
	c.Flags().StringVar(&group, "chat", "", "the only chat to export, such as telegram:-100123")
	c.Flags().BoolVar(&wanted.Anonymous, "anonymous", false, "records without names")
	return c
}

// export prints the records of the wanted games, one a line. To w.err it prints how many games have none, because their
// moves were deleted. If a single wanted table has no record, it returns an error.
func export(ctx context.Context, w world, s *settings, st *store.Store, wanted reviews.Wanted) error {
	b, err := newBot(st, s.logger(w))
	if err != nil {
		return err
	}
	lines := bufio.NewWriter(w.out)
	n, unrecorded := 0, 0
	wanted.Unrecorded = func(int64) { unrecorded++ }
	err = b.Export(ctx, wanted, func(r record.Record) error {
		line, err := r.Encode()
		if err != nil {
			return err
		}
		n++
		_, err = lines.Write(append(line, '\n'))
		return err
	})
	switch _, refused := games.Refused(err); {
	case errors.Is(err, reviews.ErrMovesDropped):
		return fmt.Errorf("table %d no longer has a record: its moves are older than KNOBEL_KEEP_MOVES", wanted.Table)
	case refused:
		return fmt.Errorf("table %d has no record: its game has no result", wanted.Table)
	case errors.Is(err, store.ErrNotFound) && wanted.Chat != "":
		return fmt.Errorf("no table of %s with number %d", wanted.Chat, wanted.Table)
	case errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("no table %d", wanted.Table)
	case err != nil:
		return err
	}
	if err := lines.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if unrecorded > 0 {
		fmt.Fprintf(w.err, "knobel: %d games no longer have records: their moves are older than "+
			"KNOBEL_KEEP_MOVES\n", unrecorded)
	} else if n == 0 {
		fmt.Fprintln(w.err, "knobel: no finished games yet")
	}
	return nil
}
