package zehntausend

import (
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// SayMove puts a move into words.
func (m match) SayMove(_ games.Seat, move games.Move) games.Line {
	verb, spelled, _ := strings.Cut(string(move), " ")
	if verb == "throw" {
		return say("move.throw", nil)
	}
	aside := parseSet(spelled)
	var faces []int
	for position, face := range m.dice {
		if aside.has(position) {
			faces = append(faces, face)
		}
	}
	slices.Sort(faces)
	var shown []string
	for _, face := range faces {
		shown = append(shown, strconv.Itoa(face))
	}
	args := games.Args{"Dice": strings.Join(shown, " ")}
	if verb == "keep" {
		args["N"] = m.rules.next(len(m.dice), len(faces))
		return say("move.keep", args)
	}
	args["Points"] = m.points + m.rules.worth(countsOf(m.dice, aside))
	return say("move.bank", args)
}
