package bot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// The grammar of commands. An option is given as name=value, or as a lone word, which goes to the first of the
// command's Options that is not set yet and accepts the word. An option that accepts any word gets a lone word only if
// all options before it are set. A value of several words ends before the next name=value. A word that no option
// accepts is refused.

// MaxText is the greatest length in bytes of a command's text and of the value of each option.
const MaxText = 400

// commandParser is the state of parsing one command.
type commandParser struct {
	*Bot
	c        Command
	lang     string // language of the reader
	pressed  bool   // the command comes from a button: its amounts are unambiguous
	mentions map[string]chat.Mention
	before   string // the text that has been parsed
	given    Args
}

// Read parses the options and the text of ev for the command c. It returns c, or the subcommand that the first word
// names, and the given options. The error is a refusal, or *ambiguousAmount.
func (b *Bot) Read(c Command, ev chat.Event) (Command, Args, error) {
	r := commandParser{b, c, ev.Locale, ev.Press != "", ev.Mentions, "", Args{}}
	text := strings.TrimSpace(ev.Row + " " + ev.Text)
	if len(c.Options)+len(c.Subs) == 0 {
		return c, r.given, nil // a command without options ignores text: "/hint please"
	}
	if len(text) > MaxText {
		return c, nil, games.Refuse("bot.too-long", nil)
	}
	if len(c.Subs) > 0 {
		if index, value := r.splitNamed(text); index == 0 {
			text = strings.TrimSpace(value)
		}
		word, rest := firstWord(text)
		if i := c.Sub(word); i >= 0 {
			r.c = c.Subs[i]
			r.c.How = cmp.Or(r.c.How, c.How)
			r.before, text = word+" ", rest
		}
	}
	if len(ev.Options)+len(wordsOf(text)) < r.c.Needs {
		return r.c, nil, games.Refuse(r.c.How, nil)
	}
	text, err := r.readOptions(ev.Options, text)
	for rest := ""; err == nil && text != ""; text = rest {
		rest, err = r.readWord(text)
		r.before += text[:len(text)-len(rest)]
	}
	for _, o := range r.c.Options[:r.c.Needs] {
		if _, given := r.given[o.Name]; err == nil && !given {
			err = o.refusal("", r.c.How)
		}
	}
	return r.c, r.given, err
}

// readOptions stores the options that the platform passed by name. It returns the text that is left to parse: any words
// that follow the number in the field of a numeric option ("last" in "2 last"), and then text.
func (r *commandParser) readOptions(options map[string]string, text string) (remaining string, err error) {
	names := slices.Sorted(maps.Keys(options))
	for i, name := range names {
		index, value := r.OptionOf(r.c, name), strings.TrimSpace(options[name])
		switch {
		case index < 0:
			return "", r.noSuchOption(name)
		case len(value) > MaxText:
			return "", games.Refuse("bot.too-long", nil)
		case value == "":
			continue
		}
		if r.c.Options[index].Type == chat.TypeNumber { // "2 last" in a platform's one field for two words
			var rest string
			value, rest = firstWord(value)
			text = strings.TrimSpace(rest + " " + text)
		}
		err = r.setValue(r.c.Options[index], value)
		if u, ok := err.(*ambiguousAmount); ok {
			for _, name := range slices.Backward(names[i+1:]) {
				text = strings.TrimSpace(name + "=" + options[name] + " " + text)
			}
			u.before, u.behind = r.before+name+"=", [2]string{text, text}
		}
		if err != nil {
			return "", err
		}
		r.before += name + "=" + value + " "
	}
	return text, nil
}

