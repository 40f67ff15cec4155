package telegram

import (
	"strings"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games"
)

// The look of messages: HTML within Telegram's limits.

// Limits of texts in Telegram's characters.
const (
	longestText  = 4096
	longestToast = 200
	longestHead  = 600
	longestName  = 48
	longestLine  = 300
)

// draw returns a message as Telegram's HTML.
func draw(m chat.Message) string {
	if text := html(lines(m), longestText); strings.TrimSpace(text) != "" {
		return text
	}
	return "…"
}

// lines returns a message from top to bottom: heading, news, game, people, small print.
func lines(m chat.Message) []line {
	board := m.Table != 0
	lines := paragraph(m.Head, board, longestHead)
	if board {
		for i := range lines {
			lines[i].tag = "b"
		}
	}
	for _, told := range m.Told {
		lines = append(lines, paragraph(told, board, longestLine)...)
	}
	game := tiles(m.Tiles)
	if text := plain.Dice(m.Dice); text != "" {
		game = append(game, line{text: text})
	}
	if paper := sheet(m.Sheet); len(paper) > 0 {
		if len(game) > 0 {
			game = append(game, line{})
		}
		game = append(append(game, paper...), paragraph(m.Star(), board, longestLine)...)
		game = append(game, line{})
	}
	if game = append(game, people(m.People)...); len(game) > 0 {
		lines = append(append(lines, line{}), game...)
	}
	text := body(m)
	if len(m.People) == 0 && len(lines) > 0 && (len(m.Exact) > 0 || len(text) > 0 && !text[0].folded) {
		lines = append(lines, line{})
	}
	for _, e := range m.Exact {
		said := chat.Exact{Before: uncalled(clean(e.Before)), Text: e.Text, After: uncalled(clean(e.After))}
		lines = append(lines, line{text: said.String(), exact: &said})
	}
	lines = append(lines, text...)
	if d := m.Deadline; d != nil {
		said := chat.Deadline{At: d.At, Before: clean(d.Before), After: clean(d.After), Clock: clean(d.Clock)}
		lines = append(lines, line{text: clip(said.String(), longestLine), deadline: &said})
	}
	for _, text := range []string{m.Guide, m.Small} {
		if text = strings.TrimSpace(clip(clean(text), longestLine)); text != "" {
			lines = append(lines, line{tag: "i", text: text})
		}
	}
	return lines
}

// body returns the further lines of a message. A long text is folded.
func body(m chat.Message) []line {
	var lines []line
	for _, l := range m.Lines {
		lines = append(lines, paragraph(l, m.Table != 0, longestLine)...)
	}
	if m.Folds && (len(lines) > 5 || total(lines) > 400) {
		for i := range lines {
			lines[i].folded = true
		}
	}
	return lines
}

// paragraph returns the lines of a text, on a board of at most most characters.
func paragraph(text string, board bool, most int) []line {
	if text == "" {
		return nil
	}
	if !board {
		most = longestText
	}
	var lines []line
	for l := range strings.SplitSeq(text, "\n") {
		l = clip(clean(l), most)
		most = max(most-length(l), 1)
		lines = append(lines, line{text: l})
	}
	return lines
}

// tiles draws rows of tiles, each below its owner.
func tiles(rows []chat.TileRow) []line {
	var lines []line
	for _, row := range rows {
		owner := apart(clip(clean(row.Owner), longestName))
		if title := strings.TrimSpace(owner + " " + plain.Dice(row.Dice)); title != "" {
			lines = append(lines, line{text: title})
		}
		for _, l := range plain.Tiles(row) {
			lines = append(lines, line{tag: "code", text: l})
		}
	}
	return lines
}

// sheetWidth is how many fixed-width characters a phone shows in a line.
const sheetWidth = 30

// sheet draws a sheet in monospace, if a person asked for it: on boards it would cost too much of the chat's budget.
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
