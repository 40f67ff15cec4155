package discord

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/bot/discord/emoji"
)

// Pictures, files, and dice, tiles and sheets as emoji or text.

// album maps the names of pictures in package emoji to the uploaded emoji. Of each kind it has all pictures or none. A
// nil album has none, so boards are drawn as text.
type album struct {
	pictures map[string]emojiRef
}

// emojiRef is an uploaded emoji, its Discord id and its name, in the JSON of a button.
type emojiRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// text returns the emoji's markup in a message text: <:name:id>.
func (e emojiRef) text() string { return "<:" + e.Name + ":" + e.ID + ">" }

// newAlbum returns an album of the pictures in all whose kind is uploaded completely, or nil if no kind is. uploaded
// maps the full names of uploaded emoji to their ids.
func newAlbum(all []emoji.Picture, uploaded map[string]string) *album {
	lacks := map[emoji.Kind]bool{}
	for _, p := range all {
		lacks[p.Kind] = lacks[p.Kind] || uploaded[p.FullName()] == ""
	}
	a := &album{pictures: map[string]emojiRef{}}
	for _, p := range all {
		if !lacks[p.Kind] {
			a.pictures[p.Name] = emojiRef{ID: uploaded[p.FullName()], Name: p.FullName()}
		}
	}
	if len(a.pictures) == 0 {
		return nil
	}
	return a
}

// find returns the emoji of the picture with this name, and whether the album has it.
func (a *album) find(name string) (emojiRef, bool) {
	if a == nil {
		return emojiRef{}, false
	}
	e, ok := a.pictures[name]
	return e, ok
}

// markup returns the markup of the pictures with these names side by side, "" if one is missing.
func (a *album) markup(names []string) string {
	var b strings.Builder
	for _, name := range names {
		e, ok := a.find(name)
		if !ok {
			return ""
		}
		b.WriteString(e.text())
	}
	return b.String()
}

// diceLine returns one line that shows all dice, as emoji or else as text; "" for no dice. Emoji are in a heading,
// which Discord draws larger, so that pips can be counted at a glance.
func (a *album) diceLine(all []chat.Die) string {
	var names []string
	for _, d := range all {
		names = append(names, emoji.Die(d.Face, d.Sides, d.Kept))
	}
	if row := a.markup(names); row != "" {
		return "# " + row
	}
	return plain.Dice(all)
}

// tileLines returns the lines that show all rows of tiles: for each its owner's name, if any, and below it the tiles,
// as emoji or (if one is missing) as text.
func (a *album) tileLines(all []chat.TileRow) []string {
	var lines []string
	for _, row := range all {
		title := escape(row.Owner)
		if len(row.Dice) > 0 { // dice of an ended turn: small, beside the owner's name
			title = strings.TrimSpace(title + " " + strings.TrimPrefix(a.diceLine(row.Dice), "# "))
		}
		if title != "" {
			lines = append(lines, title)
		}
		var drawn []string
		for some := range plain.TileLines(row.Tiles) {
			var names []string
			for _, t := range some {
				names = append(names, emoji.Tile(t.Number, t.Open, t.Picked))
			}
			drawn = append(drawn, a.markup(names))
		}
		if slices.Contains(drawn, "") { // a picture is missing
			drawn = nil
			for _, l := range plain.Tiles(row) {
				drawn = append(drawn, "`"+l+"`")
			}
		}
		lines = append(lines, drawn...)
	}
	return lines
}

// buttonPicture returns the name of the picture on button b of message m, "" for none, and the label beside it, which
// screen readers read. rolls reports whether the button rolls dice; if not, it shows a die or tile of the board, or has
// no picture.
func buttonPicture(m chat.Message, b chat.Button) (name, label string, rolls bool) {
	for _, s := range [][2]string{{"🎲🎲 ", emoji.TwoDice}, {"🎲 ", emoji.OneDie}} {
		if rest, ok := strings.CutPrefix(b.Label, s[0]); ok && strings.TrimSpace(clean(rest)) != "" {
			return s[1], rest, true
		}
	}
	for _, d := range m.Dice {
		if d.Press != "" && d.Press == b.Press {
			return emoji.Die(d.Face, d.Sides, d.Kept), strconv.Itoa(d.Face), false
		}
	}
	for _, row := range m.Tiles {
		for _, t := range row.Tiles {
			if t.Open && b.Label == plain.TileLabel(t) {
				return emoji.Tile(t.Number, t.Open, t.Picked), b.Label, false
			}
		}
	}
	return "", b.Label, false
}

// sheetWidth is the number of monospace characters that fit in a line on a phone.
const sheetWidth = 30

// sheetBlock returns score sheet s as a Markdown code block, with backquotes replaced, which would end the block.
func sheetBlock(s chat.Sheet) string {
	lines := s.Text(sheetWidth)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(clean(l), "`", "ˋ")
	}
	return "```\n" + strings.Join(lines, "\n") + "\n```"
}

// maxQuickFile is the largest file in bytes that is sent with the first answer. Before larger ones that is deferred.
const maxQuickFile = 128 << 10

// plainName and plainFile match names of pictures and of files that need no escaping.
var (
	plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}\.png$`)
	plainFile = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}(\.[a-z]{1,8}){1,2}$`)
)

// attachment describes an uploaded file in the JSON of a message. An edit removes the files that it does not list.
type attachment struct {
	ID          string `json:"id"` // the index in body.files
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// galleryItem is a picture in a gallery component. Knobel's galleries have one picture.
type galleryItem struct {
	Media       media  `json:"media"`
	Description string `json:"description,omitempty"`
}

// media refers to an uploaded file: attachment://NAME.
type media struct {
	URL string `json:"url"`
}

// attach adds a file with this content to the body and returns the reference for a component that shows it. If valid
// does not match name, the file is named fallback. alt is the alternative text.
func (b *body) attach(valid *regexp.Regexp, name, fallback, mimeType, alt string, content []byte) media {
	if !valid.MatchString(name) {
		name = fallback
	}
	b.Attachments = append(b.Attachments, attachment{strconv.Itoa(len(b.files)), name, alt})
	b.files = append(b.files, upload{name, mimeType, content})
	return media{"attachment://" + name}
}
