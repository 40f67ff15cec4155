// Package shutbox is the dice game Shut the Box: its options and variants, matches, computer players and sentences.
// Like every game it uses no chat, no clock and no database.
//
// classic.go contains the usual match. Two variants that options cannot express have separate files: canoga.go and
// luckyseven.go.
package shutbox

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// maxSeats is the largest number of seats.
const maxSeats = 10

//go:embed words/*.toml
var words embed.FS

// Game is Shut the Box, the game "shutbox".
type Game struct{}

// Name returns "shutbox".
func (Game) Name() string { return "shutbox" }

// Family returns "box", the family of all games in which tiles of a box are shut.
func (Game) Family() string { return "box" }

// Minutes returns 5: 3.1 minutes for three boxes, measured as games.Timed says.
func (Game) Minutes() int { return 5 }

// Shape returns ShapePool: Shut the Box is always played for a pool of stakes.
func (Game) Shape(games.Rules) games.Shape { return games.ShapePool }

// Seats returns the smallest and largest number of seats: 1 and 10, but 2 and 2 for Canoga. Lucky-seven to a limit
// needs at least 2: a single seat would win every round with 0 points, so its total would never reach the limit.
func (Game) Seats(r games.Rules) (least, most int) {
	kind, _, _ := parseMatch(r["match"])
	switch {
	case r["variant"] == canoga:
		return 2, 2
	case r["variant"] == luckySeven && (kind == knockout || kind == until):
		return 2, maxSeats
	}
	return 1, maxSeats
}

// LowWins reports whether the lowest score wins: always, except in Canoga.
func (Game) LowWins(r games.Rules) bool { return r["variant"] != canoga }

// New returns a new match under these options. The error is a *games.Refusal if the options or seats are not allowed.
func (g Game) New(options games.Rules, seats int) (games.Match, error) {
	canonical, err := g.Check(options)
	if err != nil {
		return nil, err
	}
	switch least, most := g.Seats(canonical); {
	case seats >= least && seats <= most:
	case least == most:
		return nil, games.Refuse("shutbox.refuse.seats-exactly", games.Args{"Seats": most})
	default:
		return nil, games.Refuse("shutbox.refuse.seats", games.Args{"Least": least, "Most": most})
	}
	switch r := parseRules(canonical); r.variant {
	case canoga:
		d := duel{sheet: newSheet(r, seats)}
		d.reset()
		return d, nil
	case luckySeven:
		return lucky{sheet: newSheet(r, seats)}, nil
	default:
		m := &classic{savedClassic: savedClassic{sheet: newSheet(r, seats)}}
		m.Scores = slices.Repeat([]int{pending}, m.Seats)
		m.beginTurn(0)
		return m, nil
	}
}

// Load returns the match that Save stored as state. canonical must be the options with which the match was saved.
func (Game) Load(canonical games.Rules, state []byte) (m games.Match, err error) {
	if _, err := games.CheckOptions(houseRules, canonical, canoga, luckySeven); err != nil {
		return nil, err
	}
	switch r := parseRules(canonical); r.variant {
	case canoga:
		m, err = loadCanoga(r, state)
	case luckySeven:
		m, err = loadLuckySeven(r, state)
	default:
		m, err = loadClassic(r, state)
	}
	if err != nil {
		return nil, fmt.Errorf("shutbox: stored match: %w", err)
	}
	return m, nil
}

// Words returns the files with the sentences of the game.
func (Game) Words() fs.FS { return games.Folder(words, "words") }

// Values of options as they are spelled in chats, on the command line and in records.
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

// maxRounds is the largest number of rounds of a match.
const maxRounds = 999

// maxRollOffs is the largest number of roll-offs. Seats that are tied after the last one share the pool. Without this
// limit, rules under which every turn ends alike (two dice and only tile 1) would lead to endless roll-offs.
const maxRollOffs = 100

