package discord

import (
	"strings"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games"
)

// tiles draws rows of tiles, each below whose it is.
func tiles(all []chat.TileRow) []string {
	var lines []string
	for _, row := range all {
		if title := plain.Title(escape(row.Owner), escape(row.Sum)); title != "" {
			lines = append(lines, title)
		}
		for _, l := range plain.Tiles(row.Tiles) {
			lines = append(lines, "`"+l+"`")
		}
	}
	return lines
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
