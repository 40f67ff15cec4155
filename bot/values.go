package bot

// What the options of a command are worth: values of their types, and how each type is read.

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// Args are the options that somebody has given to a command, by name.
type Args map[string]Value

// Value is the value of an option.
type Value struct {
	Text   string // as its type spells it
	number int64
	user   chat.User
}

// Person is somebody who is meant by a mention, or by a name alone.
type Person struct {
	User chat.User // "": by the name
	Name string
}

// Text is the value of an option as a text, "" where none was given.
func (w Args) Text(name string) string { return w[name].Text }

// Flag reports whether an option was given as true.
func (w Args) Flag(name string) bool { return w[name].Text == "true" }

// Amount is the value of an option that is an amount or a number, within its bounds;
// false: none was given.
func (w Args) Amount(name string) (int64, bool) {
	value, given := w[name]
	return value.number, given
}

// Person is whom an option names; false: nobody.
func (w Args) Person(name string) (Person, bool) {
	value := w[name]
	return Person{value.user, value.Text}, value.Text != ""
}

// Among finds a person among so many: by who they are or, where only a name was
// said, by the first kind of names that one of them has, as it is written before
// other letter cases and before "@" and the name; -1: nobody is meant.
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

// value reads the value of an option, by its type.
func (b *Bot) value(c Command, o Option, said string, mentions map[string]chat.Mention) (value Value, err error) {
	value.Text = said
	if !c.Ordered || o.Type == chat.TypeChoice {
		value.Text = b.meaning(o, said)
	}
	switch o.Type {
	case chat.TypeAmount, chat.TypeNumber:
		if o.Type == chat.TypeNumber {
			said, o.Max = strings.TrimPrefix(said, "#"), math.MaxInt64
		}
		value.number, err = strconv.ParseInt(said, 10, 64)
		if err != nil || value.number < o.Min || value.number > o.Max {
			err = games.Refuse("bot.not-amount", games.Args{"Option": o.Name, "Min": int(o.Min), "Max": int(o.Max)})
		}
	case chat.TypeFlag, chat.TypeThread:
		value.Text, err = b.flagOf(said)
	case chat.TypePerson:
		if name := chat.CleanName(said); name != "" {
			value.Text = name
		}
		if m, mentioned := mentions[value.Text]; mentioned {
			value = Value{Text: cmp.Or(chat.CleanName(m.Name), value.Text), user: m.User}
		}
	case chat.TypeChoice, chat.TypeGame:
		if said != "" && c.Game == nil && !o.takes(value.Text) { // the rules of a game say what they know
			err = NoSuchChoice(value.Text, o.Choices)
		}
	}
	if err != nil && o.Refuse != nil {
		err = o.Refuse(said)
	}
	return value, err
}

func valuesOf(choices []Choice) []string {
	var all []string
	for _, c := range choices {
		all = append(all, c.Value)
	}
	return all
}

// NoSuchChoice refuses a word that is none of some choices.
func NoSuchChoice(word string, choices []Choice) error { return NoSuchWord(word, valuesOf(choices)) }
