package terminal

import (
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// choice is a button and what is typed to press it.
type choice struct {
	typed  string
	shown  string // how it stands on the screen
	button chat.Button
}

// dot stands before the numbers of an answer's buttons: those without are the
// board's.
const dot = "."

// choices are the buttons of a message in their order. They are numbered from
// 1; but where several tiles can be chosen, each is called by its own number,
// and the other buttons have letters.
func choices(m chat.Message) []choice { return numbered(m, "") }

// numbered are choices with something before their numbers.
func numbered(m chat.Message, before string) []choice {
	own := before == "" && tilesByNumber(m)
	var all []choice
	letters := 0
	for _, row := range m.Buttons {
		for _, b := range row {
			number, label := tile(b), clean(b.Label)
			switch {
			case !own:
				number = before + strconv.Itoa(len(all)+1)
				label = number + ") " + label
			case number == "":
				number = before + string(rune('a'+letters))
				label = number + ") " + label
				letters++
			}
			all = append(all, choice{number, label, b})
		}
	}
	return all
}

// picked is how a tile is marked that is chosen already.
const picked = " ✓"

// tile is the number of the tile that a button stands for, or "".
func tile(b chat.Button) string {
	number := strings.TrimSuffix(b.Label, picked)
	if n, err := strconv.Atoi(number); err != nil || strconv.Itoa(n) != number {
		return ""
	}
	return number
}

// tilesByNumber reports whether the buttons of a message offer several tiles,
// which have a number each.
func tilesByNumber(m chat.Message) bool {
	seen := map[string]bool{}
	for _, row := range m.Buttons {
		for _, b := range row {
			number := tile(b)
			if number != "" && seen[number] {
				return false
			}
			seen[number] = true
		}
	}
	delete(seen, "")
	return len(m.Tiles) > 0 && len(seen) > 1
}

// usual is what Enter presses, and false where there is nothing to press: the
// primary button, else the first. Where tiles are being chosen and none ends the
// choice, it is the first tile that is not chosen yet.
func usual(m chat.Message) (choice, bool) {
	all := choices(m)
	if len(all) == 0 {
		return choice{}, false
	}
	for _, c := range all {
		if c.button.Style == games.Primary {
			return c, true
		}
	}
	for _, c := range all {
		if tilesByNumber(m) && !strings.HasSuffix(c.button.Label, picked) {
			return c, true
		}
	}
	return all[0], true
}

// find returns the button that somebody means: by what is typed for it, else
// by what stands on it.
func find(all []choice, typed string) (chat.Button, bool) {
	for _, c := range all {
		if strings.EqualFold(typed, c.typed) {
			return c.button, true
		}
	}
	for _, c := range all {
		if strings.EqualFold(typed, clean(c.button.Label)) {
			return c.button, true
		}
	}
	return chat.Button{}, false
}
