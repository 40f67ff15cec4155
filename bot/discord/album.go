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

// Drawing boards with the application's own emoji, in letters where they are missing; pictures and files.

// album holds the emoji for boards by the names of package emoji; of each kind all or none. A nil album draws in
// letters.
type album struct {
	pictures map[string]emojiRef
}

// emojiRef is an emoji as a button refers to it.
type emojiRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// text returns the emoji as message texts refer to it.
func (e emojiRef) text() string { return "<:" + e.Name + ":" + e.ID + ">" }

// newAlbum returns the kinds whose pictures are all uploaded, or nil if there are none.
func newAlbum(all []emoji.Picture, there map[string]string) *album {
	lacks := map[emoji.Kind]bool{}
	for _, p := range all {
		lacks[p.Kind] = lacks[p.Kind] || there[p.FullName()] == ""
	}
	a := &album{pictures: map[string]emojiRef{}}
	for _, p := range all {
		if !lacks[p.Kind] {
			a.pictures[p.Name] = emojiRef{ID: there[p.FullName()], Name: p.FullName()}
		}
	}
	if len(a.pictures) == 0 {
		return nil
	}
	return a
}

// find returns a picture and whether it is available.
func (a *album) find(name string) (emojiRef, bool) {
	if a == nil {
		return emojiRef{}, false
	}
	e, ok := a.pictures[name]
	return e, ok
}

// row returns pictures in a row, "" unless all are available.
func (a *album) row(names []string) string {
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

// dice returns dice in one line, "" for none. It is a heading, which Discord draws larger, so that pips can be
// counted at a glance.
func (a *album) dice(all []chat.Die) string {
	var names []string
	for _, d := range all {
		names = append(names, emoji.Die(d.Face, d.Sides, d.Kept))
	}
	if row := a.row(names); row != "" {
		return "# " + row
	}
	return plain.Dice(all)
}

// tiles draws rows of tiles, each below its owner.
func (a *album) tiles(all []chat.TileRow) []string {
	var lines []string
	for _, row := range all {
		title := escape(row.Owner)
		if len(row.Dice) > 0 { // the turn has ended: small, beside the owner
			title = strings.TrimSpace(title + " " + strings.TrimPrefix(a.dice(row.Dice), "# "))
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
			drawn = append(drawn, a.row(names))
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

// pictured returns the name of a button's picture and the label beside it, which screen readers read. throws is false
// for dice and tiles of the board and for buttons without a picture.
func pictured(m chat.Message, b chat.Button) (name, label string, throws bool) {
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

// sheetWidth is how many fixed-width characters a phone shows in a line.
const sheetWidth = 30

// sheet returns a sheet as a code block. In such a block only its end is markup.
func sheet(s chat.Sheet) string {
	lines := s.Text(sheetWidth)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(clean(l), "`", "ˋ")
	}
	return "```\n" + strings.Join(lines, "\n") + "\n```"
}

// Pictures and files of a message.

// quickPicture is the size in bytes up to which a picture or file is sent with the first answer, which is urgent.
// Larger ones follow.
const quickPicture = 128 << 10

// plainName matches a file name that needs no escaping.
var (
	plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}\.png$`)
	plainFile = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}(\.[a-z]{1,8}){1,2}$`)
)

// attachment is a file as a message's body lists it. An edit removes files that it does not list.
type attachment struct {
	ID          string `json:"id"` // the number of the uploaded file
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// galleryItem is the one picture of a gallery.
type galleryItem struct {
	Media       media  `json:"media"`
	Description string `json:"description,omitempty"`
}

type media struct {
	URL string `json:"url"`
}

// attach adds a file to a body, and returns it for a component. A name that plain does not match is replaced.
func (b *body) attach(plain *regexp.Regexp, name, otherwise, kind, description string, content []byte) media {
	if !plain.MatchString(name) {
		name = otherwise
	}
	b.Attachments = append(b.Attachments, attachment{strconv.Itoa(len(b.files)), name, description})
	b.files = append(b.files, upload{name, kind, content})
	return media{"attachment://" + name}
}
