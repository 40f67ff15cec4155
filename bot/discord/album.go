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

// Pictures and files, and how dice, tiles and sheets are drawn as emoji or text.

// album maps names of pictures (see package emoji) to uploaded emoji. It has all pictures of a kind or none. With a nil
// album boards are drawn as text.
type album struct {
	pictures map[string]emojiRef
}

// emojiRef is an uploaded emoji: its Discord id and its full name, as a button's JSON names it.
type emojiRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// text returns the reference to the emoji in a message text: <:name:id>.
func (e emojiRef) text() string { return "<:" + e.Name + ":" + e.ID + ">" }

// newAlbum returns an album with the pictures in all. It leaves out kinds that are not uploaded completely, and returns
// nil if none is left. uploaded maps the full names of uploaded emoji to their ids.
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

// find returns the emoji of the picture with this name; false: the album has no such picture.
func (a *album) find(name string) (emojiRef, bool) {
	if a == nil {
		return emojiRef{}, false
	}
	e, ok := a.pictures[name]
	return e, ok
}

// markup returns a text that shows the pictures with these names side by side; "" if one is not in the album.
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

// diceLine returns one line that shows all dice, as emoji if the album has them, else as text; "" for no dice. Emoji
// are in a heading, which Discord draws larger, so that people can count the pips at a glance.
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

// tileLines returns the lines that show all rows of tiles: for each row a line with its owner's name, if any, and lines
// with its tiles. The tiles are emoji or, if the album lacks the picture of any tile of the row, text.
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

// buttonPicture returns the name of the picture on button b of message m ("" for none) and the label beside it, which
// screen readers read. rolls is true for a button that rolls dice; a picture on another button shows a die or tile of
// the board.
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

// sheetWidth is the number of fixed-width characters that fit into a line on a phone.
const sheetWidth = 30

// sheetBlock returns score sheet s as a Markdown code block. It replaces backquotes, which would end the block.
func sheetBlock(s chat.Sheet) string {
	lines := s.Text(sheetWidth)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(clean(l), "`", "ˋ")
	}
	return "```\n" + strings.Join(lines, "\n") + "\n```"
}

// maxQuickFile is the largest file, in bytes, that is sent without deferring the answer first.
const maxQuickFile = 128 << 10

// plainName matches names of pictures, and plainFile names of files, that Discord leaves as they are.
var (
	plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}\.png$`)
	plainFile = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}(\.[a-z]{1,8}){1,2}$`)
)

// attachment describes an uploaded file in the JSON of a message. An edit removes all files that its list lacks.
type attachment struct {
	ID          string `json:"id"` // the index in body.files
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// galleryItem is a picture in a gallery component. The bot's galleries have only one picture.
type galleryItem struct {
	Media       media  `json:"media"`
	Description string `json:"description,omitempty"`
}

// media refers to an uploaded file by the URL attachment://NAME.
type media struct {
	URL string `json:"url"`
}

// attach adds a file with this content to the message b and returns the reference by which a component shows the file.
// The file is named name, or fallback if name does not match valid. alt describes the file for screen readers.
func (b *body) attach(valid *regexp.Regexp, name, fallback, mimeType, alt string, content []byte) media {
	if !valid.MatchString(name) {
		name = fallback
	}
	b.Attachments = append(b.Attachments, attachment{strconv.Itoa(len(b.files)), name, alt})
	b.files = append(b.files, upload{name, mimeType, content})
	return media{"attachment://" + name}
}
