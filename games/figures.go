package games

// Figured is a Game about whose best play exact figures are known.
type Figured interface {
	Game
	// Asks lists what may be asked beside the rules, in the order in which it is
	// shown.
	Asks() []Ask
	// Figures computes the figures under rules; asked holds a value for each Ask by
	// its name. It may take seconds. The error says what cannot be computed.
	Figures(rules Rules, asked map[string]string) ([]Figure, error)
}

// Ask is something that may be asked of a Figured game.
type Ask struct {
	Name    string // as on the command line
	Default string
	Number  bool   // it is a whole number
	About   string // what it means, for who runs the program
}

// Figure is one exact figure.
type Figure struct {
	Name   string // as in JSON: "expected_score"
	About  string // the same for people; where there is one for each seat, without it
	Values []float64
	Seats  bool // there is one value for each seat
	Chance bool // it is a chance or a share, from 0 to 1
}
