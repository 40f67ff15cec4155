package discord

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf16"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
)

// Texts for Discord: on one line, escaped, cut to a length, and with links to commands.

// clean returns text on one line: without line breaks, control characters, link marks and direction marks, except the
// isolates that the core sets.
func clean(text string) string {
	return strings.ReplaceAll(plain.Line(text, true), string(linkMark), "")
}

// joiner is an invisible character that, after an @, prevents a mention.
const joiner = "\u2060"

// marks escapes Markdown, mentions and links; opening and listing match headings, quotations and lists at the start.
var (
	marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, "<", `\<`, "[",
		`\[`, "]", `\]`, "@", "@"+joiner, "://", `:\//`)
	opening = regexp.MustCompile(`^([\s\p{Z}\p{Cf}]*)(#|>|-|\+)`)
	listing = regexp.MustCompile(`^([\s\p{Z}\p{Cf}]*\d+)([.)])`)
)

// escape returns line escaped for Discord's Markdown. It removes link marks that enclose no command, as people may type
// them: a text of marks only would be empty when it is sent.
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

// marked matches the characters that Markdown may treat specially.
var marked = regexp.MustCompile(`[!-/:-@\[-\x60{-~]`)

// inlineCode returns text, a single line, as inline code. If a backquote in it would end the code, it escapes every
// sign instead.
func inlineCode(text string) string {
	text = strings.ReplaceAll(text, string(linkMark), "")
	if text == "" || strings.Contains(text, "`") {
		return marked.ReplaceAllString(text, `\$0`)
	}
	return "`" + text + "`"
}

// utf16Width returns the length of r in UTF-16 units, as Discord's clients count; the server never counts more.
func utf16Width(r rune) int {
	if r == linkMark {
		return 14 // half of a link's extra length, as a command has two marks
	}
	return max(utf16.RuneLen(r), 1)
}

// clip shortens text to at most longest UTF-16 units, with an ellipsis at its end.
func clip(text string, longest int) string { return plain.Clip(text, longest, utf16Width, "\\ \u200d") }

// linkMark is an invisible character on both sides of a command in a sentence, which becomes a link when it is sent.
const linkMark = '\u2063'

// Spell returns the typed command t as people fill it in on Discord: "/settle paid amount:7 who:Ben". Link marks
// enclose the part that becomes a link.
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

// storeCommandIDs stores the ids of the bot's commands for links from list, Discord's JSON, unless that is invalid.
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

// linkable matches a marked command, linkableOrMark also a single mark.
var (
	markBytes = []byte(string(linkMark))
	linkable  = regexp.MustCompile(string(linkMark) + `/([a-z0-9-]+)((?: [a-z0-9-]+)?)` + string(linkMark))

	linkableOrMark = regexp.MustCompile(linkable.String() + "|" + string(linkMark))
)
