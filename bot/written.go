package bot

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// How people of a language write what a command takes.

// maxLabel is the largest number of characters of a description or a label in a menu.
const maxLabel = 100

// said yields a line in every language.
func (b *Bot) said(line games.Line) iter.Seq2[string, string] {
	return func(yield func(lang, said string) bool) {
		for _, lang := range b.Words.Languages() {
			if !yield(lang, b.Words.Say(lang, line, words.Context{})) {
				return
			}
		}
	}
}

// written returns a label as one word in small letters, in every language.
func (b *Bot) written(label games.Line) []string {
	var all []string
	for _, said := range b.said(label) {
		all = append(all, hyphenated(said))
	}
	return all
}

// hyphenated returns what something is called as one word in small letters, without commas.
func hyphenated(label string) string {
	return strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(label, ",", " "))), "-")
}

// Written returns an option's name as people of a language write it.
func (b *Bot) Written(lang string, o Option) string { return cmp.Or(b.optionCalled(o)[lang], o.Name) }

// WrittenValue returns a value of an option as people of a language write it.
func (b *Bot) WrittenValue(lang string, c Choice) string {
	if lang == words.Default || c.Label.Key == "" {
		return c.Value
	}
	return hyphenated(b.Words.Say(lang, c.Label, words.Context{}))
}

// optionCalled returns what an option is called, with hyphens between words.
func (b *Bot) optionCalled(o Option) map[string]string {
	if o.Label.Key == "" {
		return b.calledIn("bot.option-called." + o.Name)
	}
	called := b.inAll(o.Label)
	delete(called, words.Default)
	for lang, label := range called {
		called[lang] = hyphenated(label)
	}
	return called
}

// calledIn returns the first of the words of a key in each language, but for the language that names are in.
func (b *Bot) calledIn(key string) map[string]string {
	called := map[string]string{}
	if !b.Words.Has(key) {
		return called
	}
	for lang, said := range b.said(games.Say(key, nil)) {
		if all := strings.Fields(strings.ToLower(said)); lang != words.Default && len(all) > 0 {
			called[lang] = all[0]
		}
	}
	return called
}

// inAll says a line in all languages.
func (b *Bot) inAll(line games.Line) map[string]string {
	all := map[string]string{}
	for lang, said := range b.said(line) {
		all[lang] = chat.Shorten(said, maxLabel)
	}
	return all
}

// Rows returns what people can ask for by a first word.
func (c Command) Rows() []Command {
	return slices.DeleteFunc(slices.Clone(c.Subs), func(s Command) bool { return s.Word == "" })
}

// Sub finds the row of a command that a word asks for, in any language; -1: none.
func (b *Bot) Sub(c Command, word string) int {
	return slices.IndexFunc(c.Subs, func(s Command) bool {
		return strings.EqualFold(s.Name, word) ||
			s.Word != "" && slices.Contains(b.WordsFor(s.Word), strings.ToLower(word))
	})
}

// WordsFor returns the words of a key of the message files, which are separated by spaces there, in every language.
func (b *Bot) WordsFor(key string) []string {
	var all []string
	for _, said := range b.said(games.Say(key, nil)) {
		for word := range strings.FieldsSeq(said) {
			if !slices.Contains(all, word) {
				all = append(all, word)
			}
		}
	}
	return all
}

// OptionOf finds an option by its name, or as people call it in any language;
// -1 where there is none.
func (b *Bot) OptionOf(c Command, name string) int {
	if i := slices.IndexFunc(c.Options, func(o Option) bool { return strings.EqualFold(o.Name, name) }); i >= 0 {
		return i
	}
	name = strings.ToLower(name)
	return slices.IndexFunc(c.Options, func(o Option) bool {
		if o.Label.Key != "" {
			return slices.Contains(b.written(o.Label), name)
		}
		return slices.Contains(slices.Collect(maps.Values(b.optionCalled(o))), name)
	})
}

// ValueCalled returns the value of an option that is called so in any language, with
// hyphens between its words or without.
func (b *Bot) ValueCalled(o Option, word string) (string, bool) {
	word = hyphenated(word)
	for _, offered := range slices.Concat(o.Choices, o.Also) {
		if slices.Contains(b.written(offered.Label), word) {
			return offered.Value, true
		}
	}
	return "", false
}

// Means reports whether a word is what a key says in any language.
func (b *Bot) Means(key, word string) bool {
	for _, said := range b.said(games.Say(key, nil)) {
		if strings.EqualFold(said, word) {
			return true
		}
	}
	return false
}
