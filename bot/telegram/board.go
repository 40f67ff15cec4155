package telegram

import (
	"fmt"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// The longest that texts may be, in Telegram's characters.
const (
	longestText  = 4096
	longestToast = 200
	longestHead  = 600
	longestName  = 48
	longestLine  = 300
)

// shut is a tile that lies.
const shut = "▁"

// draw puts a message into Telegram's HTML.
func draw(m chat.Message) string {
	if text := html(lines(m), longestText); strings.TrimSpace(text) != "" {
		return text
	}
	return "…"
}

// lines are a message from top to bottom: the sentence, the game, the people,
// the small print.
func lines(m chat.Message) []line {
	board := m.Table != 0
	lines := paragraph(m.Head, limit(board, longestHead))
	game := append(tiles(m.Tiles), dice(m.Dice)...)
	for _, block := range [][]line{game, sheet(m.Sheet), people(m.People)} {
		if len(block) > 0 {
			lines = append(lines, line{})
			lines = append(lines, block...)
		}
	}
	if len(m.People) == 0 && len(m.Exact)+len(m.Lines) > 0 && len(lines) > 0 {
		lines = append(lines, line{})
	}
	for _, e := range m.Exact {
		said := chat.Exact{Before: uncalled(clean(e.Before)), Text: e.Text, After: uncalled(clean(e.After))}
		lines = append(lines, line{text: said.String(), exact: &said})
	}
	for _, l := range m.Lines {
		lines = append(lines, paragraph(l, limit(board, longestLine))...)
	}
	if d := m.Deadline; d != nil {
		said := chat.Deadline{At: d.At, Before: clean(d.Before), After: clean(d.After), Clock: clean(d.Clock)}
		lines = append(lines, line{text: clip(said.String(), longestLine), deadline: &said})
	}
	if m.Guide != "" {
		lines = append(lines, line{})
		lines = append(lines, paragraph(m.Guide, limit(board, longestLine))...)
	}
	if small := strings.TrimSpace(clip(clean(m.Small), longestLine)); small != "" {
		lines = append(lines, line{tag: "i", text: small})
	}
	return lines
}

// limit is how long a part may be: bounded in boards, free in other messages.
func limit(board bool, most int) int {
	if board {
		return most
	}
	return longestText
}

// paragraph is a text that may have line breaks of its own.
func paragraph(text string, most int) []line {
	if text == "" {
		return nil
	}
	var lines []line
	for l := range strings.SplitSeq(text, "\n") {
		l = clip(clean(l), most)
		most = max(most-length(l), 1)
		lines = append(lines, line{text: l})
	}
	return lines
}

// tiles draws rows of tiles in equal widths. Up to twelve stand in one line,
// more in lines of eight: a phone shows some thirty columns.
func tiles(rows []chat.TileRow) []line {
	var lines []line
	for _, row := range rows {
		title := apart(clip(clean(row.Owner), longestName))
		if sum := clip(clean(row.Sum), longestName); title != "" && sum != "" {
			title += " · " + sum
		} else {
			title += sum
		}
		if title != "" {
			lines = append(lines, line{text: title})
		}
		width, perLine := 1, len(row.Tiles)
		if len(row.Tiles) > 12 {
			width, perLine = 2, 8
		}
		for i := 0; i < len(row.Tiles); i += perLine {
			var words []string
			for _, t := range row.Tiles[i:min(i+perLine, len(row.Tiles))] {
				words = append(words, tile(t, width))
			}
			lines = append(lines, line{tag: "code", text: strings.Join(words, " ")})
		}
	}
	return lines
}

func tile(t chat.Tile, width int) string {
	number := strconv.Itoa(t.Number)
	switch {
	case !t.Open:
		return fmt.Sprintf("%*s", width, strings.Repeat(shut, len(number)))
	case t.Picked:
		return fmt.Sprintf("%*s", width, "["+number+"]")
	}
	return fmt.Sprintf("%*s", width, number)
}

// sheetWidth is how many characters of one width a phone shows in a line.
const sheetWidth = 30

// sheet sets a sheet that somebody wants to see in letters of one width. A
// board shows it only then: long messages cost more of the chat's budget.
func sheet(s *chat.Sheet) []line {
	if s == nil || !s.Asked {
		return nil
	}
	var lines []line
	for _, l := range s.Text(sheetWidth) {
		lines = append(lines, line{tag: "code", text: clean(l)})
	}
	return lines
}

func dice(list []chat.Die) []line {
	if len(list) == 0 {
		return nil
	}
	text := "🎲"
	for _, d := range list {
		text += " " + strconv.Itoa(d.Face)
		if d.Kept {
			text += "🔒"
		}
	}
	return []line{{text: text}}
}

func people(list []chat.Person) []line {
	var lines []line
	for _, p := range list {
		text := apart(clip(clean(p.Name), longestName))
		switch p.State {
		case games.ToMove:
			text = "▸ " + text
		case games.Won:
			text = "🏆 " + text
		case games.Waiting, games.Done, games.Out:
		}
		if p.Text != "" {
			text += " · " + clip(clean(p.Text), longestLine)
		}
		lines = append(lines, line{text: text})
	}
	return lines
}
