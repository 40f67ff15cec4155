package chat

// Step is a board after one of the last moves, for platforms that show these one by one.
type Step struct {
	// Turn counts the table's moves, as in Message.
	Turn int64 `json:"turn"`
	// Seat is the seat that moved.
	Seat int `json:"seat"`
	// Said are the news, in sentences.
	Said string `json:"said"`
	// Tiles and Dice are those of then. They cannot be pressed.
	Tiles []TileRow `json:"tiles,omitempty"`
	Dice  []Die     `json:"dice,omitempty"`
}
