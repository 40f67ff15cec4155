package plain

// What is typed for the buttons of a message.

import (
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// Choice is a button and what is typed to press it.
type Choice struct {
	Typed  string
	Button chat.Button
	shown  string // its form in the text
}

// Choices returns the buttons of a message in order, numbered from 1 after sign, which tells them from those of other
// messages: "!1". Without a sign, if several tiles can be chosen, each tile has its own number and the other buttons
// have letters, as they do on boards with dice: a number always means what it shows there.
func Choices(m chat.Message, sign string) []Choice {
	own := sign == "" && tilesByNumber(m)
	lettered := sign == "" && (m.Pick != nil || len(m.Dice) > 0)
	var all []Choice
	letters := 0
	for _, row := range m.Buttons {
		for _, b := range row {
			number, label := tile(b), Clean(b.Label)
			switch {
			case lettered && (!own || number == ""):
				number = letter(letters)
				label = number + ") " + label
				letters++
			case !own:
				number = sign + strconv.Itoa(len(all)+1)
				label = number + ") " + label
			case number == "":
				number = letter(letters)
				label = number + ") " + label
				letters++
			}
			all = append(all, Choice{number, b, label})
		}
	}
	return all
}

// alphabet holds the letters for buttons, without q, which quits.
const alphabet = "abcdefghijklmnoprstuvwxyz"

// letter returns the letters of a button without a number: a, b and so on, then aa, ab.
func letter(n int) string {
	if n < len(alphabet) {
		return alphabet[n : n+1]
	}
	return letter(n/len(alphabet)-1) + letter(n%len(alphabet))
}

// picked marks a chosen tile.
const picked = "✓"

// TileLabel returns the label of a tile's button.
func TileLabel(t chat.Tile) string {
	if t.Picked {
		return strconv.Itoa(t.Number) + picked
	}
	return strconv.Itoa(t.Number)
}

// tile returns the number of the button's tile, or "".
func tile(b chat.Button) string {
	number := strings.TrimSuffix(b.Label, picked)
	if n, err := strconv.Atoi(number); err != nil || strconv.Itoa(n) != number {
		return ""
	}
	return number
}

// tilesByNumber reports whether the buttons of a message offer several tiles, each with its number.
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

// Usual returns the button that a person most likely presses next, and false if there is none: the primary button,
// else the first. While tiles are being chosen and no button ends the choice, it is the first tile that is not
// chosen.
func Usual(m chat.Message) (Choice, bool) {
	all := Choices(m, "")
	if len(all) == 0 {
		return Choice{}, false
	}
	for _, c := range all {
		if c.Button.Style == games.Primary {
			return c, true
		}
	}
	for _, c := range all {
		if tilesByNumber(m) && !strings.HasSuffix(c.Button.Label, picked) {
			return c, true
		}
	}
	return all[0], true
}

// Find returns the typed button, by its number or else its label.
func Find(all []Choice, typed string) (chat.Button, bool) {
	for _, c := range all {
		if strings.EqualFold(typed, c.Typed) {
			return c.Button, true
		}
	}
	for _, c := range all {
		if strings.EqualFold(typed, Clean(c.Button.Label)) {
			return c.Button, true
		}
	}
	return chat.Button{}, false
}
