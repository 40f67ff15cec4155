package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
	"knobel/store"
)

// The commands "simulate" and "solve".

// simulation is a series of games between computer players.
type simulation struct {
	matchFlags
	games   int
	seed    int64
	json    bool
	records string // the file for the records, or ""
}

// simulateCommand returns the command that plays games between computer players.
func simulateCommand(w world) *cobra.Command {
	c := &cobra.Command{
		Use:   "simulate GAME --seats house:random,house:perfect --games N",
		Short: "Play many games between computer players",
	}
	return addGameCommands(c, "Play many games of %s", func(c *cobra.Command, a matchFlags) {
		s := simulation{matchFlags: a}
		c.RunE = func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("seed") {
				s.seed = rand.Int64()
			}
			return s.run(c.Context(), w)
		}
		s.declare(c.Flags(), computerSeat(a.game, 0), computerSeat(a.game, 1))
		c.Flags().IntVar(&s.games, "games", 1000, "number of games")
		c.Flags().Int64Var(&s.seed, "seed", 0, "seed of the dice; the same seed repeats the games (default: random)")
		c.Flags().BoolVar(&s.json, "json", false, "JSON output")
		c.Flags().StringVar(&s.records, "records", "", "file for the records of the games, one line each")
	})
}

// run plays the games, prints the tally and, if s.records is not "", writes the records into that file. If ctx ends, it
// prints the tally of the games played so far and returns an error.
func (s *simulation) run(ctx context.Context, w world) error {
	if s.games < 1 {
		return fmt.Errorf("%d games: use at least one", s.games)
	}
	terms, err := s.terms()
	if err != nil {
		return err
	}
	out := io.Discard
	if s.records != "" {
		f, err := os.Create(s.records)
		if err != nil {
			return fmt.Errorf("records: %w", err)
		}
		defer f.Close()
		out = f
	}
	lines := bufio.NewWriter(out)
	t := &tally{Game: s.game.Name(), Rules: terms.Rules, Stake: terms.Stake, Seed: s.seed}
	for i, seat := range terms.Seats {
		t.Seats = append(t.Seats, seatTally{Seat: i, Name: seat.Name})
	}
	p, end := w.progress("simulate " + s.game.Name())
	stopped := stoppable(ctx, func(g *gate) error { return s.play(ctx, terms, t, lines, g, p.set) })
	end()
	if stopped != nil && (ctx.Err() == nil || t.Games == 0) {
		return stopped
	}
	if err := lines.Flush(); err != nil {
		return fmt.Errorf("records: %w", err)
	}
	if c, ok := out.(io.Closer); ok {
		if err := c.Close(); err != nil {
			return fmt.Errorf("records: %w", err)
		}
	}
	if err := t.print(w.out, s); err != nil || stopped == nil {
		return err
	}
	return fmt.Errorf("stopped after %d of %d games", t.Games, s.games)
}

// play plays the games, adds them to t and, if s.records is set, writes their records to lines. Once g is shut it does
// not touch t or lines any longer. It calls progress after each game.
func (s *simulation) play(
	ctx context.Context, terms record.Terms, t *tally, lines *bufio.Writer, g *gate, progress store.Progress,
) (err error) {
	for n := 0; n < s.games && err == nil; n++ {
		r, winners, problem := playOut(ctx, terms, n, s.seed)
		if problem != nil {
			return fmt.Errorf("game %d: %w", n+1, problem)
		}
		if r.Box != nil {
			terms.Box += r.Box.Out - r.Box.In
		}
		g.pass(func() {
			t.add(r, winners)
			if s.records == "" {
				return
			}
			line, problem := r.Encode()
			if problem != nil {
				err = fmt.Errorf("game %d: %w", n+1, problem)
				return
			}
			lines.Write(append(line, '\n')) // Flush returns the error, if any
		})
		progress(int64(n+1), int64(s.games))
	}
	return err
}

