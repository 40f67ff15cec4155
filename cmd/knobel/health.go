package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

func healthCommand(w world, s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "health",
		Short: "Ask the running Knobel whether it is well; exit 1 when it is not",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := healthy(c.Context(), s.listen); err != nil {
				return err
			}
			fmt.Fprintln(w.out, "well")
			return nil
		},
	}
}

// healthWithin is how long a healthy Knobel may take to say so.
const healthWithin = 4 * time.Second

// healthy asks GET /healthz at a listening address.
func healthy(ctx context.Context, listen string) error {
	if listen == "" {
		return errors.New("nothing listens: set KNOBEL_LISTEN to where the health check is")
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("listen address %q: %w", listen, err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // listening everywhere includes this machine
	}
	ctx, cancel := context.WithTimeout(ctx, healthWithin)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("no answer: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("not well: %s", resp.Status)
	}
	return nil
}
