package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// solving is what the flags of solve say.
type solving struct {
	agreement
	goal    string
	players int
	json    bool
}

// solved are the figures of best play: as JSON, and as a table for people.
type solved interface {
	table(io.Writer)
}

func solveCommand(w world) *cobra.Command {
	c := &cobra.Command{
		Use:   "solve GAME",
		Short: "Compute the exact values of best play",
	}
	return perGame(c, func(g games.Game) *cobra.Command {
		s := solving{agreement: agreement{game: g}}
		c := &cobra.Command{
			Use:   g.Name(),
			Short: "Compute the exact values of best play of " + g.Name(),
			Args:  cobra.NoArgs,
			RunE:  func(c *cobra.Command, _ []string) error { return s.run(c.Context(), w) },
		}
		s.flags(c.Flags())
		return c
	})
}

func (s *solving) flags(f *pflag.FlagSet) {
	s.ruleFlags(f)
	f.BoolVar(&s.json, "json", false, "answer as JSON")
	if s.game.Pool() {
		f.StringVar(&s.goal, "goal", string(shutbox.Goals()[0]), "what is played for: score, shut, pool")
		f.IntVar(&s.players, "players", 2, "how many play for the pool")
	}
}

// run computes and tells. Whoever has had enough need not wait for the end.
func (s *solving) run(ctx context.Context, w world) error {
	rules, err := s.agreed()
	if err != nil {
		return err
	}
	type answer struct {
		figures solved
		err     error
	}
	done := make(chan answer, 1)
	go func() {
		figures, err := s.solve(rules)
		done <- answer{figures, err}
	}()
	select {
	case <-ctx.Done():
		return errors.New("stopped")
	case a := <-done:
		if a.err != nil {
			return a.err
		}
		return s.tell(w.out, a.figures)
	}
}

func (s *solving) solve(rules games.Rules) (solved, error) {
	if s.game.Name() == (shutbox.Game{}).Name() {
		return solveBox(rules, shutbox.Goal(s.goal), s.players)
	}
	return solveWuerfelpoker(rules)
}

func (s *solving) tell(w io.Writer, figures solved) error {
	if s.json {
		return json.NewEncoder(w).Encode(figures)
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	figures.table(tab)
	return tab.Flush()
}

// solvedBox are the figures of a turn of Shut the Box.
type solvedBox struct {
	Score  float64   `json:"expected_score"`
	Shut   float64   `json:"shut_probability"`
	Shares []float64 `json:"pool_share,omitempty"`
}

func solveBox(rules games.Rules, goal shutbox.Goal, players int) (solved, error) {
	if !slices.Contains(shutbox.Goals(), goal) {
		return nil, fmt.Errorf("no goal is called %q; there is score, shut, pool", goal)
	}
	e, err := shutbox.Expected(rules, goal, players)
	return solvedBox{e.Score, e.Shut, e.Shares}, err
}

func (s solvedBox) table(w io.Writer) {
	turn := ""
	if len(s.Shares) > 0 {
		turn = " of the first seat"
	}
	fmt.Fprintf(w, "expected score%s\t%.10f\n", turn, s.Score)
	fmt.Fprintf(w, "chance to shut the box%s\t%.8f %%\n", turn, 100*s.Shut)
	for seat, share := range s.Shares {
		fmt.Fprintf(w, "share of the pool, seat %d\t%.8f %%\n", seat+1, 100*share)
	}
}

// solvedWuerfelpoker are the figures of a sheet. With order=free its parts are
// not apart.
type solvedWuerfelpoker struct {
	School       *float64 `json:"school,omitempty"`
	Combinations *float64 `json:"combinations,omitempty"`
	Total        float64  `json:"total"`
}

func solveWuerfelpoker(rules games.Rules) (solved, error) {
	p, err := wuerfelpoker.Solve(rules)
	if err != nil {
		return nil, err
	}
	e := p.Expected()
	if rules["order"] == "free" {
		return solvedWuerfelpoker{Total: e.Total}, nil
	}
	return solvedWuerfelpoker{&e.School, &e.Combinations, e.Total}, nil
}

func (s solvedWuerfelpoker) table(w io.Writer) {
	if s.School != nil {
		fmt.Fprintf(w, "school\t%.10f\n", *s.School)
		fmt.Fprintf(w, "combinations\t%.10f\n", *s.Combinations)
	}
	fmt.Fprintf(w, "total\t%.10f\n", s.Total)
}
