package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"knobel/games"
)

// solving holds the flags of solve.
type solving struct {
	agreement
	asks []games.Ask
	said func(name string) string // returns the value of an Ask's flag
	json bool
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
	if figured, ok := s.game.(games.Figured); ok {
		s.asks = figured.Asks()
	}
	for _, a := range s.asks {
		if n, err := strconv.Atoi(a.Default); a.Number && err == nil {
			f.Int(a.Name, n, a.About)
		} else {
			f.String(a.Name, a.Default, a.About)
		}
	}
	s.said = func(name string) string { return f.Lookup(name).Value.String() }
}

// run computes and prints, and stops when ctx ends.
func (s *solving) run(ctx context.Context, w world) error {
	rules, err := s.agreed()
	if err != nil {
		return err
	}
	_, end := w.progress("solve " + s.game.Name())
	defer end()
	figured, ok := s.game.(games.Figured)
	if !ok {
		return fmt.Errorf("nothing exact is known about the best play of %s", s.game.Name())
	}
	asked := map[string]string{}
	for _, a := range s.asks {
		asked[a.Name] = s.said(a.Name)
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
		return fmt.Errorf("stopped after %v, before anything was worked out", time.Since(began).Round(time.Second))
	case err != nil:
		return err
	}
	return s.tell(w.out, figures)
}

// tell writes figures as a table for people, or as one JSON object.
func (s *solving) tell(w io.Writer, figures []games.Figure) error {
	if s.json {
		return encodeFigures(w, figures)
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

// encodeFigures writes figures under their names, in their order.
func encodeFigures(w io.Writer, figures []games.Figure) error {
	var object bytes.Buffer
	for i, f := range figures {
		var value any = f.Values
		if !f.Seats {
			value = f.Values[0]
		}
		spelled, err := json.Marshal(value)
		if err != nil {
			return err
		}
		fmt.Fprintf(&object, "%s%q:%s", map[bool]string{true: "{", false: ","}[i == 0], f.Name, spelled)
	}
	_, err := fmt.Fprintf(w, "%s}\n", object.Bytes())
	return err
}
