// Package zehntausend is Zehntausend, also called Ten Thousand or Farkle: dice that count are set aside, the others
// thrown again, until the player banks or a throw brings nothing. Like every game it uses no chat, no clock and no
// database.
//
// moves.go computes the points of dice, match.go the course of a match and its result, turn.go the house strategies,
// one of which plays each turn for the greatest expected points.
package zehntausend

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"knobel/games"
)

// maxSeats is the largest number of seats.
const maxSeats = 10

//go:embed words/*.toml
var words embed.FS

// Game is Zehntausend, the game "zehntausend". The zero Game solves the turns of the house again for each match that it
// loads; one returned by New caches them for each set of rules.
type Game struct {
	known *known
	plain bool // without the variant Farkle
}

// New returns the game with a cache of solved turns.
func New() Game { return Game{known: &known{of: map[string]solutions{}}} }

var (
	_ games.Figured = Game{}
	_ games.Varied  = Game{}
)

// Name returns "zehntausend".
func (Game) Name() string { return "zehntausend" }

// Shape returns ShapePool: Zehntausend is always played for a pool of stakes.
func (Game) Shape(games.Rules) games.Shape { return games.ShapePool }

// Variants returns "zehntausend", with all options at their defaults, and "farkle", the boxed game.
func (g Game) Variants() []games.Variant {
	if g.plain {
		return variants()[:1]
	}
	return variants()
}

// Without returns the game, without the variant Farkle if names contains it.
func (g Game) Without(names []string) games.Game {
	g.plain = slices.Contains(names, farkle)
	return g
}

// Seats returns 1 and 10; one seat plays for practice.
func (Game) Seats(games.Rules) (least, most int) { return 1, maxSeats }

// New returns a new match. The error is a *games.Refusal.
func (g Game) New(given games.Rules, seats int) (games.Match, error) {
	canonical, err := g.Check(given)
	if err != nil {
		return nil, err
	}
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	m := match{rules: g.read(canonical), Totals: make([]int, seats)}
	if m.rules.nothings > 0 {
		m.Losing = make([]losing, seats)
	}
	return m, nil
}

// Load returns the match that Save stored, under the same canonical rules.
func (g Game) Load(canonical games.Rules, state []byte) (games.Match, error) {
	if _, err := games.CheckOptions(g.Options(), canonical); err != nil {
		return nil, err
	}
	return load(g.read(canonical), state)
}

// read parses canonical rules, with solutions from the cache if there is one.
func (g Game) read(canonical games.Rules) *rules {
	r := read(canonical)
	if g.known != nil {
		r.solved = g.known.solutions(r, fmt.Sprint(canonical))
	}
	return r
}

// Words returns the sentences of the game.
func (Game) Words() fs.FS { return games.Folder(words, "words") }

// Asks returns nil: Figures has no parameters beside the rules.
func (Game) Asks() []games.Ask { return nil }

// Figures returns the figures of an opening turn of the house "bold".
func (g Game) Figures(given games.Rules, _ map[string]string) ([]games.Figure, error) {
	canonical, err := g.Check(given)
	if err != nil {
		return nil, err
	}
	r := read(canonical)
	f := r.turn(false).at(0, r.dice)
	return []games.Figure{
		{Name: "expected_points", About: "expected points of an opening turn", Values: []float64{f.points}},
		{Name: "nothing_probability", About: "chance that it ends with nothing", Values: []float64{f.nothing},
			Chance: true},
	}, nil
}

// The options of the game and their canonical form.

// Option values that the rules test, spelled as in chats, on the command line and in records.
const (
	double    = "double"
	add       = "add"
	none      = "none"
	thousands = "thousands"

	must = "must"
	may  = "may"

	toRoundsEnd = "round"
	onceMore    = "once-more"

	share   = "share"
	rollOff = "roll-off"
)

// farkle is the variant with the rules of the game sold as Farkle.
const farkle = "farkle"

// variants returns the presets, the default first.
func variants() []games.Variant {
	return []games.Variant{
		{Name: "zehntausend", Former: "classic"},
		{Name: farkle, Command: true, Whatever: []string{"target"}, Rules: games.Rules{
			"ones": "300", "more": thousands, "straight": "1500", "pairs": "1500", "triplets": "2500",
			"entry": "500", "last": onceMore, "hot": may,
		}},
	}
}

// step is the smallest difference between two amounts of points.
const step = 50