// readWord stores the option value at the beginning of text, and returns the rest of text.
func (r *commandParser) readWord(text string) (rest string, err error) {
	word, rest := r.splitAmount(text)
	index, value := r.splitNamed(word)
	named := index >= 0
	if !named {
		index, value = r.optionFor(word), word
	}
	if index < 0 {
		if nextIndex, _ := r.splitNamed(rest); rest != "" && nextIndex < 0 && r.OptionOf(r.c, word) >= 0 {
			return r.readWord(word + "=" + rest) // a name without a sign: "zone New York"
		}
		return "", r.unknownWord(word)
	}
	o := r.c.Options[index]
	if o.isPhrase() {
		value, rest = r.splitPhrase(index, text[len(word)-len(value):], named)
	}
	if !named && o.isFlag() {
		value = "true"
	}
	err = r.setValue(o, value)
	if u, ok := err.(*ambiguousAmount); ok {
		_, first := firstWord(text)
		r.given[o.Name] = Value{}
		if index := r.optionFor("0"); index < 0 || !r.c.Options[index].acceptsAnyWord() {
			first = rest // drop the amount's other digits: the next option is not free text that may begin with them
		}
		u.before, u.behind = r.before+strings.TrimSuffix(word, u.input), [2]string{rest, first}
	}
	return rest, err
}

// splitNamed splits text such as "tiles=12", or "tiles:12" as some platforms write it, into the index of the option and
// all text behind the sign. index is -1 if text does not begin with an option's name.
func (r *commandParser) splitNamed(text string) (index int, value string) {
	text = strings.TrimLeft(text, "-–—")
	word, _ := firstWord(text)
	end := strings.IndexAny(word, "=:")
	if end < 0 || word[end:] == ":" {
		return -1, ""
	}
	return r.OptionOf(r.c, word[:end]), text[end+1:]
}

// optionFor returns the index of the first option that is not set and accepts word, or -1.
func (r *commandParser) optionFor(word string) int {
	first := true
	for index, o := range r.c.Options {
		if _, given := r.given[o.Name]; given {
			continue
		}
		if r.accepts(o, word) || first && o.acceptsAnyWord() {
			return index
		}
		first = false
	}
	return -1
}

// accepts reports whether word is a known value of o or, if o is a flag, its name, in any language.
func (r *commandParser) accepts(o Option, word string) bool {
	word = strings.ToLower(word)
	switch {
	case word == "":
		return false
	case o.Type == chat.TypeAmount:
		number, _ := r.joinDigits(o, strings.Replace(word, "−", "-", 1))
		return number != "-" && strings.Trim(strings.TrimPrefix(number, "-"), "0123456789") == ""
	case o.Type == chat.TypeNumber:
		_, err := r.parseValue(o, word)
		return err == nil
	case o.isFlag():
		index := r.OptionOf(r.c, word)
		return index >= 0 && r.c.Options[index].Name == o.Name
	}
	if o.isKnownValue(word) {
		return true
	}
	_, called := r.ValueCalled(o.allChoices(), word)
	return called && r.OptionOf(r.c, word) < 0
}

// allChoices returns the offered values of o and the other names of its values.
func (o Option) allChoices() []Choice { return slices.Concat(o.Choices, o.Also) }

// isKnownValue reports whether word is an offered value, another name of a value, or accepted by o.Reads.
func (o Option) isKnownValue(word string) bool {
	return slices.Contains(valuesOf(o.allChoices()), word) || o.Reads != nil && o.Reads(word)
}

// acceptsAnyWord reports whether any word is a valid value of o.
func (o Option) acceptsAnyWord() bool {
	return (o.isPhrase() || o.Type == chat.TypeWord) && o.Reads == nil && len(o.Choices) == 0
}

// isPhrase reports whether a value of o may consist of several words.
func (o Option) isPhrase() bool { return o.Type == chat.TypeText || o.Type == chat.TypePerson }

// isFlag reports whether o is a flag, which is set by its name alone.
func (o Option) isFlag() bool { return o.Type == chat.TypeFlag || o.Type == chat.TypeThread }

