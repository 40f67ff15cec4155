package discord

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf16"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
)

// Texts for Discord: cleaned, escaped, cut, and with links to commands.

// clean returns text on one line: without line breaks, control characters, link marks, and embeddings of a text
// direction, except those that chat.Isolate adds.
func clean(text string) string {
	return strings.ReplaceAll(plain.Line(text, true), string(linkMark), "")
}

// joiner is an invisible character. After an @ it prevents a mention.
const joiner = "\u2060"

// marks escapes Markdown, mentions and links. opening and listing match what starts a heading, quotation or list.
var (
	marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, "<", `\<`, "[",
		`\[`, "]", `\]`, "@", "@"+joiner, "://", `:\//`)
	opening = regexp.MustCompile(`^([\s\p{Z}\p{Cf}]*)(#|>|-|\+)`)
	listing = regexp.MustCompile(`^([\s\p{Z}\p{Cf}]*\d+)([.)])`)
)

// escape returns line escaped for Discord's Markdown. It removes link marks that are not around a command, as people
// may type such marks: a line with nothing else would be sent as an empty text.
func escape(line string) string {
	line = linkableOrMark.ReplaceAllStringFunc(plain.Line(line, true), func(found string) string {
		if found == string(linkMark) {
			return ""
		}
		return found
	})
	line = opening.ReplaceAllString(marks.Replace(line), `$1\$2`)
	return listing.ReplaceAllString(line, `$1\$2`)
}

// marked matches every character that may have a meaning in Markdown.
var marked = regexp.MustCompile(`[!-/:-@\[-\x60{-~]`)

// inlineCode returns text, a single line, as inline code. If text contains a backquote, which would end the code, it
// returns it as plain text, escaped.
func inlineCode(text string) string {
	text = strings.ReplaceAll(text, string(linkMark), "")
	if text == "" || strings.Contains(text, "`") {
		return marked.ReplaceAllString(text, `\$0`)
	}
	return "`" + text + "`"
}

// utf16Width returns the length of r in UTF-16 units, as Discord's clients count it; the server never counts more.
func utf16Width(r rune) int {
	if r == linkMark {
		return 14 // half of a link's extra length, as a command has two marks
	}
	return max(utf16.RuneLen(r), 1)
}

// clip cuts text to at most longest UTF-16 units. A cut text ends with an ellipsis.
func clip(text string, longest int) string { return plain.Clip(text, longest, utf16Width, "\\ \u200d") }

// linkMark is an invisible character before and after a command in a sentence: when sent, the command becomes a link.
const linkMark = '\u2063'

// Spell returns command t as people fill it in on Discord: "/settle paid amount:7 who:Ben". The part that becomes a
// link is between link marks.
func Spell(t chat.Typed) string {
	if t.Row == "" && len(t.Given) == 0 {
		return string(linkMark) + "/" + t.Text + string(linkMark)
	}
	name := t.Command
	if t.Row != "" {
		name += " " + t.Row
	}
	text := string(linkMark) + "/" + name + string(linkMark)
	for _, o := range t.Given {
		text += " " + o.Name + ":" + o.Value
	}
	return text
}

// storeCommandIDs stores the ids of the commands in list, Discord's JSON, for links. Invalid JSON changes nothing.
func (r *rest) storeCommandIDs(list json.RawMessage) {
	var all []struct {
		ID, Name string
		Type     int
	}
	if json.Unmarshal(list, &all) != nil {
		return
	}
	ids := map[string]string{}
	for _, c := range all {
		if isSnowflake(c.ID) && c.Type <= 1 {
			ids[c.Name] = c.ID
		}
	}
	r.commands.Store(&ids)
}

// linkable matches a command between link marks. linkableOrMark also matches a link mark by itself.
var (
	markBytes = []byte(string(linkMark))
	linkable  = regexp.MustCompile(string(linkMark) + `/([a-z0-9-]+)((?: [a-z0-9-]+)?)` + string(linkMark))

	linkableOrMark = regexp.MustCompile(linkable.String() + "|" + string(linkMark))
)
