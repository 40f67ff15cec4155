// Package sheet plays dice games on a score sheet: some dice, some throws a turn, any dice kept, one row of the sheet
// filled each turn. Würfelpoker, Kniffel and Yatzy are such games, each a Set: a rule set as data. Like every game it
// uses no chat, no clock and no database.
//
// set.go and plan.go define rule sets, need.go the points of dice, match.go and moves.go the course of a match. No code
// here depends on a particular set.
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

// Set is a rule set: the name, the options and the papers (sheets with their rules) of a game.
type Set struct {
	Name string
	// Options holds the options of this set alone: the name of each, then its values, the default first. Their display
	// names are in the set's words. The options settle, point and hints are added to them.
	Options [][]string
	// Variants holds the presets, the default first.
	Variants []games.Variant
	// Demands holds option values that require a certain value of another option.
	Demands []Demand
	// Renewed holds changes of defaults. Each Demand means: if Option has Value, the default of the option Other is now
	// Needs, and canonical rules always name Other. Stored rules that do not name Other keep its first value.
	Renewed []Demand
	// Paper returns the sheet and its rules for the chosen options. It leaves Settle and Point at zero.
	Paper func(Chosen) Paper
	// DifferenceOnly removes the option settle: the set is always settled by differences.
	DifferenceOnly bool
	// Minutes is how long a match of three people takes, measured as games.Timed says.
	Minutes int
	// Words holds the sentences of this set in the form of games.Game.Words; WithFamily adds those of all sheets.
	Words fs.FS
	// Explain returns the rules as sentences; nil means the sentences common to all sheets.
	Explain func(Chosen) []games.Line
}

// rules is a set and the values computed from it.
type rules struct {
	*Set
	options []games.Option
	// hardest returns the names of the rows that can be struck, sorted by the average score of a turn if no other row
	// is open, the least first.
	hardest func() []string
}

// newRules returns set and the values computed from it.
func newRules(set *Set) *rules {
	s := &rules{Set: set, options: set.allOptions()}
	s.hardest = sync.OnceValue(func() []string { return newPlan(s, s.paper(nil)).hardestRows() })
	return s
}

// Demand is a condition: if Option has Value, Other must have the value Needs, which is then the default of Other, too.
type Demand struct{ Option, Value, Other, Needs string }

// Chosen holds a value for every option, by the option's name.
type Chosen map[string]string

// Is reports whether option has value.
func (c Chosen) Is(option, value string) bool { return c[option] == value }

// Number returns the value of an option as a number, or 0 if the value is not a number.
func (c Chosen) Number(option string) int {
	n, _ := strconv.Atoi(c[option]) // callers name only options whose canonical values are numbers
	return n
}

// faceNames holds the names of the rows that count one face.
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

// WithFamily returns a file system with the message files in setWords (those of one set) and those of all sheets.
func WithFamily(setWords fs.FS) fs.FS { return folders{setWords, games.Folder(words, "words")} }

// folders is a file system that contains the files of several file systems.
type folders []fs.FS

// Open opens the file in the first folder that contains it.
func (all folders) Open(name string) (f fs.File, err error) {
	for _, one := range all {
		if f, err = one.Open(name); err == nil {
			break
		}
	}
	return f, err
}

// ReadDir lists the files of all folders, sorted by name.
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

// The options common to all sheets, and the canonical form of rules.

const (
	settle = games.Settle
	point  = games.Point
)

// allOptions returns the options of the set and those common to all sheets, in display order.
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

// say returns the line of this set with the message key "NAME." + key, where NAME is the name of the set.
func (s *Set) say(key string, args games.Args) games.Line { return games.Say(s.Name+"."+key, args) }

// canonicalPoint returns value, a number of units of stakes, without leading zeros. The error is a *games.Refusal.
func (s *Set) canonicalPoint(value string) (string, error) {
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil || n > money.MaxPoint {
		return "", games.Refuse(s.Name+".refuse.point", games.Args{"Most": money.MaxPoint})
	}
	return strconv.FormatUint(n, 10), nil
}

// sayPoint returns the line that names a value of the option point (the value of a point of difference).
func (s *Set) sayPoint(value string) games.Line {
	if value == "0" {
		return s.say("option.point.nothing", nil)
	}
	n, _ := strconv.Atoi(value) // a canonical value is a number
	return s.say("option.point.worth", games.Args{"N": n})
}

// check returns entered, rules that need not be canonical, in their canonical form. The error is a *games.Refusal.
func (s *rules) check(entered games.Rules) (games.Rules, error) {
	rules, err := games.CheckOptions(s.options, entered)
	if err != nil {
		return nil, err
	}
	for _, d := range s.Demands {
		if rules[d.Option] != d.Value {
			continue
		}
		if value, isGiven := entered[d.Other]; isGiven && value != d.Needs {
			return nil, s.refuseDemand(d, value)
		}
		rules[d.Other] = d.Needs
	}
	for _, d := range s.Renewed {
		if value, isGiven := entered[d.Other]; isGiven && rules[d.Option] == d.Value {
			rules[d.Other] = value
		}
	}
	if rules[point] != "" && rules[settle] == string(games.ShapePool) {
		return nil, s.refusePoint(rules)
	}
	return rules, nil
}

// refusePoint returns the refusal of the option point under rules with a pool, and names the rule that requires it.
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

// refuseDemand returns the refusal of value for the option d.Other, because d requires another value of that option.
func (s *Set) refuseDemand(d Demand, value string) error {
	return games.Refuse(s.Name+".refuse.together", games.Args{
		"Option": s.optionWord(d.Option, "name"), "Value": s.optionWord(d.Option, "value."+d.Value),
		"Other": s.optionWord(d.Other, "name"), "Needs": s.optionWord(d.Other, "value."+d.Needs),
		"Given": s.optionWord(d.Other, "value."+value),
	})
}

// optionWord returns a word for an option or its value: key is "name", or "value." followed by the value.
func (s *Set) optionWord(option, key string) games.Word {
	return games.Word(s.Name + ".option." + option + "." + key)
}

// chosen returns a value for every option: the value in canonical rules or else the default.
func (s *rules) chosen(canonical games.Rules) Chosen {
	return Chosen(games.Filled(s.options, canonical))
}

// paper returns the sheet and its rules under canonical rules.
func (s *rules) paper(canonical games.Rules) Paper {
	c := s.chosen(canonical)
	p := s.Paper(c)
	p.Settle, p.Point = games.ShapeDifference, c.Number(point)
	if c.Is(settle, string(games.ShapePool)) {
		p.Settle = games.ShapePool
	}
	return p
}
