package games

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// Option is a choice in the rules of a game.
type Option struct {
	// Name is the option's name everywhere: in chats, on the command line, in records.
	Name string
	// Values holds the values that menus offer, the default first.
	Values []string
	// Parse returns the canonical spelling of value, or a *Refusal. If Parse is nil, only Values are allowed.
	Parse func(value string) (string, error)
	// Say returns the line that names a canonical value to players.
	Say func(value string) Line
}

// Default returns the value of the option under rules that do not set it.
func (o Option) Default() string { return o.Values[0] }

// Fixed returns an option that allows only these values, the default first. The message files of game name each value.
func Fixed(game, name string, values ...string) Option {
	return Option{Name: name, Values: values, Say: func(value string) Line {
		return Say(game+".option."+name+".value."+value, nil)
	}}
}

// Variant is a preset: a name for certain values of options.
type Variant struct {
	Name  string
	Rules Rules
	// Command is true if players open a table of the variant by its name, as if it were a game.
	Command bool
	// Former is an earlier name of the variant that is still accepted; "" if there is none.
	Former string
	// Whatever lists the options that do not matter to the name: a table of the variant keeps it if they are changed.
	Whatever []string
}

// Varied is a Game that can leave out some of its variants.
type Varied interface {
	Game
	// Without returns the game without the variants called names; unknown names are ignored.
	Without(names []string) Game
}

// Choose returns the canonical rules of a variant, with the options in changes set; "" means the game's first variant.
// The error is a *Refusal that suggests the valid word nearest to a wrong one, or lists valid words.
func Choose(g Game, variant string, changes Rules) (Rules, error) {
	variants := g.Variants()
	chosen, known := VariantNamed(g, variant)
	if variant == "" {
		chosen, known = variants[0], true
	}
	if !known {
		names := make([]string, len(variants))
		for i, v := range variants {
			names[i] = v.Name
		}
		return nil, Refuse("games.no-such-variant", Args{"Variant": variant, "Instead": Instead(variant, names)})
	}
	rules := maps.Clone(chosen.Rules)
	if rules == nil {
		rules = Rules{}
	}
	maps.Copy(rules, changes)
	return Change(g, nil, rules)
}

// Renewing is a Game with an option whose default has changed. Stored rules that lack it keep the former default.
type Renewing interface {
	Game
	// Renew returns canonical rules with the options in changes set. If they alter the default of another option,
	// that option gets the new default unless rules or changes set another value.
	Renew(rules, changes Rules) Rules
}

// Change returns canonical rules with the options in changes set. The error is a *Refusal.
func Change(g Game, rules, changes Rules) (Rules, error) {
	if renewing, ok := g.(Renewing); ok {
		return g.Check(renewing.Renew(rules, changes))
	}
	all := Rules{}
	maps.Copy(all, rules)
	maps.Copy(all, changes)
	return g.Check(all)
}

// VariantNamed returns the variant of g whose present or former name is name, and false if there is none.
func VariantNamed(g Game, name string) (v Variant, known bool) {
	all := g.Variants()
	i := slices.IndexFunc(all, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		i = slices.IndexFunc(all, func(v Variant) bool { return v.Former == name && name != "" })
	}
	if i < 0 {
		return Variant{}, false
	}
	return all[i], true
}

// CheckOptions does the part of Game.Check that all games share: it refuses unknown options and values, spells values
// canonically and leaves defaults out. The value of the key "variant" must be one of variants (see Rules).
func CheckOptions(options []Option, rules Rules, variants ...string) (Rules, error) {
	out := Rules{}
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		value := rules[name]
		if name == "variant" && len(variants) > 0 {
			if !slices.Contains(variants, value) {
				return nil, Refuse("games.no-such-variant", Args{"Variant": value, "Instead": Instead(value, variants)})
			}
			out[name] = value
			continue
		}
		i := slices.IndexFunc(options, func(o Option) bool { return o.Name == name })
		if i < 0 {
			names := make([]string, len(options))
			for i, o := range options {
				names[i] = o.Name
			}
			return nil, Refuse("games.no-such-option", Args{"Option": name, "Instead": Instead(name, names)})
		}
		o := options[i]
		if o.Parse != nil {
			var err error
			if value, err = o.Parse(value); err != nil {
				return nil, err
			}
		} else if !slices.Contains(o.Values, value) {
			return nil, Refuse("games.no-such-value", Args{
				"Option": name, "Value": value, "Instead": Instead(value, o.Values),
			})
		}
		if value != o.Default() {
			out[name] = value
		}
	}
	return out, nil
}

