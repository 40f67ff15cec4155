package discord

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"knobel/bot"
	"knobel/games"
)

// The kinds of components, and the flags of messages, by Discord's numbers.
const (
	kindRow       = 1
	kindButton    = 2
	kindText      = 10
	kindSeparator = 14
	kindContainer = 17

	flagPrivate = 1 << 6
	flagLayout  = 1 << 15
)

// What a message holds.
const (
	mostInRow      = 5
	mostComponents = 40
	mostText       = 3900 // of 4000 characters in all texts together
	mostLabel      = 80
	mostPress      = 100
	mostToast      = 2000
)

// component is one component of a message.
type component struct {
	Type       int         `json:"type"`
	Content    string      `json:"content,omitempty"`
	Components []component `json:"components,omitempty"`
	Accent     *int        `json:"accent_color,omitempty"`
	Style      int         `json:"style,omitempty"`
	Label      string      `json:"label,omitempty"`
	CustomID   string      `json:"custom_id,omitempty"`
	Divider    *bool       `json:"divider,omitempty"`
}

// mentions calls nobody, whatever a text holds.
type mentions struct {
	Parse []string `json:"parse"`
}

var nobody = mentions{Parse: []string{}}

// body is a message as it is sent. It has no keys beyond those that it needs:
// a layout refuses content and embeds, even empty ones.
type body struct {
	Content    string      `json:"content,omitempty"`
	Components []component `json:"components,omitempty"`
	Flags      int         `json:"flags,omitempty"`
	Mentions   mentions    `json:"allowed_mentions"`
	Nonce      string      `json:"nonce,omitempty"`
	Enforce    bool        `json:"enforce_nonce,omitempty"`
}

// toast is one sentence for one person.
func toast(text string) body {
	return body{Content: clip(escape(text), mostToast), Flags: flagPrivate, Mentions: nobody}
}

// colours are those of the seats: readable on Discord's light and dark.
var colours = [...]int{0x3b82f6, 0xef4444, 0x22a55b, 0xe0a100, 0x9b59d0, 0x12a5b8, 0xe8713c, 0xd6569b, 0x7a9a2e, 0x8a6a52}

// layout draws a message: the sentence, the game, the people, the buttons,
// the small print, in one container with the colour of the seat to move.
func layout(m bot.Message, flags int) body {
	box := component{Type: kindContainer}
	if m.Accent >= 0 {
		box.Accent = &colours[m.Accent%len(colours)]
	}
	left := mostText
	add := func(lines ...string) {
		text := strings.TrimSpace(strings.Join(lines, "\n"))
		if text = clip(text, left); text != "" && left > 1 {
			left -= utf8.RuneCountInString(text)
			box.Components = append(box.Components, component{Type: kindText, Content: text})
		}
	}
	add(paragraphs(m.Head)...)
	add(append(tiles(m.Tiles), dice(m.Dice)...)...)
	if m.Sheet != nil {
		add(sheet(*m.Sheet))
	}
	var rest []string
	rest = append(rest, people(m.People)...)
	for _, l := range m.Lines {
		rest = append(rest, paragraphs(l)...)
	}
	if len(rest) > 0 && len(m.Tiles) > 0 {
		divider := true
		box.Components = append(box.Components, component{Type: kindSeparator, Divider: &divider})
	}
	add(rest...)
	if small := escape(m.Small); small != "" {
		add("-# " + small)
	}
	if len(box.Components) == 0 {
		add("…")
	}
	used := 1 + len(box.Components)
	box.Components = append(box.Components, rows(m.Buttons, mostComponents-used)...)
	return body{Components: []component{box}, Flags: flags | flagLayout, Mentions: nobody}
}

// paragraphs are the lines of a text.
func paragraphs(text string) []string {
	var lines []string
	for l := range strings.SplitSeq(text, "\n") {
		lines = append(lines, escape(l))
	}
	return lines
}

// shut is a tile that lies.
const shut = "▁"

// tiles draws rows of tiles in one width; more than twelve stand in lines of
// eight, since a phone shows some thirty columns.
func tiles(all []bot.TileRow) []string {
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

func tile(t bot.Tile) string {
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
func sheet(s bot.Sheet) string {
	lines := s.Text(sheetWidth)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(clean(l), "`", "ˋ")
	}
	return "```\n" + strings.Join(lines, "\n") + "\n```"
}

func dice(all []bot.Die) []string {
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

func people(all []bot.Person) []string {
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

// rows breaks rows of buttons into rows of five, with so many components at
// the most. Of buttons that carry the same, only the first is drawn: Discord
// refuses two alike.
func rows(all [][]bot.Button, most int) []component {
	var drawn []component
	seen := map[string]bool{}
	for _, row := range all {
		var line []component
		for _, b := range row {
			label := strings.TrimSpace(clip(clean(b.Label), mostLabel))
			if label == "" || b.Press == "" || len(b.Press) > mostPress || seen[b.Press] {
				continue
			}
			seen[b.Press] = true
			line = append(line, component{Type: kindButton, Style: style(b.Style), Label: label, CustomID: b.Press})
		}
		for len(line) > 0 {
			n := min(len(line), mostInRow, most-1)
			if n < 1 {
				return drawn
			}
			drawn = append(drawn, component{Type: kindRow, Components: line[:n]})
			line, most = line[n:], most-1-n
		}
	}
	return drawn
}

func style(s games.Style) int {
	switch s {
	case games.Primary:
		return 1
	case games.Success:
		return 3
	case games.Danger:
		return 4
	case games.Plain:
	}
	return 2
}
