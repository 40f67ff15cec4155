package bot

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// How what somebody wrote to a command is read: into the values of its options, by name.

// MaxText is the largest part of a command's text that is read.
const MaxText = 400

// Read brings together what somebody gave to a command: options that their
// platform had apart, and text, which is read word by word in any order.
func (b *Bot) Read(c Command, options map[string]string, text string) (Args, error) {
	w := Args{}
	for name, value := range options {
		if err := b.wish(w, c, name, value); err != nil {
			return nil, err
		}
	}
	if c.Text != "" {
		if text = strings.TrimSpace(text); text != "" {
			w[c.Text] = text
		}
		return w, nil
	}
	if len(c.Options) == 0 {
		return w, nil // "/hint please": there is nothing that the words could say
	}
	if len(text) > MaxText {
		return nil, games.Refuse("bot.too-long", nil)
	}
	last := "" // the option before, where its value may be of several words
	for _, word := range strings.Fields(text) {
		name, value, named := b.split(c, strings.TrimLeft(word, "-–—"))
		var err error
		switch {
		case named:
			err = b.wish(w, c, name, value)
			last = ""
			if b.has(c, name, Option.phrases) {
				last = strings.ToLower(name)
			}
		case last != "":
			w[last] += " " + word
		default:
			err = b.guess(w, c, word)
		}
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

// split parts an option's name from its value: "tiles=12", or "tiles:12" as some
// platforms write it, where an option is called so.
func (b *Bot) split(c Command, word string) (name, value string, named bool) {
	if name, value, named = strings.Cut(word, "="); named {
		return name, value, true
	}
	if name, value, named = strings.Cut(word, ":"); named && value != "" && b.OptionOf(c, name) >= 0 {
		return name, value, true
	}
	return word, "", false
}

// phrases reports whether a value of an option may be of several words.
func (o Option) phrases() bool { return o.Phrase }

// flags reports whether an option is true or false, and so said by its name alone.
func (o Option) flags() bool { return o.Flag }

// flagOf reads true or false.
func (b *Bot) flagOf(said string) (string, error) {
	for _, flag := range [...]struct{ value, word string }{{"true", "bot.flag.yes"}, {"false", "bot.flag.no"}} {
		if said = strings.ToLower(said); said == flag.value || slices.Contains(b.WordsFor(flag.word), said) {
			return flag.value, nil
		}
	}
	return "", NoSuchWord(said, []string{"true", "false"})
}

// WordsFor are the words of a key of the message files, which are separated by
// spaces there, in every language.
func (b *Bot) WordsFor(key string) []string {
	var all []string
	for _, lang := range b.Words.Languages() {
		for _, word := range strings.Fields(b.Words.Say(lang, games.Say(key, nil), words.Context{})) {
			if !slices.Contains(all, word) {
				all = append(all, word)
			}
		}
	}
	return all
}

// wish notes an option by its name, once.
func (b *Bot) wish(w Args, c Command, name, value string) error {
	i := b.OptionOf(c, name)
	if i < 0 {
		return b.noSuchOption(c, name)
	}
	name = c.Options[i].Name
	if c.Options[i].Flag {
		var err error
		if value, err = b.flagOf(value); err != nil {
			return err
		}
	} else if c.Text == "" {
		value = b.meaning(c.Options[i], value)
	}
	if had, twice := w[name]; twice && had != value {
		return games.Refuse("bot.twice", games.Args{"Option": name})
	}
	w[name] = value
	return nil
}

// OptionOf finds an option by its name, or as people call it in any language;
// -1 where there is none.
func (b *Bot) OptionOf(c Command, name string) int {
	if i := slices.IndexFunc(c.Options, func(o Option) bool { return strings.EqualFold(o.Name, name) }); i >= 0 {
		return i
	}
	return slices.IndexFunc(c.Options, func(o Option) bool {
		return o.Label.Key != "" && slices.Contains(b.written(o.Label), strings.ToLower(name))
	})
}

// written is a label as one word in small letters, in every language.
func (b *Bot) written(label games.Line) []string {
	var all []string
	for _, lang := range b.Words.Languages() {
		said := strings.ToLower(b.Words.Say(lang, label, words.Context{}))
		all = append(all, strings.Join(strings.Fields(said), "-"))
	}
	return all
}

// meaning is the value that somebody gives an option by its name: as it is, as
// they call it, or in small letters.
func (b *Bot) meaning(o Option, value string) string {
	if slices.ContainsFunc(o.Choices, func(offered Choice) bool { return strings.EqualFold(offered.Value, value) }) {
		return strings.ToLower(value)
	}
	if meant, called := b.ValueCalled(o, value); called {
		return meant
	}
	if o.Phrase {
		return value
	}
	return strings.ToLower(value)
}

// ValueCalled returns the value of an option that is called so in any language, with
// hyphens between its words or without.
func (b *Bot) ValueCalled(o Option, word string) (string, bool) {
	word = strings.Join(strings.Fields(strings.ToLower(word)), "-")
	for _, offered := range slices.Concat(o.Choices, o.Also) {
		if slices.Contains(b.written(offered.Label), word) {
			return offered.Value, true
		}
	}
	return "", false
}

// guess finds the option that a bare word is meant for: a whole number is the
// stake, a variant's name the variant, a value that only one option takes
// that option.
func (b *Bot) guess(w Args, c Command, word string) error {
	word = strings.Replace(strings.ToLower(word), "−", "-", 1)
	if strings.Trim(strings.TrimPrefix(word, "-"), "0123456789") == "" && word != "-" && b.has(c, "stake", nil) {
		return b.wish(w, c, "stake", word)
	}
	if b.has(c, word, Option.flags) {
		return b.wish(w, c, word, "true")
	}
	var fit []string
	meant := ""
	for _, o := range c.Options {
		if value, fits := b.fits(c, o, word); fits {
			if o.Name == "variant" {
				return b.wish(w, c, o.Name, value)
			}
			fit, meant = append(fit, o.Name), value
		}
	}
	if i := b.OptionOf(c, word); len(fit) == 0 && i >= 0 {
		return valueless(c, c.Options[i], word)
	}
	if len(fit) == 0 {
		for _, o := range c.Options { // as people call them
			if value, called := b.ValueCalled(o, word); called {
				fit, meant = append(fit, o.Name), value
			}
		}
	}
	switch len(fit) {
	case 0:
		return b.noSuchOption(c, word)
	case 1:
		return b.wish(w, c, fit[0], meant)
	}
	return games.Refuse("bot.which-option", games.Args{"Word": word, "First": fit[0], "Second": fit[1]})
}

// valueless refuses an option's name alone, and says how it is given a value: by
// one of those that are offered, where that can be.
func valueless(c Command, o Option, word string) error {
	if example, there := o.Example(); there {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": example}))
	}
	return refuseWord(word, games.Say("bot.instead.help", games.Args{"Command": c.Name}))
}

// Example is an option with a value that is not its usual one, as people write it.
func (o Option) Example() (said string, there bool) {
	if len(o.Choices) < 2 {
		return "", false
	}
	return o.Name + "=" + o.Choices[1].Value, true
}

// has reports whether a command has an option of that name, and of that kind
// where one is asked for.
func (b *Bot) has(c Command, name string, of func(Option) bool) bool {
	return slices.ContainsFunc(c.Options, func(o Option) bool {
		return strings.EqualFold(o.Name, name) && (of == nil || of(o))
	})
}

// fits returns the value that a word means for an option: one that is
// offered, by its own name or as people call it, or one that the game reads.
func (b *Bot) fits(c Command, o Option, word string) (string, bool) {
	for _, offered := range o.Choices {
		if offered.Value == word {
			return word, true
		}
	}
	if value, called := b.ValueCalled(o, word); called && (o.Called || o.Name == "variant") {
		return value, true
	}
	if c.Game == nil {
		return word, o.Reads != nil && o.Reads(word)
	}
	for _, rule := range c.Game.Options() {
		if rule.Name == o.Name && rule.Parse != nil {
			_, err := rule.Parse(word)
			return word, err == nil
		}
	}
	return "", false
}

// NoSuchWord refuses a word that is none of those that there are.
func NoSuchWord(word string, known []string) error {
	return refuseWord(word, games.Instead(word, known))
}

func refuseWord(word string, instead games.Line) error {
	return games.Refuse("bot.no-such-word", games.Args{"Word": chat.Repeated(word, chat.MaxName), "Instead": instead})
}

// NearestWord refuses a word that is none of those that there are: it names the
// nearest of them, or says how else.
func NearestWord(word string, known []string, how games.Line) error {
	if near := games.Nearest(word, known); near != "" {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": near}))
	}
	return &games.Refusal{Line: how}
}

// noSuchOption refuses a word that a command does not know: it names the
// nearest that it does know, in any language, all where there are few, or where
// to read of them.
func (b *Bot) noSuchOption(c Command, word string) error {
	var known, called []string
	for _, o := range c.Options {
		known = append(known, o.Name)
		if o.Label.Key != "" {
			called = append(called, b.written(o.Label)...)
		}
		for _, offered := range o.Choices {
			known = append(known, offered.Value)
			called = append(called, b.written(offered.Label)...)
		}
	}
	typed, _, _ := strings.Cut(word, ":") // "knockuot:45"
	if near := games.Nearest(typed, append(known, called...)); near != "" {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": near}))
	}
	if len(c.Options) == 1 && !c.Options[0].Open && len(c.Options[0].Choices) > 1 {
		return NoSuchWord(word, known[1:])
	}
	return refuseWord(word, games.Say("bot.instead.help", games.Args{"Command": c.Name}))
}

// Stake reads the stake that somebody wishes; given is false when none was.
func (w Args) Stake() (stake int64, given bool, err error) {
	text, given := w["stake"]
	if !given {
		return 0, false, nil
	}
	stake, err = strconv.ParseInt(text, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // what is out of range is refused as too much
		return 0, true, games.Refuse("bot.stake-number", nil)
	}
	return stake, true, nil
}

// Means reports whether a word is what a key says in any language.
func (b *Bot) Means(key, word string) bool {
	return key != "" && slices.ContainsFunc(b.Words.Languages(), func(lang string) bool {
		return strings.EqualFold(b.Words.Say(lang, games.Say(key, nil), words.Context{}), word)
	})
}
