package bot

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// Names of options and values, as people of each language write them.

// maxLabel is the largest number of characters of a description or a label in a menu.
const maxLabel = 100

// translations yields the code of each language, and line in that language.
func (b *Bot) translations(line games.Line) iter.Seq2[string, string] {
	return func(yield func(lang, said string) bool) {
		for _, lang := range b.Words.Languages() {
			if !yield(lang, b.Words.Say(lang, line, words.Context{})) {
				return
			}
		}
	}
}

// hyphenatedLabels returns a label as one lower-case word in each language (see hyphenated).
func (b *Bot) hyphenatedLabels(label games.Line) []string {
	var all []string
	for _, said := range b.translations(label) {
		all = append(all, hyphenated(said))
	}
	return all
}

// hyphenated returns a label as one lower-case word, with hyphens instead of spaces and commas.
func hyphenated(label string) string {
	return strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(label, ",", " "))), "-")
}

// Written returns an option's name as people of the language lang type it.
func (b *Bot) Written(lang string, o Option) string { return cmp.Or(b.optionNames(o)[lang], o.Name) }

// WrittenValue returns the value of c as people of the language lang type it.
func (b *Bot) WrittenValue(lang string, c Choice) string {
	if lang == words.Default || c.Label.Key == "" {
		return c.Value
	}
	return hyphenated(b.Words.Say(lang, c.Label, words.Context{}))
}

// optionNames maps each language except the default one to the name of o as people type it, with hyphens for spaces.
func (b *Bot) optionNames(o Option) map[string]string {
	if o.Label.Key == "" {
		return b.firstWords("bot.option-called." + o.Name)
	}
	called := b.byLanguage(o.Label)
	delete(called, words.Default)
	for lang, label := range called {
		called[lang] = hyphenated(label)
	}
	return called
}

// firstWords returns the first word of a key's sentence by language, in lower case. The default language has no entry.
func (b *Bot) firstWords(key string) map[string]string {
	called := map[string]string{}
	if !b.Words.Has(key) {
		return called
	}
	for lang, said := range b.translations(games.Say(key, nil)) {
		if all := strings.Fields(strings.ToLower(said)); lang != words.Default && len(all) > 0 {
			called[lang] = all[0]
		}
	}
	return called
}

// byLanguage returns a line by language, each shortened to maxLabel.
func (b *Bot) byLanguage(line games.Line) map[string]string {
	all := map[string]string{}
	for lang, said := range b.translations(line) {
		all[lang] = chat.Shorten(said, maxLabel)
	}
	return all
}

// Rows returns the subcommands that people can type, without those that only buttons use.
func (c Command) Rows() []Command {
	return slices.DeleteFunc(slices.Clone(c.Subs), func(s Command) bool { return s.Word == "" })
}

// Sub returns the index in Subs of the subcommand that a word names in any language, or -1.
func (c Command) Sub(word string) int {
	word = strings.ToLower(word)
	return slices.IndexFunc(c.Subs, func(s Command) bool { return s.Name == word || slices.Contains(s.Aliases, word) })
}

// WordsFor returns the words of a key in every language, each once. In the message files they are separated by spaces.
func (b *Bot) WordsFor(key string) []string { return b.wordsIn(games.Say(key, nil)) }

// wordsIn returns the words of line in every language, each once.
func (b *Bot) wordsIn(line games.Line) []string {
	var all []string
	for _, said := range b.translations(line) {
		for word := range strings.FieldsSeq(said) {
			if !slices.Contains(all, word) {
				all = append(all, word)
			}
		}
	}
	return all
}

// OptionOf returns the index in c.Options of the option with a name in any language, or -1.
func (b *Bot) OptionOf(c Command, name string) int {
	if i := slices.IndexFunc(c.Options, func(o Option) bool { return strings.EqualFold(o.Name, name) }); i >= 0 {
		return i
	}
	name = strings.ToLower(name)
	return slices.IndexFunc(c.Options, func(o Option) bool {
		if o.Label.Key != "" {
			return b.isTyped(o.Label, name)
		}
		return slices.Contains(slices.Collect(maps.Values(b.optionNames(o))), name)
	})
}

