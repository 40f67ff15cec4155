package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"knobel/bot"
	"knobel/bot/terminal"
	"knobel/cmd/wiring"
	"knobel/store"
)

// The subcommand play.

func playCommand(w world, s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "play GAME --seats Anna,Ben,house:perfect",
		Short: "Play in this terminal, several people at one keyboard",
	}
	return perGame(c, "Play %s in this terminal", func(c *cobra.Command, a agreement) {
		c.RunE = func(c *cobra.Command, _ []string) error { return a.play(c.Context(), w, s) }
		a.flags(c.Flags(), "Player", houseOf(a.game, 1))
	})
}

// play plays at a table in memory, which is gone afterwards.
func (a *agreement) play(ctx context.Context, w world, s *settings) (err error) {
	rules, err := a.agreed()
	if err != nil {
		return err
	}
	for _, seat := range a.seats {
		if _, _, err := a.house(seat); err != nil {
			return err
		}
	}
	folder, err := os.MkdirTemp("", "knobel-play-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	st, err := store.Open(ctx, filepath.Join(folder, "table.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	said, err := s.sentences()
	if err != nil {
		return err
	}
	options := map[string]string{} // of the chat command that opens the table
	if a.game.Shape(rules).Staked() {
		options["stake"] = strconv.FormatInt(a.stake, 10)
	}
	if len(a.game.Variants()) > 1 {
		options["variant"] = a.variant
	}
	for name, value := range a.rules {
		if *value != "" {
			options[name] = *value
		}
	}
	b := wiring.New(bot.Config{Store: st, Games: played(), Words: said, Log: s.logger(w), Picks: true})
	return terminal.New(b, said, w.in, w.out, terminal.Table{
		Game: a.game.Name(), Options: options, Seats: a.seats, Lang: language(w), Columns: w.columns,
	}).Run(ctx, b)
}

// language returns the language of the environment as a BCP 47 tag, or "".
func language(w world) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := w.getenv(name); v != "" {
			v, _, _ = strings.Cut(v, ".")
			return strings.ReplaceAll(v, "_", "-")
		}
	}
	return ""
}
