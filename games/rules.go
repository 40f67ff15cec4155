package games

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// Option is one choice in the rules of a game.
type Option struct {
	// Name is its name everywhere: in chats, on the command line, in records.
	Name string
	// Values are the values to offer in menus, the default first.
	Values []string
	// Parse returns the canonical spelling of a value, or a *Refusal. When it is nil, exactly Values are allowed.
	Parse func(value string) (string, error)
	// Say returns the line that names a canonical value to people.
	Say func(value string) Line
}

// Default returns the value that an option has when it is not given.
func (o Option) Default() string { return o.Values[0] }

// Fixed returns an option of a game with exactly these values, each with a sentence of its own.
func Fixed(game, name string, values ...string) Option {
	return Option{Name: name, Values: values, Say: func(value string) Line {
		return Say(game+".option."+name+".value."+value, nil)
	}}
}

// Variant is a named preset over the options.
type Variant struct {
	Name  string
	Rules Rules
	// Command says that people ask for a table of the variant by its name, as if it were a game.
	Command bool
	// Former is a name that the variant had before, which still means it; "" if there is none.
	Former string
	// Whatever are options whose values do not change what a table of the variant is called.
	Whatever []string
}

// Varied is a Game whose variants may be left out.
type Varied interface {
	Game
	// Without returns the game without variants of some names; names that none has mean nothing.
	Without(names []string) Game
}

// Choose returns the canonical rules of a variant (the game's first when it is "") with the given options over it.
// The error is a *Refusal that names the nearest right word, or all of them where none is near.
func Choose(g Game, variant string, given Rules) (Rules, error) {
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
	maps.Copy(rules, given)
	return Change(g, nil, rules)
}

// Renewing is a Game with a default that has changed: rules of before lack the option, and keep the former value.
type Renewing interface {
	Game
	// Renew returns options given now over canonical rules, with today's defaults of those that go with them.
	Renew(rules, given Rules) Rules
}

// Change returns canonical rules with options given over them. The error is a *Refusal.
func Change(g Game, rules, given Rules) (Rules, error) {
	if renewing, ok := g.(Renewing); ok {
		return g.Check(renewing.Renew(rules, given))
	}
	all := Rules{}
	maps.Copy(all, rules)
	maps.Copy(all, given)
	return g.Check(all)
}

// VariantNamed returns the variant of a name, its present or its former one.
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

// CheckOptions does the part of Game.Check that all games share: it refuses unknown options and
// values, spells values canonically and leaves defaults out. The key "variant" may have one of
// variants only: those that options cannot express.
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

// Filled returns a value for every option: that of canonical rules, or its default where they leave it out.
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

// Hints is the option that lets the seat that is to move ask for the best move, in games that have
// it: "no" or "yes". It changes nothing else.
const Hints = "hints"

// AllowsHints reports whether hints have been agreed on.
func AllowsHints(rules Rules) bool { return rules[Hints] == "yes" }

// LowWins is a Game that says when the lowest score is the best. In a game that is none, the highest always is.
type LowWins interface {
	// LowWins reports whether the lowest score is the best under rules.
	LowWins(rules Rules) bool
}

// LowIsBest reports whether the lowest score is the best in a game under rules.
func LowIsBest(g Game, rules Rules) bool {
	low, says := g.(LowWins)
	return says && low.LowWins(rules)
}

// WithTotals is a Game whose results are totals: records call what a seat has made its total, not its score, and each
// seat has one, whether it ever threw or not.
type WithTotals interface {
	Game
	// Totals reports whether that is so.
	Totals() bool
}

// HasTotals reports whether the results of a game are totals.
func HasTotals(g Game) bool {
	total, says := g.(WithTotals)
	return says && total.Totals()
}

// PlayAlike reports whether two sets of canonical rules play the same game: whether
// hints are allowed changes nothing in it.
func PlayAlike(a, b Rules) bool {
	return maps.Equal(unhinted(a), unhinted(b))
}

// NamedBy reports whether canonical rules go by the name that people have given to others: they play the same game, or
// differ in how a match is settled alone, of which the others say nothing.
func NamedBy(rules, named Rules) bool {
	if _, says := named[Settle]; !says {
		rules = maps.Clone(rules)
		delete(rules, Settle)
	}
	return PlayAlike(rules, named)
}

// unhinted returns rules without what they say about hints.
func unhinted(rules Rules) Rules {
	rules = maps.Clone(rules)
	delete(rules, Hints)
	return rules
}