// ValueCalled returns the value of the choice whose label in any language is name, with or without hyphens.
func (b *Bot) ValueCalled(choices []Choice, name string) (value string, ok bool) {
	i := slices.IndexFunc(choices, func(c Choice) bool { return b.isTyped(c.Label, name) })
	if i < 0 {
		return "", false
	}
	return choices[i].Value, true
}

// nearestValue returns the value, or the label in any language, that is spelled most like word; "" if none is similar.
func (b *Bot) nearestValue(word string, choices []Choice) string {
	known := valuesOf(choices)
	for _, c := range choices {
		if c.Label.Key != "" {
			known = append(known, b.hyphenatedLabels(c.Label)...)
		}
	}
	return games.Nearest(word, known)
}

// Means reports whether people who type word mean the sentence of key (see isTyped).
func (b *Bot) Means(key, word string) bool { return b.isTyped(games.Say(key, nil), word) }

// typedSuffix is the end of the key of other words for a label. People can type them but do not read them. The message
// files separate them by spaces, and write hyphens for spaces: "bot.house-typed" is "house the-house".
const typedSuffix = "-typed"

// isTyped reports whether word is label in any language, or another word for it, with or without hyphens.
func (b *Bot) isTyped(label games.Line, word string) bool {
	word = hyphenated(word)
	other := games.Say(label.Key+typedSuffix, label.Args)
	return slices.Contains(b.hyphenatedLabels(label), word) || b.Words.Has(other.Key) &&
		slices.ContainsFunc(b.wordsIn(other), func(typed string) bool { return hyphenated(typed) == word })
}

// Commands that the bot's sentences mention, for platforms on which people fill in options instead of typing.

// Typed parses a command that a sentence asks people to type, without its slash: "settle paid 7 Ben".
func (b *Bot) Typed(text string) chat.Typed {
	name, rest := firstWord(text)
	t := chat.Typed{Command: name, Text: text}
	c, err := b.Find(strings.ToLower(name))
	if err != nil {
		return t
	}
	t.Command, t.Row = c.Name, c.Bare
	word, behind := firstWord(rest)
	if i := c.Sub(word); word != "" && i >= 0 && c.Subs[i].Word != "" {
		c, t.Row, rest = c.Subs[i], c.Subs[i].Name, behind
	} else if rest != "" && c.Else != "" {
		c = c.Subs[c.Sub(c.Else)]
		t.Row = c.Name
	}
	r := commandParser{Bot: b, c: c, given: Args{}}
	for n := 0; rest != "" && len(c.Options) > 0; n++ {
		word, behind := firstWord(rest)
		at, value := r.splitNamed(word)
		if at < 0 { // a value: of the option at its position or, for a game, of one that accepts it, else "house"
			at, value = min(n, len(c.Options)-1), word
			if c.Game != nil {
				if at = r.optionFor(word); at < 0 {
					at = b.OptionOf(c, "house")
				}
			}
			if c.Options[at].isPhrase() {
				value, behind = rest, ""
			}
		}
		r.given[c.Options[at].Name] = Value{}
		t.Given = append(t.Given, chat.TypedOption{Name: c.Options[at].Name, Value: value})
		rest = behind
	}
	return t
}

// Completion of options while a person types them.

