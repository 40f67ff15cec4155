package games

// Taught is a Game that newcomers can learn from a few short sentences and examples.
type Taught interface {
	Game
	// Steps returns how to play under canonical rules, in three short sentences.
	Steps(rules Rules) []Line
	// Examples returns throws and their points under canonical rules, in display order.
	Examples(rules Rules) []Example
}

// Example is a throw and its points.
type Example struct {
	// Label names the row of the sheet, or the dice that count. Its key is empty in games with tiles.
	Label Line
	Dice  []Die
	// Points are the points of the dice; 0 in games with tiles.
	Points int
	// Board holds the numbers of the open tiles, Sets the sets of them that the throw may close.
	Board []int
	Sets  []Tiles
}
