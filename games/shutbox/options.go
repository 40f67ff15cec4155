package shutbox

import (
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// The options of the game, and the variants that set them.

// The values of options that the rules test, spelled as in chats, on the command line and in
// records.
const (
	none = "none"

	highShut       = "high-shut"
	highShutForced = "high-shut-forced"
	sumSix         = "sum-six"
	lastOne        = "last-one"
	never          = "never"

	plainSum        = "sum"
	sumOrDifference = "sum-or-difference"
	sumOrTile       = "sum-or-tile"
	twoTiles        = "two-tiles"
	oneTile         = "one-tile"

	scoreCount  = "count"
	scoreDigits = "digits"

	endsTurn  = "ends-turn"
	endsRound = "ends-round"

	single   = "single"
	rounds   = "rounds"
	knockout = "knockout"
	until    = "until"

	shutWins   = "wins"
	shutZero   = "scores-zero"
	shutDouble = "pays-double"

	share   = "share"
	rollOff = "roll-off"
)

// maxRounds is the largest N of rounds:N.
const maxRounds = 999

// maxRollOffs is the largest number of roll-offs among tied seats; if they are still tied they
// share. Only seats that can do nothing but tie get there: with two dice at a board of tile 1 alone
// a roll-off would never end.
const maxRollOffs = 100

// houseRules are the options, in the order in which they are shown.
var houseRules = []games.Option{
	{Name: "tiles", Values: []string{"9", "10", "12"}, Parse: canonicalTiles, Say: sayTiles},
	fixed("dice", "2d6", "1d6", "4d6", "1d20"),
	fixed("one-die", highShut, highShutForced, sumSix, lastOne, never),
	fixed("close", plainSum, sumOrDifference, sumOrTile, twoTiles, oneTile),
	fixed("score", plainSum, scoreCount, scoreDigits),
	{Name: "first-throw", Values: []string{none, "2", "3"}, Say: sayFirstThrow},
	fixed("seven", none, endsTurn, endsRound),
	{Name: "match", Values: []string{single, "rounds:9", "knockout:45", "until:100"}, Parse: canonicalMatch,
		Say: sayMatch},
	fixed("shut", shutWins, shutZero, shutDouble),
	fixed("ties", share, rollOff),
	fixed(games.Hints, "no", "yes"),
}

// options returns the house rules, to keep.
func options() []games.Option { return slices.Clone(houseRules) }

// fixed is an option with exactly these values.
func fixed(name string, values ...string) games.Option {
	return games.Fixed("shutbox", name, values...)
}

func canonicalTiles(value string) (string, error) {
	set, ok := parseTiles(value)
	if !ok {
		return "", games.Refuse("shutbox.refuse.tiles", games.Args{"Value": value, "Highest": highestTile})
	}
	return spellTiles(set), nil
}

func sayTiles(value string) games.Line {
	if n, ok := number(value); ok {
		return games.Say("shutbox.option.tiles.to", games.Args{"Highest": n})
	}
	return games.Say("shutbox.option.tiles.list", games.Args{"Tiles": strings.ReplaceAll(value, ",", " ")})
}

func sayFirstThrow(value string) games.Line {
	if n, ok := number(value); ok {
		return games.Say("shutbox.option.first-throw.tile", games.Args{"Tile": n})
	}
	return games.Say("shutbox.option.first-throw.value.none", nil)
}

// canonicalMatch spells a kind of match and its number: "rounds:9". A kind
// without a number takes the one that is offered.
func canonicalMatch(value string) (string, error) {
	kind, n, ok := parseMatch(value)
	if !ok {
		word, _, _ := strings.Cut(value, ":")
		instead := games.Instead(word, []string{single, rounds, knockout, until})
		if slices.Contains([]string{rounds, knockout, until}, word) { // it is the number that is wrong
			instead = games.Instead("", []string{single, rounds + ":9", knockout + ":45", until + ":100"})
		}
		return "", games.Refuse("games.no-such-value",
			games.Args{"Option": "match", "Value": value, "Instead": instead})
	}
	if kind == single || kind == rounds && n == 1 {
		return single, nil // a match of one round has one name
	}
	return kind + ":" + strconv.Itoa(n), nil
}

// parseMatch reads a kind of match and its number, which is at least 1.
func parseMatch(value string) (kind string, n int, ok bool) {
	kind, digits, _ := strings.Cut(value, ":")
	if kind == single {
		return single, 0, value == single
	}
	usual := map[string]int{rounds: 9, knockout: 45, until: 100}
	n, known := usual[kind]
	if !known {
		return "", 0, false
	}
	if value != kind {
		if n, ok = number(digits); !ok || n < 1 {
			return "", 0, false
		}
	}
	return kind, n, kind != rounds || n <= maxRounds
}

func sayMatch(value string) games.Line {
	kind, n, _ := parseMatch(value)
	if kind == single {
		return games.Say("shutbox.option.match.value.single", nil)
	}
	if kind == rounds {
		return games.Say("shutbox.option.match.rounds", games.Args{"N": n})
	}
	return games.Say("shutbox.option.match."+kind, games.Args{"Limit": n})
}
