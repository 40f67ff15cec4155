package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/text/unicode/norm"

	"knobel/bot"
	"knobel/bot/terminal"
	"knobel/bot/words"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// allGames returns all games of this program. A new game needs one line here and its import.
func allGames() []games.Game {
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

// addGameCommands adds to c one subcommand for each game and for each variant with its own command, and returns c. help
// is their help text; %s in it becomes the name. build declares the flags of one subcommand and sets its action.
func addGameCommands(c *cobra.Command, help string, build func(*cobra.Command, matchFlags)) *cobra.Command {
	var names []string
	variants := map[string]string{} // key: name of a variant without its own command; value: name of its game
	add := func(g games.Game, name string) *cobra.Command {
		command := &cobra.Command{Use: name, Short: fmt.Sprintf(help, name), Args: cobra.NoArgs}
		build(command, matchFlags{game: g})
		c.AddCommand(command)
		names = append(names, name)
		return command
	}
	for _, g := range allGames() {
		add(g, g.Name())
		for _, v := range g.Variants() {
			if !v.Command {
				variants[v.Name] = g.Name()
				continue
			}
			set := add(g, v.Name).Flags().Lookup("variant")
			set.DefValue = v.Name
			if err := set.Value.Set(v.Name); err != nil {
				panic(err) // cannot happen: a text flag accepts every value
			}
		}
	}
	c.FParseErrWhitelist.UnknownFlags = true // flags are checked once the game is known
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("choose a game: %s", strings.Join(names, ", "))
		}
		if g, is := variants[args[0]]; is {
			return fmt.Errorf("%s is a variant of %s: use %s %[2]s --variant=%[1]s", args[0], g, c.CommandPath())
		}
		return fmt.Errorf("unknown game %q; %s", args[0], suggestion(args[0], names, "", ""))
	}
	return c
}

// matchFlags holds the flags of play, simulate and solve that define a match: its seats, stake and rules.
type matchFlags struct {
	game    games.Game
	seats   []string
	stake   int64
	staked  func() bool // reports whether --stake is set; nil if there is no such flag
	variant string
	rules   map[string]*string
}

// declare adds all flags of a match to f. seats is the default of --seats.
func (a *matchFlags) declare(f *pflag.FlagSet, seats ...string) {
	f.StringSliceVar(&a.seats, "seats", seats, "players in seat order: names, or house:STRATEGY for a computer")
	if games.CanBeStaked(a.game) {
		f.Int64Var(&a.stake, "stake", 10, "stake of each player, 0 for a game just for fun")
	}
	a.staked = func() bool { return f.Changed("stake") }
	a.declareRules(f)
}

