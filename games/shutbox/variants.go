package shutbox

import "knobel/games"

// The variants that options cannot say stand in a table's rules as "variant".
const (
	canoga     = "canoga"
	luckySeven = "lucky-seven"
)

// variants are the presets, the default first.
func variants() []games.Variant {
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
