package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// draft is what a player has picked but not played: indices into the items of a games.Pick, ascending.
type draft []int

// ParseDraft reads what String wrote. What is no number is left out.
func ParseDraft(text string) draft {
	var d draft
	for part := range strings.SplitSeq(text, ",") {
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && !slices.Contains(d, i) {
			d = append(d, i)
		}
	}
	slices.Sort(d)
	return d
}

// String spells a draft for the store.
func (d draft) String() string {
	parts := make([]string, len(d))
	for i, item := range d {
		parts[i] = fmt.Sprint(item)
	}
	return strings.Join(parts, ",")
}

// Toggle returns the draft with an item put in, or taken out.
func (d draft) Toggle(item int) draft {
	if i := slices.Index(d, item); i >= 0 {
		return slices.Delete(slices.Clone(d), i, i+1)
	}
	next := append(slices.Clone(d), item)
	slices.Sort(next)
	return next
}

// Toggles reports whether an item is offered, to be put in or taken out.
func (d draft) Toggles(item int, p games.Pick) bool {
	return p.Refusal.Key != "" || d.Toggle(item).leads(p)
}

// leads reports whether something can be added to the draft, or nothing, so that it is a whole choice.
func (d draft) leads(p games.Pick) bool {
	return slices.ContainsFunc(p.Choices, func(c games.Choice) bool {
		return !slices.ContainsFunc(d, func(item int) bool { return !slices.Contains(c.Items, item) })
	})
}

// Whole returns the move of the choice that the draft is.
func (d draft) Whole(p games.Pick) (games.Move, bool) {
	for _, c := range p.Choices {
		if slices.Equal(c.Items, d) {
			return c.Move, true
		}
	}
	return "", false
}

// Line returns a sentence on what is picked, for the person who picks.
func (d draft) Line(p games.Pick) games.Line {
	if PicksDice(&p) {
		return d.keepLine(p)
	}
	return d.pickLine(p)
}

// pickLine says what is picked of anything.
func (d draft) pickLine(p games.Pick) games.Line {
	picked := games.Say("bot.nothing", nil)
	if PicksDice(&p) && len(d) > 0 {
		picked = games.Say("bot.these", games.Args{"These": spelled(numbersOf(p, d))})
	} else if len(d) > 0 {
		picked = games.Say("bot.these", games.Args{"These": games.Tiles(numbersOf(p, d))})
	}
	if d.Short(p) {
		picked = d.sum(p)
	}
	return games.Say("bot.picked", games.Args{"Picked": picked})
}

// Short reports whether something is picked that does not add up yet to what it has to.
func (d draft) Short(p games.Pick) bool {
	_, whole := d.Whole(p)
	return p.Goal > 0 && len(d) > 0 && !whole
}

// sum says how much is picked of what it has to add up to: "9+5 = 14 of 16".
func (d draft) sum(p games.Pick) games.Line {
	numbers, sum := games.Tiles(numbersOf(p, d)), 0
	for _, n := range numbers {
		sum += n
	}
	key := "bot.sum"
	if len(d) > 1 {
		key = "bot.sum-of"
	}
	return games.Say(key, games.Args{"These": numbers, "Sum": sum, "Goal": p.Goal})
}

// More says that what is picked is no whole move.
func (d draft) More(p games.Pick) games.Line {
	if d.Short(p) {
		return games.Say("bot.pick-short", games.Args{"Picked": d.sum(p)})
	}
	if d.unfit(p) {
		return p.Unfit
	}
	return games.Say("bot.pick-more", nil)
}
