package games

// Reasoning is a Match that can say why one move is better than another.
type Reasoning interface {
	// Why returns a sentence on the advantage of a legal move over another that is worth less. An
	// empty key: nothing short can be said.
	Why(s Seat, better, than Move) Line
}

// Why returns a sentence on why a move is better than another, and false if its game has no words
// for it.
func Why(m Match, s Seat, better, than Move) (Line, bool) {
	reasons, ok := m.(Reasoning)
	if !ok {
		return Line{}, false
	}
	line := reasons.Why(s, better, than)
	return line, line.Key != ""
}
