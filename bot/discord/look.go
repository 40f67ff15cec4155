package discord

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/bot/discord/emoji"
	"knobel/games"
)

// Messages as Discord's components: limits, colours, texts, buttons.

// Limits of a message: numbers of components, or lengths in UTF-16 units.
const (
	maxInRow       = 5    // buttons in a row
	maxComponents  = 40   // components in a message, nested ones too
	maxText        = 3900 // all texts together; Discord accepts 4000
	maxLabel       = 80   // a button's label
	maxOptionLabel = 100  // the label of an option in a list
	maxPlaceholder = 150  // a list's placeholder
	maxOptions     = 25   // options in a list
	maxPress       = 100  // a custom_id, in bytes
	maxToast       = 2000 // the content of a plain message
	maxMentions    = 50   // people that a message notifies; Discord accepts 100
)

// component is a component of a message in Discord's JSON, with the fields of all types of components.
type component struct {
	Type       discordgo.ComponentType `json:"type"`
	Content    string                  `json:"content,omitempty"`
	Components []component             `json:"components,omitempty"`
	Items      []galleryItem           `json:"items,omitempty"`
	File       *media                  `json:"file,omitempty"`
	Accent     *int                    `json:"accent_color,omitempty"`
	Style      discordgo.ButtonStyle   `json:"style,omitempty"`
	Label      string                  `json:"label,omitempty"`
	CustomID   string                  `json:"custom_id,omitempty"`
	Emoji      *emojiRef               `json:"emoji,omitempty"`
	URL        string                  `json:"url,omitempty"`
	Divider    *bool                   `json:"divider,omitempty"`

	Options     []selectable `json:"options,omitempty"`
	Placeholder string       `json:"placeholder,omitempty"`
}

// selectable is one option of a select list.
type selectable struct {
	Label   string `json:"label"`
	Value   string `json:"value"`
	Default bool   `json:"default,omitempty"`
}

// mentions lists the people that a message notifies (Users). Other mentions in its text notify no one.
type mentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users,omitempty"`
}

// noMentions makes a message notify no one.
var noMentions = mentions{Parse: []string{}}

// body is the JSON of a message to send. It leaves out empty fields: Discord refuses components beside any content. In
// an edit, an empty list of attachments removes the message's files; nil keeps them.
type body struct {
	Content     string                 `json:"content,omitempty"`
	Components  []component            `json:"components,omitempty"`
	Attachments []attachment           `json:"attachments,omitzero"`
	Flags       discordgo.MessageFlags `json:"flags,omitempty"`
	Mentions    mentions               `json:"allowed_mentions"`
	Nonce       string                 `json:"nonce,omitempty"`
	Enforce     bool                   `json:"enforce_nonce,omitempty"`
	Answers     *reference             `json:"message_reference,omitempty"`

	files []upload           // the contents of the attachments, in their order
	cut   bool               // a part did not fit and was cut off
	bare  func() []component // returns the components without emoji; nil: they have no emoji
}

// toast returns a short plain message with this text, which only one person sees.
func toast(text string) body {
	return body{Content: cmp.Or(clip(strings.TrimSpace(escape(text)), maxToast), "…"),
		Flags: discordgo.MessageFlagsEphemeral, Mentions: noMentions}
}

// colours are the colours of the seats. They are readable on light and dark backgrounds.
var colours = [...]int{0x3b82f6, 0xef4444, 0x22a55b, 0xe0a100, 0x9b59d0, 0x12a5b8, 0xe8713c, 0xd6569b, 0x7a9a2e,
	0x8a6a52}

