package zehntausend

import (
	"strconv"

	"knobel/games"
)

// The options of the game, and how given rules are read.

// The values that the code of the rules tells apart; each is spelled as in chats, on the command line and in records.
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

// farkle is the variant of the boxed game.
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

// Options returns the house rules, in the order in which they are shown.
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

// points returns an option of an amount in steps; some are offered.
func points(name string, least, most int, offered ...string) games.Option {
	return amounts(name, "points", false, least, most, offered)
}

// whole returns an option of what six dice of one throw count together, 0 for nothing special; some amounts are
// offered.
func whole(name string, offered ...string) games.Option {
	return amounts(name, "points-or-none", true, 500, 3000, offered)
}

// amounts returns an option of an amount in steps, or of 0 where that is allowed; other amounts are refused by a key.
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

// rules are canonical rules, read.
type rules struct {
	target   int
	dice     int // how many are thrown
	entry    int // the first amount that is banked is at least this
	least    int // and every one this
	ones     int // what three 1s count
	more     string
	straight int
	pairs    int
	triplets int
	nothings int  // what three turns in a row with nothing cost
	hotMay   bool // who has set all dice aside may stop
	onceMore bool // all others have one more turn, not only the rest of the round
	rollOff  bool
	equal    equals
	solved   solutions
}

// read reads canonical rules.
func read(canonical games.Rules) *rules {
	value := map[string]string{}
	for _, o := range (Game{}).Options() {
		value[o.Name] = o.Default()
		if v, given := canonical[o.Name]; given {
			value[o.Name] = v
		}
	}
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

// mostLeast is the largest least amount where nothings cost points: with more, a match of careful players might never
// end.
const mostLeast = 200

// Check returns rules in their canonical form.
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

// minimum returns the least amount that may be banked, by whether the seat has banked before.
func (r *rules) minimum(entered bool) int {
	if entered {
		return r.least
	}
	return max(r.entry, r.least)
}
