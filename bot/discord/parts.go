package discord

import (
	"fmt"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// shut is a tile that lies.
const shut = "▁"

// tiles draws rows of tiles in one width; more than twelve stand in lines of
// eight, since a phone shows some thirty columns.
func tiles(all []chat.TileRow) []string {
	var lines []string
	for _, row := range all {
		title := escape(row.Owner)
		if sum := escape(row.Sum); title != "" && sum != "" {
			title += " · " + sum
		} else {
			title += sum
		}
		if title != "" {
			lines = append(lines, title)
		}
		width, perLine := 1, len(row.Tiles)
		if len(row.Tiles) > 12 {
			width, perLine = 2, 8
		}
		for i := 0; i < len(row.Tiles); i += perLine {
			var words []string
			for _, t := range row.Tiles[i:min(i+perLine, len(row.Tiles))] {
				words = append(words, fmt.Sprintf("%*s", width, tile(t)))
			}
			lines = append(lines, "`"+strings.Join(words, " ")+"`")
		}
	}
	return lines
}

func tile(t chat.Tile) string {
	number := strconv.Itoa(t.Number)
	switch {
	case !t.Open:
		return strings.Repeat(shut, len(number))
	case t.Picked:
		return "[" + number + "]"
	}
	return number
}

// sheetWidth is how many characters of one width a phone shows in a line.
const sheetWidth = 30

// sheet sets a sheet as a block of code. Nothing in such a block is markup but
// its end.
func sheet(s chat.Sheet) string {
	lines := s.Text(sheetWidth)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(clean(l), "`", "ˋ")
	}
	return "```\n" + strings.Join(lines, "\n") + "\n```"
}

func dice(all []chat.Die) []string {
	if len(all) == 0 {
		return nil
	}
	text := "🎲"
	for _, d := range all {
		text += " " + strconv.Itoa(d.Face)
		if d.Kept {
			text += "🔒"
		}
	}
	return []string{text}
}

func people(all []chat.Person) []string {
	var lines []string
	for _, p := range all {
		text := escape(p.Name)
		switch p.State {
		case games.ToMove:
			text = "▸ **" + text + "**"
		case games.Won:
			text = "🏆 " + text
		case games.Waiting, games.Done, games.Out:
		}
		if p.Text != "" {
			text += " · " + escape(p.Text)
		}
		lines = append(lines, text)
	}
	return lines
}
