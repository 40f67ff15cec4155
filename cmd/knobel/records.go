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

// Command review.

// maxErrors is the maximum number of costly decisions listed for a game.
const maxErrors = 10

func reviewCommand(w world) *cobra.Command {
	rv := reviewer{reading: reading{world: w, what: "review", tells: w.err}}
	c := &cobra.Command{
		Use:   "review FILE…",
		Short: "Tell luck and decisions of records apart; exit 1 and a sentence for each fault",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			rv.games = played()
			for _, file := range files {
				if err := rv.reviews(c.Context(), file); err != nil {
					return err
				}
			}
			if rv.faults > 0 {
				return errFound
			}
			return nil
		},
	}
	c.Flags().BoolVar(&rv.json, "json", false, "answer as JSON, one game a line")
	return c
}

// reviewer prints the reviews of the games in some files.
type reviewer struct {
	reading
	json bool
}

// reviews prints the reviews of all games in one file.
func (rv *reviewer) reviews(ctx context.Context, name string) error {
	reviewed := 0
	_, err := rv.file(ctx, name, func(g *gate, line int, r record.Record) {
		told, err := rv.review(r)
		g.pass(func() {
			reviewed++
			switch {
			case err != nil:
			case rv.json:
				err = json.NewEncoder(rv.out).Encode(told)
			default:
				err = told.write(rv.out)
			}
			if err == nil {
				return
			}
			why := err.Error()
			if refusal, refused := games.Refused(err); refused {
				why = english(refusal.Line)
			}
			rv.fault(name, line, fmt.Sprintf("table %.64q: %s", r.Table, why))
		})
	})
	if ctx.Err() != nil {
		return fmt.Errorf("review: %s: stopped after %d games", name, reviewed)
	}
	return err
}

// review returns the review of one game, whose record must be without fault.
func (rv *reviewer) review(rec record.Record) (told reviewed, err error) {
	at := slices.IndexFunc(rv.games, func(g games.Game) bool { return g.Name() == rec.Game })
	g := rv.games[at] // a record of an unknown game has a fault
	perfect, err := rv.solutions.Of(g, rec.Rules, len(rec.Seats))
	if err != nil {
		return told, err
	}
	r, err := review.Of(perfect, g, rec)
	if err != nil {
		return told, err
	}
	return tellReview(r, rec), nil
}

// reviewed is a review as it is printed, in units of the pool, percent of it, or points.
type reviewed struct {
	Version int            `json:"review"`
	Table   string         `json:"table"`
	Game    string         `json:"game"`
	Measure games.Measure  `json:"measure"`
	Unit    string         `json:"unit"`
	Seats   []reviewedSeat `json:"seats"`
	Moves   []reviewedMove `json:"moves"`
	stake   int64
	total   bool // the points are of totals, by which the game was not settled
}