// Complete returns at most 25 values for the option with this name while a person types it: first typed itself, if it
// is a value, then the values that begin with it, then those that contain it.
func (b *Bot) Complete(ctx context.Context, ev chat.Event, name, typed string) []chat.CommandChoice {
	c, err := b.Find(strings.ToLower(ev.Command))
	if err != nil {
		return nil
	}
	if row := c.Sub(ev.Row); row >= 0 {
		c = c.Subs[row]
	}
	i := slices.IndexFunc(c.Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return nil
	}
	if c.AnyGame && name == OptionMore {
		game, named := ev.Options[OptionGame]
		if !named {
			game, _ = b.splitGame(b.stripOptionNames(c, strings.Fields(ev.Text)))
		}
		all := b.completeGameText(game, strings.ToLower(typed), b.languageOf(ev, ""))
		return all[:min(len(all), maxChoices)]
	}
	typed = strings.ToLower(strings.TrimSpace(typed))
	var exact, begin, contain []chat.CommandChoice
	for _, offered := range slices.Concat(c.Options[i].Choices, b.chatChoices(ctx, ev, c.Options[i]),
		b.subcommandChoices(ctx, ev, c)) {
		d := chat.CommandChoice{Value: offered.Value, Label: b.byLanguage(offered.Label)}
		said := strings.ToLower(d.Value + " " + d.Label[b.languageOf(ev, "")])
		switch {
		case strings.ToLower(offered.Value) == typed:
			exact = append(exact, d)
		case strings.HasPrefix(said, typed):
			begin = append(begin, d)
		case strings.Contains(said, typed):
			contain = append(contain, d)
		}
	}
	if len(exact) == 0 && c.Game != nil && typed != "" {
		for _, o := range c.Game.Options() { // it may accept values besides its choices
			if o.Name != name || o.Parse == nil {
				continue
			}
			if value, err := o.Parse(typed); err == nil {
				exact = []chat.CommandChoice{{Value: value, Label: b.byLanguage(SayValue(o, value))}}
			}
		}
	}
	all := slices.Concat(exact, begin, contain)
	return all[:min(len(all), maxChoices)]
}

// completeGameText returns completions of the last word of typed, the text for the command of the named game: an option
// with a value, matched by its spelling or its label in lang.
func (b *Bot) completeGameText(game, typed, lang string) (all []chat.CommandChoice) {
	command, _ := b.gameCalled(game)
	gameCommand, err := b.Find(command)
	if err != nil {
		return nil
	}
	start := strings.LastIndexByte(typed, ' ') + 1
	before, last := typed[:start], typed[start:]
	for _, o := range gameCommand.Options {
		if strings.Contains(" "+before, " "+o.Name+"=") {
			continue
		}
		called := o.Label
		if called.Key == "" {
			called = games.Say("bot.text", games.Args{"Text": o.Name})
		}
		for _, value := range o.Choices {
			word := o.Name + "=" + value.Value
			label := b.byLanguage(games.Say("bot.option-value", games.Args{"Option": called, "Value": value.Label}))
			if !strings.HasPrefix(word, last) && !strings.HasPrefix(strings.ToLower(label[lang]), last) {
				continue
			}
			for lang := range label {
				label[lang] = before + label[lang]
			}
			all = append(all, chat.CommandChoice{Value: before + word, Label: label})
		}
	}
	return all
}

// chatChoices returns the values of o that depend on the chat (see Option.More), or none after an error, which it logs.
func (b *Bot) chatChoices(ctx context.Context, ev chat.Event, o Option) (all []Choice) {
	if o.More == nil {
		return nil
	}
	err := b.Browse(ctx, ev, func(v *Visit) (err error) {
		all, err = o.More(v)
		return err
	})
	if err != nil {
		chat.LogFailure(ctx, b.Log.Error, "complete option values failed", err, "option", o.Name)
		return nil
	}
	return all
}

// subcommandChoices returns, for each subcommand of c, its name with each value that depends on the chat, then its
// name alone.
func (b *Bot) subcommandChoices(ctx context.Context, ev chat.Event, c Command) (all []Choice) {
	for _, s := range c.Subs {
		for _, o := range s.Options {
			for _, value := range b.chatChoices(ctx, ev, o) {
				all = append(all, TextChoice(s.Name+" "+value.Value))
			}
		}
		if s.Word != "" {
			all = append(all, Choice{s.Name, games.Say(s.Word, nil)})
		}
	}
	return all
}

// TextChoice returns a choice whose label is its value.
func TextChoice(text string) Choice {
	return Choice{text, games.Say("bot.text", games.Args{"Text": text})}
}