// Options returns the options in display order.
func (Game) Options() []games.Option {
	return []games.Option{
		points("target", 1000, 50000, "10000", "1000", "2000", "5000", "20000"),
		games.Fixed("zehntausend", "dice", "6", "5"),
		points("entry", 0, 2000, "0", "300", "350", "500", "1000"),
		points("least", 0, 1000, "0", "200", "300", "350", "500"),
		games.Fixed("zehntausend", "ones", "1000", "300"),
		games.Fixed("zehntausend", "more", double, add, none, thousands),
		whole("straight", "1500", "1000", "1200", "2000", "2500", "0"),
		whole("pairs", "1500", "500", "750", "1000", "2000", "0"),
		whole("triplets", "0", "500", "1000", "1500", "2500"),
		games.Fixed("zehntausend", "nothings", "0", "500", "1000"),
		games.Fixed("zehntausend", "hot", must, may),
		games.Fixed("zehntausend", "last", toRoundsEnd, onceMore),
		games.Fixed("zehntausend", "ties", share, rollOff),
	}
}

// points returns an option whose values are amounts from least to most in steps; menus offer some of them.
func points(name string, least, most int, offered ...string) games.Option {
	return amounts(name, "points", false, least, most, offered)
}

// whole returns an option for the points of six dice of one throw together, 0 for none; menus offer some amounts.
func whole(name string, offered ...string) games.Option {
	return amounts(name, "points-or-none", true, 500, 3000, offered)
}

// amounts returns an option whose values are amounts from least to most in steps and, if zero is true, 0. refusal is
// the end of the message key for other values; menus offer the values in offered.
func amounts(name, refusal string, zero bool, least, most int, offered []string) games.Option {
	parse := func(value string) (string, error) {
		n, err := strconv.ParseUint(value, 10, 32)
		inside := n >= uint64(least) && n <= uint64(most) && n%step == 0
		if err != nil || !inside && !(zero && n == 0) {
			return "", games.Refuse("zehntausend.refuse."+refusal, games.Args{"Option": name, "Least": least,
				"Most": most})
		}
		return strconv.FormatUint(n, 10), nil
	}
	return games.Option{Name: name, Values: offered, Parse: parse, Say: func(value string) games.Line {
		if value == "0" {
			return say("option."+name+".nothing", nil)
		}
		return say("option."+name+".amount", games.Args{"Points": games.Number(value)})
	}}
}

// rules holds canonical rules in parsed form.
type rules struct {
	target   int
	dice     int // the number of dice
	entry    int // the minimum of the first amount that a seat banks
	least    int // the minimum of every amount
	ones     int // the points of three 1s
	more     string
	straight int
	pairs    int
	triplets int
	nothings int  // the cost of three consecutive turns with nothing
	hotMay   bool // a player who has set all dice aside may bank
	onceMore bool // all others have one more turn, not only the rest of the round
	rollOff  bool
	equal    equals
	solved   solutions
}

// read parses canonical rules.
func read(canonical games.Rules) *rules {
	value := games.Filled(Game{}.Options(), canonical)
	number := func(name string) int {
		n, _ := strconv.Atoi(value[name]) // a canonical value is a number
		return n
	}
	r := &rules{
		target: number("target"), dice: number("dice"), entry: number("entry"), least: number("least"),
		ones: number("ones"), more: value["more"], straight: number("straight"), pairs: number("pairs"),
		triplets: number("triplets"), nothings: number("nothings"),
		hotMay: value["hot"] == may, onceMore: value["last"] == onceMore, rollOff: value["ties"] == rollOff,
	}
	r.equal, r.solved = r.equals(), r.solutions()
	return r
}

// mostLeast is the largest value of the option least if turns with nothing cost points: with more, a match of careful
// players might never end.
const mostLeast = 200

// Check returns rules in their canonical form. The error is a *games.Refusal.
func (g Game) Check(given games.Rules) (games.Rules, error) {
	canonical, err := games.CheckOptions(g.Options(), given)
	if err != nil {
		return nil, err
	}
	if least, _ := strconv.Atoi(canonical["least"]); canonical["nothings"] != "" && least > mostLeast {
		return nil, games.Refuse("zehntausend.refuse.nothings", games.Args{"Most": mostLeast})
	}
	return canonical, nil
}

// minimum returns the least amount that may be banked; entered means that the seat has banked before.
func (r *rules) minimum(entered bool) int {
	if entered {
		return r.least
	}
	return max(r.entry, r.least)
}