// Filled returns a value for each of options: the value that the canonical rules set, or else the option's default.
func Filled(options []Option, canonical Rules) Rules {
	all := Rules{}
	for _, o := range options {
		all[o.Name] = o.Values[0]
		if value, given := canonical[o.Name]; given {
			all[o.Name] = value
		}
	}
	return all
}

// Hints names the option that lets the seat to move ask for the best move: "no" or "yes". Not all games have it.
const Hints = "hints"

// AllowsHints reports whether rules allow hints.
func AllowsHints(rules Rules) bool { return rules[Hints] == "yes" }

// LowWins is a Game in which the lowest score can be the best. In all other games the highest is.
type LowWins interface {
	// LowWins reports whether the lowest score is the best under rules.
	LowWins(rules Rules) bool
}

// LowIsBest reports whether the lowest score is the best in g under rules.
func LowIsBest(g Game, rules Rules) bool {
	low, says := g.(LowWins)
	return says && low.LowWins(rules)
}

// WithTotals is a Game whose results can be totals: then records store a seat's total instead of its score, and every
// seat has a total, even one that never threw.
type WithTotals interface {
	Game
	// Totals reports whether the results are totals.
	Totals() bool
}

// HasTotals reports whether the results of g are totals.
func HasTotals(g Game) bool {
	total, says := g.(WithTotals)
	return says && total.Totals()
}

// PlayAlike reports whether two sets of canonical rules are equal except for Hints, which does not affect play.
func PlayAlike(a, b Rules) bool {
	return maps.Equal(withoutHints(a), withoutHints(b))
}

// NamedBy reports whether a table with canonical rules may keep the name that players gave to the rules in named: both
// must be equal, ignoring Hints, and ignoring Settle if named does not set it.
func NamedBy(rules, named Rules) bool {
	if _, says := named[Settle]; !says {
		rules = maps.Clone(rules)
		delete(rules, Settle)
	}
	return PlayAlike(rules, named)
}

// withoutHints returns a copy of rules without the option Hints.
func withoutHints(rules Rules) Rules {
	rules = maps.Clone(rules)
	delete(rules, Hints)
	return rules
}

// VersionOf returns an id of a game's canonical rules: the first eight hex digits of the SHA-256 of lines that end with
// a line feed. The lines are the game's name and, sorted by name, each option except Hints as "name=value".
func VersionOf(game string, rules Rules) string {
	rules = withoutHints(rules)
	sum := sha256.New()
	fmt.Fprintln(sum, game)
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		fmt.Fprintf(sum, "%s=%s\n", name, rules[name])
	}
	return hex.EncodeToString(sum.Sum(nil))[:8]
}

// VariantOf returns the name of the first variant with these canonical rules, ignoring Hints; if there is none, of the
// first variant that differs only in the option Settle, or else "".
func VariantOf(g Game, rules Rules) string {
	rules = withoutHints(rules)
	unsettled := maps.Clone(rules)
	delete(unsettled, Settle)
	near := ""
	for _, v := range g.Variants() {
		if maps.Equal(v.Rules, rules) {
			return v.Name
		}
		preset, err := g.Check(v.Rules)
		switch {
		case err != nil:
		case maps.Equal(preset, rules):
			return v.Name
		case near == "" && maps.Equal(preset, unsettled):
			near = v.Name
		}
	}
	return near
}

// CalledOf returns the name of the variant after which a table with canonical rules is named, "" if it is named after
// the game. Only variants with Command set count. Options that namingOptions removes do not matter.
func CalledOf(g Game, rules Rules) string {
	i := slices.IndexFunc(g.Variants(), func(v Variant) bool {
		if !v.Command {
			return false
		}
		preset, err := g.Check(v.Rules)
		return err == nil && maps.Equal(v.namingOptions(preset), v.namingOptions(rules))
	})
	if i < 0 {
		return ""
	}
	return g.Variants()[i].Name
}

