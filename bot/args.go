package bot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// How what somebody wrote to a command is read: into the values of its options, by name.

// MaxText is the largest part of a command's text that is read.
const MaxText = 400

// Read brings together what somebody gave to a command: options that their platform
// had apart, and text. It returns the row of the table that answers, too: the command
// itself, or the one among its rows that the first word asks for.
func (b *Bot) Read(c Command, ev chat.Event) (Command, Args, error) {
	r := reading{b, c, ev.Locale, ev.Press != "", ev.Mentions, Args{}}
	if ev.Row != "" {
		err := r.row(ev.Row, ev.Options)
		return r.c, r.given, err
	}
	if c.Ordered {
		err := r.inOrder(ev.Options, ev.Text)
		return r.c, r.given, err
	}
	var before []string
	names := slices.Sorted(maps.Keys(ev.Options))
	for i, name := range names {
		word := name + "=" + ev.Options[name]
		if err := r.option(name, ev.Options[name]); err != nil {
			behind := []string{strings.TrimSpace(ev.Text)}
			for _, name := range names[i+1:] {
				behind = append(behind, name+"="+ev.Options[name])
			}
			return c, nil, within(err, before, word, behind, behind)
		}
		before = append(before, word)
	}
	return c, r.given, r.anyOrder(before, ev.Text)
}

// reading is a command that is being read.
type reading struct {
	*Bot
	c        Command
	lang     string // of the reader
	pressed  bool   // a button says it, which can be read in one way only
	mentions map[string]chat.Mention
	given    Args
}

// inOrder reads the options one behind the other, as far as words fit; those that are
// left over are refused.
func (r *reading) inOrder(options map[string]string, text string) error {
	for name, value := range options {
		if r.OptionOf(r.c, name) != 0 {
			return r.noSuchOption(r.c, name)
		}
		text = value
	}
	text = strings.TrimSpace(chat.Shorten(text, MaxText))
	if name, value, named := strings.Cut(text, "="); named && r.OptionOf(r.c, name) == 0 {
		text = strings.TrimSpace(value)
	}
	word, rest := firstWord(text)
	var before []string
	if i := r.Sub(r.c, word); i >= 0 { // also one that only buttons ask for
		row := r.c.Subs[i]
		row.Ordered, row.How, text = true, cmp.Or(row.How, r.c.How), rest
		r.c, before = row, []string{word}
	}
	if len(wordsOf(text)) < r.c.Needs {
		return games.Refuse(r.c.How, nil)
	}
	for i, o := range r.c.Options {
		said, rest := text, ""
		if !o.phrase() || r.numbered(i, text) {
			said, rest = firstWord(text)
		}
		if said == "" {
			break
		}
		if o.Type == chat.TypeAmount {
			said, rest = r.amountFirst(text)
		}
		value, err := r.read(o, said)
		if err != nil && o.Refuse == nil {
			break
		}
		if err != nil {
			_, first := firstWord(text)
			return within(err, before, said, []string{rest}, []string{first})
		}
		r.given[o.Name], text = value, rest
	}
	return r.leftOver(text)
}

// numbered reports whether a text begins with a person's number or tag ("#9") and goes on
// with what the option behind that person takes. Else a name may begin so: "#1 Fan".
func (r *reading) numbered(at int, text string) bool {
	if r.c.Options[at].Type != chat.TypePerson || !strings.HasPrefix(text, "#") || at+1 == len(r.c.Options) {
		return false
	}
	_, rest := firstWord(text)
	next, _ := firstWord(rest)
	_, err := r.value(r.c, r.c.Options[at+1], next, nil)
	return err == nil
}

// leftOver refuses words that no option of an ordered command takes.
func (r *reading) leftOver(text string) error {
	word, _ := firstWord(text)
	if word == "" {
		return nil
	}
	if r.c.How == "" { // the last option says what it takes
		return r.c.Options[len(r.c.Options)-1].Refuse(word)
	}
	var known []string
	for _, s := range r.c.Subs {
		if s.Word != "" {
			known = append(append(known, s.Name), r.WordsFor(s.Word)...)
		}
	}
	return NearestWord(word, known, games.Say(r.c.How, nil))
}

// Sub finds the row of a command that a word asks for, in any language; -1: none.
func (b *Bot) Sub(c Command, word string) int {
	return slices.IndexFunc(c.Subs, func(s Command) bool {
		return strings.EqualFold(s.Name, word) ||
			s.Word != "" && slices.Contains(b.WordsFor(s.Word), strings.ToLower(word))
	})
}

// phrase reports whether a value may be of several words.
func (o Option) phrase() bool { return o.Type == chat.TypeText || o.Type == chat.TypePerson }

