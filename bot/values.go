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
	Text   string // in the normal form of its type
	number int64
	user   chat.User
}

// Person is a person named by a mention, or by a name alone.
type Person struct {
	User chat.User // "": only the name is known
	Name string
}

// Text returns the value of an option as text, "" if it was not given.
func (w Args) Text(name string) string { return w[name].Text }

// Flag reports whether an option was given as true.
func (w Args) Flag(name string) bool { return w[name].Text == "true" }

// Amount returns the value of an amount or number within its bounds; false: it was not given.
func (w Args) Amount(name string) (int64, bool) {
	value, given := w[name]
	return value.number, given
}

// Person returns the person that an option names; false: none.
func (w Args) Person(name string) (Person, bool) {
	value := w[name]
	return Person{value.user, value.Text}, value.Text != ""
}

// Among returns the index of the person among many people, or -1. It compares ids, which user returns; for a name alone
// it compares each kind of names in turn: exact spelling first, then ignoring case, then the name with an "@".
func (p Person) Among(many int, user func(i int) string, names ...func(i int) string) int {
	if p.User != "" {
		names, p.Name = []func(int) string{user}, string(p.User)
	}
	alike := [...]func(called string) bool{
		func(called string) bool { return called == p.Name },
		func(called string) bool { return strings.EqualFold(called, p.Name) },
		func(called string) bool { return strings.EqualFold("@"+called, p.Name) },
	}
	for _, name := range names {
		for _, same := range alike {
			for i := range many {
				if called := name(i); called != "" && same(called) {
					return i
				}
			}
		}
	}
	return -1
}

// value converts a word or phrase to a value of the option o, by its type: choices also by their labels in any
// language, and mostly in lower case. It refuses invalid values.
func (r *reading) value(o Option, said string) (value Value, err error) {
	value.Text = said
	if !o.phrase() && (o.Type != chat.TypeWord || !o.free()) {
		value.Text = strings.ToLower(said)
	}
	switch {
	case len(o.Choices)+len(o.Also) == 0:
	case slices.ContainsFunc(o.Choices, func(c Choice) bool { return strings.EqualFold(c.Value, said) }):
		value.Text = strings.ToLower(said)
	default:
		if meant, called := r.ValueCalled(o.all(), said); called {
			value.Text = meant
		}
	}
	switch o.Type {
	case chat.TypeAmount, chat.TypeNumber:
		said = strings.Replace(said, "−", "-", 1)
		if o.Type == chat.TypeNumber {
			said, o.Max = strings.TrimPrefix(said, "#"), math.MaxInt64
		}
		value.number, err = strconv.ParseInt(said, 10, 64)
		if err != nil || value.number < o.Min || value.number > o.Max {
			err = games.Refuse("bot.not-amount", games.Args{"Option": o.Name, "Min": int(o.Min), "Max": int(o.Max)})
		}
	case chat.TypeFlag, chat.TypeThread:
		value.Text, err = r.flagOf(said)
	case chat.TypePerson:
		if name := chat.CleanName(said); name != "" {
			value.Text = name
		}
		if m, mentioned := r.mentions[value.Text]; mentioned {
			value = Value{Text: cmp.Or(chat.CleanName(m.Name), value.Text), user: m.User}
		}
	case chat.TypeChoice, chat.TypeGame:
		if said != "" && r.c.Game == nil && !o.takes(value.Text) { // a game's rules refuse unknown values themselves
			known := valuesOf(o.Choices)
			if o.Type == chat.TypeGame { // games ahead of their variants
				isGame := func(name string) bool { _, err := r.Game(name); return err == nil }
				slices.SortStableFunc(known, func(a, b string) int { return TrueFirst(isGame(a), isGame(b)) })
			}
			err = NoSuchWord(value.Text, known)
		}
	}
	if err != nil && o.Refuse != nil {
		err = o.Refuse(said)
	}
	return value, err
}

