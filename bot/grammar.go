package bot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// The grammar of commands. An option is given as name=value, or as a word alone, which goes to the first option in the
// table's order that is not set and accepts it. An option that accepts any word gets one only once all options before
// it are set; if its value may have several words, it ends before the next name=value. A word that no option accepts is
// refused.

// MaxText is the greatest length in bytes of a command's text or of one option. Longer ones are refused.
const MaxText = 400

// reading is the state of parsing one command.
type reading struct {
	*Bot
	c        Command
	lang     string // of the reader
	pressed  bool   // by a button, whose amounts are unambiguous
	mentions map[string]chat.Mention
	before   string // the part of the text that has been read
	given    Args
}

// Read parses the options and the text of ev for the command c. It returns c, or the subcommand that the first word
// names, and the given options. The error is a refusal, or *unclear for an ambiguous amount.
func (b *Bot) Read(c Command, ev chat.Event) (Command, Args, error) {
	r := reading{b, c, ev.Locale, ev.Press != "", ev.Mentions, "", Args{}}
	text := strings.TrimSpace(ev.Row + " " + ev.Text)
	if len(c.Options)+len(c.Subs) == 0 {
		return c, r.given, nil // "/hint please"
	}
	if len(text) > MaxText {
		return c, nil, games.Refuse("bot.too-long", nil)
	}
	if len(c.Subs) > 0 {
		if at, said := r.named(text); at == 0 {
			text = strings.TrimSpace(said)
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
	text, err := r.apart(ev.Options, text)
	for rest := ""; err == nil && text != ""; text = rest {
		rest, err = r.word(text)
		r.before += text[:len(text)-len(rest)]
	}
	for _, o := range r.c.Options[:r.c.Needs] {
		if _, given := r.given[o.Name]; err == nil && !given {
			err = o.refuse("", r.c.How)
		}
	}
	return r.c, r.given, err
}

// apart stores the options that the platform passed by name. It returns text, behind any words of those options that
// belong to others.
func (r *reading) apart(options map[string]string, text string) (behind string, err error) {
	names := slices.Sorted(maps.Keys(options))
	for i, name := range names {
		at, said := r.OptionOf(r.c, name), strings.TrimSpace(options[name])
		switch {
		case at < 0:
			return "", r.noSuchOption(name)
		case len(said) > MaxText:
			return "", games.Refuse("bot.too-long", nil)
		case said == "":
			continue
		}
		if r.c.Options[at].Type == chat.TypeNumber { // "2 last" where a platform offers no option for the second word
			var rest string
			said, rest = firstWord(said)
			text = strings.TrimSpace(rest + " " + text)
		}
		err = r.give(r.c.Options[at], said)
		if u, ok := err.(*unclear); ok {
			for _, name := range slices.Backward(names[i+1:]) {
				text = strings.TrimSpace(name + "=" + options[name] + " " + text)
			}
			u.before, u.behind = r.before+name+"=", [2]string{text, text}
		}
		if err != nil {
			return "", err
		}
		r.before += name + "=" + said + " "
	}
	return text, nil
}

// word stores the option value at the beginning of text, and returns the rest of the text.
func (r *reading) word(text string) (rest string, err error) {
	word, rest := r.group(text)
	at, said := r.named(word)
	named := at >= 0
	if !named {
		at, said = r.taking(word), word
	}
	if at < 0 {
		if next, _ := r.named(rest); rest != "" && next < 0 && r.OptionOf(r.c, word) >= 0 {
			return r.word(word + "=" + rest) // "zone New York"
		}
		return "", r.unknown(word)
	}
	o := r.c.Options[at]
	if o.phrase() {
		said, rest = r.phrase(at, text[len(word)-len(said):], named)
	}
	if !named && o.flag() {
		said = "true"
	}
	err = r.give(o, said)
	if u, ok := err.(*unclear); ok {
		_, first := firstWord(text)
		r.given[o.Name] = Value{}
		if at := r.taking("0"); at < 0 || !r.c.Options[at].free() {
			first = rest // no name may begin with the other digits
		}
		u.before, u.behind = r.before+strings.TrimSuffix(word, u.said), [2]string{rest, first}
	}
	return rest, err
}

// named returns the index of the option whose name begins text, and the text behind the name (said), as in "tiles=12",
// or "tiles:12" as some platforms write it. at is -1 if text does not begin with an option's name.
func (r *reading) named(text string) (at int, said string) {
	text = strings.TrimLeft(text, "-–—")
	word, _ := firstWord(text)
	end := strings.IndexAny(word, "=:")
	if end < 0 || word[end:] == ":" {
		return -1, ""
	}
	return r.OptionOf(r.c, word[:end]), text[end+1:]
}

// taking returns the index of the first option that is not set and accepts word, or -1.
func (r *reading) taking(word string) int {
	first := true
	for at, o := range r.c.Options {
		if _, given := r.given[o.Name]; given {
			continue
		}
		if r.takes(o, word) || first && o.free() {
			return at
		}
		first = false
	}
	return -1
}

// takes reports whether word is a valid value of the option o, in any language.
func (r *reading) takes(o Option, word string) bool {
	word = strings.ToLower(word)
	switch {
	case word == "":
		return false
	case o.Type == chat.TypeAmount:
		number, _ := r.joined(o, strings.Replace(word, "−", "-", 1))
		return number != "-" && strings.Trim(strings.TrimPrefix(number, "-"), "0123456789") == ""
	case o.Type == chat.TypeNumber:
		_, err := r.value(o, word)
		return err == nil
	case o.flag():
		at := r.OptionOf(r.c, word)
		return at >= 0 && r.c.Options[at].Name == o.Name
	}
	if o.takes(word) {
		return true
	}
	_, called := r.ValueCalled(o.all(), word)
	return called && r.OptionOf(r.c, word) < 0
}

// all returns the offered values of an option and the other names of its values.
func (o Option) all() []Choice { return slices.Concat(o.Choices, o.Also) }

// takes reports whether word is an offered value, another name of a value, or accepted by Reads.
func (o Option) takes(word string) bool {
	return slices.Contains(valuesOf(o.all()), word) || o.Reads != nil && o.Reads(word)
}

// free reports whether an option accepts any word.
func (o Option) free() bool {
	return (o.phrase() || o.Type == chat.TypeWord) && o.Reads == nil && len(o.Choices) == 0
}

// phrase reports whether a value may consist of several words.
func (o Option) phrase() bool { return o.Type == chat.TypeText || o.Type == chat.TypePerson }

// flag reports whether an option is a flag, which its name alone sets.
func (o Option) flag() bool { return o.Type == chat.TypeFlag || o.Type == chat.TypeThread }

// phrase splits text behind the value of option at, which may have several words. The value ends before the next option
// that is named; before a word that another option accepts, if the option has Reads; and after a person's number ("#9")
// if the next option accepts the word behind it. named means that the value follows the option's name.
func (r *reading) phrase(at int, text string, named bool) (said, rest string) {
	o := r.c.Options[at]
	text = strings.TrimSpace(text)
	_, rest = firstWord(text)
	ends := !named && !o.free()
	if !named && o.Type == chat.TypePerson && strings.HasPrefix(text, "#") && at+1 < len(r.c.Options) {
		next, _ := firstWord(rest)
		ends = r.c.Options[at+1].free() || r.takes(r.c.Options[at+1], next)
	}
	for rest != "" && !ends {
		word, behind := firstWord(rest)
		next, _ := r.named(word)
		if next < 0 && o.Reads != nil {
			next = r.taking(word)
		}
		if next >= 0 && next != at {
			break
		}
		rest = behind
	}
	return strings.TrimSpace(text[:len(text)-len(rest)]), rest
}

// give stores the value of an option, also a number with digit groups ("1,000"). It refuses a second, different value,
// and returns *unclear for an ambiguous number.
func (r *reading) give(o Option, said string) error {
	if number, sure := r.joined(o, said); number != said {
		if !sure && len(number) <= maxDigits {
			refusal := games.Refusal{Line: games.Say("bot.amount.digits", games.Args{"Amount": number})}
			return &unclear{Refusal: &refusal, said: said, number: number}
		}
		said = number
	}
	value, err := r.value(o, said)
	if err != nil {
		return err
	}
	if had, twice := r.given[o.Name]; twice && had != value {
		return games.Refuse("bot.twice", games.Args{"Option": o.Name})
	}
	r.given[o.Name] = value
	return nil
}

// refuse returns the refusal of an invalid value: the option's own, or else the sentence with the key how.
func (o Option) refuse(said, how string) error {
	if o.Refuse != nil {
		return o.Refuse(said)
	}
	return games.Refuse(how, nil)
}

// unknown returns the refusal of a word that no option accepts. It suggests the nearest word.
func (r *reading) unknown(word string) error {
	for _, o := range r.c.Options[:r.c.Needs] {
		if _, given := r.given[o.Name]; !given {
			return o.refuse(word, r.c.How)
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
		if _, given := r.given[o.Name]; given && r.takes(o, word) {
			return games.Refuse("bot.twice", games.Args{"Option": o.Name})
		}
	}
	if len(r.c.Options) == 1 && r.c.Options[0].Refuse != nil {
		return r.c.Options[0].Refuse(word)
	}
	return r.noSuchOption(word)
}

// noSuchOption returns the refusal of a word that the command does not know. It suggests a value for an option's name
// alone, else the nearest known word in any language, else the choices of the only option, else /help.
func (r *reading) noSuchOption(word string) error {
	if at := r.OptionOf(r.c, word); at >= 0 && len(r.c.Options[at].Choices) > 1 { // the first is the default
		o := r.c.Options[at]
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": o.Name + "=" + o.Choices[1].Value}))
	}
	if end := strings.IndexAny(word, "=:"); end > 0 { // "knockuot:45"
		word = word[:end]
	}
	var known []Choice
	for _, o := range r.c.Options {
		known = append(append(known, Choice{o.Name, o.Label}), o.Choices...)
	}
	if near := r.nearest(word, known); near != "" && !strings.EqualFold(near, word) {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": near}))
	}
	if len(r.c.Options) == 1 && r.c.Options[0].Type == chat.TypeChoice && len(r.c.Options[0].Choices) > 1 {
		return NoSuchChoice(word, r.c.Options[0].Choices)
	}
	return refuseWord(word, games.Say("bot.instead.help", games.Args{"Command": r.c.Name}))
}
