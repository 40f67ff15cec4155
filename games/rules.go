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
	// Name is its name everywhere: in chats, on the command line, in records.
	Name string
	// Values holds the values that menus offer, the default first.
	Values []string
	// Parse returns the canonical spelling of a value, or a *Refusal. If Parse is nil, only Values are allowed.
	Parse func(value string) (string, error)
	// Say returns the line that names a canonical value to players.
	Say func(value string) Line
}

// Default returns the value that the option has in rules without it.
func (o Option) Default() string { return o.Values[0] }

// Fixed returns an option of game that allows exactly these values, each with a sentence in the message files.
func Fixed(game, name string, values ...string) Option {
	return Option{Name: name, Values: values, Say: func(value string) Line {
		return Say(game+".option."+name+".value."+value, nil)
	}}
}

// Variant is a named set of values of options.
type Variant struct {
	Name  string
	Rules Rules
	// Command is true if players open a table of the variant by its name, as if it were a game.
	Command bool
	// Former is an earlier name of the variant that is still accepted; "" if there is none.
	Former string
	// Whatever lists options that players may change while the table keeps the name of the variant.
	Whatever []string
}

// Varied is a Game from which variants can be removed.
type Varied interface {
	Game
	// Without returns the game without the variants of these names; unknown names are ignored.
	Without(names []string) Game
}

// Choose returns the canonical rules of a variant (the game's first if variant is "") with the options in changes
// replacing those of the variant. The error is a *Refusal that suggests the nearest valid word, or lists all of them.
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

// Renewing is a Game with an option whose default has changed: stored rules that lack the option keep the former one.
type Renewing interface {
	Game
	// Renew returns canonical rules with the options in changes replacing theirs, and with today's defaults of options
	// that depend on changes.
	Renew(rules, changes Rules) Rules
}

// Change returns canonical rules with the options in changes replacing theirs. The error is a *Refusal.
func Change(g Game, rules, changes Rules) (Rules, error) {
	if renewing, ok := g.(Renewing); ok {
		return g.Check(renewing.Renew(rules, changes))
	}
	all := Rules{}
	maps.Copy(all, rules)
	maps.Copy(all, changes)
	return g.Check(all)
}

// VariantNamed returns the variant whose present or former name is name, and false if there is none.
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
// canonically and leaves defaults out. The key "variant" must be one of variants, which options cannot express.
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

// Filled returns a value for every one of options: that in the canonical rules, or else the default.
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

// Hints is the option, in games that have it, that lets the seat to move ask for the best move: "no" or "yes".
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

// WithTotals is a Game whose results can be totals: records then store a seat's result as a total instead of a score,
// and every seat has one, whether it ever threw or not.
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

// NamedBy reports whether a table with canonical rules may keep a name that players gave to the rules named: both play
// alike, or rules only add a settlement that named does not mention.
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

// VersionOf returns an id of a game's canonical rules without Hints: the first eight hex digits of the SHA-256 of the
// game's name and, sorted by name, each option as "name=value", each followed by a line feed.
func VersionOf(game string, rules Rules) string {
	rules = withoutHints(rules)
	sum := sha256.New()
	fmt.Fprintln(sum, game)
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		fmt.Fprintf(sum, "%s=%s\n", name, rules[name])
	}
	return hex.EncodeToString(sum.Sum(nil))[:8]
}

// VariantOf returns the name of the first variant with these canonical rules, ignoring Hints, or else the first that
// differs from them only in the option Settle; "" if there is none.
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

// CalledOf returns the name of the variant after which a table with canonical rules is named: one with Command set,
// whatever the settlement. It returns "" if the table has the name of the game.
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

// namingOptions returns the options in rules that decide whether a table has the name of the variant.
func (v Variant) namingOptions(rules Rules) Rules {
	rules = maps.Clone(rules)
	for _, name := range slices.Concat(v.Whatever, []string{Hints, Settle, Point}) {
		delete(rules, name)
	}
	return rules
}

// Shape is a way to settle the result of a match: how chips or points are paid.
type Shape string

// The shapes that there are, as records name them.
const (
	// ShapePool: all seats stake the same amount, and the winners share the pool.
	ShapePool Shape = "pool"
	// ShapeDifference: there is no stake; seats settle their differences to the average score.
	ShapeDifference Shape = "difference"
	// ShapeLastPays: the seat in last place pays the stake to each of the others.
	ShapeLastPays Shape = "last-pays"
	// ShapeOwnPoints: each seat pays each of the others the stake for every point of its own score.
	ShapeOwnPoints Shape = "own-points"
)

// Owed reports whether the seats pay each other at the end instead of sharing a pool.
func (s Shape) Owed() bool { return s == ShapeLastPays || s == ShapeOwnPoints }

// Staked reports whether there is a stake, which may be 0.
func (s Shape) Staked() bool { return s != ShapeDifference }

// Settle is the option that chooses the Shape of a match, in games that have it: its values are the names of shapes. In
// all other games the shape is the same under all rules.
const Settle = "settle"

// Point is the option of games that settle differences: how many units a point of difference is worth. It cannot be
// combined with a pool.
const Point = "point"

// Settled returns canonical rules with value as their settlement. It drops the option Point if the new settlement does
// not allow it. The error is a *Refusal if the game has no such settlement.
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

// ShapesOf returns the shapes that matches of g can have, that of its default rules first.
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

// ChooseStaked returns rules for a table with a stake. choose returns the canonical rules for some options. If those
// for options have no stake and options does not contain Settle, it chooses again with the game's first shape with a
// stake. The error is a *Refusal if the game has none or options ask for another shape.
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

// stakedShape returns the first shape of g with a stake, "" if it has none.
func stakedShape(g Game) Shape {
	all := ShapesOf(g)
	if i := slices.IndexFunc(all, Shape.Staked); i >= 0 {
		return all[i]
	}
	return ""
}

// RefuseStake returns the *Refusal of a stake under rules that have none. It names the rule that allows one, if any.
func RefuseStake(g Game) error {
	staked := stakedShape(g)
	if staked == "" {
		return Refuse("games.stake-none", nil)
	}
	return Refuse("games.stake-settle", Args{"Rule": Settle + "=" + string(staked)})
}
