package chat

// Step is how a board looked after one move of those that led to how it stands: for platforms that show them one after
// the other.
type Step struct {
	// Turn counts the table's moves, as that of a Message does.
	Turn int64 `json:"turn"`
	// Seat is whose move it was.
	Seat int `json:"seat"`
	// Said is what happened, in sentences.
	Said string `json:"said"`
	// Tiles and Dice are as they lay then. Nothing on them can be pressed.
	Tiles []TileRow `json:"tiles,omitempty"`
	Dice  []Die     `json:"dice,omitempty"`
}
