package games

import (
	"maps"
	"slices"
)

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