// namingOptions returns the options in rules that decide whether a table is named after the variant.
func (v Variant) namingOptions(rules Rules) Rules {
	rules = maps.Clone(rules)
	for _, name := range slices.Concat(v.Whatever, []string{Hints, Settle, Point}) {
		delete(rules, name)
	}
	return rules
}

// Shape is a way to settle the result of a match: how chips or points are paid.
type Shape string

// The shapes, by their names in records.
const (
	// ShapePool: all seats stake the same amount, and the winners share the pool.
	ShapePool Shape = "pool"
	// ShapeDifference: there is no stake; each seat pays or gets its difference to the average score.
	ShapeDifference Shape = "difference"
	// ShapeLastPays: the seat in last place pays the stake to each other seat.
	ShapeLastPays Shape = "last-pays"
	// ShapeOwnPoints: for every point of its own score, each seat pays the stake to each other seat.
	ShapeOwnPoints Shape = "own-points"
)

// Owed reports whether seats pay stakes to each other at the end, instead of sharing a pool.
func (s Shape) Owed() bool { return s == ShapeLastPays || s == ShapeOwnPoints }

// Staked reports whether there is a stake (its amount may be 0).
func (s Shape) Staked() bool { return s != ShapeDifference }

// Settle names the option that chooses the Shape of a match; its values are the names of shapes. In games without that
// option, the shape is the same under all rules.
const Settle = "settle"

// Point names an option of games that settle differences: the number of units (such as chips) that are paid for
// each point of difference. It cannot be combined with a pool.
const Point = "point"

// Settled returns canonical rules with the option Settle set to value. It drops the option Point if that settlement
// does not allow it. The error is a *Refusal if the game does not offer that settlement.
func Settled(g Game, rules Rules, value string) (Rules, error) {
	all := Rules{}
	maps.Copy(all, rules)
	all[Settle] = value
	settled, err := g.Check(all)
	if _, refused := Refused(err); !refused || all[Point] == "" {
		return settled, err
	}
	delete(all, Point)
	return g.Check(all)
}

// ShapesOf returns the shapes that matches of g can have, first the shape of the default rules.
func ShapesOf(g Game) []Shape {
	all := []Shape{g.Shape(nil)}
	for _, o := range g.Options() {
		if o.Name != Settle {
			continue
		}
		for _, value := range o.Values {
			if shape := Shape(value); !slices.Contains(all, shape) {
				all = append(all, shape)
			}
		}
	}
	return all
}

// CanBeStaked reports whether g can be played for a stake under some rules.
func CanBeStaked(g Game) bool { return slices.ContainsFunc(ShapesOf(g), Shape.Staked) }

// ChooseStaked returns choose(options) if these rules have a stake. If not, and options does not set Settle, it calls
// choose again, with Settle set to the first shape of g that has a stake. The error is that of choose, or a *Refusal if
// g has no such shape or options sets a shape without a stake.
func ChooseStaked(g Game, options Rules, choose func(options Rules) (Rules, error)) (Rules, error) {
	rules, err := choose(options)
	if err != nil || g.Shape(rules).Staked() {
		return rules, err
	}
	staked := stakedShape(g)
	if _, chosen := options[Settle]; chosen || staked == "" {
		return nil, RefuseStake(g)
	}
	options = maps.Clone(options)
	if options == nil {
		options = Rules{}
	}
	options[Settle] = string(staked)
	return choose(options)
}

// stakedShape returns the first shape of g with a stake, "" if there is none.
func stakedShape(g Game) Shape {
	all := ShapesOf(g)
	if i := slices.IndexFunc(all, Shape.Staked); i >= 0 {
		return all[i]
	}
	return ""
}

// RefuseStake returns a *Refusal for a stake under rules without stakes. It names a settlement that has stakes, if any.
func RefuseStake(g Game) error {
	staked := stakedShape(g)
	if staked == "" {
		return Refuse("games.stake-none", nil)
	}
	return Refuse("games.stake-settle", Args{"Rule": Settle + "=" + string(staked)})
}
