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

// mostText is the largest part of a command's text that is read.
const mostText = 400

// read brings together what somebody gave to a command: options that their
// platform had apart, and text, which is read word by word in any order.
func (b *Bot) read(c command, options map[string]string, text string) (wishes, error) {
	w := wishes{}
	for name, value := range options {
		if err := b.wish(w, c, name, value); err != nil {
			return nil, err
		}
	}
	if c.whole != "" {
		if text = strings.TrimSpace(text); text != "" {
			w[c.whole] = text
		}
		return w, nil
	}
	if len(c.options) == 0 {
		return w, nil // "/hint please": there is nothing that the words could say
	}
	if len(text) > mostText {
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
			if b.has(c, name, option.phrases) {
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
func (b *Bot) split(c command, word string) (name, value string, named bool) {
	if name, value, named = strings.Cut(word, "="); named {
		return name, value, true
	}
	if name, value, named = strings.Cut(word, ":"); named && value != "" && b.optionOf(c, name) >= 0 {
		return name, value, true
	}
	return word, "", false
}

// phrases says whether a value of an option may be of several words.
func (o option) phrases() bool { return o.phrase }

// flags says whether an option is true or false, and so said by its name alone.
func (o option) flags() bool { return o.flag }

// flagOf reads true or false.
func (b *Bot) flagOf(said string) (string, error) {
	for _, flag := range [...]struct{ value, word string }{{"true", "bot.flag.yes"}, {"false", "bot.flag.no"}} {
		if said = strings.ToLower(said); said == flag.value || slices.Contains(b.wordsFor(flag.word), said) {
			return flag.value, nil
		}
	}
	return "", noSuchWord(said, []string{"true", "false"})
}

// wordsFor are the words of a key of the message files, which are separated by
// spaces there, in every language.
func (b *Bot) wordsFor(key string) []string {
	var all []string
	for _, lang := range b.words.Languages() {
		for _, word := range strings.Fields(b.words.Say(lang, games.Say(key, nil), words.Context{})) {
			if !slices.Contains(all, word) {
				all = append(all, word)
			}
		}
	}
	return all
}

// wish notes an option by its name, once.
func (b *Bot) wish(w wishes, c command, name, value string) error {
	i := b.optionOf(c, name)
	if i < 0 {
		return b.noSuchOption(c, name)
	}
	name = c.options[i].name
	if c.options[i].flag {
		var err error
		if value, err = b.flagOf(value); err != nil {
			return err
		}
	} else if c.whole == "" {
		value = b.meaning(c.options[i], value)
	}
	if had, twice := w[name]; twice && had != value {
		return games.Refuse("bot.twice", games.Args{"Option": name})
	}
	w[name] = value
	return nil
}

// optionOf finds an option by its name, or as people call it in any language;
// -1 where there is none.
func (b *Bot) optionOf(c command, name string) int {
	if i := slices.IndexFunc(c.options, func(o option) bool { return strings.EqualFold(o.name, name) }); i >= 0 {
		return i
	}
	return slices.IndexFunc(c.options, func(o option) bool {
		return o.label.Key != "" && slices.Contains(b.written(o.label), strings.ToLower(name))
	})
}

// written is a label as one word in small letters, in every language.
func (b *Bot) written(label games.Line) []string {
	var all []string
	for _, lang := range b.words.Languages() {
		said := strings.ToLower(b.words.Say(lang, label, words.Context{}))
		all = append(all, strings.Join(strings.Fields(said), "-"))
	}
	return all
}

// meaning is the value that somebody gives an option by its name: as it is, as
// they call it, or in small letters.
func (b *Bot) meaning(o option, value string) string {
	if slices.ContainsFunc(o.choices, func(offered choice) bool { return strings.EqualFold(offered.value, value) }) {
		return strings.ToLower(value)
	}
	if meant, called := b.calls(o, value); called {
		return meant
	}
	if o.phrase {
		return value
	}
	return strings.ToLower(value)
}

// calls returns the value of an option that is called so in any language, with
// hyphens between its words or without.
func (b *Bot) calls(o option, word string) (string, bool) {
	word = strings.Join(strings.Fields(strings.ToLower(word)), "-")
	for _, offered := range slices.Concat(o.choices, o.also) {
		if slices.Contains(b.written(offered.label), word) {
			return offered.value, true
		}
	}
	return "", false
}

// guess finds the option that a bare word is meant for: a whole number is the
// stake, a variant's name the variant, a value that only one option takes
// that option.
func (b *Bot) guess(w wishes, c command, word string) error {
	word = strings.Replace(strings.ToLower(word), "−", "-", 1)
	if strings.Trim(strings.TrimPrefix(word, "-"), "0123456789") == "" && word != "-" && b.has(c, "stake", nil) {
		return b.wish(w, c, "stake", word)
	}
	if b.has(c, word, option.flags) {
		return b.wish(w, c, word, "true")
	}
	var fit []string
	meant := ""
	for _, o := range c.options {
		if value, fits := b.fits(c, o, word); fits {
			if o.name == "variant" {
				return b.wish(w, c, o.name, value)
			}
			fit, meant = append(fit, o.name), value
		}
	}
	if i := b.optionOf(c, word); len(fit) == 0 && i >= 0 {
		return valueless(c, c.options[i], word)
	}
	if len(fit) == 0 {
		for _, o := range c.options { // as people call them
			if value, called := b.calls(o, word); called {
				fit, meant = append(fit, o.name), value
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
func valueless(c command, o option, word string) error {
	if example, there := o.example(); there {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": example}))
	}
	return refuseWord(word, games.Say("bot.instead.help", games.Args{"Command": c.name}))
}

// example is an option with a value that is not its usual one, as people write it.
func (o option) example() (said string, there bool) {
	if len(o.choices) < 2 {
		return "", false
	}
	return o.name + "=" + o.choices[1].value, true
}

// has says whether a command has an option of that name, and of that kind
// where one is asked for.
func (b *Bot) has(c command, name string, of func(option) bool) bool {
	return slices.ContainsFunc(c.options, func(o option) bool {
		return strings.EqualFold(o.name, name) && (of == nil || of(o))
	})
}

// fits returns the value that a word means for an option: one that is
// offered, by its own name or as people call it, or one that the game reads.
func (b *Bot) fits(c command, o option, word string) (string, bool) {
	for _, offered := range o.choices {
		if offered.value == word {
			return word, true
		}
	}
	if value, called := b.calls(o, word); called && (o.called || o.name == "variant") {
		return value, true
	}
	if c.game == nil {
		return word, o.reads != nil && o.reads(word)
	}
	for _, rule := range c.game.Options() {
		if rule.Name == o.name && rule.Parse != nil {
			_, err := rule.Parse(word)
			return word, err == nil
		}
	}
	return "", false
}

// noSuchWord refuses a word that is none of those that there are.
func noSuchWord(word string, known []string) error {
	return refuseWord(word, games.Instead(word, known))
}

func refuseWord(word string, instead games.Line) error {
	return games.Refuse("bot.no-such-word", games.Args{"Word": chat.Repeated(word, chat.MaxName), "Instead": instead})
}

// nearestWord refuses a word that is none of those that there are: it names the
// nearest of them, or says how else.
func nearestWord(word string, known []string, how games.Line) error {
	if near := games.Nearest(word, known); near != "" {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": near}))
	}
	return &games.Refusal{Line: how}
}

// noSuchOption refuses a word that a command does not know: it names the
// nearest that it does know, in any language, all where there are few, or where
// to read of them.
func (b *Bot) noSuchOption(c command, word string) error {
	var known, called []string
	for _, o := range c.options {
		known = append(known, o.name)
		if o.label.Key != "" {
			called = append(called, b.written(o.label)...)
		}
		for _, offered := range o.choices {
			known = append(known, offered.value)
			called = append(called, b.written(offered.label)...)
		}
	}
	typed, _, _ := strings.Cut(word, ":") // "knockuot:45"
	if near := games.Nearest(typed, append(known, called...)); near != "" {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": near}))
	}
	if len(c.options) == 1 && !c.options[0].open && len(c.options[0].choices) > 1 {
		return noSuchWord(word, known[1:])
	}
	return refuseWord(word, games.Say("bot.instead.help", games.Args{"Command": c.name}))
}

// stake reads the stake that somebody wishes; given is false when none was.
func (w wishes) stake() (stake int64, given bool, err error) {
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

// rules are the wishes that are options of a game's rules.
func (w wishes) rules() games.Rules {
	rules := games.Rules{}
	for name, value := range w {
		if !slices.Contains([]string{"stake", "variant", "house", termTurn, termAbsent}, name) {
			rules[name] = value
		}
	}
	return rules
}

// means says whether a word is what a key says in any language.
func (b *Bot) means(key, word string) bool {
	return key != "" && slices.ContainsFunc(b.words.Languages(), func(lang string) bool {
		return strings.EqualFold(b.words.Say(lang, games.Say(key, nil), words.Context{}), word)
	})
}
