package wuerfelpoker

import (
	"strconv"

	"knobel/games"
	"knobel/games/money"
)

// The options of the game, and how given rules are checked.

// The values that the code of the rules tells apart; each is spelled as in
// chats, on the command line and in records.
const (
	yes = "yes"
	no  = "no"

	inParts = "parts"
	free    = "free"

	once    = "once"
	doubled = "doubled"
	never   = "never"

	double = "double"
	plain  = "plain"

	strikes  = "strike"
	deferred = "deferred"

	plus  = "plus"
	minus = "minus"
	both  = "both"
	none  = "none"
)

// options are the house rules, in the order in which they are shown.
func options() []games.Option {
	return []games.Option{
		fixed("order", inParts, free),
		fixed("poker", once, doubled, never),
		fixed("first-throw", double, plain),
		fixed("chance", plain, double),
		fixed("miss", strikes, deferred),
		fixed("bonus", plus, minus, both, none),
		fixed("four-as-two-pairs", no, yes),
		fixed("five-as-full-house", no, yes),
		{Name: "point", Values: []string{"0", "1", "5", "10"}, Parse: canonicalPoint, Say: sayPoint},
		fixed(games.Hints, no, yes),
	}
}

// fixed is an option with exactly these values, each with a sentence of its own.
func fixed(name string, values ...string) games.Option {
	return games.Option{Name: name, Values: values, Say: func(value string) games.Line {
		return games.Say("wuerfelpoker.option."+name+".value."+value, nil)
	}}
}

// canonicalPoint reads a whole number of units, without leading zeros.
func canonicalPoint(value string) (string, error) {
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil || n > money.MaxPoint {
		return "", games.Refuse("wuerfelpoker.refuse.point", games.Args{"Most": money.MaxPoint})
	}
	return strconv.FormatUint(n, 10), nil
}

func sayPoint(value string) games.Line {
	if value == "0" {
		return games.Say("wuerfelpoker.option.point.nothing", nil)
	}
	n, _ := strconv.Atoi(value) // a canonical value is a number
	return games.Say("wuerfelpoker.option.point.worth", games.Args{"N": n})
}

// check returns rules in their canonical form.
func check(given games.Rules) (games.Rules, error) {
	return games.CheckOptions(options(), given)
}

// rules are canonical rules, read.
type rules struct {
	free            bool   // all rows are open from the start
	poker           string // how the first throw doubles a poker
	firstDoubles    bool   // a row written after the first throw counts double
	chanceDoubles   bool   // so does chance
	deferred        bool   // a miss strikes no row
	plus, minus     bool   // what the school's bonus may be
	fourAsTwoPairs  bool
	fiveAsFullHouse bool
	point           int // what a point of difference is worth
}

// read reads canonical rules.
func read(canonical games.Rules) rules {
	value := func(name string) string {
		if v, given := canonical[name]; given {
			return v
		}
		for _, o := range options() {
			if o.Name == name {
				return o.Default()
			}
		}
		return ""
	}
	bonus := value("bonus")
	point, _ := strconv.Atoi(value("point")) // a canonical value is a number
	return rules{
		free:            value("order") == free,
		poker:           value("poker"),
		firstDoubles:    value("first-throw") == double,
		chanceDoubles:   value("chance") == double,
		deferred:        value("miss") == deferred,
		plus:            bonus == plus || bonus == both,
		minus:           bonus == minus || bonus == both,
		fourAsTwoPairs:  value("four-as-two-pairs") == yes,
		fiveAsFullHouse: value("five-as-full-house") == yes,
		point:           point,
	}
}
