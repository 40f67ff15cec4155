package games

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

// Shaped is a Game that names its shape: ShapeLastPays or ShapeOwnPoints. It has no pool, and its results no winners.
// Of a game that is not Shaped, Pool tells.
type Shaped interface {
	Game
	// Shape is how its results are settled, whatever the rules.
	Shape() Shape
}

// ShapeOf returns how the results of a game are settled.
func ShapeOf(g Game) Shape {
	if shaped, ok := g.(Shaped); ok {
		return shaped.Shape()
	}
	if g.Pool() {
		return ShapePool
	}
	return ShapeDifference
}

// HasStake reports whether a game is played for a stake.
func HasStake(g Game) bool { return ShapeOf(g) != ShapeDifference }

// Owed reports whether the seats pay each other at the end, without a pool.
func (s Shape) Owed() bool { return s == ShapeLastPays || s == ShapeOwnPoints }
