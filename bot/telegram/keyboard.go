package telegram

import (
	"slices"
	"strings"
	"unicode"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games"
)

// Inline keyboards: how rows of buttons fit onto a phone.

// What an inline keyboard holds.
const (
	maxButtons   = 100
	maxInRow     = 8
	wordsInRow   = 4  // of more than a sign or two
	longestLabel = 34 // of a key that has a row for itself
	longestPress = 64 // bytes
)

// widest is how wide a label may be, in letters, so that a row of that many
// buttons shows it whole on a phone.
func widest(inRow int) int {
	return [...]int{1: longestLabel, 2: 17, 3: 12, wordsInRow: 8, 5: 3, 6: 3, 7: 2, maxInRow: 2}[inRow]
}

// most is how many buttons a row of labels this wide shows whole.
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
			label := whole(clean(b.Label))
			if strings.TrimSpace(label) == "" || b.Press == "" && b.Link == "" || len(b.Press) > longestPress ||
				left == 0 {
				continue
			}
			k := key{Text: label, Data: b.Press, Style: style(b.Style)}
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

// grids joins rows that are one choice of many small buttons, wrapped for a wider platform: all rows behind one that is
// too long for this platform and has the same kind of buttons.
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

// small reports whether buttons are plain ones, or chosen, that fit side by side.
func small(row []chat.Button) bool {
	return !slices.ContainsFunc(row, func(b chat.Button) bool {
		return b.Style == games.Primary || b.Style == games.Danger || width(b.Label) > widest(wordsInRow)
	})
}

// spread breaks one row evenly into as few as its widest label allows. Where
// one label needs a row for itself, the others share theirs.
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

// pack puts keys into rows in their order, each row as full as its widest
// label allows.
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

// style is a style that Telegram knows, or none.
func style(s games.Style) string {
	switch s {
	case games.Primary, games.Success, games.Danger:
		return string(s)
	case games.Plain:
	}
	return ""
}

// whole is a label as far as a phone shows it in a row for itself; an ellipsis shows where it was cut.
func whole(label string) string { return plain.Clip(label, longestLabel, letters, " \u200d") }

// width is about how many letters wide a label is.
func width(label string) int { return plain.Wide(label, letters) }

// letters is about how many letters wide a character is: pictures count two, what only joins or colours them nothing.
func letters(r rune) int {
	switch {
	case r == '\u200d' || unicode.Is(unicode.Variation_Selector, r) || unicode.In(r, unicode.Mn):
		return 0
	case r >= 0x1f000 || unicode.Is(unicode.Han, r):
		return 2
	}
	return 1
}
