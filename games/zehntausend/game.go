// Package zehntausend is Zehntausend, also called Ten Thousand or Farkle: dice that count are set aside, the others
// thrown again, until the player banks the points or a throw brings nothing. Like every game it uses no chat, no clock
// and no database.
//
// moves.go computes the points of dice, match.go the course of a match and its result, turn.go the computer players,
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

// Game is Zehntausend, the game "zehntausend". A Game returned by New caches, for each set of rules, the solved turns
// that the computer player "bold" needs; the zero Game solves them again for each match that it loads.
type Game struct {
	known *known
	plain bool // the variant Farkle is removed
}

// New returns the game with a cache of solved turns.
func New() Game { return Game{known: &known{of: map[string]solutions{}}} }

var (
	_ games.Figured = Game{}
	_ games.Varied  = Game{}
)

// Name returns "zehntausend".
func (Game) Name() string { return "zehntausend" }

// Minutes returns 15: 13.5 minutes were measured as games.Timed says, 16.2 for Farkle.
func (Game) Minutes() int { return 15 }

// Shape returns ShapePool: Zehntausend is always played for a pool of stakes.
func (Game) Shape(games.Rules) games.Shape { return games.ShapePool }

// Variants returns "zehntausend", with the default options, and "farkle", with the rules of the game sold as Farkle.
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

// New returns a new match under entered, rules that need not be canonical. The error is a *games.Refusal.
func (g Game) New(entered games.Rules, seats int) (games.Match, error) {
	canonical, err := g.Check(entered)
	if err != nil {
		return nil, err
	}
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	m := match{rules: g.parse(canonical), Totals: make([]int, seats)}
	if m.rules.nothings > 0 {
		m.Losing = make([]losing, seats)
	}
	return m, nil
}

// Load returns the match that Save stored as state; canonical holds the canonical rules of that match.
func (g Game) Load(canonical games.Rules, state []byte) (games.Match, error) {
	if _, err := games.CheckOptions(g.Options(), canonical); err != nil {
		return nil, err
	}
	return load(g.parse(canonical), state)
}

// parse parses canonical rules and, if g has a cache, takes their solved turns from it.
func (g Game) parse(canonical games.Rules) *rules {
	r := parseRules(canonical)
	if g.known != nil {
		r.solved = g.known.solutions(r, fmt.Sprint(canonical))
	}
	return r
}

// Words returns the sentences of the game.
func (Game) Words() fs.FS { return games.Folder(words, "words") }

// Asks returns nil: Figures takes only the rules.
func (Game) Asks() []games.Ask { return nil }

// Figures returns the expected points of a seat's first turn if "bold" plays it, and the chance that it brings nothing.
func (g Game) Figures(rules games.Rules, _ map[string]string) ([]games.Figure, error) {
	canonical, err := g.Check(rules)
	if err != nil {
		return nil, err
	}
	r := parseRules(canonical)
	f := r.turn(false).figuresAt(0, r.dice)
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

// step is the number of which all amounts of points are multiples.
const step = 50

// Options returns the options in display order.
func (Game) Options() []games.Option {
	return []games.Option{
		pointsOption("target", 1000, 50000, "10000", "1000", "2000", "5000", "20000"),
		games.Fixed("zehntausend", "dice", "6", "5"),
		pointsOption("entry", 0, 2000, "0", "300", "350", "500", "1000"),
		pointsOption("least", 0, 1000, "0", "200", "300", "350", "500"),
		games.Fixed("zehntausend", "ones", "1000", "300"),
		games.Fixed("zehntausend", "more", double, add, none, thousands),
		wholeOption("straight", "1500", "1000", "1200", "2000", "2500", "0"),
		wholeOption("pairs", "1500", "500", "750", "1000", "2000", "0"),
		wholeOption("triplets", "0", "500", "1000", "1500", "2500"),
		games.Fixed("zehntausend", "nothings", "0", "500", "1000"),
		games.Fixed("zehntausend", "hot", must, may),
		games.Fixed("zehntausend", "last", toRoundsEnd, onceMore),
		games.Fixed("zehntausend", "ties", share, rollOff),
	}
}

// pointsOption returns an option whose values are multiples of step from least to most; menus show those in offered.
func pointsOption(name string, least, most int, offered ...string) games.Option {
	return amountOption(name, "points", false, least, most, offered)
}

// wholeOption returns an option for the points of six dice counted together; 0: none. Menus show the values in offered.
func wholeOption(name string, offered ...string) games.Option {
	return amountOption(name, "points-or-none", true, 500, 3000, offered)
}

// amountOption returns an option whose values are multiples of step from least to most and, if zero is true, 0. refusal
// is the end of the message key for other values; menus show the values in offered.
func amountOption(name, refusal string, zero bool, least, most int, offered []string) games.Option {
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
	dice     int    // the number of dice
	entry    int    // the least first amount that a seat may bank
	least    int    // the least amount that may be banked
	ones     int    // the points of three 1s
	more     string // the points of more than three equal dice: double, add, none or thousands
	straight int    // the points of a straight of six dice, 0 if it does not count
	pairs    int    // the points of three pairs, 0 if they do not count
	triplets int    // the points of two triplets, 0 if they do not count
	nothings int    // the cost of three consecutive turns with nothing
	hotMay   bool   // a player who has set all dice aside may bank, not only throw again
	onceMore bool   // all others have one more turn, not only the rest of the round
	rollOff  bool   // tied seats play a roll-off instead of sharing the pool
	equal    equals
	solved   solutions
}

// parseRules parses canonical rules.
func parseRules(canonical games.Rules) *rules {
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

// mostLeast is the largest value allowed for the option least if turns with nothing cost points: with a larger one, a
// match of careful players might never end.
const mostLeast = 200

// Check returns rules in their canonical form. The error is a *games.Refusal.
func (g Game) Check(rules games.Rules) (games.Rules, error) {
	canonical, err := games.CheckOptions(g.Options(), rules)
	if err != nil {
		return nil, err
	}
	if least, _ := strconv.Atoi(canonical["least"]); canonical["nothings"] != "" && least > mostLeast {
		return nil, games.Refuse("zehntausend.refuse.nothings", games.Args{"Most": mostLeast})
	}
	return canonical, nil
}

// minimum returns the least amount that a seat may bank; hasBanked means that the seat has banked before.
func (r *rules) minimum(hasBanked bool) int {
	if hasBanked {
		return r.least
	}
	return max(r.entry, r.least)
}
