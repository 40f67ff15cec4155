package sheet

import (
	"io/fs"
	"strconv"
	"sync"

	"knobel/games"
)

// Set is a rule set: the name, the options and the papers of a game.
type Set struct {
	Name    string
	Options []Option // of this set alone; settle, point and hints are added
	// Variants are its presets, the default first.
	Variants []games.Variant
	// Demands are options that go together only in one way.
	Demands []Demand
	// Renewed are defaults that have changed, where another option has a value: what is agreed on now has the new one,
	// always written, and rules of before, which lack the option, keep its first value.
	Renewed []Demand
	// Paper returns the rules under values of the options, all of them given. It sets neither how the result is
	// settled nor what a point is worth.
	Paper func(Chosen) Paper
	// DifferenceOnly says that the set is played for differences alone, without the option settle.
	DifferenceOnly bool
	// Words holds the sentences of this set, as games.Game.Words has them; WithFamily adds those of all sheets.
	Words fs.FS
	// Explain puts rules into sentences where the set has words of its own for them; nil: what all sheets say.
	Explain func(Chosen) []games.Line
}

// rules is a set with what follows from it.
type rules struct {
	*Set
	options []games.Option
	// hardest are the rows that can be struck, in the order in which one would rather strike them: first what a turn
	// brings least of on average, when no other row is open.
	hardest func() []string
}

func newRules(set *Set) *rules {
	s := &rules{Set: set, options: set.allOptions()}
	s.hardest = sync.OnceValue(func() []string { return newPlan(s, s.paper(nil)).hardest() })
	return s
}

// Option is an option with a fixed list of values, the default first. What they are called stands in the set's words.
type Option struct {
	Name   string
	Values []string
}

// Choice is an option.
func Choice(name string, values ...string) Option { return Option{name, values} }

// Demand says that a value of an option goes with one value of another only, which is then the default.
type Demand struct{ Option, Value, Other, Needs string }

// Chosen holds a value for every option.
type Chosen map[string]string

// Is reports whether an option has a value.
func (c Chosen) Is(option, value string) bool { return c[option] == value }

// Number returns the value of an option that is a number.
func (c Chosen) Number(option string) int {
	n, _ := strconv.Atoi(c[option]) // a canonical value is a number where the option says so
	return n
}
