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

// widest returns how many letters a label may have so that a phone shows it whole in a row of that many buttons.
func widest(inRow int) int {
	return [...]int{1: longestLabel, 2: 17, 3: 12, wordsInRow: 8, 5: 3, 6: 3, 7: 2, maxInRow: 2}[inRow]
}

// most returns how many buttons with labels of this width a row shows whole.
func most(wide int) int {
	n := maxInRow
	for n > 1 && wide > widest(n) {
		n--
	}
	return n
}

type keyboard struct {
	Rows [][]key `json:"inline_keyboard"`
}

type key struct {
	Text  string `json:"text"`
	Data  string `json:"callback_data,omitempty"`
	URL   string `json:"url,omitempty"`
	Style string `json:"style,omitempty"`
}

// keys breaks rows of buttons into rows that a phone shows whole.
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

// grids joins rows that are one choice of many small buttons, wrapped for a wider platform: the rows after one that
// is too long for this platform and of the same kind.
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

// small reports whether buttons are plain or chosen and fit side by side.
func small(row []chat.Button) bool {
	return !slices.ContainsFunc(row, func(b chat.Button) bool {
		return b.Style == games.Primary || b.Style == games.Danger || width(b.Label) > widest(wordsInRow)
	})
}

// spread breaks one row evenly into as few as its widest label allows. A label that needs its own row leaves the
// others together.
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

// pack fills rows in order, each as full as its widest label allows.
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

// width returns the approximate width of a label in letters.
func width(label string) int { return plain.Wide(label, letters) }

// letters returns the approximate width of a character: pictures count two, joiners and modifiers nothing.
func letters(r rune) int {
	switch {
	case r == '\u200d' || unicode.Is(unicode.Variation_Selector, r) || unicode.In(r, unicode.Mn):
		return 0
	case r >= 0x1f000 || unicode.Is(unicode.Han, r):
		return 2
	}
	return 1
}
