package bot

// Values of command options, and how each type is read.

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"knobel/bot/chat"
	"knobel/games"
)

// Args are the given options of a command, by name.
type Args map[string]Value

// Value is the value of an option.
type Value struct {
	Text   string // normal form for the option's type: a choice's value, "true", a name
	number int64
	user   chat.User
}

// Person is a person named by a mention, or by a name alone.
type Person struct {
	User chat.User // "" if only the name is known
	Name string
}

// Text returns the value of an option as text, "" if it was not given.
func (a Args) Text(name string) string { return a[name].Text }

// Flag reports whether an option was given as true.
func (a Args) Flag(name string) bool { return a[name].Text == "true" }

// Amount returns the value of an amount or number, which is within the option's bounds; false: it was not given.
func (a Args) Amount(name string) (int64, bool) {
	value, given := a[name]
	return value.number, given
}

// Person returns the person that an option names; false: it was not given.
func (a Args) Person(name string) (Person, bool) {
	value := a[name]
	return Person{value.user, value.Text}, value.Text != ""
}

// Among returns the index of p among n people, or -1. It compares the ids that userID returns, of persons: a mention
// may name another player of one of them. If only the name of p is known, it compares each kind of names in namesOf in
// turn: exact spelling first, then ignoring case, then with an "@" in front.
func (p Person) Among(v *Visit, n int, userID func(i int) string, namesOf ...func(i int) string) int {
	if p.User != "" {
		namesOf, p.Name = []func(int) string{userID}, string(p.User)
	}
	comparisons := [...]func(name string) bool{
		func(name string) bool { return name == p.Name },
		func(name string) bool { return strings.EqualFold(name, p.Name) },
		func(name string) bool { return strings.EqualFold("@"+name, p.Name) },
	}
	for _, nameOf := range namesOf {
		for _, equal := range comparisons {
			for i := range n {
				if name := nameOf(i); name != "" && equal(name) {
					return i
				}
			}
		}
	}
	if p.User != "" { // an error of this read fails the statements that follow, too
		known, err := v.Tx.Chats.Player(string(p.User))
		if err == nil && known.Person != string(p.User) {
			return Person{User: chat.User(known.Person)}.Among(v, n, userID)
		}
	}
	return -1
}

// parseValue converts input to a value of o, by its type. Labels of choices in any language become their values; values
// of most types become lower case. The error is a refusal.
func (r *commandParser) parseValue(o Option, input string) (value Value, err error) {
	value.Text = input
	if !o.isPhrase() && (o.Type != chat.TypeWord || !o.acceptsAnyWord()) {
		value.Text = strings.ToLower(input)
	}
	switch {
	case len(o.Choices)+len(o.Also) == 0:
	case slices.ContainsFunc(o.Choices, func(c Choice) bool { return strings.EqualFold(c.Value, input) }):
		value.Text = strings.ToLower(input)
	default:
		if meant, isLabel := r.ValueCalled(o.allChoices(), input); isLabel {
			value.Text = meant
		}
	}
	switch o.Type {
	case chat.TypeAmount, chat.TypeNumber:
		input = strings.Replace(input, "−", "-", 1)
		if o.Type == chat.TypeNumber {
			input, o.Max = strings.TrimPrefix(input, "#"), math.MaxInt64
		}
		value.number, err = strconv.ParseInt(input, 10, 64)
		if err != nil || value.number < o.Min || value.number > o.Max {
			err = games.Refuse("bot.not-amount", games.Args{"Option": o.Name, "Min": int(o.Min), "Max": int(o.Max)})
		}
	case chat.TypeFlag, chat.TypeThread:
		value.Text, err = r.parseFlag(input)
	case chat.TypePerson:
		if name := chat.OneLine(input, chat.MaxName); name != "" {
			value.Text = name
		}
		if m, mentioned := r.mentions[value.Text]; mentioned {
			value = Value{Text: cmp.Or(chat.OneLine(m.Name, chat.MaxName), value.Text), user: m.User}
		}
	case chat.TypeChoice, chat.TypeGame:
		if input != "" && r.c.Game == nil && !o.isKnownValue(value.Text) { // a Game's rules refuse unknown values
			known := valuesOf(o.Choices)
			if o.Type == chat.TypeGame { // games ahead of their variants
				isGame := func(name string) bool { _, err := r.Game(name); return err == nil }
				slices.SortStableFunc(known, func(a, b string) int { return TrueFirst(isGame(a), isGame(b)) })
			}
			err = NoSuchWord(value.Text, known)
		}
	}
	if err != nil && o.Refuse != nil {
		err = o.Refuse(input)
	}
	return value, err
}

// parseFlag returns "true" or "false" for these words and for yes or no in any language. It refuses other words.
func (b *Bot) parseFlag(input string) (string, error) {
	for _, flag := range [...]struct{ value, word string }{{"true", "bot.flag.yes"}, {"false", "bot.flag.no"}} {
		if input = strings.ToLower(input); input == flag.value || slices.Contains(b.WordsFor(flag.word), input) {
			return flag.value, nil
		}
	}
	return "", NoSuchWord(input, []string{"true", "false"})
}