// terms returns the common terms of all games of the simulation, such as the rules, the stake and the seats.
func (s *simulation) terms() (record.Terms, error) {
	rules, err := s.chosenRules()
	if err != nil {
		return record.Terms{}, err
	}
	t := record.Terms{Game: s.game, Rules: rules, Stake: s.stake, Unit: "chips", Solutions: &record.Solutions{}}
	for _, seat := range s.seats {
		strategy, ok, err := s.strategy(seat)
		if err != nil {
			return t, err
		}
		if !ok {
			return t, fmt.Errorf("seat %q: only computers play here: use house:STRATEGY", seat)
		}
		t.Seats = append(t.Seats, record.Seat{Name: "house " + strategy, House: strategy, Entropy: dice.HouseEntropy})
	}
	if len(t.Seats) == 1 {
		t.Stake = 0 // a single seat plays for practice
	}
	return t, nil
}

// playOut plays game n, from 0, of the series started by seed. It returns its record and the seats that share its pool.
func playOut(ctx context.Context, terms record.Terms, n int, seed int64) (record.Record, []games.Seat, error) {
	terms.Table = strconv.Itoa(n + 1)
	terms.Seed = dice.SeriesSeed(seed, n)
	s, err := record.Sit(terms)
	if err != nil {
		return record.Record{}, nil, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return record.Record{}, nil, err // after Ctrl-C
		}
		_, played, err := s.PlayHouse()
		if err != nil {
			return record.Record{}, nil, err
		}
		if !played {
			break
		}
	}
	r, err := s.Record()
	result, _ := s.Match().Result()
	return r, result.Winners, err
}

// print computes the shares and standard errors of t, and prints t to w as text or JSON.
func (t *tally) print(w io.Writer, s *simulation) error {
	sum := t.Box
	for i := range t.Seats {
		seat := &t.Seats[i]
		seat.WinShare, seat.PoolShare = float64(seat.wins)/float64(t.Games), seat.pools/float64(t.Games)
		if seat.Scored > 1 {
			seat.StandardError = math.Sqrt(seat.spread / float64(seat.Scored-1) / float64(seat.Scored))
		}
		sum += seat.Balance
	}
	if sum != 0 {
		return errors.New("balances do not add up to zero") // a bug in the program
	}
	if s.json {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(t)
	}
	fmt.Fprintf(w, "%d games of %s, seed %d\n", t.Games, t.Game, t.Seed)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "seat\tname\tmean score\t±\twins\tpool share\tbalance\t")
	for _, r := range t.Seats {
		fmt.Fprintf(tab, "%d\t%s\t%.4f\t%.4f\t%.2f %%\t%.2f %%\t%+d\t\n",
			r.Seat, r.Name, r.MeanScore, r.StandardError, 100*r.WinShare, 100*r.PoolShare, r.Balance)
	}
	fmt.Fprintf(tab, "\tbox\t\t\t\t\t%+d\t\n", t.Box)
	return tab.Flush()
}

// tally holds the sums of a simulation and is its JSON output. All balances of seats and the box (jackpot) add up to 0.
type tally struct {
	Game  string      `json:"game"`
	Rules games.Rules `json:"rules"`
	Stake int64       `json:"stake"`
	Games int         `json:"games"`
	Seed  int64       `json:"seed"`
	Seats []seatTally `json:"seats"`
	Box   int64       `json:"box"`
}

// seatTally holds the sums of a seat over all games. tally.print computes the shares and the standard error.
type seatTally struct {
	Seat int    `json:"seat"`
	Name string `json:"name"`
	// MeanScore is the mean over the games in which the seat rolled; Scored is their number.
	MeanScore     float64 `json:"mean_score"`
	StandardError float64 `json:"standard_error"`
	Scored        int     `json:"scored"`
	// WinShare is the share of games with a first place, ties included. PoolShare is the mean share of the pool.
	WinShare  float64 `json:"win_share"`
	PoolShare float64 `json:"pool_share"`
	Balance   int64   `json:"balance"`

	spread float64 // sum of the squared differences of the scores to their mean
	wins   int
	pools  float64 // sum of the seat's shares of the pools, each from 0 to 1
}