// declareRules adds the flags for the variant and the rules to f.
func (a *matchFlags) declareRules(f *pflag.FlagSet) {
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

// chosenRules returns the complete rules that the flags define. If --stake is set and no flag says how the game is
// settled, it chooses the pool, which the winners share. If the rules allow no stake, it sets a.stake to 0.
func (a *matchFlags) chosenRules() (games.Rules, error) {
	options := games.Rules{}
	for name, value := range a.rules {
		if *value != "" {
			options[name] = *value
		}
	}
	choose := func(options games.Rules) (games.Rules, error) { return games.Choose(a.game, a.variant, options) }
	if a.staked != nil && a.staked() && a.stake > 0 {
		return games.ChooseStaked(a.game, options, choose)
	}
	rules, err := choose(options)
	if err == nil && !a.game.Shape(rules).Staked() {
		a.stake = 0
	}
	return rules, err
}

// computerSeat returns the seat "house:STRATEGY" with the strategy of g at index, or its last if index is too large.
func computerSeat(g games.Game, index int) string {
	all := g.Houses()
	return "house:" + all[min(index, len(all)-1)].Name
}

// strategy returns the strategy of seat and true if seat is that of a computer player, "house:STRATEGY", or false if it
// is the name of a person. An unknown strategy is an error.
func (a *matchFlags) strategy(seat string) (string, bool, error) {
	name, ok := strings.CutPrefix(seat, "house:")
	if !ok {
		return "", false, nil
	}
	all := make([]string, 0, len(a.game.Houses()))
	for _, h := range a.game.Houses() {
		all = append(all, h.Name)
	}
	if !slices.Contains(all, name) {
		return "", false, fmt.Errorf("unknown strategy %q; %s", name, suggestion(name, all, "", ""))
	}
	return name, true, nil
}

// The served games and their titles (KNOBEL_GAMES).

// gameList holds the operator's changes (KNOBEL_GAMES) to the games that "knobel serve" offers. Other commands, records
// of games and the database ignore them. A variant with its own command counts as a game.
type gameList struct {
	without []string          // names of games that are not served
	titles  map[string]string // new titles by the name of the game
}

// gameNames returns the names of games and, after each, the names of its variants that have their own commands.
func gameNames(all []games.Game) (names []string) {
	for _, g := range all {
		names = append(names, g.Name())
		for _, v := range g.Variants() {
			if v.Command {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// maxTitle is the maximum number of characters of a title and of the command made from it.
const maxTitle = 32

// parseGameList returns the changes in text, a comma-separated list: -NAME leaves a game out, NAME=TITLE renames one.
func parseGameList(text string) (list gameList, err error) {
	list.titles = map[string]string{}
	known := gameNames(allGames())
	var changed []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, title, renames := strings.Cut(part, "=")
		name, leaves := strings.CutPrefix(name, "-")
		name, title = strings.TrimSpace(name), strings.TrimSpace(title)
		switch {
		case leaves == renames:
			return list, fmt.Errorf("games %q: use -NAME to leave a game out, or NAME=TITLE to rename it", part)
		case !slices.Contains(known, name):
			return list, fmt.Errorf("games %q: unknown game %q; %s", part, name, suggestion(name, known, "", ""))
		case slices.Contains(changed, name):
			return list, fmt.Errorf("games %q: %s is changed twice", part, name)
		case renames:
			if err := checkTitle(title); err != nil {
				return list, fmt.Errorf("games %q: %w", part, err)
			}
			list.titles[name] = title
		default:
			list.without = append(list.without, name)
		}
		changed = append(changed, name)
	}
	for _, g := range allGames() { // if a game takes a variant's command as its title, the variant is left out
		for _, v := range g.Variants() {
			if v.Command && slug(list.titles[g.Name()]) == v.Name && !slices.Contains(changed, v.Name) {
				list.without = append(list.without, v.Name)
			}
		}
	}
	if len(list.filter(allGames())) == 0 {
		return list, errors.New("games: no game is left")
	}
	return list, nil
}

// checkTitle returns an error unless title can be the name of a game.
func checkTitle(title string) error {
	odd := func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune(" -'’.&+", r)
	}
	switch n := utf8.RuneCountInString(title); {
	case n == 0 || n > maxTitle:
		return fmt.Errorf("a title has 1 to %d characters", maxTitle)
	case strings.ContainsFunc(title, odd):
		return errors.New("a title can have letters, digits, spaces, and - ' . & +")
	case slug(title) == "":
		return errors.New("a title needs letters for its command")
	case len(slug(title)) > maxTitle:
		return fmt.Errorf("its command /%s would have more than %d characters", slug(title), maxTitle)
	}
	return nil
}

// asciiLetters writes ä, ö and ü as ae, oe and ue, and letters that normalization does not split, such as ß, in ASCII.
var asciiLetters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "ø", "o", "œ", "oe",
	"ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i")

// slug returns the command name made from a title: a-z, 0-9 and hyphens, "" if no letter is left.
func slug(title string) string {
	var all strings.Builder
	for _, r := range norm.NFKD.String(asciiLetters.Replace(strings.ToLower(norm.NFC.String(title)))) {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			all.WriteRune(r)
		case !unicode.Is(unicode.Mn, r) && !strings.ContainsRune("'’", r):
			all.WriteByte('-')
		}
	}
	return strings.Join(strings.FieldsFunc(all.String(), func(r rune) bool { return r == '-' }), "-")
}

// filter returns the games in all that are served, without the variants that are left out. It may change all.
func (l gameList) filter(all []games.Game) []games.Game {
	all = slices.DeleteFunc(all, func(g games.Game) bool { return slices.Contains(l.without, g.Name()) })
	for i, g := range all {
		if varied, ok := g.(games.Varied); ok {
			all[i] = varied.Without(l.without)
		}
	}
	return all
}

// setTitles puts the new titles of renamed games into messages.
func (l gameList) setTitles(messages *words.Words) error {
	for _, g := range allGames() {
		var all []words.Title
		for _, name := range gameNames([]games.Game{g}) {
			title, renamed := l.titles[name]
			if !renamed {
				continue
			}
			key := g.Name() + ".name"
			if name != g.Name() {
				key = g.Name() + ".variant." + name + ".name"
			}
			all = append(all, words.Title{Key: key, Title: title, Was: name, Command: slug(title)})
			if name == g.Name() { // the name in lists, which can have a subtitle
				all = append(all, words.Title{Key: name + ".listed", Title: title, Was: name, Command: slug(title)})
			}
		}
		if len(all) == 0 {
			continue
		}
		if err := messages.Entitle(g.Name(), all); err != nil {
			return err
		}
	}
	return nil
}

// playCommand returns the command that plays a match in the terminal.
func playCommand(w world, s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "play GAME --seats Anna,Ben,house:perfect",
		Short: "Play in this terminal, several people at one keyboard",
	}
	return addGameCommands(c, "Play %s in this terminal", func(c *cobra.Command, a matchFlags) {
		c.RunE = func(c *cobra.Command, _ []string) error { return a.play(c.Context(), w, s) }
		a.declare(c.Flags(), "Player", computerSeat(a.game, 1))
	})
}

// play runs a match in the terminal, with a temporary database that is deleted afterwards.
func (a *matchFlags) play(ctx context.Context, w world, s *settings) (err error) {
	rules, err := a.chosenRules()
	if err != nil {
		return err
	}
	for _, seat := range a.seats {
		if _, _, err := a.strategy(seat); err != nil {
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
	messages, err := s.messages()
	if err != nil {
		return err
	}
	options := map[string]string{} // options of the chat command that opens the table
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
	b := wiring.New(bot.Config{Store: st, Games: allGames(), Words: messages, Log: s.logger(w), Picks: true})
	return terminal.New(b, messages, w.in, w.out, terminal.Table{
		Game: a.game.Name(), Options: options, Seats: a.seats, Lang: language(w), Columns: w.columns,
	}).Run(ctx, b)
}

// language returns the language that the environment variables (LC_ALL, LC_MESSAGES, LANG) name as a BCP 47 tag, or "".
func language(w world) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := w.getenv(name); v != "" {
			v, _, _ = strings.Cut(v, ".")
			return strings.ReplaceAll(v, "_", "-")
		}
	}
	return ""
}
