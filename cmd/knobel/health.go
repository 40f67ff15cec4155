package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// The subcommand health.

func healthCommand(w world, s *settings) *cobra.Command {
	all := false
	c := &cobra.Command{
		Use:   "health",
		Short: "Ask the running Knobel whether it is well; exit 1 when it is not",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !all {
				err := healthy(c.Context(), s.listen())
				if err == nil {
					fmt.Fprintln(w.out, "well")
				}
				return err
			}
			status, said, err := ask(c.Context(), s.listen(), "/readyz", s.webSecret())
			fmt.Fprint(w.out, said)
			if err == nil && status != http.StatusOK {
				err = errFound
			}
			return err
		},
	}
	c.Flags().BoolVar(&all, "ready", false, "ask whether everything works that is configured, the platforms too")
	return c
}

// healthy asks GET /healthz at a listening address.
func healthy(ctx context.Context, listen string) error {
	status, _, err := ask(ctx, listen, "/healthz", "")
	if err == nil && status != http.StatusOK {
		return fmt.Errorf("not well: %d %s", status, http.StatusText(status))
	}
	return err
}

const (
	// healthWithin is how long a healthy Knobel may take to say so.
	healthWithin = 4 * time.Second
	// maxAsked bounds what is read of an answer, in bytes.
	maxAsked = 64 << 10
)

// ask gets a path at a listening address, with the secret where there is one.
func ask(ctx context.Context, listen, path, secret string) (status int, said string, err error) {
	if listen == "" {
		return 0, "", errors.New("nothing listens: set KNOBEL_LISTEN to where the health check is")
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return 0, "", fmt.Errorf("listen address %q: %w", listen, err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // listening everywhere includes this machine
	}
	ctx, cancel := context.WithTimeout(ctx, healthWithin)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, nil)
	if err != nil {
		return 0, "", err
	}
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", fmt.Errorf("no answer: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAsked))
	if err != nil {
		return 0, "", fmt.Errorf("no answer: %w", err)
	}
	return resp.StatusCode, string(body), nil
}