// splitPhrase splits text after the value of the option at index, which may have several words. The value ends before
// the name of another option and, if the option has a function Reads, before a word that another option accepts. named
// means that the option's name came before text. Without it, the value is one word unless the option accepts any word,
// and the number of a person ("#9") is the whole value if the next option accepts the word after that number.
func (r *commandParser) splitPhrase(index int, text string, named bool) (value, rest string) {
	o := r.c.Options[index]
	text = strings.TrimSpace(text)
	_, rest = firstWord(text)
	ends := !named && !o.acceptsAnyWord()
	if !named && o.Type == chat.TypePerson && strings.HasPrefix(text, "#") && index+1 < len(r.c.Options) {
		next, _ := firstWord(rest)
		ends = r.c.Options[index+1].acceptsAnyWord() || r.accepts(r.c.Options[index+1], next)
	}
	for rest != "" && !ends {
		word, behind := firstWord(rest)
		next, _ := r.splitNamed(word)
		if next < 0 && o.Reads != nil {
			next = r.optionFor(word)
		}
		if next >= 0 && next != index {
			break
		}
		rest = behind
	}
	return strings.TrimSpace(text[:len(text)-len(rest)]), rest
}

// setValue stores the value of o, including numbers with digit groups ("1,000"). It refuses a second, different value.
// The error is *ambiguousAmount if input can be read in two ways.
func (r *commandParser) setValue(o Option, input string) error {
	if number, sure := r.joinDigits(o, input); number != input {
		if !sure && len(number) <= maxDigits {
			refusal := games.Refusal{Line: games.Say("bot.amount.digits", games.Args{"Amount": number})}
			return &ambiguousAmount{Refusal: &refusal, input: input, number: number}
		}
		input = number
	}
	value, err := r.parseValue(o, input)
	if err != nil {
		return err
	}
	if earlier, isSet := r.given[o.Name]; isSet && earlier != value {
		return games.Refuse("bot.twice", games.Args{"Option": o.Name})
	}
	r.given[o.Name] = value
	return nil
}

// refusal returns the refusal of an invalid input: the option's own, or else the sentence with the key how.
func (o Option) refusal(input, how string) error {
	if o.Refuse != nil {
		return o.Refuse(input)
	}
	return games.Refuse(how, nil)
}

// unknownWord returns the refusal of a word that no option accepts. It suggests the nearest known word.
func (r *commandParser) unknownWord(word string) error {
	for _, o := range r.c.Options[:r.c.Needs] {
		if _, given := r.given[o.Name]; !given {
			return o.refusal(word, r.c.How)
		}
	}
	if r.c.How != "" {
		var known []string
		for _, s := range r.c.Rows() {
			known = append(append(known, s.Name), s.Aliases...)
		}
		return NearestWord(word, known, games.Say(r.c.How, nil))
	}
	for _, o := range r.c.Options {
		if _, given := r.given[o.Name]; given && r.accepts(o, word) {
			return games.Refuse("bot.twice", games.Args{"Option": o.Name})
		}
	}
	if len(r.c.Options) == 1 && r.c.Options[0].Refuse != nil {
		return r.c.Options[0].Refuse(word)
	}
	return r.noSuchOption(word)
}

// noSuchOption returns the refusal of a word that the command does not know. If word is an option's name, it suggests a
// value for it. Else it suggests the nearest known word in any language, the choices of the only option, or /help.
func (r *commandParser) noSuchOption(word string) error {
	if index := r.OptionOf(r.c, word); index >= 0 && len(r.c.Options[index].Choices) > 1 {
		o := r.c.Options[index] // Choices[0] is the default, so Choices[1] is suggested
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": o.Name + "=" + o.Choices[1].Value}))
	}
	if end := strings.IndexAny(word, "=:"); end > 0 { // a misspelt name: "knockuot:45"
		word = word[:end]
	}
	var known []Choice
	for _, o := range r.c.Options {
		known = append(append(known, Choice{o.Name, o.Label}), o.Choices...)
	}
	if near := r.nearestValue(word, known); near != "" && !strings.EqualFold(near, word) {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": near}))
	}
	if len(r.c.Options) == 1 && r.c.Options[0].Type == chat.TypeChoice && len(r.c.Options[0].Choices) > 1 {
		return NoSuchChoice(word, r.c.Options[0].Choices)
	}
	return refuseWord(word, games.Say("bot.instead.help", games.Args{"Command": r.c.Name}))
}
