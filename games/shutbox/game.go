// Package shutbox is Shut the Box: its house rules and variants, its matches, its strategies, and its sentences. Like
// every game it knows no chat, no clock and no database.
//
// A match under options alone is the classic one (classic.go and its
// neighbours). Two variants that options cannot say have matches of their
// own: canoga.go and luckyseven.go.
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

// maxSeats is how many people fit around a box.
const maxSeats = 10

//go:embed words/*.toml
var words embed.FS

// Game is Shut the Box, the game "shutbox".
type Game struct{}

// Name returns "shutbox".
func (Game) Name() string { return "shutbox" }

// Family returns that of all games at a box.
func (Game) Family() string { return "box" }

// Shape: Shut the Box is played for a pool of stakes.
func (Game) Shape(games.Rules) games.Shape { return games.ShapePool }

// Seats returns 1 to 10; Canoga is for two, and lucky-seven to a limit is for at least two: alone a
// seat would win every round, and no total would grow.
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

// LowWins says that the lowest score is the best, but in Canoga.
func (Game) LowWins(r games.Rules) bool { return r["variant"] != canoga }

// New starts a match.
func (g Game) New(given games.Rules, seats int) (games.Match, error) {
	canonical, err := g.Check(given)
	if err != nil {
		return nil, err
	}
	if least, most := g.Seats(canonical); seats < least || seats > most {
		return nil, games.Refuse("shutbox.refuse.seats", games.Args{"Least": least, "Most": most})
	}
	switch r := read(canonical); r.variant {
	case canoga:
		d := duel{sheet: newSheet(r, seats)}
		d.reset()
		return d, nil
	case luckySeven:
		return lucky{sheet: newSheet(r, seats)}, nil
	default:
		m := &classic{savedClassic: savedClassic{sheet: newSheet(r, seats)}}
		m.Scores = m.noScores()
		m.beginTurn(0)
		return m, nil
	}
}

// Load reads what Save wrote, under the same rules.
func (Game) Load(canonical games.Rules, state []byte) (m games.Match, err error) {
	if _, err := games.CheckOptions(houseRules, canonical, canoga, luckySeven); err != nil {
		return nil, err
	}
	switch r := read(canonical); r.variant {
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

// Words returns the sentences of the game.
func (Game) Words() fs.FS { return games.Folder(words, "words") }

// The options of the game, and the variants that set them.

// The values of options that the rules test, spelled as in chats, on the command line and in records.
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

// maxRollOffs is the largest number of roll-offs among tied seats; if they are still tied they share. Only seats that
// can do nothing but tie get there: with two dice at a board of tile 1 alone a roll-off would never end.
const maxRollOffs = 100

// houseRules are the options, in the order in which they are shown.
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

// Options returns the house rules, in the order in which they are shown.
func (Game) Options() []games.Option { return slices.Clone(houseRules) }

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

// The variants that options cannot say stand in a table's rules as "variant".
const (
	canoga     = "canoga"
	luckySeven = "lucky-seven"
)

// Variants returns the presets, the default first.
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

// How given rules are checked and brought into their canonical form.

// maxDigits is how long a board may be that is read as one number: totals of
// any match stay whole numbers that every reader of a record can hold.
const maxDigits = 15

// maxBoards bounds the limit of a match: so many full boards.
const maxBoards = 1000

// Check returns rules in their canonical form, or refuses those that do not fit together. The option shut, whose
// default depends on match, is always written when the match is not single; in Canoga it does not apply.
func (Game) Check(given games.Rules) (games.Rules, error) {
	if given["variant"] == "" {
		given = maps.Clone(given)
		delete(given, "variant")
	}
	out, err := games.CheckOptions(houseRules, given, canoga, luckySeven)
	if err != nil {
		return nil, err
	}
	if err := read(out).check(out); err != nil {
		return nil, err
	}
	if out["match"] != "" && out["shut"] == "" && out["variant"] != canoga {
		out["shut"] = shutZero
		if given["shut"] == shutWins {
			out["shut"] = shutWins
		}
	}
	return out, nil
}

// unfit are the options for which the variants have no place that options cannot say.
var unfit = map[string][]string{
	canoga:     {"score", "dice", "shut", "first-throw", "seven"},
	luckySeven: {"tiles", "dice", "one-die", "close", "score", "first-throw", "seven", games.Hints},
}

// check refuses rules that do not fit together, and limits that no evening reaches. A 7 ends a round of lucky-seven
// whatever shut says, so its defaults change nothing there.
func (r *rules) check(out games.Rules) error {
	refuse := func(option string) error {
		return games.Refuse("shutbox.refuse.variant", games.Args{
			"Variant": games.Word("shutbox.variant." + r.variant + ".name"), "Option": option, "Value": out[option],
		})
	}
	if r.variant == canoga && r.match == knockout {
		return refuse("match")
	}
	for _, name := range unfit[r.variant] {
		if out[name] != "" {
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
