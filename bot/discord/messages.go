package discord

import (
	"cmp"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
)

// messages draws a private message as several where one would cut something off. The picture and the buttons are in
// the last.
func (a *album) messages(m chat.Message) []body {
	var all []body
	rest := m.Lines
	m.Lines = nil
	left := maxText - spare
	for _, c := range a.layout(m, 0).Components[0].Components {
		left -= plain.Wide(c.Content, width)
	}
	for len(rest) > 0 {
		line := rest[0]
		taken := whole(line, max(left, 0))
		begun := len(m.Lines) > 0 || m.Head != ""
		if taken < len(line) && begun && plain.Wide(escape(line), width) < maxText-spare {
			taken = 0 // it starts a new message
		}
		if taken > 0 || line == "" {
			m.Lines = append(m.Lines, line[:taken])
			left -= plain.Wide(escape(line[:taken]), width) + 1
		}
		if taken == len(line) {
			rest = rest[1:]
			continue
		}
		rest = append([]string{strings.TrimSpace(line[taken:])}, rest[1:]...)
		page := m
		page.Small, page.Buttons, page.Choices, page.Picture, page.File = "", nil, nil, nil, nil
		all = append(all, a.drawn(page, flagPrivate))
		m = chat.Message{Lang: m.Lang, Accent: m.Accent, Small: m.Small, Buttons: m.Buttons, Choices: m.Choices,
			Picture: m.Picture, File: m.File}
		left = max(maxText-plain.Wide(escape(m.Small), width)-spare, maxText/2)
	}
	return append(all, a.drawn(m, flagPrivate))
}

// spare is the room for what joins the parts of a message.
const spare = 100

// whole returns how many bytes of a line are at most that long once escaped, up to a word's end or else a
// character's.
func whole(line string, most int) int {
	if plain.Wide(escape(line), width) <= most {
		return len(line)
	}
	ends := []int{}
	for i := range line {
		ends = append(ends, i)
	}
	n, _ := slices.BinarySearchFunc(ends, most, func(end, most int) int {
		return cmp.Compare(plain.Wide(escape(line[:end]), width), most+1)
	})
	end := ends[max(n-1, 0)]
	if space := strings.LastIndexByte(line[:end], ' '); space > end/2 {
		return space
	}
	return end
}
