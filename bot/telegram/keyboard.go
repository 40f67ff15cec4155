package telegram

import (
	"slices"
	"strings"
	"unicode"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games"
)

// Inline keyboards: rows of buttons that fit a phone.

// Limits of an inline keyboard.
const (
	maxButtons   = 100
	maxInRow     = 8
	wordsInRow   = 4  // of buttons with words
	longestLabel = 34 // of a button alone in its row
	longestPress = 64 // bytes
)

// widest returns how many letters each label may have so that a phone shows it whole in a row of inRow buttons.
func widest(inRow int) int {
	return [...]int{1: longestLabel, 2: 17, 3: 12, wordsInRow: 8, 5: 3, 6: 3, 7: 2, maxInRow: 2}[inRow]
}

// most returns how many buttons a phone shows whole in a row, if the widest label has wide letters.
func most(wide int) int {
	n := maxInRow
	for n > 1 && wide > widest(n) {
		n--
	}
	return n
}

// keyboard is an inline keyboard in Telegram's JSON.
type keyboard struct {
	Rows [][]key `json:"inline_keyboard"`
}

// key is a button of a keyboard.
type key struct {
	Text  string `json:"text"`
	Data  string `json:"callback_data,omitempty"`
	URL   string `json:"url,omitempty"`
	Style string `json:"style,omitempty"`
}

// keys returns rows of buttons as a keyboard, broken into rows that a phone shows whole. It leaves out invalid buttons
// and those beyond maxButtons.
func keys(rows [][]chat.Button) keyboard {
	k := keyboard{Rows: [][]key{}}
	left := maxButtons
	for _, row := range grids(rows) {
		var line []key
		for _, b := range row {
			label := plain.Clip(clean(b.Label), longestLabel, letters, " \u200d")
			if strings.TrimSpace(label) == "" || b.Press == "" && b.Link == "" || len(b.Press) > longestPress ||
				left == 0 {
				continue
			}
			k := key{Text: label, Data: b.Press}
			if b.Style == games.Primary || b.Style == games.Success || b.Style == games.Danger {
				k.Style = string(b.Style)
			}
			if b.Link != "" {
				k.Data, k.URL = "", b.Link
			}
			line = append(line, k)
			left--
		}
		k.Rows = append(k.Rows, spread(line)...)
	}
	return k
}

// grids joins rows that are one choice of many small buttons, wrapped for a wider platform, so that keys can break them
// differently: a row of small buttons that is too long for this platform, and the small rows after it.
func grids(rows [][]chat.Button) [][]chat.Button {
	var joined [][]chat.Button
	growing := false
	for _, row := range rows {
		if growing && small(row) {
			last := len(joined) - 1
			joined[last] = slices.Concat(joined[last], row)
		} else {
			joined = append(joined, row)
		}
		last := joined[len(joined)-1]
		wide := 0
		for _, b := range last {
			wide = max(wide, width(b.Label))
		}
		growing = len(row) > most(wide) && small(last[1:])
	}
	return joined
}

// small reports whether all buttons in row are plain or marked as chosen, and fit side by side.
func small(row []chat.Button) bool {
	return !slices.ContainsFunc(row, func(b chat.Button) bool {
		return b.Style == games.Primary || b.Style == games.Danger || width(b.Label) > widest(wordsInRow)
	})
}

// spread breaks a row of buttons evenly into as few rows as its widest label allows. If a label needs a row for itself,
// pack fills the rows instead.
func spread(line []key) [][]key {
	wide := 0
	for _, k := range line {
		wide = max(wide, width(k.Text))
	}
	perRow := maxInRow
	for perRow > 1 && wide > widest(min(perRow, max(len(line), 1))) {
		perRow--
	}
	if perRow == 1 {
		return pack(line)
	}
	count := (len(line) + perRow - 1) / perRow
	var rows [][]key
	for ; count > 0; count-- {
		n := (len(line) + count - 1) / count
		rows = append(rows, line[:n])
		line = line[n:]
	}
	return rows
}

// pack breaks a row of buttons into rows in order, each as full as its widest label allows.
func pack(line []key) [][]key {
	var rows [][]key
	var row []key
	wide := 0
	for _, k := range line {
		w := width(k.Text)
		if len(row) == maxInRow || len(row) > 0 && max(w, wide) > widest(len(row)+1) {
			rows, row, wide = append(rows, row), nil, 0
		}
		row = append(row, k)
		wide = max(w, wide)
	}
	if len(row) > 0 {
		rows = append(rows, row)
	}
	return rows
}

// width returns the approximate width of a label, measured in letters.
func width(label string) int { return plain.Wide(label, letters) }

// letters returns the approximate width of a character in letters: 2 for pictures, 0 for joiners and modifiers.
func letters(r rune) int {
	switch {
	case r == '\u200d' || unicode.Is(unicode.Variation_Selector, r) || unicode.In(r, unicode.Mn):
		return 0
	case r >= 0x1f000 || unicode.Is(unicode.Han, r):
		return 2
	}
	return 1
}
