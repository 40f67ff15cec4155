package telegram

import (
	"unicode"

	"knobel/bot"
	"knobel/games"
)

// What an inline keyboard holds.
const (
	mostButtons  = 100
	mostInRow    = 4
	longestLabel = 64
	longestPress = 64 // bytes
)

// widest is how wide a label may be, in letters, so that a row of that many
// buttons shows it whole on a phone.
func widest(inRow int) int {
	return [...]int{1: longestLabel, 2: 17, 3: 12, 4: 8}[inRow]
}

type keyboard struct {
	Rows [][]key `json:"inline_keyboard"`
}

type key struct {
	Text  string `json:"text"`
	Data  string `json:"callback_data"`
	Style string `json:"style,omitempty"`
}

// keys breaks rows of buttons into rows that a phone shows whole.
func keys(rows [][]bot.Button) keyboard {
	k := keyboard{Rows: [][]key{}}
	total := 0
	for _, row := range rows {
		var line []key
		wide := 0
		for _, b := range row {
			label := clip(clean(b.Label), longestLabel)
			if label == "" || b.Press == "" || len(b.Press) > longestPress || total == mostButtons {
				continue
			}
			w := width(label)
			if len(line) == mostInRow || len(line) > 0 && max(w, wide) > widest(len(line)+1) {
				k.Rows, line, wide = append(k.Rows, line), nil, 0
			}
			line = append(line, key{label, b.Press, style(b.Style)})
			wide = max(w, wide)
			total++
		}
		if len(line) > 0 {
			k.Rows = append(k.Rows, line)
		}
	}
	return k
}

// style is a style that Telegram knows, or none.
func style(s games.Style) string {
	switch s {
	case games.Primary, games.Success, games.Danger:
		return string(s)
	case games.Plain:
	}
	return ""
}

// width is about how many letters wide a label is: pictures count two, what
// only joins or colours them nothing.
func width(label string) int {
	n := 0
	for _, r := range label {
		switch {
		case r == '\u200d' || unicode.Is(unicode.Variation_Selector, r) || unicode.In(r, unicode.Mn):
		case r >= 0x1f000 || unicode.Is(unicode.Han, r):
			n += 2
		default:
			n++
		}
	}
	return n
}