// houseRules holds all options in the order in which players see them.
var houseRules = []games.Option{
	{Name: "tiles", Values: []string{"9", "10", "12"}, Parse: canonicalTiles, Say: sayTiles},
	games.Fixed("shutbox", "dice", "2d6", "1d6", "4d6", "1d20"),
	games.Fixed("shutbox", "one-die", highShut, highShutForced, sumSix, lastOne, never),
	games.Fixed("shutbox", "close", plainSum, sumOrDifference, sumOrTile, twoTiles, oneTile),
	games.Fixed("shutbox", "score", plainSum, scoreCount, scoreDigits),
	{Name: "first-throw", Values: []string{none, "2", "3"}, Say: sayFirstThrow},
	games.Fixed("shutbox", "seven", none, endsTurn, endsRound),
	{Name: "match", Values: []string{single, "rounds:9", "knockout:45", "until:100"}, Parse: canonicalMatch,
		Say: sayMatch},
	games.Fixed("shutbox", "shut", shutWins, shutZero, shutDouble),
	games.Fixed("shutbox", "ties", share, rollOff),
	games.Fixed("shutbox", games.Hints, "no", "yes"),
}

// Options returns all options in the order in which players see them.
func (Game) Options() []games.Option { return slices.Clone(houseRules) }

// canonicalTiles returns the canonical spelling of value for the option tiles. The error is a *games.Refusal.
func canonicalTiles(value string) (string, error) {
	set, ok := parseTiles(value)
	if !ok {
		return "", games.Refuse("shutbox.refuse.tiles", games.Args{"Value": value, "Highest": highestTile})
	}
	return spellTiles(set), nil
}

// sayTiles returns the text that players see for a value of the option tiles.
func sayTiles(value string) games.Line {
	if n, ok := parseNumber(value); ok {
		return games.Say("shutbox.option.tiles.to", games.Args{"Highest": n})
	}
	return games.Say("shutbox.option.tiles.list", games.Args{"Tiles": strings.ReplaceAll(value, ",", " ")})
}

// sayFirstThrow returns the text that players see for a value of the option first-throw.
func sayFirstThrow(value string) games.Line {
	if n, ok := parseNumber(value); ok {
		return games.Say("shutbox.option.first-throw.tile", games.Args{"Tile": n})
	}
	return games.Say("shutbox.option.first-throw.value.none", nil)
}

// canonicalMatch returns the canonical spelling of value for the option match, such as "rounds:9" for "rounds". The
// error is a *games.Refusal.
func canonicalMatch(value string) (string, error) {
	kind, n, ok := parseMatch(value)
	if !ok {
		word, _, _ := strings.Cut(value, ":")
		instead := games.Instead(word, []string{single, rounds, knockout, until})
		if slices.Contains([]string{rounds, knockout, until}, word) { // the kind is right, the number wrong
			instead = games.Instead("", []string{single, rounds + ":9", knockout + ":45", until + ":100"})
		}
		return "", games.Refuse("games.no-such-value",
			games.Args{"Option": "match", "Value": value, "Instead": instead})
	}
	if kind == single || kind == rounds && n == 1 {
		return single, nil // "rounds:1" is spelled "single"
	}
	return kind + ":" + strconv.Itoa(n), nil
}

// parseMatch splits value, a value of the option match, into its kind and its number n, which is 0 for "single". A kind
// spelled without a number gets its default number. ok is false if value is misspelled.
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
		if n, ok = parseNumber(digits); !ok || n < 1 {
			return "", 0, false
		}
	}
	return kind, n, kind != rounds || n <= maxRounds
}

// sayMatch returns the text that players see for a value of the option match.
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

// Variants that options cannot express. They are values of the option "variant".
const (
	canoga     = "canoga"
	luckySeven = "lucky-seven"
)

// Variants returns the named sets of options, the default first.
func (Game) Variants() []games.Variant {
	return []games.Variant{
		{Name: "classic"},
		{Name: "subtraction", Rules: games.Rules{"close": sumOrDifference}},
		{Name: "golf", Rules: games.Rules{"score": plainSum, "match": "rounds:9"}},
		{Name: "missionary", Rules: games.Rules{"score": scoreCount}},
		{Name: canoga, Rules: games.Rules{"variant": canoga}},
		{Name: "thai", Rules: games.Rules{"close": oneTile, "one-die": never}},
		{Name: "digits", Rules: games.Rules{"score": scoreDigits}},
		{Name: "knockout", Rules: games.Rules{"match": "knockout:45"}},
		{Name: "tournament", Rules: games.Rules{"match": "until:100"}},
		{Name: "two-to-go", Rules: games.Rules{"first-throw": "2"}},
		{Name: "three-to-go", Rules: games.Rules{"first-throw": "3"}},
		{Name: "three-down", Rules: games.Rules{"tiles": "4-9"}},
		{Name: "odds", Rules: games.Rules{"tiles": "1,3,5,7,9"}},
		{Name: "evens", Rules: games.Rules{"tiles": "2,4,6,8"}},
		{Name: "full-house", Rules: games.Rules{"tiles": "12"}},
		{Name: "unlucky-seven", Rules: games.Rules{"seven": endsTurn}},
		{Name: luckySeven, Rules: games.Rules{"variant": luckySeven}},
		{Name: "three-hundred", Rules: games.Rules{"tiles": "24", "dice": "4d6", "one-die": never}},
		{Name: "d20", Rules: games.Rules{"tiles": "12", "dice": "1d20"}},
	}
}

