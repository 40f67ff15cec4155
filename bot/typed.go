package bot

import (
	"strings"

	"knobel/bot/chat"
)

// How commands in sentences are taken apart, for platforms on which people fill in options instead of writing a text.

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
		c = c.Subs[b.Sub(c, c.Else)]
		t.Row = c.Name
	}
	r := reading{Bot: b, c: c, given: Args{}}
	for n := 0; rest != "" && len(c.Options) > 0; n++ {
		word, behind := firstWord(rest)
		at, value := r.named(word)
		if at < 0 {
			if at, value = r.turnOf(n, word), word; c.Options[at].phrase() {
				value, behind = rest, ""
			}
		}
		r.given[c.Options[at].Name] = Value{}
		t.Given = append(t.Given, chat.TypedOption{Name: c.Options[at].Name, Value: value})
		rest = behind
	}
	return t
}

// turnOf returns the option for a placeholder such as "NAME": the one in its position or, of a game, the one that takes
// it, else that of the chat's house rules.
func (r *reading) turnOf(n int, word string) int {
	if r.c.Game == nil {
		return min(n, len(r.c.Options)-1)
	}
	if at := r.taking(word); at >= 0 {
		return at
	}
	return r.OptionOf(r.c, "house")
}
