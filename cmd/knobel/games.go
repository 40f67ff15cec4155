package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
)

// played are the games of this program: one line each, and its import.
func played() []games.Game {
	all := []games.Game{
		shutbox.Game{},
		wuerfelpoker.New(),
		zehntausend.New(),
	}
	for _, g := range sets.All() {
		all = append(all, g)
	}
	return all
}

// perGame adds a command for each game, and for each variant that counts as a game, to one that takes a game's name.
// about is their help with %s for the name; build declares the flags of one and sets what it runs.
func perGame(c *cobra.Command, about string, build func(*cobra.Command, agreement)) *cobra.Command {
	var names []string
	variants := map[string]string{} // the games of the others, by name
	add := func(g games.Game, name string) *cobra.Command {
		of := &cobra.Command{Use: name, Short: fmt.Sprintf(about, name), Args: cobra.NoArgs}
		build(of, agreement{game: g})
		c.AddCommand(of)
		names = append(names, name)
		return of
	}
	for _, g := range played() {
		add(g, g.Name())
		for _, v := range g.Variants() {
			if !v.Command {
				variants[v.Name] = g.Name()
				continue
			}
			set := add(g, v.Name).Flags().Lookup("variant")
			set.DefValue = v.Name
			if err := set.Value.Set(v.Name); err != nil {
				panic(err) // it is a string
			}
		}
	}
	c.FParseErrWhitelist.UnknownFlags = true // they may be right with a game
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("which game? %s", strings.Join(names, ", "))
		}
		if g, is := variants[args[0]]; is {
			return fmt.Errorf("%s is a variant of %s: %s %[2]s --variant=%[1]s", args[0], g, c.CommandPath())
		}
		return fmt.Errorf("no game is called %q; %s", args[0], instead(args[0], names, "", ""))
	}
	return c
}

// agreement holds the flags of play, simulate and solve about a game.
type agreement struct {
	game    games.Game
	seats   []string
	stake   int64
	staked  func() bool // whether the stake was said
	variant string
	rules   map[string]*string
}

// defaultStake is a seat's stake unless another is given.
const defaultStake = 10

// flags defines the flags of an agreement; seats are the default of --seats.
func (a *agreement) flags(f *pflag.FlagSet, seats ...string) {
	f.StringSliceVar(&a.seats, "seats", seats, "who plays, in seat order: names, or house:STRATEGY")
	if games.CanBeStaked(a.game) {
		f.Int64Var(&a.stake, "stake", defaultStake, "stake of each seat, 0 for a friendly game")
	}
	a.staked = func() bool { return f.Changed("stake") }
	a.ruleFlags(f)
}

// ruleFlags defines the flags for the rules.
func (a *agreement) ruleFlags(f *pflag.FlagSet) {
	names := make([]string, 0, len(a.game.Variants()))
	for _, v := range a.game.Variants() {
		names = append(names, v.Name)
	}
	f.StringVar(&a.variant, "variant", names[0], strings.Join(names, ", "))
	a.rules = map[string]*string{}
	for _, o := range a.game.Options() {
		a.rules[o.Name] = f.String(o.Name, "", "rule: "+strings.Join(o.Values, ", "))
	}
}

// agreed returns the canonical rules of the flags. A stake implies the pool if the rules decide how a game is settled;
// if they have no stake, it becomes 0.
func (a *agreement) agreed() (games.Rules, error) {
	given := games.Rules{}
	for name, value := range a.rules {
		if *value != "" {
			given[name] = *value
		}
	}
	choose := func(given games.Rules) (games.Rules, error) { return games.Choose(a.game, a.variant, given) }
	if a.staked != nil && a.staked() && a.stake > 0 {
		return games.ChooseStaked(a.game, given, choose)
	}
	rules, err := choose(given)
	if err == nil && !a.game.Shape(rules).Staked() {
		a.stake = 0
	}
	return rules, err
}

// houseOf returns the name of a house seat with one of a game's strategies, the last if the game has fewer.
func houseOf(g games.Game, which int) string {
	all := g.Houses()
	return "house:" + all[min(which, len(all)-1)].Name
}

// house returns the strategy of a seat spelled "house:STRATEGY", and false for a person's name.
func (a *agreement) house(seat string) (string, bool, error) {
	name, ok := strings.CutPrefix(seat, "house:")
	if !ok {
		return "", false, nil
	}
	all := make([]string, 0, len(a.game.Houses()))
	for _, h := range a.game.Houses() {
		all = append(all, h.Name)
	}
	if !slices.Contains(all, name) {
		return "", false, fmt.Errorf("no house plays %q; %s", name, instead(name, all, "", ""))
	}
	return name, true, nil
}
