package bot

import (
	"strings"

	"knobel/bot/chat"
)

// How commands in sentences are taken apart, for platforms on which people fill in options
// instead of writing a text.

// Typed takes a command apart that a sentence tells people to write: "settle paid 7 Ben".
func (b *Bot) Typed(text string) chat.Typed {
	name, rest := firstWord(text)
	t := chat.Typed{Command: name, Text: text}
	c, err := b.Find(strings.ToLower(name))
	if err != nil {
		return t
	}
	t.Command, t.Row = c.Name, c.Bare
	word, behind := firstWord(rest)
	if i := b.Sub(c, word); word != "" && i >= 0 && c.Subs[i].Word != "" {
		c, t.Row, rest = c.Subs[i], c.Subs[i].Name, behind
	} else if rest != "" && c.Else != "" {
		c, _ = c.row(c.Else)
		t.Row = c.Name
	}
	for at := 0; rest != ""; at++ {
		var given chat.TypedOption
		if given, rest = b.typedOption(c, at, rest); given.Name == "" {
			break
		}
		t.Given = append(t.Given, given)
	}
	return t
}

// typedOption takes the next option off what stands behind a command: the one that is named,
// the one whose turn it is, or the one that knows the word.
func (b *Bot) typedOption(c Command, at int, text string) (given chat.TypedOption, rest string) {
	word, rest := firstWord(text)
	if name, value, named := strings.Cut(word, "="); named && b.OptionOf(c, name) >= 0 {
		return chat.TypedOption{Name: c.Options[b.OptionOf(c, name)].Name, Value: value}, rest
	}
	if len(c.Options) == 0 {
		return given, ""
	}
	o := c.Options[min(at, len(c.Options)-1)]
	if c.Game != nil { // its options have no order: what none of them knows is a name of the chat's
		o = c.Options[b.OptionOf(c, "house")]
		if _, value, err := b.Read(c, chat.Event{Text: word}); err == nil {
			for name := range value {
				o = c.Options[b.OptionOf(c, name)]
			}
		}
	}
	if o.phrase() {
		word, rest = text, ""
	}
	return chat.TypedOption{Name: o.Name, Value: word}, rest
}