// flagOf returns "true" or "false" for these words and for yes or no in any language, and refuses others.
func (b *Bot) flagOf(said string) (string, error) {
	for _, flag := range [...]struct{ value, word string }{{"true", "bot.flag.yes"}, {"false", "bot.flag.no"}} {
		if said = strings.ToLower(said); said == flag.value || slices.Contains(b.WordsFor(flag.word), said) {
			return flag.value, nil
		}
	}
	return "", NoSuchWord(said, []string{"true", "false"})
}

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

func refuseWord(word string, instead games.Line) error {
	return games.Refuse("bot.no-such-word", games.Args{"Word": chat.Repeated(word, chat.MaxName), "Instead": instead})
}

// NearestWord returns the refusal of an unknown word: it suggests the nearest known one, or is the line how.
func NearestWord(word string, known []string, how games.Line) error {
	if near := games.Nearest(word, known); near != "" {
		return refuseWord(word, games.Say("games.instead.near", games.Args{"Near": near}))
	}
	return &games.Refusal{Line: how}
}

// Amounts with groups of three digits, such as "1,000".

var (
	grouped   = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:([^0-9])[0-9]{3})+$`)
	fewDigits = regexp.MustCompile(`(?:^|[=:])[0-9]{1,3}$`)
	oneGroup  = regexp.MustCompile(`^[0-9]{3}$`)
	// unparted matches the first word of a text, if it has a number with non-breaking spaces between its digits.
	unparted = regexp.MustCompile(
		`^(?:[^\s\p{Z}=:]+[=:])?[0-9]{1,3}(?:(?:\x{a0}[0-9]{3})+|(?:\x{202f}[0-9]{3})+)(?:[\s\p{Z}]|$)`)
)

// maxDigits is the largest number of digits of an amount in a question; more digits are refused.
const maxDigits = 15

// unbroken holds the non-breaking spaces that group digits.
const unbroken = "\u00a0\u202f"

// unclear is the refusal of an amount that can be read in two ways, such as "1 000". It holds the command's text before
// and behind it.
type unclear struct {
	*games.Refusal
	said, number string // as it was written; its digits alone
	before       string
	behind       [2]string // behind the number, and behind the first digits alone
}

func (u *unclear) Unwrap() error { return u.Refusal }

// joined returns a number in groups without their separators, "1,000" as "1000", if the option o takes it as an amount.
// sure is false if the separator may have another meaning in the reader's language. Any other word is returned
// unchanged, with true.
func (r *reading) joined(o Option, said string) (number string, sure bool) {
	m := grouped.FindStringSubmatch(said)
	if m == nil {
		return said, true
	}
	sign := m[1]
	number = strings.ReplaceAll(said, sign, "")
	sure = sign == r.Words.Group(r.lang) || strings.Contains(unbroken, sign)
	known := sure || sign == " " || slices.ContainsFunc(r.Words.Languages(), func(lang string) bool {
		return r.Words.Group(lang) == sign
	})
	if !known || strings.Trim(number, "0123456789") != "" ||
		o.Type != chat.TypeAmount && (o.takes(said) || !o.takes(number)) {
		return said, true
	}
	return number, sure
}

// firstWord splits a text behind its first word. Non-breaking spaces between groups of digits do not end the word.
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

// group splits a text behind its first word. If that begins an amount with spaces between its groups ("1 000"), word is
// the whole amount, provided that the option it is for accepts the amount and that the words behind suffice for the
// required options. For options other than amounts the second group must begin with 0: else it is the stake.
func (r *reading) group(text string) (word, rest string) {
	word, rest = firstWord(text)
	if r.pressed || !fewDigits.MatchString(word) {
		return word, rest
	}
	long, behind := word, rest
	for next, after := firstWord(behind); oneGroup.MatchString(next); next, after = firstWord(behind) {
		long, behind = long+" "+next, after
	}
	at, said := r.named(long)
	if at < 0 {
		at, said = r.taking(word), long
	}
	if at < 0 || long == word {
		return word, rest
	}
	o := r.c.Options[at]
	number, _ := r.joined(o, said)
	_, mentioned := r.mentions[rest]
	if mentioned || len(r.given)+len(wordsOf(behind))+1 < r.c.Needs || number == said ||
		o.Type != chat.TypeAmount && rest[0] != '0' {
		return word, rest
	}
	return long, behind
}
