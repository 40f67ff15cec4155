package games

// Related is a Game of a family, whose games are shown together where there are many.
type Related interface {
	Game
	// Family is the name of the family in commands: lower case letters, and no game's name. What people call it are
	// the game's sentences under the key "family".
	Family() string
}

// FamilyOf returns the family of a game, "" for one that is of none.
func FamilyOf(g Game) string {
	if related, ok := g.(Related); ok {
		return related.Family()
	}
	return ""
}