// VersionOf returns an id of a game's canonical rules, hints aside: the first eight hex digits of the SHA-256 of the
// game's name and, sorted by name, each option as "name=value", each followed by a line feed.
func VersionOf(game string, rules Rules) string {
	rules = unhinted(rules)
	sum := sha256.New()
	fmt.Fprintln(sum, game)
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		fmt.Fprintf(sum, "%s=%s\n", name, rules[name])
	}
	return hex.EncodeToString(sum.Sum(nil))[:8]
}

// VariantOf returns the name of the first variant whose canonical rules are these, hints aside, or
// else the first that differs from them only in how a match is settled; "" if there is none.
func VariantOf(g Game, rules Rules) string {
	rules = unhinted(rules)
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

// CalledOf returns the variant by whose name tables of canonical rules are called, "" where that is the game's: one
// that has a command of its own, however the table is settled.
func CalledOf(g Game, rules Rules) string {
	i := slices.IndexFunc(g.Variants(), func(v Variant) bool {
		if !v.Command {
			return false
		}
		preset, err := g.Check(v.Rules)
		return err == nil && maps.Equal(v.naming(preset), v.naming(rules))
	})
	if i < 0 {
		return ""
	}
	return g.Variants()[i].Name
}

// naming returns the rules that say whether a table is called by the variant's name.
func (v Variant) naming(rules Rules) Rules {
	rules = maps.Clone(rules)
	for _, name := range slices.Concat(v.Whatever, []string{Hints, Settle, Point}) {
		delete(rules, name)
	}
	return rules
}

// Shape is how the result of a match is settled.
type Shape string

// The shapes that there are, as records name them.
const (
	// ShapePool: all seats stake the same, and the best share the pool.
	ShapePool Shape = "pool"
	// ShapeDifference: there is no stake; the differences to the average are settled.
	ShapeDifference Shape = "difference"
	// ShapeLastPays: the seat with the last place pays the stake to each of the others.
	ShapeLastPays Shape = "last-pays"
	// ShapeOwnPoints: each seat pays each of the others the stake for every point of its own score.
	ShapeOwnPoints Shape = "own-points"
)

// Owed reports whether the seats pay each other at the end, without a pool.
func (s Shape) Owed() bool { return s == ShapeLastPays || s == ShapeOwnPoints }

// Staked reports whether there is a stake, which may be 0.
func (s Shape) Staked() bool { return s != ShapeDifference }

// Settle is the option of games that leave it to the rules how a match is settled: its values are the names of shapes.
// In all other games the shape is the same under all rules.
const Settle = "settle"

// Point is the option of games that settle differences: how many units a point of difference is worth. Whatever it is
// does not go with a pool.
const Point = "point"

// Settled returns canonical rules with another settlement, in place of that of present ones. What a point is worth goes
// where there are no points by it. The error is a *Refusal where the game has no such settlement.
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

// ShapesOf returns the shapes that matches of a game can have, that of its default rules first.
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

// CanBeStaked reports whether a game is played for a stake under some rules.
func CanBeStaked(g Game) bool { return slices.ContainsFunc(ShapesOf(g), Shape.Staked) }

// ChooseStaked is Choose for a table at which there is to be a stake: choose returns the canonical rules by given
// options. Where there is no stake under these, and the options do not say how to settle, the game's first shape with a
// stake is chosen. The error is a *Refusal where the game has none, or where the options ask for another shape.
func ChooseStaked(g Game, given Rules, choose func(given Rules) (Rules, error)) (Rules, error) {
	rules, err := choose(given)
	if err != nil || g.Shape(rules).Staked() {
		return rules, err
	}
	staked := stakedShape(g)
	if _, said := given[Settle]; said || staked == "" {
		return nil, RefuseStake(g)
	}
	given = maps.Clone(given)
	if given == nil {
		given = Rules{}
	}
	given[Settle] = string(staked)
	return choose(given)
}

// stakedShape returns the first shape of a game with a stake, "" where it has none.
func stakedShape(g Game) Shape {
	all := ShapesOf(g)
	if i := slices.IndexFunc(all, Shape.Staked); i >= 0 {
		return all[i]
	}
	return ""
}

// RefuseStake returns the *Refusal of a stake under rules that have none: it says by which rules the game has one.
func RefuseStake(g Game) error {
	staked := stakedShape(g)
	if staked == "" {
		return Refuse("games.stake-none", nil)
	}
	return Refuse("games.stake-settle", Args{"Rule": Settle + "=" + string(staked)})
}