// valuesOf returns the values of choices without their labels.
func valuesOf(choices []Choice) []string {
	var all []string
	for _, c := range choices {
		all = append(all, c.Value)
	}
	return all
}

// NoSuchChoice returns the refusal of a word that is not among the choices.
func NoSuchChoice(word string, choices []Choice) error { return NoSuchWord(word, valuesOf(choices)) }

// NoSuchWord returns the refusal of an unknown word, which suggests the nearest known one or lists them.
func NoSuchWord(word string, known []string) error {
	return refuseWord(word, games.Instead(word, known))
}

// refuseWord returns the refusal of word; instead is the sentence that suggests another.
func refuseWord(word string, instead games.Line) error {
	return games.Refuse("bot.no-such-word", games.Args{"Word": chat.Repeated(word, chat.MaxName), "Instead": instead})
}

// NearestWord returns the refusal of an unknown word. It suggests the nearest known word or, if none is near, says how.
func NearestWord(word string, known []string, how games.Line) error {
	if near := games.Nearest(word, known); near != "" {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": near}))
	}
	return &games.Refusal{Line: how}
}

// Amounts with groups of three digits, such as "1,000".

var (
	grouped   = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:([^0-9])[0-9]{3})+$`) // a number in groups, and its separator
	fewDigits = regexp.MustCompile(`(?:^|[=:])[0-9]{1,3}$`)                  // may be the first group
	oneGroup  = regexp.MustCompile(`^[0-9]{3}$`)                             // a further group
	// unparted matches the first word of a text if it contains a number with non-breaking spaces between its digits.
	unparted = regexp.MustCompile(
		`^(?:[^\s\p{Z}=:]+[=:])?[0-9]{1,3}(?:(?:\x{a0}[0-9]{3})+|(?:\x{202f}[0-9]{3})+)(?:[\s\p{Z}]|$)`)
)

// maxDigits is the largest number of digits of an amount that askAmount asks about; longer amounts are refused.
const maxDigits = 15

// nonBreakingSpaces are the spaces that group digits inside one word.
const nonBreakingSpaces = "\u00a0\u202f"

// ambiguousAmount is the refusal of an amount that can be read in two ways, such as "1 000".
type ambiguousAmount struct {
	*games.Refusal
	input, number string    // as it was typed; its digits alone
	before        string    // the command's text before the amount
	behind        [2]string // the text after the number, and after its first digits alone
}

func (u *ambiguousAmount) Unwrap() error { return u.Refusal }

// joinDigits returns a number in groups without its separators, "1,000" as "1000", if o is an amount, or if the joined
// number is a known value of o and word is not. sure is false if the separator may have another meaning in the
// reader's language. Any other word is returned unchanged, with true.
func (r *commandParser) joinDigits(o Option, word string) (number string, sure bool) {
	m := grouped.FindStringSubmatch(word)
	if m == nil {
		return word, true
	}
	separator := m[1]
	number = strings.ReplaceAll(word, separator, "")
	sure = separator == r.Words.Group(r.lang) || strings.Contains(nonBreakingSpaces, separator)
	known := sure || separator == " " || slices.ContainsFunc(r.Words.Languages(), func(lang string) bool {
		return r.Words.Group(lang) == separator
	})
	if !known || strings.Trim(number, "0123456789") != "" ||
		o.Type != chat.TypeAmount && (o.isKnownValue(word) || !o.isKnownValue(number)) {
		return word, true
	}
	return number, sure
}

// firstWord splits a text after its first word. Non-breaking spaces between groups of digits do not end the word.
func firstWord(text string) (word, rest string) {
	if end := len(unparted.FindString(text)); end > 0 {
		word = strings.TrimSpace(text[:end])
		return word, strings.TrimSpace(text[len(word):])
	}
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:])
	}
	return text, ""
}

// wordsOf splits a text into words.
func wordsOf(text string) (all []string) {
	for text = strings.TrimSpace(text); text != ""; {
		var word string
		word, text = firstWord(text)
		all = append(all, word)
	}
	return all
}

// splitAmount splits a text after its first word. If that word begins an amount in several groups ("1 000"), word is
// the whole amount, provided that the option for it accepts it and that enough words follow for the required options.
// For an option whose type is not amount, the second group must begin with 0: another number may be a stake.
func (r *commandParser) splitAmount(text string) (word, rest string) {
	word, rest = firstWord(text)
	if r.pressed || !fewDigits.MatchString(word) {
		return word, rest
	}
	amount, behind := word, rest
	for next, after := firstWord(behind); oneGroup.MatchString(next); next, after = firstWord(behind) {
		amount, behind = amount+" "+next, after
	}
	index, value := r.splitNamed(amount)
	if index < 0 {
		index, value = r.optionFor(word), amount
	}
	if index < 0 || amount == word {
		return word, rest
	}
	o := r.c.Options[index]
	number, _ := r.joinDigits(o, value)
	_, mentioned := r.mentions[rest]
	if mentioned || len(r.given)+len(wordsOf(behind))+1 < r.c.Needs || number == value ||
		o.Type != chat.TypeAmount && rest[0] != '0' {
		return word, rest
	}
	return amount, behind
}