// add adds to t the game with the record r, whose pool the seats in winners share.
func (t *tally) add(r record.Record, winners []games.Seat) {
	t.Games++
	for i, row := range r.Result {
		s := &t.Seats[i]
		if points, scored := row.Points(); scored { // Welford's recurrence, which stays exact
			x := float64(points)
			s.Scored++
			d := x - s.MeanScore
			s.MeanScore += d / float64(s.Scored)
			s.spread += d * (x - s.MeanScore)
		}
		if row.Place == 1 {
			s.wins++
		}
		if slices.Contains(winners, row.Seat) {
			s.pools += 1 / float64(len(winners))
		}
		s.Balance += row.Amount()
	}
	if r.Box != nil {
		t.Box += r.Box.Out - r.Box.In
	}
}

// solving holds the flags of the command solve.
type solving struct {
	matchFlags
	json bool
}

// solveCommand returns the command that computes the exact values of best play.
func solveCommand(w world) *cobra.Command {
	c := &cobra.Command{
		Use:   "solve GAME",
		Short: "Compute exact results of perfect play",
	}
	return addGameCommands(c, "Compute exact results of perfect play of %s", func(c *cobra.Command, a matchFlags) {
		s := solving{matchFlags: a}
		figured, _ := a.game.(games.Figured)
		asked := map[string]string{}
		c.RunE = func(c *cobra.Command, _ []string) error {
			for name := range asked {
				asked[name] = c.Flags().Lookup(name).Value.String()
			}
			return s.run(c.Context(), w, figured, asked)
		}
		s.declareRules(c.Flags())
		c.Flags().BoolVar(&s.json, "json", false, "JSON output")
		if figured == nil {
			return
		}
		for _, a := range figured.Asks() {
			asked[a.Name] = a.Default
			if n, err := strconv.Atoi(a.Default); a.Number && err == nil {
				c.Flags().Int(a.Name, n, a.About)
			} else {
				c.Flags().String(a.Name, a.Default, a.About)
			}
		}
	})
}

// run computes and prints the figures of a game, such as its exact best result. figured is nil if the game has none.
// asked holds the values of the game's own flags by name. When ctx is done, run returns an error at once.
func (s *solving) run(ctx context.Context, w world, figured games.Figured, asked map[string]string) error {
	rules, err := s.chosenRules()
	if err != nil {
		return err
	}
	_, end := w.progress("solve " + s.game.Name())
	defer end()
	if figured == nil {
		return fmt.Errorf("no exact results are known for %s", s.game.Name())
	}
	var figures []games.Figure
	began := time.Now()
	err = stoppable(ctx, func(g *gate) error {
		all, err := figured.Figures(rules, asked)
		g.pass(func() { figures = all })
		return err
	})
	end()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("stopped after %v, without a result", time.Since(began).Round(time.Second))
	case err != nil:
		return err
	}
	return s.print(w.out, figures)
}

// print prints figures to w, in the given order, as a table or as one JSON object.
func (s *solving) print(w io.Writer, figures []games.Figure) error {
	if s.json {
		var fields []string
		for _, f := range figures {
			var value any = f.Values
			if !f.Seats {
				value = f.Values[0]
			}
			spelled, err := json.Marshal(value)
			if err != nil {
				return err
			}
			fields = append(fields, fmt.Sprintf("%q:%s", f.Name, spelled))
		}
		_, err := fmt.Fprintf(w, "{%s}\n", strings.Join(fields, ","))
		return err
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range figures {
		for seat, value := range f.Values {
			about, spelled := f.About, fmt.Sprintf("%.10f", value)
			if f.Seats {
				about += fmt.Sprintf(", seat %d", seat+1)
			}
			if f.Chance {
				spelled = fmt.Sprintf("%.8f %%", 100*value)
			}
			fmt.Fprintf(tab, "%s\t%s\n", about, spelled)
		}
	}
	return tab.Flush()
}
