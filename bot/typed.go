package bot

import (
	"slices"
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
	if c.Game != nil && b.opensAt(c.Name) >= chat.MaxListed {
		t.Listed = listedAs(t)
	}
	return t
}

// opensAt is how many commands that open tables stand before one of them in menus.
func (b *Bot) opensAt(name string) (at int) {
	for _, c := range b.AllCommands {
		switch {
		case c.Name == name:
			return at
		case c.Game != nil:
			at++
		}
	}
	return at
}

// listedAs is the command of a game as that of any game: what stands behind it are further options there, but for the
// stake.
func listedAs(t chat.Typed) *chat.Typed {
	_, behind := firstWord(t.Text)
	words := strings.Fields(behind)
	any := chat.Typed{Command: "play", Given: []chat.TypedOption{{Name: OptionGame, Value: t.Command}}}
	for i, o := range t.Given {
		if o.Name == "stake" && i < len(words) {
			any.Given = append(any.Given, o)
			words = slices.Delete(words, i, i+1)
			break
		}
	}
	if len(words) > 0 {
		any.Given = append(any.Given, chat.TypedOption{Name: OptionMore, Value: strings.Join(words, " ")})
	}
	any.Text = "play " + t.Text
	return &any
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
