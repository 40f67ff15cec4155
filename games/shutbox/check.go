package shutbox

import (
	"maps"
	"slices"

	"knobel/games"
)

// How given rules are checked and brought into their canonical form.

// maxDigits is how long a board may be that is read as one number: totals of
// any match stay whole numbers that every reader of a record can hold.
const maxDigits = 15

// maxBoards bounds the limit of a match: so many full boards.
const maxBoards = 1000

// check returns rules in their canonical form, or refuses those that do not
// fit together.
func check(given games.Rules) (games.Rules, error) {
	if given["variant"] == "" {
		given = maps.Clone(given)
		delete(given, "variant")
	}
	out, err := games.CheckOptions(houseRules, given, canoga, luckySeven)
	if err != nil {
		return nil, err
	}
	switch out["variant"] {
	case canoga:
		err = checkCanoga(out)
	case luckySeven:
		err = checkLuckySeven(out)
	default:
		err = checkClassic(out)
	}
	if err != nil {
		return nil, err
	}
	writeShut(out, given)
	return out, nil
}

// writeShut writes the option shut, whose default depends on the match,
// wherever a match has several rounds and shut applies.
func writeShut(out, given games.Rules) {
	_, several := out["match"]
	if _, written := out["shut"]; written || !several || out["variant"] == canoga {
		return
	}
	out["shut"] = shutZero
	if given["shut"] == shutWins {
		out["shut"] = shutWins
	}
}

func checkClassic(out games.Rules) error {
	r := read(out)
	if r.first != 0 && !r.tiles.has(r.first) {
		return games.Refuse("shutbox.refuse.first-throw", games.Args{"Tile": r.first, "Tiles": spellTiles(r.tiles)})
	}
	if r.score == scoreDigits && digitCount(r.tiles) > maxDigits {
		return games.Refuse("shutbox.refuse.digits", games.Args{"Most": maxDigits})
	}
	if err := checkLimit(r); err != nil {
		return err
	}
	if !r.canBegin() {
		return games.Refuse("shutbox.refuse.no-beginning", games.Args{"Tiles": spellTiles(r.tiles)})
	}
	return nil
}

// digitCount is the length of the number that a full board is read as.
func digitCount(board tiles) int {
	return board.count() + (board &^ upTo(9)).count()
}

// checkLimit refuses limits that no evening reaches.
func checkLimit(r *rules) error {
	if r.match != knockout && r.match != until {
		return nil
	}
	if most := maxBoards * r.points(r.tiles); r.limit > most {
		return games.Refuse("shutbox.refuse.limit", games.Args{"Limit": r.limit, "Most": most})
	}
	return nil
}

// canBegin reports whether some throw of a turn's first dice closes something.
func (r *rules) canBegin() bool {
	begins := false
	for _, count := range r.counts(r.tiles) {
		r.throws(count, func(faces []int) bool {
			begins = begins || len(r.closable(r.tiles, faces, true)) > 0
			return !begins
		})
	}
	return begins
}

// checkCanoga refuses what the two-row duel has no place for.
func checkCanoga(out games.Rules) error {
	r := read(out)
	if r.match == knockout {
		return refuseVariant(canoga, "match", out["match"])
	}
	for _, name := range []string{"score", "dice", "shut", "first-throw", "seven"} {
		if value, given := out[name]; given {
			return refuseVariant(canoga, name, value)
		}
	}
	if board := spellTiles(r.tiles); !slices.Contains([]string{"9", "10", "12"}, board) {
		return refuseVariant(canoga, "tiles", board)
	}
	return checkLimit(r)
}

// checkLuckySeven refuses all but match, ties and shut=pays-double. A 7 ends
// the round whatever shut says, so the defaults of shut change nothing.
func checkLuckySeven(out games.Rules) error {
	r := read(out)
	for _, name := range []string{"tiles", "dice", "one-die", "close", "score", "first-throw", "seven", games.Hints} {
		if value, given := out[name]; given {
			return refuseVariant(luckySeven, name, value)
		}
	}
	if r.shut == shutZero && r.match == single {
		return refuseVariant(luckySeven, "shut", shutZero)
	}
	return checkLimit(r)
}

func refuseVariant(variant, option, value string) error {
	return games.Refuse("shutbox.refuse.variant", games.Args{
		"Variant": games.Word("shutbox.variant." + variant + ".name"), "Option": option, "Value": value,
	})
}
