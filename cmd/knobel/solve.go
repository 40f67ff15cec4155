package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"knobel/games"
)

// solving holds the flags of solve.
type solving struct {
	agreement
	json bool
}

func solveCommand(w world) *cobra.Command {
	c := &cobra.Command{
		Use:   "solve GAME",
		Short: "Compute the exact values of best play",
	}
	return perGame(c, "Compute the exact values of best play of %s", func(c *cobra.Command, a agreement) {
		s := solving{agreement: a}
		figured, _ := a.game.(games.Figured)
		asked := map[string]string{}
		c.RunE = func(c *cobra.Command, _ []string) error {
			for name := range asked {
				asked[name] = c.Flags().Lookup(name).Value.String()
			}
			return s.run(c.Context(), w, figured, asked)
		}
		s.ruleFlags(c.Flags())
		c.Flags().BoolVar(&s.json, "json", false, "answer as JSON")
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

// run computes and prints the figures, with the values of the game's own flags, and stops when ctx ends.
func (s *solving) run(ctx context.Context, w world, figured games.Figured, asked map[string]string) error {
	rules, err := s.agreed()
	if err != nil {
		return err
	}
	_, end := w.progress("solve " + s.game.Name())
	defer end()
	if figured == nil {
		return fmt.Errorf("nothing exact is known about the best play of %s", s.game.Name())
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

// tell writes figures as a table for people, or as one JSON object under their names, in their order.
func (s *solving) tell(w io.Writer, figures []games.Figure) error {
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
