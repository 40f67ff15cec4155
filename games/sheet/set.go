// Package sheet plays the games of dice on a score sheet: some dice, some throws a turn, any dice kept, one
// row of the sheet filled each turn. Würfelpoker, Kniffel and Yatzy are such games, each a Set: a rule set as
// data. Like every game it knows no chat, no clock and no database.
//
// What a set can say stands in set.go and plan.go, what dice are worth in need.go, how a match goes
// on in match.go and moves.go. Nothing here asks which set is played.
package sheet

import (
	"embed"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"knobel/games"
	"knobel/games/money"
)

// Set is a rule set: the name, the options and the papers of a game.
type Set struct {
	Name string
	// Options are those of this set alone, each a name and its values, the default first. What they are called stands
	// in the set's words. Settle, point and hints are added.
	Options [][]string
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

// faceNames are the names of the rows that count one face.
var faceNames = [sides]string{"ones", "twos", "threes", "fours", "fives", "sixes"}

// Faces returns six rows, each the sum of the dice that show one face: ones to sixes.
func Faces() []Row {
	var rows []Row
	for i, name := range faceNames {
		rows = append(rows, Row{Name: name, Points: Points{Count: OfFace, Face: i + 1}})
	}
	return rows
}

//go:embed words/*.toml
var words embed.FS

// WithFamily returns a file system with the message files of a set and, beside them, those that all sheets share.
func WithFamily(own fs.FS) fs.FS { return folders{own, games.Folder(words, "words")} }

// folders shows the files of several folders as one.
type folders []fs.FS

// Open opens a file of the first folder that has it.
func (all folders) Open(name string) (f fs.File, err error) {
	for _, one := range all {
		if f, err = one.Open(name); err == nil {
			break
		}
	}
	return f, err
}

// ReadDir lists the files of all.
func (all folders) ReadDir(name string) (files []fs.DirEntry, err error) {
	for _, one := range all {
		some, err := fs.ReadDir(one, name)
		if err != nil {
			return nil, err
		}
		files = append(files, some...)
	}
	slices.SortFunc(files, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return files, nil
}

// The options that all sheets have, and the canonical form of rules.

const (
	settle = games.Settle
	point  = games.Point
)

// allOptions returns those of the set and of all sheets, in the order in which they are shown.
func (s *Set) allOptions() []games.Option {
	var all []games.Option
	for _, o := range s.Options {
		all = append(all, games.Fixed(s.Name, o[0], o[1:]...))
	}
	if !s.DifferenceOnly {
		all = append(all, games.Fixed(s.Name, settle, string(games.ShapeDifference), string(games.ShapePool)))
	}
	return append(all, games.Option{Name: point, Values: []string{"0", "1", "5", "10"}, Parse: s.canonicalPoint,
		Say: s.sayPoint}, games.Fixed(s.Name, games.Hints, "no", "yes"))
}

// say makes a line of the set.
func (s *Set) say(key string, args games.Args) games.Line { return games.Say(s.Name+"."+key, args) }

// canonicalPoint reads a whole number of units, without leading zeros.
func (s *Set) canonicalPoint(value string) (string, error) {
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil || n > money.MaxPoint {
		return "", games.Refuse(s.Name+".refuse.point", games.Args{"Most": money.MaxPoint})
	}
	return strconv.FormatUint(n, 10), nil
}

func (s *Set) sayPoint(value string) games.Line {
	if value == "0" {
		return s.say("option.point.nothing", nil)
	}
	n, _ := strconv.Atoi(value) // a canonical value is a number
	return s.say("option.point.worth", games.Args{"N": n})
}

// check returns rules in their canonical form.
func (s *rules) check(given games.Rules) (games.Rules, error) {
	rules, err := games.CheckOptions(s.options, given)
	if err != nil {
		return nil, err
	}
	for _, d := range s.Demands {
		if rules[d.Option] != d.Value {
			continue
		}
		if value, said := given[d.Other]; said && value != d.Needs {
			return nil, s.together(d, value)
		}
		rules[d.Other] = d.Needs
	}
	for _, d := range s.Renewed {
		if value, said := given[d.Other]; said && rules[d.Option] == d.Value {
			rules[d.Other] = value
		}
	}
	if rules[point] != "" && rules[settle] == string(games.ShapePool) {
		return nil, s.refusePoint(rules)
	}
	return rules, nil
}

// refusePoint refuses a point's worth where a pool is settled: by a value of another option that goes with pools alone,
// or by choice.
func (s *Set) refusePoint(rules games.Rules) error {
	for _, d := range s.Demands {
		if d.Other == settle && rules[d.Option] == d.Value {
			return games.Refuse(s.Name+".refuse.point-demand", games.Args{
				"Option": s.optionWord(d.Option, "name"), "Value": s.optionWord(d.Option, "value."+d.Value),
			})
		}
	}
	return games.Refuse(s.Name+".refuse.point-pool", nil)
}

// together refuses two options that do not go together.
func (s *Set) together(d Demand, value string) error {
	return games.Refuse(s.Name+".refuse.together", games.Args{
		"Option": s.optionWord(d.Option, "name"), "Value": s.optionWord(d.Option, "value."+d.Value),
		"Other": s.optionWord(d.Other, "name"), "Needs": s.optionWord(d.Other, "value."+d.Needs),
		"Given": s.optionWord(d.Other, "value."+value),
	})
}

// optionWord returns a word about an option.
func (s *Set) optionWord(option, key string) games.Word {
	return games.Word(s.Name + ".option." + option + "." + key)
}

// chosen fills canonical rules up with defaults.
func (s *rules) chosen(canonical games.Rules) Chosen {
	return Chosen(games.Filled(s.options, canonical))
}

// paper reads canonical rules.
func (s *rules) paper(canonical games.Rules) Paper {
	c := s.chosen(canonical)
	p := s.Paper(c)
	p.Settle, p.Point = games.ShapeDifference, c.Number(point)
	if c.Is(settle, string(games.ShapePool)) {
		p.Settle = games.ShapePool
	}
	return p
}
