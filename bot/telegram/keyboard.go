package telegram

import (
	"slices"
	"strings"
	"unicode"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games"
)

// Inline keyboards: the rows of buttons below a message, wrapped to fit a phone.

// Limits of an inline keyboard.
const (
	maxButtons   = 100
	maxInRow     = 8
	wordsInRow   = 4  // buttons with words in a row
	longestLabel = 34 // letters, of a button alone in its row
	longestPress = 64 // bytes of callback_data
)

// maxLabelWidth returns how many letters a label may have to be shown whole on a phone, in a row of perRow buttons.
func maxLabelWidth(perRow int) int {
	return [...]int{1: longestLabel, 2: 17, 3: 12, wordsInRow: 8, 5: 3, 6: 3, 7: 2, maxInRow: 2}[perRow]
}

// maxPerRow returns how many buttons may be in a row so that a phone shows whole labels of up to labelWidth letters.
func maxPerRow(labelWidth int) int {
	n := maxInRow
	for n > 1 && labelWidth > maxLabelWidth(n) {
		n--
	}
	return n
}

// keyboard is an inline keyboard in Telegram's JSON.
type keyboard struct {
	Rows [][]key `json:"inline_keyboard"`
}

// key is a button of a keyboard. With Data it is pressed, with URL it opens a link.
type key struct {
	Text  string `json:"text"`
	Data  string `json:"callback_data,omitempty"`
	URL   string `json:"url,omitempty"`
	Style string `json:"style,omitempty"`
	// App is the page of the Mini App that the button opens.
	App *webPage `json:"web_app,omitempty"`
}

// newKeyboard returns a keyboard with rows of buttons, wrapped so that a phone shows whole labels. It leaves out
// invalid buttons, and those after the first maxButtons.
func newKeyboard(rows [][]chat.Button) keyboard {
	k := keyboard{Rows: [][]key{}}
	left := maxButtons
	for _, row := range joinWrapped(rows) {
		var line []key
		for _, b := range row {
			label := plain.Clip(clean(b.Label), longestLabel, letterWidth, " \u200d")
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
		k.Rows = append(k.Rows, breakEvenly(line)...)
	}
	return k
}

// joinWrapped undoes a wrapping of small buttons that was made for wider platforms: it joins each row that is too long
// for Telegram with the row after it, if both consist of small buttons. newKeyboard wraps the joined rows again.
func joinWrapped(rows [][]chat.Button) [][]chat.Button {
	var joined [][]chat.Button
	growing := false
	for _, row := range rows {
		if growing && isSmallRow(row) {
			last := len(joined) - 1
			joined[last] = slices.Concat(joined[last], row)
		} else {
			joined = append(joined, row)
		}
		last := joined[len(joined)-1]
		wide := 0
		for _, b := range last {
			wide = max(wide, labelWidth(b.Label))
		}
		growing = len(row) > maxPerRow(wide) && isSmallRow(last[1:])
	}
	return joined
}

// isSmallRow reports whether all buttons in row are plain or marked as chosen, with short labels.
func isSmallRow(row []chat.Button) bool {
	return !slices.ContainsFunc(row, func(b chat.Button) bool {
		return b.Style == games.Primary || b.Style == games.Danger || labelWidth(b.Label) > maxLabelWidth(wordsInRow)
	})
}

// breakEvenly breaks row into as few rows as its widest label allows, of nearly equal length. If the widest label needs
// a separate row, it breaks the row by fillRows.
func breakEvenly(row []key) [][]key {
	wide := 0
	for _, k := range row {
		wide = max(wide, labelWidth(k.Text))
	}
	perRow := maxInRow
	for perRow > 1 && wide > maxLabelWidth(min(perRow, max(len(row), 1))) {
		perRow--
	}
	if perRow == 1 {
		return fillRows(row)
	}
	count := (len(row) + perRow - 1) / perRow
	var rows [][]key
	for ; count > 0; count-- {
		n := (len(row) + count - 1) / count
		rows = append(rows, row[:n])
		row = row[n:]
	}
	return rows
}

// fillRows breaks row into rows. Each takes the next buttons as long as a phone shows their labels whole.
func fillRows(row []key) [][]key {
	var rows [][]key
	var current []key
	wide := 0
	for _, k := range row {
		w := labelWidth(k.Text)
		if len(current) == maxInRow || len(current) > 0 && max(w, wide) > maxLabelWidth(len(current)+1) {
			rows, current, wide = append(rows, current), nil, 0
		}
		current = append(current, k)
		wide = max(w, wide)
	}
	if len(current) > 0 {
		rows = append(rows, current)
	}
	return rows
}

// labelWidth returns the approximate width of label in letters.
func labelWidth(label string) int { return plain.Wide(label, letterWidth) }

// letterWidth returns the approximate width of r in letters: 2 for pictures and Chinese signs, 0 for accents.
func letterWidth(r rune) int {
	switch {
	case r == '\u200d' || unicode.Is(unicode.Variation_Selector, r) || unicode.In(r, unicode.Mn):
		return 0
	case r >= 0x1f000 || unicode.Is(unicode.Han, r):
		return 2
	}
	return 1
}