// anyOrder reads a text word by word, behind options that were given apart.
func (r *reading) anyOrder(before []string, text string) error {
	if len(r.c.Options) == 0 {
		return nil // "/hint please": there is nothing that the words could say
	}
	if len(text) > MaxText {
		return games.Refuse("bot.too-long", nil)
	}
	last := -1 // the option before
	words := wordsOf(text)
	for i, n := 0, 1; i < len(words); i += n {
		var word string
		word, n = r.amountAt(words[i:])
		name, value, named := r.split(r.c, strings.TrimLeft(word, "-–—"))
		var err error
		switch {
		case named:
			err = r.option(name, value)
			last = r.OptionOf(r.c, name)
		case last >= 0 && r.c.Options[last].phrase() && !r.elsewhere(last, word):
			o := r.c.Options[last]
			r.given[o.Name], err = r.value(r.c, o, r.given[o.Name].Text+" "+word, r.mentions)
		case i+1 < len(words) && r.heads(word, words[i+1]):
			word, n, last = word+"="+words[i+1], 2, r.OptionOf(r.c, word)
			err = r.option(r.c.Options[last].Name, words[i+1])
		default:
			err = r.guess(word)
		}
		if err != nil {
			return within(err, append(before, words[:i]...), word, words[i+n:], words[i+n:])
		}
	}
	return nil
}

// elsewhere reports whether a word behind an option of several words is the value of another: "zone=New York 22-8".
func (r *reading) elsewhere(last int, word string) bool {
	return r.c.Options[last].Reads != nil && slices.ContainsFunc(r.c.Options, func(o Option) bool {
		return o.Name != r.c.Options[last].Name && o.takes(word)
	})
}

// heads reports whether a word names an option of several words, and the next begins its value: "zone New York".
func (r *reading) heads(word, next string) bool {
	i := r.OptionOf(r.c, word)
	_, _, named := r.split(r.c, next)
	return i >= 0 && r.c.Options[i].phrase() && !named && r.OptionOf(r.c, next) < 0
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

// option notes an option by its name, once.
func (r *reading) option(name, said string) error {
	i := r.OptionOf(r.c, name)
	if i < 0 {
		return r.noSuchOption(r.c, name)
	}
	name = r.c.Options[i].Name
	value, err := r.read(r.c.Options[i], said)
	if err != nil {
		return err
	}
	if had, twice := r.given[name]; twice && had != value {
		return games.Refuse("bot.twice", games.Args{"Option": name})
	}
	r.given[name] = value
	return nil
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

// meaning is the value that somebody gives an option by its name: as it is, as
// they call it, or in small letters.
func (b *Bot) meaning(o Option, value string) string {
	if slices.ContainsFunc(o.Choices, func(offered Choice) bool { return strings.EqualFold(offered.Value, value) }) {
		return strings.ToLower(value)
	}
	if meant, called := b.ValueCalled(o, value); called {
		return meant
	}
	if o.phrase() {
		return value
	}
	return strings.ToLower(value)
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

// guess finds the option that a bare word is meant for: a whole number is the
// stake, a variant's name the variant, a value that only one option takes
// that option.
func (r *reading) guess(word string) error {
	word = strings.Replace(strings.ToLower(word), "−", "-", 1)
	number, _ := r.joined(word)
	whole := strings.Trim(strings.TrimPrefix(number, "-"), "0123456789") == "" && word != "-"
	if whole && r.OptionOf(r.c, "stake") >= 0 {
		return r.option("stake", word)
	}
	i := r.OptionOf(r.c, word)
	if i >= 0 && (r.c.Options[i].Type == chat.TypeFlag || r.c.Options[i].Type == chat.TypeThread) {
		return r.option(word, "true")
	}
	var fit []string
	for _, o := range r.c.Options {
		if _, called := r.ValueCalled(o, word); o.Name == "variant" && (called || o.takes(word)) {
			return r.option(o.Name, word)
		}
		if o.takes(word) {
			fit = append(fit, o.Name)
		}
	}
	if len(fit) == 0 && i >= 0 {
		return valueless(r.c, r.c.Options[i], word)
	}
	if len(fit) == 0 {
		for _, o := range r.c.Options { // as people call them
			if _, called := r.ValueCalled(o, word); called {
				fit = append(fit, o.Name)
			}
		}
	}
	switch len(fit) {
	case 0:
		return r.noSuchOption(r.c, word)
	case 1:
		return r.option(fit[0], word)
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

// takes reports whether a word is one of an option's values, or is read as one.
func (o Option) takes(word string) bool {
	return slices.Contains(valuesOf(slices.Concat(o.Choices, o.Also)), word) || o.Reads != nil && o.Reads(word)
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
	if len(c.Options) == 1 && c.Options[0].Type == chat.TypeChoice && len(c.Options[0].Choices) > 1 {
		return NoSuchWord(word, known[1:])
	}
	return refuseWord(word, games.Say("bot.instead.help", games.Args{"Command": c.Name}))
}

// Means reports whether a word is what a key says in any language.
func (b *Bot) Means(key, word string) bool {
	return key != "" && slices.ContainsFunc(b.Words.Languages(), func(lang string) bool {
		return strings.EqualFold(b.Words.Say(lang, games.Say(key, nil), words.Context{}), word)
	})
}
