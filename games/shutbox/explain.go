package shutbox

import "knobel/games"

// Explain puts the rules into sentences, with examples.
func (Game) Explain(_ games.Rules) []games.Line { return nil }