type reviewedSeat struct {
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

type reviewedMove struct {
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

func tellReview(r review.Review, rec record.Record) reviewed {
	by := review.Scale(r.Measure, len(r.Seats), rec.Stake)
	told := reviewed{Version: 1, Table: rec.Table, Game: rec.Game, Measure: r.Measure, Unit: rec.Unit, stake: rec.Stake,
		total: r.ForTotal}
	switch {
	case r.Measure != games.Share:
		told.Unit = "points"
	case rec.Stake == 0:
		told.Unit = "percent"
	}
	for i, s := range r.Seats {
		name := rec.Seats[i].Name
		if name == "" {
			name = strings.TrimSpace("seat " + fmt.Sprint(i) + " " + rec.Seats[i].House)
		}
		told.Seats = append(told.Seats, reviewedSeat{
			Seat: games.Seat(i), Name: name, Start: by * s.Start, Dice: by * s.Dice, Decisions: by * s.Decisions,
			PlayedFor: by * s.PlayedFor, OthersDice: by * s.OthersDice, OthersDecisions: by * s.OthersDecisions,
			Box: by * s.Box, Result: by * s.Result, Chosen: s.Count, Cost: by * s.Costs,
		})
	}
	for i, m := range r.Moves {
		move := reviewedMove{
			Seat: m.Seat, Move: m.Move, Dice: m.Dice, Auto: m.Auto, Choice: m.Choice,
			Decision: by * r.Decision(i, m.Seat), Luck: by * r.Luck(i, m.Seat), Expect: make([]float64, len(m.Expect)),
		}
		for seat, value := range m.Expect {
			move.Expect[seat] = by * value
		}
		if r.Shown(m.Cost) {
			move.Cost, move.Best = by*m.Cost, m.Best
		}
		told.Moves = append(told.Moves, move)
	}
	return told
}

// write prints the review as text.
func (r reviewed) write(w io.Writer) error {
	in := r.Unit
	switch {
	case r.Measure == games.Share && r.stake > 0:
		in = fmt.Sprintf("%s, a stake of %d", printable(r.Unit), r.stake)
	case r.Unit == "percent":
		in = "percent of the pool"
	case r.total:
		in = "points of the total, which are not what was won"
	}
	fmt.Fprintf(w, "table %s, %s, in %s\n", printable(r.Table), r.Game, in)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "seat\tname\tstart\tdice\tdecisions\tplayed for\tothers' dice\tothers' "+
		"decisions\tbox\tresult\tof decisions\t")
	for _, s := range r.Seats {
		fmt.Fprintf(tab, "%d\t%s\t", s.Seat, printable(s.Name))
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
		by := printable(r.Seats[m.Seat].Name)
		if m.Auto {
			by = "played for " + by
		}
		fmt.Fprintf(w, "  move %d, %s: %s costs %.2f, %s was best\n", i+1, by, m.Move, m.Cost, m.Best[0])
	}
	if more := len(costly) - maxErrors; more > 0 {
		fmt.Fprintf(w, "  and %d that cost less\n", more)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// printable returns text with a dot in place of each character that cannot be printed.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, text)
}

// Command verify.

func verifyCommand(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE…",
		Short: "Check records: dice, moves, scores, pool; exit 1 and a sentence for each fault",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			r := reading{world: w, what: "verify", tells: w.out, games: played()}
			for _, file := range files {
				before, sound := r.faults, 0
				records, err := r.file(c.Context(), file, func(g *gate, _ int, _ record.Record) {
					g.pass(func() { sound++ })
				})
				if c.Context().Err() != nil {
					return fmt.Errorf("verify: %s: stopped after %d records without a fault, and %d faults", file,
						sound, r.faults-before)
				}
				if err != nil {
					return err
				}
				if r.faults == before {
					fmt.Fprintf(w.out, "%s: %d records, no fault\n", file, records)
				}
			}
			if r.faults > 0 {
				return errFound
			}
			return nil
		},
	}
}

// Command export.

func exportCommand(w world, s *settings) *cobra.Command {
	var wanted reviews.Wanted
	var group string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write finished games as records, one a line (JSON Lines)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("table") && wanted.Table < 1 {
				return fmt.Errorf("no table has the number %d", wanted.Table)
			}
			wanted.Chat = chat.Chat(group)
			return s.reading(c.Context(), func(st *store.Store) error { return export(c.Context(), w, s, st, wanted) })
		},
	}
	c.Flags().Int64Var(&wanted.Table, "table", 0, "only this table")
	c.Flags().StringVar(&group, "chat", "", "only the tables of this chat, such as telegram:-100123")
	c.Flags().BoolVar(&wanted.Anonymous, "anonymous", false, "leave names out")
	return c
}

// export prints the records of the wanted games, and the number of games without one because their moves were dropped.
func export(ctx context.Context, w world, s *settings, st *store.Store, wanted reviews.Wanted) error {
	b, err := newBot(st, s.logger(w))
	if err != nil {
		return err
	}
	lines := bufio.NewWriter(w.out)
	n, bare := 0, 0
	wanted.Unrecorded = func(int64) { bare++ }
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
		return fmt.Errorf("table %d has no record any longer: its moves are older than KNOBEL_KEEP_MOVES", wanted.Table)
	case refused:
		return fmt.Errorf("table %d has no record: its game has not come to an end", wanted.Table)
	case errors.Is(err, store.ErrNotFound) && wanted.Chat != "":
		return fmt.Errorf("no table of %s has the number %d", wanted.Chat, wanted.Table)
	case errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("no table has the number %d", wanted.Table)
	case err != nil:
		return err
	}
	if err := lines.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if bare > 0 {
		fmt.Fprintf(w.err, "knobel: %d games have no record any longer: their moves are older than "+
			"KNOBEL_KEEP_MOVES\n", bare)
	} else if n == 0 {
		fmt.Fprintln(w.err, "knobel: no game is finished yet")
	}
	return nil
}
