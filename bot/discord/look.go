package discord

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games"
)

// How a message looks on Discord: its components, their limits and colours.

// The kinds of components, and the flags of messages, by Discord's numbers.
const (
	kindRow       = 1
	kindButton    = 2
	kindText      = 10
	kindGallery   = 12
	kindFile      = 13
	kindSeparator = 14
	kindContainer = 17

	flagPrivate = 1 << 6
	flagLayout  = 1 << 15
)

// What a message holds.
const (
	maxInRow      = 5
	maxComponents = 40
	maxText       = 3900 // of 4000 characters in all texts together
	maxLabel      = 80
	maxPress      = 100
	maxToast      = 2000
)

// component is one component of a message.
type component struct {
	Type       int           `json:"type"`
	Content    string        `json:"content,omitempty"`
	Components []component   `json:"components,omitempty"`
	Items      []galleryItem `json:"items,omitempty"`
	File       *media        `json:"file,omitempty"`
	Accent     *int          `json:"accent_color,omitempty"`
	Style      int           `json:"style,omitempty"`
	Label      string        `json:"label,omitempty"`
	CustomID   string        `json:"custom_id,omitempty"`
	Divider    *bool         `json:"divider,omitempty"`
}

// mentions notifies only the users in it, whatever the text holds.
type mentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users,omitempty"`
}

var nobody = mentions{Parse: []string{}}

// body is a message as it is sent. It has no keys beyond those that it needs:
// a layout refuses content and embeds, even empty ones.
type body struct {
	Content     string        `json:"content,omitempty"`
	Components  []component   `json:"components,omitempty"`
	Attachments *[]attachment `json:"attachments,omitempty"`
	Flags       int           `json:"flags,omitempty"`
	Mentions    mentions      `json:"allowed_mentions"`
	Nonce       string        `json:"nonce,omitempty"`
	Enforce     bool          `json:"enforce_nonce,omitempty"`
	Answers     *reference    `json:"message_reference,omitempty"`

	files []upload // the contents of the attachments
}

// toast is one sentence for one person.
func toast(text string) body {
	return body{Content: cmp.Or(clip(strings.TrimSpace(escape(text)), maxToast), "…"), Flags: flagPrivate,
		Mentions: nobody}
}

// colours are those of the seats: readable on Discord's light and dark.
var colours = [...]int{0x3b82f6, 0xef4444, 0x22a55b, 0xe0a100, 0x9b59d0, 0x12a5b8, 0xe8713c, 0xd6569b, 0x7a9a2e,
	0x8a6a52}

// layout draws a message: the sentence, the game, the people, the picture, the
// small print, the buttons, in one container with the colour of the seat to move. What
// is more than a message holds is cut off; letters splits instead.
func layout(m chat.Message, flags int) body {
	box := component{Type: kindContainer}
	b := body{Flags: flags | flagLayout, Mentions: nobody}
	if m.Accent >= 0 {
		box.Accent = &colours[m.Accent%len(colours)]
	}
	left := maxText
	add := func(lines ...string) {
		text := strings.TrimSpace(strings.Join(lines, "\n"))
		if text = clip(text, left); text != "" && left > 1 {
			left -= size(text)
			box.Components = append(box.Components, component{Type: kindText, Content: text})
		}
	}
	add(paragraphs(m.Head)...)
	add(append(tiles(m.Tiles), plain.Dice(m.Dice))...)
	if m.Sheet != nil && m.Sheet.Asked {
		add(sheet(*m.Sheet))
	}
	if rest := below(m); len(rest) > 0 {
		if len(m.Tiles) > 0 {
			box.Components = append(box.Components, component{Type: kindSeparator, Divider: new(true)})
		}
		add(rest...)
	}
	if m.Picture != nil && len(m.Picture.PNG) > 0 {
		box.Components = append(box.Components, b.show(*m.Picture))
	}
	if m.File != nil {
		box.Components = append(box.Components, b.give(*m.File))
	}
	if guide := escape(m.Guide); guide != "" {
		add("*" + guide + "*")
	}
	if small := escape(m.Small); small != "" {
		add("-# " + small)
	}
	if len(box.Components) == 0 {
		add("…")
	}
	room := maxComponents - 1 - len(box.Components)
	drawn := rows(m.Buttons)
	if count(drawn) > room {
		drawn = rows([][]chat.Button{slices.Concat(m.Buttons...)}) // without gaps more of them fit
	}
	for count(drawn) > room {
		drawn = drawn[:len(drawn)-1]
	}
	box.Components = append(box.Components, drawn...)
	b.Components = []component{box}
	return b
}

// below is what stands below the game: the people and the further lines.
func below(m chat.Message) []string {
	lines := people(m.People)
	for _, e := range m.Exact {
		lines = append(lines, escape(e.Before)+code(e.Text)+escape(e.After))
	}
	for _, l := range m.Lines {
		lines = append(lines, paragraphs(l)...)
	}
	if d := m.Deadline; d != nil { // Discord counts by itself
		lines = append(lines, escape(d.Before)+fmt.Sprintf("<t:%d:R>", d.At)+escape(d.After))
	}
	return lines
}

// paragraphs are the lines of a text.
func paragraphs(text string) []string {
	var lines []string
	for l := range strings.SplitSeq(text, "\n") {
		lines = append(lines, escape(l))
	}
	return lines
}

// rows breaks rows of buttons into rows of five. Of buttons that carry the
// same, only the first is drawn: Discord refuses two alike.
func rows(all [][]chat.Button) []component {
	var drawn []component
	seen := map[string]bool{}
	for _, row := range all {
		var line []component
		for _, b := range row {
			label := strings.TrimSpace(clip(clean(b.Label), maxLabel))
			if label == "" || b.Press == "" || len(b.Press) > maxPress || seen[b.Press] {
				continue
			}
			seen[b.Press] = true
			line = append(line, component{Type: kindButton, Style: style(b.Style), Label: label, CustomID: b.Press})
		}
		for five := range slices.Chunk(line, maxInRow) {
			drawn = append(drawn, component{Type: kindRow, Components: five})
		}
	}
	return drawn
}

// count is how many components rows of buttons are.
func count(rows []component) int {
	n := len(rows)
	for _, r := range rows {
		n += len(r.Components)
	}
	return n
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

// reference makes a message the answer to another.
type reference struct {
	Message string `json:"message_id"`
	Must    bool   `json:"fail_if_not_exists"` // false: without it where it is not there
}
