package wuerfelpoker

import (
	"knobel/games"
	"knobel/games/sheet"
)

// say makes a line of this game.
func say(key string, args games.Args) games.Line { return games.Say("wuerfelpoker."+key, args) }

// explain puts the rules into sentences, with examples.
func explain(c sheet.Chosen) []games.Line {
	choose := func(option, value, a, b string) games.Line {
		if c.Is(option, value) {
			return say("explain."+a, nil)
		}
		return say("explain."+b, nil)
	}
	lines := []games.Line{
		say("explain.goal", nil),
		say("explain.throws", nil),
		say("explain.order-"+c["order"], nil),
		say("explain.school", nil),
		say("explain.bonus-"+c["bonus"], nil),
		say("explain.equal", nil),
		choose("four-as-two-pairs", "yes", "two-pairs-four", "two-pairs"),
		say("explain.straights", nil),
		choose("five-as-full-house", "yes", "full-house-five", "full-house"),
		say("explain.poker", nil),
		say("explain.chance", nil),
	}
	if c.Is("first-throw", "double") {
		lines = append(lines, say("explain.first-double", nil), say("explain.first-poker-"+c["poker"], nil),
			choose("chance", "double", "first-chance", "first-no-chance"))
	} else {
		lines = append(lines, say("explain.first-plain", nil))
	}
	if c.Is("miss", "deferred") {
		lines = append(lines, choose("order", "free", "miss-deferred-free", "miss-deferred"))
	} else {
		lines = append(lines, say("explain.miss-strike", nil))
	}
	lines = append(lines, say("explain.settlement", nil))
	if point := c.Number(games.Point); point > 0 {
		lines = append(lines, say("explain.point", games.Args{"N": point}))
	}
	if c.Is(games.Hints, "yes") {
		lines = append(lines, say("explain.hints", nil))
	}
	return lines
}