// maxDigits is the largest number of digits of a board whose open tiles are read as one number. It keeps totals small
// enough for the integers of every program that reads records.
const maxDigits = 15

// maxBoards times the points of all tiles is the largest limit of a match that ends at a limit.
const maxBoards = 1000

// Check returns options in their canonical form, or a *games.Refusal if they cannot be combined. The default of the
// option shut depends on the option match, so the result contains shut whenever match is not single (except in Canoga).
func (Game) Check(options games.Rules) (games.Rules, error) {
	if options["variant"] == "" {
		options = maps.Clone(options)
		delete(options, "variant")
	}
	out, err := games.CheckOptions(houseRules, options, canoga, luckySeven)
	if err != nil {
		return nil, err
	}
	if err := parseRules(out).check(out); err != nil {
		return nil, err
	}
	if out["match"] != "" && out["shut"] == "" && out["variant"] != canoga {
		out["shut"] = shutZero
		if options["shut"] == shutWins {
			out["shut"] = shutWins
		}
	}
	return out, nil
}

// excludedOptions lists, by variant, the options that the variant does not have.
var excludedOptions = map[string][]string{
	canoga:     {"score", "dice", "shut", "first-throw", "seven"},
	luckySeven: {"tiles", "dice", "one-die", "close", "score", "first-throw", "seven", games.Hints},
}

// check returns a *games.Refusal if options, of which r is the parsed form, cannot be combined or have a limit too high
// to be reached. Lucky-seven accepts the defaults of the option shut, although a 7 always ends its rounds.
func (r *rules) check(options games.Rules) error {
	refuse := func(option string) error {
		return games.Refuse("shutbox.refuse.variant", games.Args{
			"Variant": games.Word("shutbox.variant." + r.variant + ".name"), "Option": option, "Value": options[option],
		})
	}
	if r.variant == canoga && r.match == knockout {
		return refuse("match")
	}
	for _, name := range excludedOptions[r.variant] {
		if options[name] != "" {
			return refuse(name)
		}
	}
	most := maxBoards * r.points(r.tiles)
	switch {
	case r.variant == canoga && !slices.Contains([]string{"9", "10", "12"}, spellTiles(r.tiles)):
		return refuse("tiles")
	case r.variant == luckySeven && r.shut == shutZero && r.match == single:
		return refuse("shut")
	case r.first != 0 && !r.tiles.has(r.first):
		return games.Refuse("shutbox.refuse.first-throw", games.Args{"Tile": r.first, "Tiles": spellTiles(r.tiles)})
	case r.score == scoreDigits && r.tiles.count()+(r.tiles&^upTo(9)).count() > maxDigits:
		return games.Refuse("shutbox.refuse.digits", games.Args{"Most": maxDigits})
	case (r.match == knockout || r.match == until) && r.limit > most:
		return games.Refuse("shutbox.refuse.limit", games.Args{"Limit": r.limit, "Most": most})
	case r.variant == "" && !r.canBegin():
		return games.Refuse("shutbox.refuse.no-beginning", games.Args{"Tiles": spellTiles(r.tiles)})
	}
	return nil
}

// canBegin reports whether the first throw of a turn has at least one result that can close something.
func (r *rules) canBegin() bool {
	begins := false
	for _, count := range r.diceCounts(r.tiles) {
		r.eachThrow(count, func(faces []int) bool {
			begins = begins || len(r.closable(r.tiles, faces, true)) > 0
			return !begins
		})
	}
	return begins
}