// layout draws m with these message flags as one container: the colour of the player whose turn it is, heading, news,
// game, players, picture, small print, buttons. Texts that do not fit are cut, and then b.cut is set.
func (a *album) layout(m chat.Message, flags discordgo.MessageFlags) body {
	box := component{Type: discordgo.ContainerComponent}
	b := body{Flags: flags | discordgo.MessageFlagsIsComponentsV2, Mentions: noMentions}
	if m.Accent >= 0 {
		box.Accent = &colours[m.Accent%len(colours)]
	}
	left := maxText
	add := func(lines ...string) {
		whole := strings.TrimSpace(strings.Join(lines, "\n"))
		text := clip(whole, left)
		b.cut = b.cut || text != whole || text != "" && left <= 1
		if text != "" && left > 1 {
			left -= plain.Wide(text, utf16Width)
			box.Components = append(box.Components, component{Type: discordgo.TextDisplayComponent, Content: text})
		}
	}
	news := append(headingLines(m), escapedLines(m.Told...)...)
	if len(m.Call) > 0 {
		news = append(news, b.mention(m.Call)...)
	}
	add(news...)
	add(append(a.tileLines(m.Tiles), a.diceLine(m.Dice))...)
	if m.Sheet != nil && m.Sheet.Asked {
		add(sheetBlock(*m.Sheet))
		add(escape(m.Star()))
	}
	if rest := a.linesBelow(m); len(rest) > 0 {
		if len(m.Tiles) > 0 {
			box.Components = append(box.Components, component{Type: discordgo.SeparatorComponent, Divider: new(true)})
		}
		add(rest...)
	}
	if m.Picture != nil && len(m.Picture.PNG) > 0 {
		alt := clip(clean(m.Picture.Alt), 1024)
		file := b.attach(plainName, m.Picture.Name, "picture.png", "image/png", alt, m.Picture.PNG)
		box.Components = append(box.Components, component{Type: discordgo.MediaGalleryComponent,
			Items: []galleryItem{{file, alt}}})
	}
	if m.File != nil {
		file := b.attach(plainFile, m.File.Name, "file", m.File.Type, "", m.File.Bytes)
		box.Components = append(box.Components, component{Type: discordgo.FileComponentType, File: &file})
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
	lists := selectRows(m.Choices)
	room := maxComponents - 1 - len(box.Components) - countComponents(lists)
	drawn := a.buttonRows(m, m.Buttons)
	if countComponents(drawn) > room {
		drawn = a.buttonRows(m, [][]chat.Button{slices.Concat(m.Buttons...)}) // without gaps more of them fit
	}
	for countComponents(drawn) > room {
		drawn = drawn[:len(drawn)-1]
	}
	box.Components = append(append(box.Components, lists...), drawn...)
	b.Components = []component{box}
	return b
}

// linesBelow returns the lines below the game: players, texts to copy, further lines, and when the turn ends.
func (a *album) linesBelow(m chat.Message) (lines []string) {
	for _, p := range m.People {
		text := escape(p.PlacedName())
		switch {
		case p.State == games.ToMove:
			text = "▸ **" + text + "**"
		case p.State == games.Won && p.Place == 0:
			text = "🏆 " + text
		}
		if p.Text != "" {
			text += " · " + escape(p.Text)
		}
		if e, ok := a.find(emoji.Seat(max(p.Seat, 0))); ok {
			text = e.text() + " " + text
		}
		lines = append(lines, text)
	}
	for _, e := range m.Exact {
		lines = append(lines, escape(e.Before)+inlineCode(e.Text)+escape(e.After))
	}
	for _, p := range escapedLines(m.Lines...) {
		rest, isBox := strings.CutPrefix(p, "📦 ")
		if e, ok := a.find(emoji.TheBox); ok && isBox {
			p = e.text() + " " + rest
		}
		lines = append(lines, p)
	}
	if d := m.Deadline; d != nil { // Discord's clients show the remaining time
		lines = append(lines, escape(d.Before)+fmt.Sprintf("<t:%d:R>", d.At)+escape(d.After))
	}
	return lines
}

// longestHeading is the length up to which a heading is drawn large: about two lines on a phone.
const longestHeading = 90

// headingLines returns the lines of m.Head. On a board they are in large letters or, if they are long, in bold ones.
func headingLines(m chat.Message) []string {
	lines := escapedLines(m.Head)
	for i, l := range lines {
		switch {
		case m.Table == 0 || strings.TrimSpace(l) == "":
		case plain.Wide(l, utf16Width) <= longestHeading:
			lines[i] = "## " + l
		default:
			lines[i] = "**" + l + "**"
		}
	}
	return lines
}

// escapedLines splits texts into lines, and escapes each for Markdown.
func escapedLines(texts ...string) (lines []string) {
	for _, text := range texts {
		for l := range strings.SplitSeq(text, "\n") {
			lines = append(lines, escape(l))
		}
	}
	return lines
}

// buttonRows draws the rows of buttons in all, which belong to message m, with at most five buttons side by side. Of
// several buttons with the same press it draws only the first: Discord refuses equal ones.
func (a *album) buttonRows(m chat.Message, all [][]chat.Button) []component {
	var drawn []component
	seen := map[string]bool{}
	for _, row := range all {
		var line []component
		// If one die or tile in a row has no picture, none in that row gets one.
		whole := !slices.ContainsFunc(row, func(b chat.Button) bool {
			name, _, rolls := buttonPicture(m, b)
			_, ok := a.find(name)
			return !ok && !rolls
		})
		for _, b := range row {
			var picture *emojiRef
			label := b.Label
			name, pictureLabel, rolls := buttonPicture(m, b)
			if e, ok := a.find(name); ok && (whole || rolls) {
				picture, label = &e, pictureLabel
			}
			label = strings.TrimSpace(clip(clean(label), maxLabel))
			switch {
			case label == "":
				continue
			case b.Link != "":
				line = append(line, component{Type: discordgo.ButtonComponent, Style: discordgo.LinkButton,
					Label: label, URL: b.Link})
				continue
			case b.Press == "" || len(b.Press) > maxPress || seen[b.Press]:
				continue
			}
			seen[b.Press] = true
			line = append(line, component{Type: discordgo.ButtonComponent, Label: label, Emoji: picture,
				Style: cmp.Or(styles[b.Style], discordgo.SecondaryButton), CustomID: b.Press})
		}
		for five := range slices.Chunk(line, maxInRow) {
			drawn = append(drawn, component{Type: discordgo.ActionsRowComponent, Components: five})
		}
	}
	return drawn
}

// selectRows draws each choice as a select list. The lists are below each other; one with more than maxOptions options
// is split. The chosen option shows the list's name, too: while a list is closed, people see nothing else.
func selectRows(choices []chat.Choice) (rows []component) {
	for i, c := range choices {
		name := strings.TrimSpace(clean(c.Said))
		var options []selectable
		seen := map[string]bool{}
		for _, b := range c.Values {
			label, selected := strings.TrimSpace(clean(b.Label)), b.Style == games.Success
			if selected {
				label = name
			}
			if label == "" || b.Press == "" || len(b.Press) > maxPress || seen[b.Press] {
				continue
			}
			seen[b.Press] = true
			options = append(options, selectable{Label: clip(label, maxOptionLabel), Value: b.Press, Default: selected})
		}
		for some := range slices.Chunk(options, maxOptions) {
			list := component{Type: discordgo.SelectMenuComponent, CustomID: fmt.Sprintf("choice %d.%d", i, len(rows)),
				Options: some, Placeholder: clip(name, maxPlaceholder)}
			rows = append(rows, component{Type: discordgo.ActionsRowComponent, Components: []component{list}})
		}
	}
	return rows
}

// countComponents returns the number of the rows and of the components in them.
func countComponents(rows []component) int {
	n := len(rows)
	for _, r := range rows {
		n += len(r.Components)
	}
	return n
}

// styles maps button styles to Discord's. Other styles become secondary buttons.
var styles = map[games.Style]discordgo.ButtonStyle{games.Primary: discordgo.PrimaryButton,
	games.Success: discordgo.SuccessButton, games.Danger: discordgo.DangerButton}

// reference makes a message a reply to the message with the id Message.
type reference struct {
	Message string `json:"message_id"`
	Must    bool   `json:"fail_if_not_exists"` // if false, a missing message is not an error
}

// withoutEmoji returns the message b, drawn as text only.
func (b body) withoutEmoji() body {
	if b.bare != nil {
		b.Components, b.bare = b.bare(), nil
	}
	return b
}

// draw draws m with emoji. If texts would be cut, it draws m as text only, which needs fewer characters.
func (a *album) draw(m chat.Message, flags discordgo.MessageFlags) body {
	b := a.layout(m, flags)
	if a == nil {
		return b
	}
	letters := (*album)(nil)
	if b.cut {
		return letters.layout(m, flags)
	}
	b.bare = func() []component { return letters.layout(m, flags).Components }
	return b
}

// privateMessages draws m as answers for one person, as many as its lines need. The last has picture, file and buttons.
func (a *album) privateMessages(m chat.Message) []body {
	var all []body
	rest := m.Lines
	m.Lines = nil
	left := maxText - spareText
	for _, c := range a.layout(m, 0).Components[0].Components {
		left -= plain.Wide(c.Content, utf16Width)
	}
	for len(rest) > 0 {
		line := rest[0]
		taken := bytesWithin(line, max(left, 0))
		begun := len(m.Lines) > 0 || m.Head != ""
		if taken < len(line) && begun && plain.Wide(escape(line), utf16Width) < maxText-spareText {
			taken = 0 // the line goes into the next message as a whole
		}
		if taken > 0 || line == "" {
			m.Lines = append(m.Lines, line[:taken])
			left -= plain.Wide(escape(line[:taken]), utf16Width) + 1
		}
		if taken == len(line) {
			rest = rest[1:]
			continue
		}
		rest = append([]string{strings.TrimSpace(line[taken:])}, rest[1:]...)
		page := m
		page.Small, page.Buttons, page.Choices, page.Picture, page.File = "", nil, nil, nil, nil
		all = append(all, a.draw(page, discordgo.MessageFlagsEphemeral))
		m = chat.Message{Lang: m.Lang, Accent: m.Accent, Small: m.Small, Buttons: m.Buttons, Choices: m.Choices,
			Picture: m.Picture, File: m.File}
		left = max(maxText-plain.Wide(escape(m.Small), utf16Width)-spareText, maxText/2)
	}
	return append(all, a.draw(m, discordgo.MessageFlagsEphemeral))
}

// spareText is the number of characters kept free for what layout adds between the parts of a message.
const spareText = 100

// bytesWithin returns the length in bytes of the longest start of line that has at most limit UTF-16 units when it is
// escaped. If possible it ends at a space, otherwise after a character.
func bytesWithin(line string, limit int) int {
	if plain.Wide(escape(line), utf16Width) <= limit {
		return len(line)
	}
	ends := []int{}
	for i := range line {
		ends = append(ends, i)
	}
	n, _ := slices.BinarySearchFunc(ends, limit, func(end, limit int) int {
		return cmp.Compare(plain.Wide(escape(line[:end]), utf16Width), limit+1)
	})
	end := ends[max(n-1, 0)]
	if space := strings.LastIndexByte(line[:end], ' '); space > end/2 {
		return space
	}
	return end
}
